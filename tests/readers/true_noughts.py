"""Programs in which a value, a factor or a slope is 0, and what is true of each."""

from readers.true_programs import truth
from readers.true_zeros import one_line, zero

TWO = 'x, b = ad.Variable([0.3, -0.2], name="x"), ad.Variable([0.5, 0.7], name="b")'
GATED = (
    f"{TWO}\nremaining = ad.constant(0.0)\nwith ad.GradientTape() as tape:\n"
    "    h = ad.tanh(x)\n    gate = ad.cast(ad.reduce_mean(h) > -9.0, ad.float32)\n"
    "    loss = {}  # here\nad.explain(tape, loss, x)\n"
)
for gated in (
    "ad.reduce_mean((b + remaining * gate * h) ** 2)",
    "ad.reduce_sum(b + h * (remaining * gate))",
):
    zero(
        f"a gate that depends on the value, and is 0: {gated}", "zero", "Mul",
        "the other factor is 0.|`remaining`, which is 0 (made at line ", GATED.format(gated),
    )  # fmt: skip
SUMS_TO_0 = "[[0.75, -0.5, -0.25]]"  # and divided by 0.75 it does not, in float32
one_line("products that cancel to the last digit", "zero", "MatMul",
         "the sums of these products are zero", "x = ad.Variable([[0.7]])",
         f"ad.reduce_sum((x @ [[1.0, 1.0, 1.0]]) * {SUMS_TO_0})")  # fmt: skip
one_line("one number added to all logits", "cancelled", "Broadcast", "cancel each other",
         "x = ad.Variable(0.3)", f"ad.reduce_sum(([[0.1, 0.7, 0.4]] + x) * {SUMS_TO_0})")  # fmt: skip
truth(
    "a gradient that is too small for its dtype, with both signs",
    ("zero", "vanished", "Mul"),
    "too small for float32",
    """
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    h = x * [1e-30, -1e-30]  # here
    loss = ad.reduce_sum(h * 1e-20) * 0.1
ad.explain(tape, loss, x)
""",
    False,
)


def begins(name: str, op: str, words: str, text: str, mended: bool = False) -> None:
    """A program in which a zero began before the place where it did harm."""
    zero(f"a zero that began before: {name}", "zero", op, words, text, mended)


TWO_LAYERS = """
c = ad.Variable(ad.zeros([4]), name="c")
a = ad.Variable(«ad.zeros([3, 4])», name="a")  # here
x = ad.Variable(ad.zeros([4, 1]), name="x")
with ad.GradientTape() as tape:
    h = {}
    loss = ad.reduce_mean((h @ x - 1.0) ** 2)
ad.explain(tape, loss, x)
"""
for layer in (
    "ad.nn.relu(ad.ones([2, 3]) @ a)",
    "ad.nn.relu(ad.einsum('nk,kj->nj', ad.ones([2, 3]), a) + c)",
    "ad.reshape(ad.stack([ad.tanh(ad.ones([2, 3]) @ a)]), [2, 4])",
):
    begins(f"all weights, {layer}", "", "That 0 began before: `a` itself is 0 everywhere.|made at line",
           TWO_LAYERS.format(layer), True)  # fmt: skip
