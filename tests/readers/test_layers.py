"""What is said of models with Keras' layers: nothing where all is well, else the one fault."""

from __future__ import annotations

from typing import Any

import pytest

from readers.test_told import run, told

HEAD = """
L = ad.keras.layers
ad.random.set_seed(1)
images = np.random.default_rng(0).normal(size=(8, 8, 8, 1)).astype(np.float32)
x = images[:, 0, :3, 0]
ids = ad.constant([[1, 2, 3], [3, 4, 0]])
"""
TAPE = """
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.square(model({}) - 0.3))
ad.explain(tape, loss, {})
"""
ALL = "model.trainable_variables"


def asked(layers: str, inputs: str, sources: str = ALL) -> str:
    """A program that asks about a model of layers in a row."""
    return HEAD + f"model = ad.keras.Sequential([{layers}])\n" + TAPE.format(inputs, sources)


RESIDUAL = """
class Net(ad.keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second = L.Dense(4), L.LayerNormalization(), L.Dense(4)
        self.add, self.times, self.beside = L.Add(), L.Multiply(), L.Concatenate()
        self.shape, self.pool, self.last = L.Reshape((2, 4)), L.AveragePooling1D(2), L.Dense(1)
    def call(self, x):
        h = self.norm(self.first(x))
        g = L.Softmax()(self.second(h))
        y = self.beside([self.add([h, g]), self.times([h, g])])
        return self.last(self.pool(L.LeakyReLU()(self.shape(y))))
model = Net()
"""
HEALTHY = {
    "convolution": asked(
        "L.Conv2D(4, 3, activation='relu'), L.MaxPooling2D(), L.Flatten(), L.Dense(2)", "images"
    ),
    "normalization in training": asked(
        "L.Conv2D(4, 3), L.BatchNormalization(), L.ReLU(), L.GlobalAveragePooling2D(), L.Dense(2)",
        "images, training=True", "[model.weights[0], *model.weights[2:4], *model.weights[6:]]",
    ),
    "normalization": asked("L.Dense(3), L.BatchNormalization(), L.Dense(1)", "x"),
    "sequences": asked("L.Conv1D(3, 2), L.MaxPool1D(), L.GlobalMaxPool1D()", "images[..., 0]"),
    "words": asked("L.Embedding(5, 4), L.LSTM(5), L.Dense(1)", "ids"),
    "more words": asked("L.Embedding(5, 4), L.GRU(5, return_sequences=True), L.SimpleRNN(3)", "ids"),
    "side by side": HEAD + RESIDUAL + TAPE.format("x", ALL),
}  # fmt: skip


@pytest.mark.parametrize("text", HEALTHY.values(), ids=HEALTHY)
def test_nothing_is_said_of_a_healthy_model(text: str) -> None:
    for finding in run(text).findings:
        assert (finding.status, finding.also) == ("flows", []), str(finding)


def test_a_dead_relu_in_a_convolution() -> None:
    low = "bias_initializer=ad.keras.initializers.Constant(-100.0)"
    for layers in (f"L.Conv2D(4, 3, activation='relu', {low})", f"L.Conv2D(4, 3, {low}), L.ReLU()"):
        text = asked(f"{layers}, L.MaxPooling2D(), L.Flatten(), L.Dense(1)", "images")
        kernel, bias, weight, last = run(text).findings
        assert (kernel.status, kernel.op) == (bias.status, bias.op) == ("zero", "Relu")
        assert "the unit is dead" in kernel.why and "the unit is dead" in weight.why
        assert last.status == "flows"


BATCH = HEAD + """
bn = L.BatchNormalization()
bn(x)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(bn(x, training={}) * x)
ad.explain(tape, loss, bn.moving_mean)
"""  # fmt: skip
INSIDE = ("as tape:\n", "as tape:\n    tape.watch(bn.moving_mean)\n")


def test_a_moving_average_that_is_used_is_not_meant_to_be_watched_but_can_be() -> None:
    found = told(BATCH.format("False"))
    assert (found.status, found.cause, found.fix) == ("none", "not trainable", "")
    assert "is a moving average of a batch normalization" in found.why
    assert "no call did: without training=True" in found.why and "gamma and beta" in found.advice
    assert told(BATCH.format("False").replace(*INSIDE)).status == "flows"


def test_a_moving_average_that_is_only_assigned_to_needs_no_gradient() -> None:
    found = told(BATCH.format("True"))
    assert (found.status, found.cause, found.fix) == ("none", "not trainable", "")
    assert "with training=True moves the averages" in found.why
    assert "That was done at line 13 of " in found.why and found.line.number == 13
    watched = told(BATCH.format("True").replace(*INSIDE))
    assert watched.status == "none" and "shape" not in watched.why
    assert "Nothing on the tape uses `bn.moving_mean`" in watched.why


OWN = HEAD + """
class Norm(L.Layer):
    def build(self, shape):
        self.mean = self.add_weight((shape[-1],), "zeros", trainable=False, name="mean")
    def call(self, x):
        {}
        self.mean.assign(0.9 * self.mean + 0.1 * ad.reduce_mean(x, axis=0))
        return y
norm, w = Norm(), ad.Variable(2.0)
norm(x)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(norm(w * x) * x)
ad.explain(tape, loss, norm.mean)
"""  # fmt: skip


