"""Programs with a gradient that is zero, and what is true of each; see `true_programs`."""

from readers.true_programs import truth, zero


def one_line(name: str, cause: str, op: str, words: str, setting: str, line: str) -> None:
    """A program whose loss is computed in one line, which is the one to be named."""
    zero(
        name, cause, op, words,
        f"{setting}\nwith ad.GradientTape() as tape:\n    loss = {line}  # here\n"
        "ad.explain(tape, loss, x)\n",
    )  # fmt: skip


one_line("a mask that is made of the value", "zero", "Greater",
         "the other factor is 0 everywhere|the condition at|is False everywhere",
         "x = ad.Variable([3.0, 2.0])", "ad.reduce_sum(x * ad.cast(x > 5.0, ad.float32))")  # fmt: skip
one_line("saturated, in the learner's words", "zero", "Tanh", "ad.tanh(0.002 * (x * 2.0))",
         "x = ad.Variable([300.0, 200.0])", "ad.reduce_sum(«ad.tanh(x * 2.0)»)")  # fmt: skip
PAIR = 'v, x = ad.Variable([3.0, 2.0], name="v"), ad.Variable([5.0, 6.0], name="x")'
for joined in (
    "ad.concat([v, x], axis=0)[:2]",
    "ad.stack([v, x])[0]",
    "ad.stack([x, v], axis=1)[:, 1]",
):
    one_line(
        f"left out of {joined}", "left out", "StridedSlice",
        "Only other elements are taken here: none that came from `x`",
        PAIR, f"ad.reduce_sum({joined} ** 2)",
    )  # fmt: skip
zero(
    "left out of what was joined with a constant, on another line",
    "left out",
    "StridedSlice",
    "none that came from `x`",
    f"""
{PAIR}
with ad.GradientTape() as tape:
    c = ad.concat([v * 2.0, ad.ones([1]), x * 3.0], axis=0)
    h = ad.reshape(ad.tanh(c), [5, 1])
    loss = ad.reduce_sum(h[1:3] ** 2)  # here
ad.explain(tape, loss, x)
""",
)
one_line("not the smallest of a stack", "zero", "Min", "another element was the smallest",
         "v, x = ad.Variable(3.0), ad.Variable(5.0)", "ad.reduce_min(ad.stack([v, x]))")  # fmt: skip
one_line(
    "a part of a stack that is used twice and cancels",
    "zero",
    "Pack",
    "is put together with others|comes back for its part is zero",
    "v, x = ad.Variable(3.0), ad.Variable(5.0)",
    "(c := ad.stack([v, x]))[0] * 2.0 + ad.reduce_sum(c[1:] * 3.0) - ad.reduce_sum(c[1:] * 3.0)",
)
one_line("an empty slice", "empty", "StridedSlice", "gets no elements at all|the slice takes none of 2",
         "x = ad.Variable([3.0, 2.0])", "ad.reduce_sum(x[5:] * 2.0)")  # fmt: skip
one_line("a mask that is False everywhere", "empty", "GatherV2", "the mask takes none of 2|0 / 0",
         "x = ad.Variable([3.0, 2.0])", "ad.reduce_mean(ad.boolean_mask(x, x > 5.0))")  # fmt: skip

LOGITS = """
x = ad.Variable(ad.ones([3, 1]), name="w")
data, labels = ad.ones([4, 3]), ad.constant([[1.0], [0.0], [1.0], [0.0]])
"""
for name, line, op in (
    ("squared", "ad.reduce_mean((ad.nn.softmax(data @ x) - labels) ** 2)", "Softmax"),
    ("and its log", "-ad.reduce_mean(labels * ad.math.log(ad.nn.softmax(data @ x)))", "Softmax"),
    ("clipped", "ad.keras.losses.BinaryCrossentropy()(labels, ad.nn.softmax(data @ x))", "Softmax"),
    (
        "in a loss with class numbers",
        "ad.reduce_mean(ad.nn.sparse_softmax_cross_entropy_with_logits([0] * 4, data @ x))",
        "SparseSoftmaxCrossEntropyWithLogits",
    ),
):
    one_line(
        f"softmax of one unit, {name}", "always the same", op, "length 1|sigmoid", LOGITS, line
    )
one_line("the sum of a softmax", "zero", "Softmax", "their sum is always 1|weigh them",
         "x = ad.Variable([1.0, 2.0, 3.0])", "ad.reduce_sum(ad.nn.softmax(x))")  # fmt: skip