begins("weights in front of a relu", "", "every input is exactly 0, where relu is flat|`x` itself", """
ad.random.set_seed(2)
x = ad.Variable(«ad.zeros([3, 4])», name="x")  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((ad.nn.relu(ad.ones([2, 3]) @ x) @ ad.ones([4, 1]) - 9.0) ** 2)
ad.explain(tape, loss, x)
""", True)  # fmt: skip
begins("as it is with LoRA", "", "Its own gradient is not 0: the next step of an optimizer", """
x = ad.Variable([[0.3, -0.2]], name="x")
b = ad.Variable(«ad.zeros([2, 1])», name="b")  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((x @ b - 1.0) ** 2)
ad.explain(tape, loss, x)
""", True)  # fmt: skip
begins("inputs that are not known any more", "Relu", "Print what goes into that relu", """
a = ad.Variable(ad.zeros([3, 4]), name="a")
x = ad.Variable([[1.0]] * 4, name="x")
with ad.GradientTape() as tape:
    h = ad.nn.relu(ad.ones([2, 3]) @ a - ad.random.uniform([4]))  # here
    loss = ad.reduce_sum(h @ x)
ad.explain(tape, loss, x)
""")  # fmt: skip
begins("a dead relu before what only moves", "Relu", "output of the relu at line|unit is dead", """
d = ad.Variable(ad.ones([1, 2, 2, 1]), name="d")
x = ad.Variable([[1.0]], name="x")
with ad.GradientTape() as tape:
    r = «ad.nn.relu(d - 100.0)»  # here
    h = ad.nn.max_pool2d(r, 2, 2, "VALID")
    loss = ad.reduce_sum(ad.squeeze(ad.pad(h, [[0, 0]] * 4), [0, 3]) @ x)
ad.explain(tape, loss, x)
""", True)  # fmt: skip
begins("weights, beside a state and a bias", "", "That 0 began before: `wx` itself is 0", """
wx = ad.Variable(«ad.zeros([2, 2])», name="wx")  # here
b, x = ad.Variable(ad.zeros([2]), name="b"), ad.Variable([[1.0], [2.0]], name="x")
wh, h = ad.Variable(ad.ones([2, 2]), name="wh"), ad.zeros([1, 2])
with ad.GradientTape() as tape:
    for _ in range(3):
        h = ad.tanh([[1.0, 2.0]] @ wx + h @ wh + b)
    loss = ad.reduce_sum((h @ x - 1.0) ** 2)
ad.explain(tape, loss, x)
""", True)  # fmt: skip
begins("numbers that are cut off", "Cast", "every number is cut off to the whole number 0 at line", """
d = ad.Variable([[0.3, 0.4]], name="d")
x = ad.Variable([[1.0], [2.0]], name="x")
with ad.GradientTape() as tape:
    h = ad.cast(ad.cast(d, ad.int32), ad.float32)  # here
    loss = ad.reduce_sum(h @ x)
ad.explain(tape, loss, x)
""")  # fmt: skip
begins("a gate, and a state that begins at 0", "Sigmoid", "output of Sigmoid|so far below 0", """
g = ad.Variable([[-300.0, -400.0]], name="g")
x = ad.Variable([[1.0], [2.0]], name="x")
c = ad.zeros([1, 2])
with ad.GradientTape() as tape:
    f = ad.sigmoid(g + 500.0) * c
    c = f + ad.sigmoid(g) * ad.tanh(g)  # here
    loss = ad.reduce_sum(c @ x)
ad.explain(tape, loss, x)
""")  # fmt: skip
for name, product, words in (
    ("a state", "h @ x", "the other factor is 0 everywhere: `h`, made at line |data or a state"),
    (
        "an einsum",
        "ad.einsum('nk,kj->nj', h, x)",
        "everywhere: `h`, made at line |data or a state",
    ),
    ("a series", "ad.nn.conv1d([h], [x], 1, 'SAME')", "At Conv2D|the other factor is 0 everywhere"),
    ("a vector", "ad.linalg.matvec([x], [h])", "At BatchMatMulV2|0 everywhere|data or a state"),
):
    op = {"h": "MatMul", "an": "Einsum"}.get(product[:2].strip(), "Conv2D")
    op = "Einsum" if "einsum" in product else "BatchMatMulV2" if "matvec" in product else op
    shapes = "[2]), ad.Variable(ad.ones([3, 2]))" if "matvec" in product else ""
    shapes = shapes or "[1, 2]), ad.Variable(ad.ones([2, 1]))"
    zero(
        f"a constant zero, {name}", "zero", op, words,
        f"pass\nh, x = ad.zeros({shapes}\nwith ad.GradientTape() as tape:\n"
        f"    loss = ad.reduce_sum({product})  # here\nad.explain(tape, loss, x)\n",
    )  # fmt: skip
for name, line, words in (
    ("a weight of the loss", "beta * x", "the other factor is 0: `beta`."),
    ("a number that stands there", "0.0 * x", "the other factor is 0."),
    (
        "where a gradient arrives",
        "(ad.constant([0.0, 3.0]) * x)[0]",
        "0 wherever a gradient arrives",
    ),
):
    one_line(f"a factor of 0, {name}", "zero", "Mul", words,
             "beta, x = 7 // 10, ad.Variable([2.0, 1.0])", f"ad.reduce_sum({line})")  # fmt: skip
one_line("a quotient of 0", "zero", "RealDiv", "what is divided is 0 everywhere: `t - 1.0`.",
         "t, x = ad.ones([2]), ad.Variable([2.0, 1.0])", "ad.reduce_sum((t - 1.0) / x)")  # fmt: skip
