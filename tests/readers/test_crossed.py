"""Shapes (n, 1) and (n,) that met in a loss: said where it is certain, and nowhere else."""

from __future__ import annotations

import linecache
import sys
from typing import Any

import pytest

from readers.test_told import HEAD, run, told

columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns")

DATA = """
X = np.random.rand(5, 3).astype("float32")
Y = np.random.rand(5).astype("float32")
x, y = ad.constant(X), ad.constant(Y)
w = ad.Variable(ad.ones((3, 1)))
"""
PROGRAMS = {
    "tensors": """
with ad.GradientTape() as tape:
    y_pred = x @ w + 0.5
    loss = ad.reduce_mean(ad.square(y_pred - «y»))
ad.explain(tape, loss, w)
""",
    "arrays, data first": """
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((«Y» - ad.matmul(X, w)) ** 2)
ad.explain(tape, loss, w)
""",
    "a function of one's own": """
def mse(y_true, y_pred):
    error = «y_true» - y_pred
    return ad.reduce_mean(ad.square(error), axis=-1)
for epoch in range(2):
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(mse(Y, ad.matmul(X, w)))
ad.explain(tape, loss, w)
""",
    "a function that is called for training and for a test": """
def mse(y_true, y_pred):
    return ad.reduce_mean(ad.square(«y_true» - y_pred))
X2, Y2 = np.ones((7, 3), "float32"), np.ones(7, "float32")
for epoch in range(2):
    with ad.GradientTape() as tape:
        loss = mse(Y, ad.matmul(X, w))
    test = mse(Y2, ad.matmul(X2, w))
ad.explain(tape, loss, w)
""",
    "a function in a function": """
def mse(y_true, y_pred):
    return ad.reduce_mean(ad.square(y_pred - «y_true»))
def train_step(inputs, labels):
    with ad.GradientTape() as tape:
        loss = mse(labels, ad.matmul(inputs, w))
    return tape, loss
tape, loss = train_step(X, Y)
ad.explain(tape, loss, w)
""",
    "parts, in functions that have come back": """
def loss_of(w, inputs, labels):
    return ad.reduce_mean((inputs @ w - «labels») ** 2)
def train(w, inputs, labels, batch=5):
    for i in range(0, len(inputs), batch):
        some, theirs = inputs[i : i + batch], labels[i : i + batch]
        with ad.GradientTape() as tape:
            loss = loss_of(w, some, theirs)
    return tape, loss
tape, loss = train(w, X, Y)
ad.explain(tape, loss, w)
""",
    "parts of tensors": """
for i in range(0, 5, 5):
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(ad.square(«y[i : i + 5]» - x[i : i + 5] @ w))
ad.explain(tape, loss, w)
""",
    "a class": """
class Fit:
    def __init__(self, x, y):
        self.x, self.y, self.w = x, y, ad.Variable(ad.ones((3, 1)))
    def loss(self):
        return ad.reduce_sum(ad.abs(self.x @ self.w - «self.y»))
fit = Fit(X, Y)
with ad.GradientTape() as tape:
    loss = fit.loss()
ad.explain(tape, loss, fit.w)
""",
    "a list": """
ys = [1.0, 2.0, 3.0, 4.0, 5.0]
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.math.squared_difference(x @ w, «ys»))
ad.explain(tape, loss, w)
""",
    "labels in a column": """
column = ad.constant(Y.reshape(-1, 1))
v = ad.Variable([1.0, 2.0, 3.0])
with ad.GradientTape() as tape:
    pred = ad.linalg.matvec(x, v)
    loss = ad.reduce_mean((pred - «column») ** 2)
ad.explain(tape, loss, v)
""",
    "both are computed": """
q, v = ad.keras.layers.Dense(1), ad.keras.layers.Dense(2)
with ad.GradientTape() as tape:
    value = q(x)
    target = y + 0.9 * ad.reduce_max(v(x), axis=1)
    loss = ad.reduce_mean(ad.square(«value» - ad.stop_gradient(target)))
ad.explain(tape, loss, q.kernel)
""",
}


