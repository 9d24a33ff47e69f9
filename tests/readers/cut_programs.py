"""Programs in which an operation lets no gradient through, and what stands in its place.

Each asks for `x` in the end. The code of the advice says what it is to stand instead of, and is put
there literally, without a bracket added; then a gradient must flow, and `loss` must have the value
that is given: that of the program as it was where nothing is given, anything where it is None.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Cut(NamedTuple):
    """A program, the operation and words that must be named, and how the mended loss compares."""

    op: str
    words: str
    code: str
    text: str
    value: Any


CUTS: dict[str, Cut] = {}
SAME = "same"
HEAD = "import autodiff_kit as ad\nimport numpy as np\n"


def cut(op: str, name: str, text: str, code: str = "", words: str = "", value: Any = SAME) -> None:
    """Add a program whose code must mend it, and is the given one if one is given."""
    CUTS[f"{op}: {name}"] = Cut(op, words, code, HEAD + text.lstrip("\n"), value)


def line(op: str, name: str, source: str, loss: str, code: str = "", **more: Any) -> None:
    """Add a program of one line."""
    tape = (
        f"with ad.GradientTape() as tape:\n    loss = {loss}  # here\nad.explain(tape, loss, x)\n"
    )
    cut(op, name, f"{source}\n{tape}", code, **more)


X = "x = ad.Variable([0.31, -0.77, 1.2])\nscale = 0.25"
line(
    "Round", "the whole expression, beside an operator", X,
    "ad.reduce_sum(ad.round(x / scale) * scale)",
    "h = x / scale\n(h + ad.stop_gradient(ad.round(h) - h))    # instead of ad.round(x / scale)",
)  # fmt: skip
line(
    "Round", "a name", X, "ad.reduce_sum(ad.round(x))",
    "x + ad.stop_gradient(ad.round(x) - x)    # instead of ad.round(x)",
)  # fmt: skip
line("Round", "h is taken", "h = 2.0\n" + X, "ad.reduce_sum(ad.round(x * h) - h)")
line("Round", "over two lines", X, "ad.reduce_sum(ad.round(x *  2.0))")
line("Round", "in a comprehension", X, "ad.add_n([ad.round(v * 100.0) / 100.0 for v in x])")
line("Rint", "of a difference", X, "ad.reduce_sum(2.0 - ad.math.rint(x - 0.5))")
line("Ceil", "by keyword", X, "ad.reduce_sum(ad.math.ceil(x=x * 2.0))")
line(
    "Floor", "of a product", X, "ad.reduce_sum(ad.floor(x * 2.0) * 3.0)",
    "ad.relax.straight_through(x * 2.0)    # instead of ad.floor(x * 2.0)",
)  # fmt: skip
line(
    "FloorDiv", "a quotient", "x = ad.Variable([7.5, 2.0])", "ad.reduce_sum(x // 2.0)",
    "ad.relax.straight_through(x / 2.0)    # instead of x // 2.0",
)  # fmt: skip
line(
    "FloorDiv", "of sums", "x = ad.Variable([7.5, 2.0])", "ad.reduce_sum((x + 1.0) // (x - 0.5))",
    "ad.relax.straight_through((x + 1.0) / (x - 0.5))    # instead of (x + 1.0) // (x - 0.5)",
)  # fmt: skip
line(
    "Greater", "far from the boundary, where a steep sigmoid is flat", "x = ad.Variable([3.5, 8.0])",
    "ad.reduce_sum(ad.cast(x > 1.0, ad.float32))",
    "ad.sigmoid(2.0 * (x - 1.0))    # instead of x > 1.0", value=None,
)  # fmt: skip
line(
    "Less", "far from another tensor", "x, y = ad.Variable([30.0, 80.0]), ad.constant([5.0, -5.0])",
    "ad.reduce_sum(ad.cast(x < y, ad.float32))",
    "ad.sigmoid(0.2 * (y - x))    # instead of x < y", value=None,
)  # fmt: skip
line(
    "SelectV2", "far from the boundary, where a steep sigmoid is flat", "x = ad.Variable(50.0)",
    "ad.where(x > 40.0, 0.4, 0.2) * 10.0",
    "weight = ad.sigmoid(0.5 * (x - 40.0))\n"
    "(weight * 0.4 + (1.0 - weight) * 0.2)    # instead of ad.where(x > 40.0, 0.4, 0.2)", value=None,
)  # fmt: skip
line(
    "StopGradient", "a straight-through sum whose bracket ends too late", X,
    "ad.reduce_sum(ad.stop_gradient(ad.floor(x) - x + x) * 3.0)",
    "(x + ad.stop_gradient(ad.floor(x) - x))    # instead of ad.stop_gradient(ad.floor(x) - x + x)",
    words="The whole sum is a constant so",
)  # fmt: skip
line(
    "StopGradient", "a straight-through sum that begins with what it is to pass on", X,
    "ad.reduce_sum(ad.stop_gradient(x + ad.floor(x) - x))",
    "x + ad.stop_gradient(ad.floor(x) - x)    # instead of ad.stop_gradient(x + ad.floor(x) - x)",
)  # fmt: skip
line(
    "StopGradient", "of a product", X, "ad.reduce_sum(ad.stop_gradient(x * 2.0) * 3.0)",
    "ad.identity(x * 2.0)    # instead of ad.stop_gradient(x * 2.0)",
)  # fmt: skip
line(
    "Cast", "an image", "x = ad.Variable([0.2, 0.7])",
    "ad.reduce_sum(ad.cast(ad.cast(x * 255.0, ad.uint8), ad.float32) / 255.0)",
    "ad.relax.straight_through(x * 255.0)    # instead of ad.cast(x * 255.0, ad.uint8)",
)  # fmt: skip
line(
    "Cast", "negative numbers are cut towards 0", X,
    "ad.reduce_sum(ad.cast(ad.cast(x * 3.0, ad.int32), ad.float32))",
)  # fmt: skip
line(
    "Cast", "to bool", "x = ad.Variable([0.01, 0.0])",
    "ad.reduce_sum(ad.cast(ad.cast(x, ad.bool), ad.float32))",
    words="one minus a soft equality", value=None,
)  # fmt: skip
cut(
    "Round", "in a function with names of its own", """