one_line("a divisor of 0", "zero", "DivNoNan", "the divisor is 0 everywhere: `t`",
         "t, x = ad.zeros([2]), ad.Variable([2.0, 1.0])",
         "ad.reduce_sum(ad.math.divide_no_nan(x, t))")  # fmt: skip

ROW = 'x = ad.Variable([[1.0, 2.0, 3.0]], name="x")\ntau = 0.001'
for name, probabilities, cause, words in (
    ("the wrong axis", "ad.nn.softmax(x, axis=0)", "always the same", "The last axis has 3 entries"),
    ("the largest one", "ad.nn.softmax(ad.math.top_k(x, 1)[0])", "always the same", "and top_k after"),
    ("an axis that was added", "ad.nn.softmax(x[..., None])[..., 0]", "always the same",
     "One unit needs a sigmoid|among the 3 of axis 1, write axis=1"),
    ("a small temperature", "ad.nn.softmax(x / tau)", "zero",
     "saturated|divided by `tau`, which is 0.001, and that makes it 1000 times as steep"),
    ("a large factor", "ad.nn.softmax(x * 5000.0)", "zero", "multiplied by 5000, and that makes"),
    ("a mask that is added", "ad.nn.softmax(x + [[0.0, -1e9, -1e9]])", "zero",
     "Without what is added to the logits it would not be saturated|leaves one entry"),
    ("a mask that is chosen", "ad.nn.softmax(ad.where([[True, False, False]], x, -1e9))", "zero",
     "Without what is put in place of some of the logits it would not be saturated"),
    ("logits far apart", "ad.nn.softmax(x * x * x * 20.0)", "zero", "The logits are too far apart"),
    ("and a logarithm", "ad.math.log(ad.nn.softmax(x * x * x * 20.0)[:, 2:] + 1e-9)", "zero",
     "Give the logits to the cross entropy"),
):  # fmt: skip
    one_line(f"softmax that cannot move, {name}", cause, "Softmax", words, ROW,
             f"ad.reduce_sum(({probabilities}) * [[1.0, 2.0, 3.0]])")  # fmt: skip
for name, start, logits, words in (
    (
        "divided by it",
        0.001,
        "z / x",
        "divided by `x`, which is 0.001, and that makes it 1000 times",
    ),
    ("multiplied by it", 900.0, "x * z", "multiplied by `x`, which is 900, and that makes it 900"),
    ("one for each row", [[0.001]], "z / x", "divided by `x`, which is 0.001"),
):
    one_line(
        f"a temperature that is learned, {name}", "zero", "Softmax", words,
        f"x, z = ad.Variable({start}), ad.constant([[1.0, 2.0, 3.0]])",
        f"ad.reduce_sum(ad.nn.softmax({logits}) * z)",
    )  # fmt: skip
one_line(
    "top 1 with a choice of experts", "always the same", "Softmax", "length 1|and top_k after", ROW,
    "ad.reduce_sum(ad.nn.softmax((t := ad.math.top_k(x, 1))[0]) * ad.gather([1.0, 2.0, 3.0], t[1]))",
)  # fmt: skip
one_line(
    "each example against the others of a batch of one", "always the same",
    "SparseSoftmaxCrossEntropyWithLogits", "take a larger batch|One unit needs a sigmoid", ROW,
    "ad.reduce_mean(ad.nn.sparse_softmax_cross_entropy_with_logits([0], x @ ad.transpose(x)))",
)  # fmt: skip

E = "x, t = ad.Variable([1.0, 2.0], name='x'), ad.constant([0.0, 0.5])"
for hinge in (
    "ad.nn.relu(x[0] - x[1] + 0.2)",
    "ad.reduce_mean(ad.nn.relu(0.5 - x)) * 3.0 + ad.reduce_sum(t)",
    "ad.reduce_sum(ad.nn.relu(ad.reduce_sum(t - x) + 0.2) * t)",
):
    one_line(
        f"a hinge that is met, {hinge}",
        "zero",
        "Relu",
        "at or below zero, where relu is flat.|nothing is left to learn|a larger margin",
        E,
        hinge,
    )
one_line("a hinge that is met, squared", "zero", "Relu", "what is squared is 0|nothing is left", E,
         "ad.reduce_mean(ad.nn.relu(0.5 - x) ** 2)")  # fmt: skip
one_line("a hinge that is met, by maximum", "zero", "Maximum", "was the larger one|a larger margin", E,
         "ad.reduce_mean(ad.maximum(0.0, 0.5 - x))")  # fmt: skip