one_line(
    "a softmax that is asked only where it is 0", "zero", "Softmax", "that are not 0 get the same",
    "x = ad.Variable([1.0, 2.0, -1000.0])", "ad.reduce_sum(ad.nn.softmax(x)[2])",
)  # fmt: skip

DROP = "ad.random.set_seed(0)\nx = ad.Variable([1.0])\ndrop = ad.keras.layers.Dropout(0.5)"
for name, call in (
    ("a layer", "drop(x * 3.0, training=True)"),
    ("the function", "ad.nn.dropout(x * 3.0, 0.8)"),
):
    one_line(f"dropout by {name}", "zero", "SelectV2", "At dropout (SelectV2)|dropped", DROP,
             f"ad.reduce_sum({call})")  # fmt: skip
    one_line(f"dropout by {name}, squared", "zero", "SelectV2", "what is squared is 0|dropout dropped",
             DROP, f"ad.reduce_sum({call} ** 2)")  # fmt: skip

for square in (
    "(x - 2.0) ** 2",
    "ad.square(x - 2.0)",
    "(x - t) * (x - t)",
    "(e := x - t) * e",
    "ad.math.squared_difference(x, t)",
):
    op = {"(": "Mul", "a": "Square"}[square[0]]
    op = "Pow" if "**" in square else "SquaredDifference" if "diff" in square else op
    one_line(
        f"a square at its minimum, {square}", "zero", op, "where a square is flat: this is its minimum",
        "x, t = ad.Variable(2.0), ad.constant(2.0)", f"{square} + 1.0",
    )  # fmt: skip
one_line("a cube at 0", "zero", "Pow", "this power is flat there", "x = ad.Variable(0.0)", "x ** 3")
one_line("a product of two differences that are 0", "zero", "Sub", "both factors are 0|subtracted",
         "x, t = ad.Variable(2.0), ad.constant(2.0)", "(x - t) * (3.0 * x - 3.0 * t)")  # fmt: skip


def hidden(name: str, op: str, words: str, setting: str, cause: str, line: str) -> None:
    """A square at 0 that hides what made the 0, one line before."""
    zero(
        name, "always the same" if op == "Sub" else "zero", op, words,
        f"{setting}\nwith ad.GradientTape() as tape:\n    h = {cause}  # here\n"
        f"    loss = {line}\nad.explain(tape, loss, x)\n",
    )  # fmt: skip


X = "x = ad.Variable([[-2.0, -3.0]])\nmask = ad.constant([[0.0, 0.0]])"
for square in (
    "ad.reduce_sum((h * 2.0) ** 2)",
    "ad.reduce_mean(ad.square(-h))",
    "ad.norm(h) * h[0, 0]",
):
    if "norm" not in square:
        hidden(
            f"a mask before {square}", "Mul", "`mask`, which is 0 everywhere", X, "x * mask", square
        )
        hidden(f"a dead unit before {square}", "Relu", "unit is dead", X, "«ad.nn.relu(x)»", square)
    hidden(f"a batch of one before {square}", "Sub", "length 1|batch of one", X,
           "x - ad.reduce_mean(x, axis=0)", square)  # fmt: skip
hidden(
    "boxes that do not meet", "Maximum", "both factors are 0|cut off at 0|boxes that do not meet",
    "x = ad.Variable([0.0, 0.0])", "ad.maximum(x - 2.0, 0.0)", "1.0 - h[0] * h[1]",
)  # fmt: skip
zero(
    "a relu that is flat only where a gradient arrives",
    "zero",
    "Relu",
    "every input that a gradient arrives at is at or below zero",
    """
x = ad.Variable([-1.0, 2.0])
with ad.GradientTape() as tape:
    h = «ad.nn.relu(x)»  # here
    loss = h[0] * 3.0
ad.explain(tape, loss, x)
""",
)


def second(name: str, op: str, words: str, function: str) -> None:
    """A second derivative."""
    zero(
        f"the second derivative of {name}", "zero", op, words,
        f"""
x = ad.Variable(1.5)
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        u = {function}(x * 2.0) * 3.0
    du = inner.gradient(u, x)  # here
ad.explain(tape, du, x)
""",
    )  # fmt: skip