def test_an_average_of_ones_own_that_is_only_assigned_to() -> None:
    for used in ("y = x - ad.reduce_mean(x, axis=0)", "y = x - self.mean"):
        found = told(OWN.format(used))
        assert (found.cause, found.fix) == ("not trainable", "")
        assert "If `loss` is to depend on it" in found.advice
    watched = OWN.format(used).replace("as tape:\n", "as tape:\n    tape.watch(norm.mean)\n")
    assert told(watched).status == "flows"


def test_all_variables_of_a_model_are_more_than_it_learns() -> None:
    text = asked(
        "L.Dense(3), L.BatchNormalization(), L.Dense(1)", "x, training=True", "model.variables"
    )
    missing = [finding for finding in run(text).findings if finding.status == "none"]
    fix = "model.trainable_variables    # instead of model.variables"
    assert [finding.fix for finding in missing] == [fix, fix]


ROWS = HEAD + """
emb = L.Embedding({}, 2)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.square(emb(ids)) {})
ad.explain(tape, loss, emb.embeddings)
"""  # fmt: skip


@pytest.mark.parametrize(
    "rows, more, says",
    [
        (6, "", "Row 5 of its 6 gets zero: it was not looked up"),
        (9, "", "4 of its 9 rows get zero, row 5 for example: they were not looked up"),
        (5, "", None),
        (9, "+ ad.reduce_sum(emb.embeddings)", None),
        (9, "+ ad.reduce_sum(emb([5, 6, 7, 8]))", None),
        (9, "+ ad.reduce_sum(emb([5, 6, 7]))", "Row 8 of its 9 gets zero"),
    ],
)
def test_rows_that_were_not_looked_up(rows: int, more: str, says: str | None) -> None:
    found = told(ROWS.format(rows, more))
    assert found.status == "flows" and len(found.also) == (says is not None)
    assert says is None or found.also[0].startswith(says)


def test_rows_of_a_table_that_is_a_target_too_get_something() -> None:
    text = ROWS.format(9, "").replace("loss, emb", "[loss, emb.embeddings], emb")
    (added,) = told(text).also
    assert "are added up" in added and "looked up" not in added


def test_ids_have_no_gradient() -> None:
    text = asked("L.Embedding(9, 2), L.GlobalAveragePooling1D()", "ids", "ids")
    found = told(text)
    assert (found.status, found.line.number) == ("none", 8)
    assert "It is used as an index at line 12" in found.advice


def test_a_softmax_of_one_unit() -> None:
    for last in ("L.Dense(1), L.Softmax()", "L.Dense(1, 'softmax')"):
        for finding in run(asked(f"L.Dense(4), {last}", "x")).findings:
            assert (finding.status, finding.op) == ("zero", "Softmax")
            assert "the axis has length 1, so its softmax is 1" in finding.why


@pytest.mark.parametrize("layers, inputs", [
    ("L.Conv2D(4, 3), L.BatchNormalization(), L.Flatten(), L.Dense(1)", "images"),
    ("L.Embedding(9, 3), L.LSTM(4), L.Dense(1)", "ids"),
])  # fmt: skip
def test_a_model_that_was_called_before_the_block(layers: str, inputs: str) -> None:
    text = (
        HEAD
        + f"""
model = ad.keras.Sequential([{layers}])
y = model({inputs})
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.square(y))
ad.explain(tape, loss, {ALL})
"""
    )
    found = run(text).findings[0]
    assert (found.status, found.line.number) == ("none", 11)
    assert f"    y = model({inputs})\n" in found.fix
    block = text[text.index("with ") : text.index("ad.explain")]
    mended = run(text.replace(block, f"{found.fix}\n"))
    assert {finding.status for finding in mended.findings} == {"flows"}


def test_a_picture_is_watched_before_it_is_asked_for() -> None:
    text = asked("L.Conv2D(2, 3), L.GlobalMaxPooling2D(), L.Dense(1)", "image", "image")
    text = text.replace("with", "image = ad.constant(images)\nwith")
    found = told(text)
    assert found.cause == "not watched"
    mended = text.replace("as tape:\n", f"as tape:\n    {found.fix}\n")
    assert told(mended).status == "flows"


@pytest.mark.parametrize("layers, inputs", [
    ("L.Dense(3), L.BatchNormalization(), L.Dense(1)", "x[:1], training=True"),
    ("L.Dense(1), L.LayerNormalization(), L.Dense(2)", "x"),
])  # fmt: skip
def test_a_normalization_over_one_number(layers: str, inputs: str) -> None:
    found = run(asked(layers, inputs)).findings
    assert found[0].status == "zero" and found[0].cause == "always the same"
    assert "a mean over one element is subtracted from that very element" in found[0].why
    assert "a larger batch" in found[0].advice
    assert found[-1].status == "flows"


MOMENTS = """
y = ad.Variable([[1.0], [2.0], [4.0]])
model = lambda x: (x - ad.nn.moments(x, [0])[0]) / ad.sqrt(ad.nn.moments(x, [0])[1]) * ad.zeros([1])
"""


def test_how_a_variance_is_computed_is_no_other_way() -> None:
    gamma = "L.Dense(3), L.BatchNormalization(gamma_initializer='zeros'), L.Dense(1)"
    texts = [asked(gamma, "x, training=True", "model.weights[0]"),
             HEAD + MOMENTS + TAPE.format("y", "y")]  # fmt: skip
    for text in texts:
        found: Any = told(text)
        assert found.status == "zero" and not found.also, str(found)