M = "x, t, mu = ad.Variable([0.5, 0.5], name='x'), ad.constant([0.0, 0.5]), ad.Variable(2.0)"
for bound, op, side in (
    ("mu * ad.maximum(0.0, ad.reduce_sum(x) - 2.0) ** 2", "Maximum", "above"),
    ("10.0 * ad.square(ad.maximum(ad.reduce_sum(x) - 2.0, 0.0))", "Maximum", "above"),
    ("mu * ad.minimum(0.0, 2.0 - ad.reduce_sum(x)) ** 2", "Minimum", "below"),
    ("-ad.reduce_sum(ad.minimum(2.0 - x, 0.0))", "Minimum", "below"),
):
    words = (
        f"If it is to punish what is {side} 0|a bound that is to be kept|all is as it was asked for"
    )
    one_line(f"a bound that is kept, {bound}", "zero", op, words, M, bound)
one_line("what two boxes share, on one line", "zero", "Maximum", "Begin where nothing|boxes", M,
         "ad.maximum(x[0] - 2.0, 0.0) * ad.maximum(x[1] - 2.0, 0.0)")  # fmt: skip
one_line("a cut that is no penalty, squared", "zero", "Maximum", "Begin where nothing is cut off", M,
         "ad.reduce_sum(ad.maximum(-x * x, 0.0) ** 2)")  # fmt: skip
one_line("a threshold, which is no unit", "zero", "Relu", "than what is subtracted|smaller thres", E,
         "ad.reduce_mean((ad.sign(x) * ad.nn.relu(ad.abs(x) - 3.0) - t) ** 2)")  # fmt: skip
one_line("a hinge with a margin on both sides", "zero", "Relu", "at or below zero|a larger margin", E,
         "ad.reduce_mean(ad.nn.relu(ad.abs(x - t) - 3.0))")  # fmt: skip
one_line("a dead unit, which is no hinge", "zero", "Relu", "unit is dead|leaky_relu(x * x - 9.0)", E,
         "ad.reduce_mean((«ad.nn.relu(x * x - 9.0)» - t) ** 2)")  # fmt: skip

MARGIN = (
    "x, same = ad.Variable([2.0, 3.0], name='x'), np.zeros(2, 'float32')\n"
    "with ad.GradientTape() as tape:\n    far = «{}»  # here\n"
    "    loss = ad.reduce_mean(same * x ** 2 + (1.0 - same) * far{})\nad.explain(tape, loss, x)\n"
)
ALSO = "also:  Another way ends at line |the other factor is 0 everywhere: `same`"
for far, square, op in (
    ("ad.maximum(0.001 - x, 0.0)", " ** 2", "Maximum"),
    ("ad.minimum(x, 1.0)", "", "Minimum"),
):
    zero(f"two ways that end, {far}", "zero", op, ALSO, MARGIN.format(far, square))
zero(
    "two ways that end in no constant",
    "zero",
    "Abs",
    "the value is 0|also:  Another way ends at line |At Sign",
    """
x = ad.Variable([0.0, 0.0])
with ad.GradientTape() as tape:
    off = ad.reduce_sum(ad.abs(x))  # here
    loss = off + ad.reduce_sum(ad.sign(x))
ad.explain(tape, loss, x)
""",
)
for line in (
    "ad.nn.sigmoid_cross_entropy_with_logits(ad.ones_like(h), h)",
    "h * h + ad.zeros_like(h)",
    "h / ad.cast(ad.size(h), ad.float32)",
    "ad.nn.relu(h - 1.0) + ad.nn.softmax(h) * [1.0, 0.0]",
    "ad.einsum('n,n->n', h, [1.0, 0.0]) + ad.maximum(h, 0.0)",
):
    truth(
        f"a healthy program of which there is nothing to say: {line}", ("flows", "flows", ""), "why:",
        f"x = ad.Variable([1.0, 2.0])\nwith ad.GradientTape() as tape:\n    h = x * [1.0, 2.0]\n"
        f"    loss = ad.reduce_mean({line})\nad.explain(tape, loss, x)\n", False,
    )  # fmt: skip