second("relu", "ReluGrad", "straight lines|softplus", "ad.nn.relu")
second("leaky_relu", "LeakyReluGrad", "straight lines|softplus", "ad.nn.leaky_relu")
second("abs", "Sign", "the derivative of abs|straight lines", "ad.abs")
zero(
    "a gradient function that returns zeros",
    "zero",
    "CustomGradient",
    "the gradient function that was given to it returns zeros",
    """
@ad.custom_gradient
def f(x):
    def grad(dy):
        return dy * 0.0
    return x * 2.0, grad
x = ad.Variable(1.5)
with ad.GradientTape() as tape:
    y = f(x) * 3.0  # here
ad.explain(tape, y, x)
""",
)
for line, op in (
    ("ad.linalg.det(A)", "MatrixDeterminant"),
    ("ad.linalg.slogdet(A)[1]", "LogMatrixDeterminant"),
):
    truth(
        f"a singular matrix, {line}",
        ("error", "singular", op),
        "`A` has none|rank 1 instead of 2|raises an error",
        f"""
A = ad.Variable([[1.0, 2.0], [2.0, 4.0]], name="A")
with ad.GradientTape() as tape:
    y = {line} * 2.0  # here
ad.explain(tape, y, A)
""",
        False,
    )
truth(
    "a singular matrix in a stack",
    ("error", "singular", "MatrixDeterminant"),
    "the matrix at [1] of `A`",
    """
A = ad.Variable([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 4.0]]], name="A")
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.linalg.det(A))  # here
ad.explain(tape, y, A)
""",
    False,
)

BATCH = """
data, labels = ad.constant([[1.0], [-1.0]]), ad.constant([[1.0], [1.0]])
x = ad.Variable({})
"""
one_line("a bias, over a symmetric batch", "cancelled", "Broadcast", "cancel each other",
         BATCH.format("[0.0]"), "ad.reduce_sum((data + x) * labels * data)")  # fmt: skip
one_line("weights, over a symmetric batch", "zero", "MatMul", "the sums of these products are zero",
         BATCH.format("[[1.0]]"), "ad.reduce_sum((data @ x) * labels)")  # fmt: skip
one_line("labels that are met", "zero", "SigmoidCrossEntropyWithLogits", "what the labels ask for",
         "x = ad.Variable([200.0])",
         "ad.reduce_sum(ad.nn.sigmoid_cross_entropy_with_logits([1.0], x))")  # fmt: skip
one_line("nothing is asked for", "empty", "", "`loss` has no elements", "x = ad.Variable([2.0])",
         "x[1:]")  # fmt: skip
zero(
    "the norm of a layer with one unit",
    "always the same",
    "SquaredDifference",
    "the axis of the mean has length 1",
    """
x = ad.Variable([[3.0], [4.0]])
with ad.GradientTape() as tape:
    mean, var = ad.nn.moments(x, [1], keepdims=True)
    loss = ad.reduce_sum((x - mean) / ad.sqrt(var + 1e-5) * [[1.0], [2.0]])
ad.explain(tape, loss, x)
""",
)
zero("a small number in a small dtype is no network", "vanished", "Pow",
     "compute this part in ad.float32, or multiply the loss by a large number",
     """
x = ad.Variable([2e-4, 3e-4], dtype=ad.float16)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(x ** 2 * x ** 2)  # here
ad.explain(tape, loss, x)
""")  # fmt: skip
zero("small numbers are no network", "vanished", "Pow",
     "scale the data, or the loss (and divide the gradient again), or compute in ad.float64",
     """
x = ad.Variable([2e-18, 3e-18])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(x ** 2 * x ** 2)  # here
ad.explain(tape, loss, x)
""")  # fmt: skip
zero("a parameter that is 0 is no weight", "zero", "", "Let it begin with another number than 0",
     """
x, T = ad.Variable(0.2), ad.Variable(0.0)  # here
with ad.GradientTape() as tape:
    loss = x * T
ad.explain(tape, loss, x)
""")  # fmt: skip