@columns
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_table_of_n_times_n_is_named_and_its_mend_mends(name: str) -> None:
    text = DATA + PROGRAMS[name]
    lines = ["", "", *text.splitlines()]  # below the two imports
    line = next(number for number, one in enumerate(lines, 1) if "«" in one)
    found = told(text.replace("«", "").replace("»", ""))
    (words,) = found.also
    assert found.status == "flows" and f" at line {line} of " in words, words
    assert "of shape (5,)" in words and "of shape (5, 1)" in words and "(5, 5)" in words
    code, old = words.split("`")[-4], words.split("`")[-2]
    assert f"«{old}»" in text, words
    assert told(text.replace(f"«{old}»", code)).also == []


HEALTHY = {
    "one shape": """
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.square(x @ w - ad.reshape(y, [-1, 1])))
ad.explain(tape, loss, w)
""",
    "each with each on purpose": """
v = ad.Variable([1.0, 2.0, 3.0])
centres = ad.constant([0.0, 1.0, 2.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.exp(-((v[:, ad.newaxis] - centres) ** 2)))
ad.explain(tape, loss, v)
""",
    "pairs of scores": """
with ad.GradientTape() as tape:
    score = x @ w
    loss = ad.reduce_mean(ad.nn.softplus(ad.squeeze(score, 1) - score))
ad.explain(tape, loss, w)
""",
    "pairs of what is computed twice": """
layer = ad.keras.layers.Dense(1)
layer(x)
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.exp(-ad.square(layer(x) - layer(x)[:, 0])))
    loss += ad.reduce_mean(ad.abs(ad.squeeze(layer(x), 1) - layer(x)))
ad.explain(tape, loss, layer.kernel)
""",
    "only some of the pairs": """
apart = 1.0 - ad.eye(5)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((x @ w - y) ** 2 * apart)
ad.explain(tape, loss, w)
""",
    "a density, summed along one axis first": """
with ad.GradientTape() as tape:
    likely = ad.reduce_mean(ad.exp(-((x @ w - y) ** 2)), axis=1)
    loss = -ad.reduce_mean(ad.math.log(likely))
ad.explain(tape, loss, w)
""",
    "a row of biases": """
v = ad.Variable(ad.ones((3, 5)))
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((x @ v - y) ** 2)
ad.explain(tape, loss, v)
""",
    "a number of columns that happens to be the same": """
with ad.GradientTape() as tape:
    rows = ad.nn.softmax(x @ w * y)
    loss = ad.reduce_mean(rows * rows)
ad.explain(tape, loss, w)
""",
    "an outer product of what is learnt": """
u = ad.Variable(ad.ones((5, 1)))
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(u * y)
ad.explain(tape, loss, u)
""",
    "a table of what is learnt": """
rows, columns = ad.Variable(ad.ones((5, 1))), ad.Variable(ad.ones(5))
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((rows - columns) ** 2) + ad.reduce_sum((rows + columns) ** 2)
ad.explain(tape, loss, rows)
""",
    "a loss of Keras brings them together": """
with ad.GradientTape() as tape:
    loss = ad.keras.losses.MeanSquaredError()(y, x @ w)
ad.explain(tape, loss, w)
""",
    "a function of which one call gives a table": """
def mse(y_true, y_pred):
    return ad.reduce_mean(ad.square(y_true - y_pred))
table = np.ones((5, 5), "float32")
with ad.GradientTape() as tape:
    loss = mse(table, ad.matmul(X, w))
other = mse(Y, ad.matmul(X, w))
ad.explain(tape, loss, w)
""",
    "one of each": """
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.square((x @ w)[:1] - y[:1]))
ad.explain(tape, loss, w)
""",
}


@pytest.mark.parametrize("name", HEALTHY)
def test_what_looks_alike_and_is_meant_gets_no_sentence(name: str) -> None:
    (found,) = run(DATA + HEALTHY[name]).findings
    assert found.status == "flows" and not any("a table of shape" in one for one in found.also)