def quantize(x, scale):
    return ad.round(x / scale) * scale  # here
def main():
    z = ad.Variable([0.31, -0.77, 1.2])
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum(quantize(z, 0.25))
    ad.explain(tape, loss, z)
    return loss, answer
loss, answer = main()
""",
)  # fmt: skip
cut(
    "Round", "in a loss function", """
def round_loss(y_true, y_pred):
    rounded = ad.round(y_pred)  # here
    return ad.reduce_mean(ad.abs(y_true - rounded))
def main():
    w = ad.Variable([[0.4], [0.3]])
    with ad.GradientTape() as tape:
        out = ad.matmul([[1.0, 2.0]], w)
        loss = round_loss(2.0, out)
    ad.explain(tape, loss, w)
    return loss, answer
loss, answer = main()
""",
    "y_pred + ad.stop_gradient(ad.round(y_pred) - y_pred)    # instead of ad.round(y_pred)",
)  # fmt: skip
cut(
    "StopGradient", "its x is not the learner's x", """
def layer(x, w):
    return ad.stop_gradient(x * w)  # here
x, w = ad.constant([1.0, 2.0]), ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(layer(x, w))
ad.explain(tape, loss, w)
""",
    "ad.identity(x * w)    # instead of ad.stop_gradient(x * w)",
)  # fmt: skip
cut(
    "Cast", "an image in a function", """
def eight_bit(img):
    return ad.cast(img * 255.0, ad.uint8)  # here
w = ad.Variable([0.2, 0.7])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.cast(eight_bit(w), ad.float32))
ad.explain(tape, loss, w)
""",
    "ad.relax.straight_through(img * 255.0)    # instead of ad.cast(img * 255.0, ad.uint8)",
)  # fmt: skip

P = "x = ad.Variable([0.2, 0.9])\nt = 0.5"
HITS = "ad.reduce_mean(ad.cast({}, ad.float32))"
S = "ad.sigmoid(10.0 * {})"
line(
    "Greater", "both operands", P, HITS.format("x > t"), f"{S.format('(x - t)')}    # instead of x > t",
    value=0.514732,
)  # fmt: skip
line("Less", "is turned round", P, HITS.format("x * 2.0 < t"), value=None, words="near 0 and 1",
     code="ad.sigmoid(10.0 * (t - (x * 2.0)))    # instead of x * 2.0 < t")  # fmt: skip
line("Less", "the number stands first", P, HITS.format("0.5 > x"), value=None,
     code="ad.sigmoid(10.0 * (0.5 - x))    # instead of 0.5 > x")  # fmt: skip
line("GreaterEqual", "as a call", P, HITS.format("ad.greater_equal(x, t)"), value=None,
     code="ad.sigmoid(10.0 * (x - t))    # instead of ad.greater_equal(x, t)")  # fmt: skip
line(
    "Equal", "a soft equality", P, "ad.reduce_sum(ad.cast(ad.equal(x, ad.reduce_max(x)), ad.float32))",
    "ad.exp(-ad.square((x - ad.reduce_max(x)) / 0.1))    # instead of ad.equal(x, ad.reduce_max(x))",
)  # fmt: skip
line(
    "NotEqual", "a soft one", P, "ad.reduce_sum(ad.cast(x != t, ad.float32) * 2.0)",
    "1.0 - ad.exp(-ad.square((x - t) / 0.1))    # instead of x != t", value=None,
)  # fmt: skip
for asked in ("x", "t"):
    cut(
        "SelectV2", f"a learnable threshold, asked for {asked}", f"""