for name, start, line, op, words in (
    ("a large sum", "0.5", "((x + 1e9) - 1e9) ** 2", "AddV2",
     "only because it was rounded: `x`, which is 0.5, is lost beside 1e+09 at|are 64 apart"),
    ("a large sum, several", "[3.0, 5.0]", "ad.reduce_sum(ad.sin((x - T) + T) ** 2)", "Sub",
     "`x`, which is at most 5, is lost beside 1.6e+09|compute in ad.float64"),
    ("an absolute difference", "0.5", "ad.abs((x + 1e9) - 1e9)", "AddV2", "because it was rounded"),
    ("a logarithm near 1", "1e-9", "ad.square(ad.math.log(1.0 + x))", "AddV2",
     "lost beside 1 at|ad.math.log1p(x) is log(1 + x) without that rounding"),
    ("an exponential near 1", "1e-9", "(ad.exp(x) - 1.0) ** 2", "Exp",
     "the Exp of `x`, which is 1e-09, at|is 1 to the last digit|ad.math.expm1(x)"),
    ("a cosine near 1", "1e-5", "(1.0 - ad.cos(x)) ** 2", "Cos", "the Cos of `x`"),
    ("half precision", "0.25, dtype=ad.float16", "((x + 2000.0) - 2000.0) ** 2", "AddV2",
     "the numbers of float16 are 1 apart|compute in ad.float32"),
    ("no more than the minimum", "3.0", "(x + 1e-9 - 3.0) ** 2", "Pow", "this is its minimum"),
    ("rounded, and still the minimum", "0.3", "(x - (0.1 + 0.2)) ** 2", "Pow", "this is its minimum"),
    ("nothing to be lost", "0.0", "((x + 1e9) - 1e9) ** 2", "Pow", "this is its minimum"),
    ("another factor", "0.5", "((x + 1e9) * 0.0) ** 2", "Mul", "`0.0` is multiplied in"),
):  # fmt: skip
    one_line(
        f"lost in a sum, {name}", "zero", op, words, f"T = 1.6e9\nx = ad.Variable({start})", line
    )
STEP = "step = 1e-9\nx = ad.Variable(1.0)"
zero(
    "a step that is too small for a difference quotient", "cancelled", "",
    "the ways cancel each other. And `step`, which is 1e-09, is lost beside 1 at",
    f"""
{STEP}
with ad.GradientTape() as tape:
    loss = (ad.sin(x + step) - ad.sin(x)) / step  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip

for name, chosen in (
    ("the nearest", "ad.argmin(ad.abs(t - x[None, :]), axis=1)"),
    ("written", "[0, 0, 1, 1]"),
):
    zero(
        f"centres in the middle of their points, {name}", "cancelled", "GatherV2",
        "the gradients that come back from them are not zero, but their sum is",
        f"""
x, t = ad.Variable([0.0, 5.0]), ad.constant([[-0.1], [0.1], [4.0], [6.0]])
with ad.GradientTape() as tape:
    chosen = {chosen}
    loss = ad.reduce_sum((t[:, 0] - ad.gather(x, chosen)) ** 2)  # here
ad.explain(tape, loss, x)
""",
    )  # fmt: skip

for how, line, op, words in (
    (
        "a ratio that is 1",
        "ad.reduce_sum(ad.exp(h - h) * 2.0)",
        "Sub",
        "`h` is subtracted from itself, which leaves 0|for a constant: h - ad.stop_gradient(h)",
    ),
    (
        "under two names",
        "ad.reduce_sum(ad.exp(h - old))",
        "Sub",
        "`h` and `old` are one and the same tensor|h - ad.stop_gradient(old)",
    ),
    ("divided by itself", "ad.reduce_sum(h / h)", "RealDiv", "leaves 1|h / ad.stop_gradient(h)"),
    (
        "a squared difference",
        "ad.reduce_sum(ad.math.squared_difference(h, old))",
        "SquaredDifference",
        "subtracted from itself here: that leaves 0",
    ),
):
    zero(
        f"with itself: {how}", "always the same", op, words,
        "x = ad.Variable([0.1, 0.4, -0.3])\nwith ad.GradientTape() as tape:\n"
        f"    h = ad.nn.log_softmax(x)\n    old = h\n    loss = {line}  # here\n"
        "ad.explain(tape, loss, x)\n",
    )  # fmt: skip
zero(
    "not with itself: the same numbers, computed twice", "cancelled", "", "the ways cancel each other",
    "x = ad.Variable([0.1, 0.4, -0.3])\nwith ad.GradientTape() as tape:\n"
    "    h, old = ad.sin(x), ad.sin(x)\n    loss = ad.reduce_sum(h - old)\nad.explain(tape, loss, x)\n",
)  # fmt: skip