@columns
def test_a_function_and_its_call_may_stand_in_two_cells() -> None:
    cells = [
        f"{HEAD}{DATA}",
        "def mse(y_true, y_pred):\n    return ad.reduce_mean(ad.square(y_true - y_pred))\n",
        "with ad.GradientTape() as tape:\n    loss = mse(Y, X @ w)\n",
        "answer = ad.explain(tape, loss, w)\n",
    ]
    scope: dict[str, Any] = {"__name__": "learner"}
    for number, text in enumerate(cells):
        file = f"<crossed {number}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec"), scope)
    (words,) = scope["answer"].findings[0].also
    assert "Sub at line 2 of <crossed 1>" in words and "`ad.reshape(y_true, [-1, 1])`" in words


def test_the_same_name_elsewhere_is_another_value() -> None:
    found = told(
        DATA
        + """
def mse(y_true, y_pred):
    return ad.reduce_mean(ad.square(y_pred - y_true))
def train_step(inputs, Y):
    with ad.GradientTape() as tape:
        loss = mse(Y, ad.matmul(inputs, w))
    return tape, loss
tape, loss = train_step(X, np.ones((5, 5), "f"))
ad.explain(tape, loss, w)
"""
    )
    assert found.also == []


@pytest.mark.parametrize(
    "before, part",
    [
        ("", "y[ad.newaxis, :]"),
        ("", "ad.reshape(y, [1, 5])[0:1]"),
        ("row = y[ad.newaxis, :]\n", "row[0:1]"),
        ("row = ad.reshape(y, [1, 5])[0:1]; row = row[0:1]; kept = row; del row\n", "kept[0:1]"),
    ],
)
def test_a_row_of_one_example_is_meant(before: str, part: str) -> None:
    found = told(
        DATA
        + f"""{before}
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.square({part} - x @ w))
ad.explain(tape, loss, w)
"""
    )
    assert (found.status, found.also) == ("flows", [])


GONE = """
def batches():
    yield X, {}
for a, b in batches():
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean((a @ w - {}) ** 2)
del a, b
ad.explain(tape, loss, w)
"""


def test_what_is_not_at_hand_any_more_is_told_by_the_numbers() -> None:
    (words,) = told(DATA + GONE.format("Y", "b")).also
    assert "`a @ w` of shape (5, 1) and `b` of shape (5,) or (1, 5)" in words
    assert told(DATA + GONE.format("Y", "ad.reshape(b, [-1, 1])")).also == []


def test_a_table_that_is_not_at_hand_any_more_is_no_row() -> None:
    assert told(DATA + GONE.format("np.random.rand(5, 5).astype('float32')", "b")).also == []


@columns
@pytest.mark.parametrize(
    "before, given",
    [
        ("f = lambda a: np.sin(a[:, 0]) + 1.0", "f(X)"),
        ("batch = {'y': Y}; get = lambda: batch", "get()['y']"),
        ("", "np.sin(X[:, 0] * 2.0)"),
    ],
)
def test_an_expression_of_numpys_is_told_by_the_numbers(before: str, given: str) -> None:
    program = DATA + before + """
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.abs({} - X @ w))
ad.explain(tape, loss, w)
"""  # fmt: skip
    (words,) = told(program.replace("{}", given)).also
    assert f"`ad.reshape({given}, [-1, 1])` in place of `{given}`" in words
    assert told(program.replace("{}", f"ad.reshape({given}, [-1, 1])")).also == []


def test_a_zero_that_comes_of_the_table_is_told_so() -> None:
    found = told("""
w = ad.Variable([[0.5], [1.0]])
data = {"y": np.arange(4, dtype="float32")}
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((np.ones((4, 2), "float32") @ w - data["y"]) ** 2)
ad.explain(tape, loss, w)
""")
    assert (found.status, found.cause) == ("zero", "cancelled") and not found.fix
    assert any("a table of shape (4, 4)" in one for one in found.also)
    assert found.advice.startswith("Give both one shape first")