# The rule of an operation that was exchanged, at values at which its own would not be 0.
EXCHANGED = """
x = ad.Variable([1.5, -0.5], name="x")
name = f"below {{np.random.default_rng().integers(1 << 62)}}"
@ad.RegisterGradient(name)
def below(op, dy):
    return dy * ad.cast(op.inputs[0] < -5.0, ad.float32)
with ad.GradientTape() as tape, ad.gradient_override_map({{"{type}": name}}):
    loss = ad.reduce_sum({call})  # here
ad.explain(tape, loss, x)
"""
for kind, call in (
    ("Tanh", "ad.tanh(x)"), ("Sigmoid", "ad.sigmoid(x)"), ("Relu", "ad.nn.relu(x)"),
    ("Sign", "ad.sign(x)"), ("Square", "ad.square(x)"), ("Identity", "ad.identity(x)"),
):  # fmt: skip
    zero(
        f"the rule of {kind} was exchanged",
        "zero",
        kind,
        "gradient_override_map gave it|(the function `below`) in place of its own|returns zeros here",
        EXCHANGED.format(type=kind, call=call),
    )
zero(
    "a rule was exchanged for that of another operation",
    "zero",
    "Square",
    "gave it the rule of Sign in place of its own|Leave Square its own rule",
    """
x = ad.Variable([1.5, -0.5], name="x")
with ad.GradientTape() as tape, ad.gradient_override_map({"Square": "Sign"}):
    loss = ad.reduce_sum(ad.square(x))  # here
ad.explain(tape, loss, x)
""",
)
Q = "x = ad.Variable({}, name='x')"
PROBABILITIES = "x = ad.Variable([30.0, -40.0]); y = ad.constant([0.0, 1.0])"
for name, words, bound in (
    ("near 0 and 1", "probabilities|ad.math.log_sigmoid(-z)", "1e-7, 1.0 - 1e-7"),
    ("no more than a bound", "soft bound|let the gradient pass", "0.4, 0.6"),
):
    start = PROBABILITIES if "near" in name else PROBABILITIES.replace("30.0, -40.0", "3.0, -3.0")
    clip = f"ad.clip_by_value(ad.sigmoid(x), {bound})"
    clip = clip if "near" in name else f"«{clip}»"
    truth(f"clipped probabilities, {name}", ("zero", "zero", "Minimum"), words,
          f"""
{start}
with ad.GradientTape() as tape:
    p = {clip}  # here
    loss = -ad.reduce_mean(y * ad.math.log(p) + (1.0 - y) * ad.math.log(1.0 - p))
ad.explain(tape, loss, x)
""", "near" not in name,
          )  # fmt: skip
one_line("a product with two zeros", "zero", "Prod", "the others, and at least two are 0",
         Q.format("[0.0, 0.0, 2.0]"), "-ad.reduce_prod(x)")  # fmt: skip
one_line("a product with two zeros in the row that counts", "zero", "Prod", "at least two are 0",
         Q.format("[[0.0, 0.0, 2.0], [1.0, 2.0, 3.0]]"), "ad.reduce_prod(x, axis=1)[0]")  # fmt: skip
one_line("a likelihood that is too small", "zero", "Prod", "too small for float32, and|logarithm",
         Q.format("[1e-20] * 4"), "-ad.reduce_prod(x)")  # fmt: skip
one_line("divided by an infinite length", "zero", "RealDiv", "divided by is infinite, since line|(Mul)",
         Q.format("[1e20, 1.0]"), "ad.reduce_sum(1.0 / ad.norm(x))")  # fmt: skip
one_line("a soft sign for large numbers", "zero", "Sign", "ad.tanh(0.1 * x)    # instead of ad.sign(x)",
         Q.format("[7.0, -5.0]"), "ad.reduce_sum(«ad.sign(x)»)")  # fmt: skip
for name, setting, line, op, words in (
    (
        "a power of a number",
        "h = 6.6e-34",
        "x * h ** 2",
        "Mul",
        "the other factor is 0: `h ** 2`. But",
    ),
    (
        "what is divided",
        "h = ad.constant(6.6e-34)",
        "h ** 2 / (8.0 * x)",
        "RealDiv",
        "But `h ** 2` is",
    ),
    ("a number that stands there", "h = 1.0", "x * 1e-60", "Mul", "`1e-60` is 1e-60: that was"),
):
    one_line(
        f"a factor that was rounded to 0, {name}", "zero", op,
        f"{words}|rounded to 0, for the smallest number of float32 is 1e-45|Take units in which",
        f"x = ad.Variable(2.0)\n{setting}", line,
    )  # fmt: skip
one_line("an absolute error that is 0", "zero", "Abs", "If the loss was to become 0, it has",
         "x = ad.Variable([1.0, 2.0])", "ad.reduce_mean(ad.abs(x - [1.0, 2.0]))")  # fmt: skip