x, t = ad.Variable([0.2, 0.7, 0.9]), ad.Variable(0.5)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.where(x > t, 1.0, 0.0))  # here
ad.explain(tape, loss, {asked})
""",
        "weight = ad.sigmoid(10.0 * (x - t))\n"
        "weight * 1.0 + (1.0 - weight) * 0.0    # instead of ad.where(x > t, 1.0, 0.0)", value=None,
    )  # fmt: skip
cut(
    "SelectV2", "a mask with a name", """
x, v, w = ad.Variable([0.3, -0.1]), ad.Variable([1.0, 5.0]), ad.Variable([2.0, 1.0])
with ad.GradientTape() as tape:
    mask = (x > 0.0) & (v < 2.0)
    loss = ad.reduce_sum(ad.where(mask, w, -w))  # here
ad.explain(tape, loss, x)
""",
    value=None,
)  # fmt: skip
cut(
    "SelectV2", "beside an operator, and not", """
x, w = ad.Variable([0.3, -0.1]), ad.Variable([2.0, 1.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(2.0 * ad.where(~(x <= w * 0.5), w + 1.0, 0.0))  # here
ad.explain(tape, loss, x)
""",
    value=None,
)  # fmt: skip
line(
    "ArgMax", "a number", "x = ad.Variable([1.0, 3.0, 2.0])",
    "ad.cast(ad.argmax(x * 2.0), ad.float32) * 2.0", words="times the positions", value=2.0,
)  # fmt: skip
line(
    "ArgMax", "a one-hot vector", "x = ad.Variable([1.0, 3.0])",
    "ad.reduce_sum(ad.one_hot(ad.argmax(x), 2) * [1.0, 2.0])",
    "ad.nn.softmax(10.0 * x)    # instead of ad.one_hot(ad.argmax(x), 2)", value=2.0,
)  # fmt: skip
for how in ("ad.gather(table, i)", "ad.nn.embedding_lookup(table, i)"):
    cut(
        "ArgMin", f"the nearest row, {how}", f"""
table, x = ad.constant([[0.0, 1.0], [2.0, 3.0], [9.0, 9.0]]), ad.Variable([[2.1, 2.9]])
with ad.GradientTape() as tape:
    d = ad.reduce_sum((x[:, None, :] - table) ** 2, axis=-1)
    i = ad.argmin(d, axis=-1)  # here
    loss = ad.reduce_sum({how})
ad.explain(tape, loss, x)
""",
        f"weights = ad.nn.softmax(-10.0 * d)\nad.tensordot(weights, table, 1)    # instead of {how}",
    )  # fmt: skip
cut(
    "RandomShuffle", "rows", """
ad.random.set_seed(1)
x = ad.Variable([1.0, 2.0, 3.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.random.shuffle(x * 2.0) ** 2)  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip

WORDS: dict[
    str, tuple[str, str]
] = {}  # no literal code can mend these: the words that say what would


def words(name: str, said: str, text: str) -> None:
    """Add a program for which there must be words, with bars between them, and no code."""
    WORDS[name] = (said, HEAD + text.lstrip("\n"))


words(
    "argsort, cast to float", "ArgSort|ad.sort", """
x = ad.Variable([3.0, 1.0, 2.0])
with ad.GradientTape() as tape:
    idx = ad.argsort(x)  # here
    loss = ad.reduce_sum(ad.cast(idx, ad.float32) * [1.0, 2.0, 3.0])
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "argsort along the first axis", "ArgSort", """
x = ad.Variable([[3.0, 1.0], [2.0, 0.0]])
with ad.GradientTape() as tape:
    ranks = ad.cast(ad.argsort(x, axis=0, direction="DESCENDING"), ad.float32)  # here
    loss = ad.reduce_sum(ranks)
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "top_k, cast to float", "TopKV2|only the first, the values, has a gradient", """
x = ad.Variable([3.0, 1.0, 2.0])
with ad.GradientTape() as tape:
    vals, idx = ad.math.top_k(x, 2)  # here
    loss = ad.reduce_sum(ad.cast(idx, ad.float32))
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "top_k, one_hot", "TopKV2|ad.nn.softmax", """
x = ad.Variable([3.0, 1.0, 2.0])
with ad.GradientTape() as tape:
    indices = ad.math.top_k(x, 2).indices  # here
    loss = ad.reduce_sum(ad.one_hot(indices, 3) * [1.0, 2.0, 3.0])
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "top_k, gather", "TopKV2|Mix the rows of experts softly", """
x, experts = ad.Variable([3.0, 1.0]), ad.constant([[1.0, 2.0], [3.0, 4.0]])
with ad.GradientTape() as tape:
    vals, idx = ad.math.top_k(x, 1)  # here
    loss = ad.reduce_sum(ad.gather(experts, idx[0]))
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "a cast that is used as an index",
    "Cast|has to be whole|with low = ad.floor(x)|Where they have no order, mix", """
x, table = ad.Variable(1.7), ad.constant([1.0, 2.0, 3.0])
with ad.GradientTape() as tape:
    idx = ad.cast(x, ad.int32)  # here
    loss = ad.gather(table, idx)
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "a cast that one_hot takes", "Cast|has to be whole|in place of the one-hot vector", """
x = ad.Variable(1.7)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.one_hot(ad.cast(x, ad.int32), 3) * [1.0, 2.0, 3.0])  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "argmin along another axis, and its row", "ArgMin|Mix the rows of table softly", """
x, table = ad.Variable([[3.0, 1.0], [0.0, 5.0]]), ad.constant([[1.0], [2.0]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.gather(table, ad.argmin(x, axis=0)))  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
for one, place in (
    ("ad.equal(ad.argmax(x, axis=-1), labels)", "ArgMax"),
    ("ad.cast(ad.argmax(x, axis=-1), ad.int32) == ad.cast(labels, ad.int32)", "ArgMax"),
    ("ad.equal(ad.round(x[:, 0]), ad.cast(labels, ad.float32))", "Equal"),
    ("ad.equal(ad.cast(x[:, 0] > 0.5, ad.int64), labels)", "Greater"),
    ("ad.cast(x[:, 0] > 0.5, ad.float32) == ad.cast(labels, ad.float32)", "Equal"),
):
    words(
        f"accuracy, {one}", f"{place}|cannot be a loss|cross entropy", f"""
x, labels = ad.Variable([[0.2, 0.9], [0.8, 0.1]]), ad.constant([1, 1], dtype=ad.int64)
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(ad.cast({one}, ad.float32))  # here
ad.explain(tape, loss, x)
""",
    )  # fmt: skip
words(
    "the condition is another function's",
    "SelectV2|The weight is ad.sigmoid(10.0 * (v - limit)), in place of v > limit at line 5|"
    "weight * (w + 1.0) + (1.0 - weight) * 0.0.", """
limit = 0.5
def big(v):
    return v > limit
x, w = ad.Variable([0.2, 0.9]), ad.Variable(2.0)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.where(big(x), w + 1.0, 0.0))  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "a name of the condition is bound anew", "in place of x > v at line 5|The weight is", """
x, v, w = ad.Variable([0.2, 0.9]), ad.constant(0.5), ad.Variable(2.0)
with ad.GradientTape() as tape:
    mask = x > v
    v = v * 2.0
    loss = ad.reduce_sum(ad.where(mask, w, 0.0))  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "an answer that any takes", "leave out what can only take True or False", """
x = ad.Variable([0.2, 0.9])
with ad.GradientTape() as tape:
    loss = ad.cast(ad.reduce_any(x > 0.5), ad.float32)  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "the condition is the outcome of another one", "Mix the two softly|in place of x > w", """
x, w, up = ad.Variable([0.2, 0.9]), ad.Variable([0.5, 0.5]), True
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.where(x > w if up else x < w, w, 1.0))  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
words(
    "random numbers that could only be written three times", "Keep the values", """
x = ad.Variable([0.2, 0.9])
with ad.GradientTape() as tape:
    loss = ad.add_n([ad.round(v + ad.random.uniform([])) for v in x])  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
