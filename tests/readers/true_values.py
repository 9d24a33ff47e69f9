"""Programs with a value or a gradient that is not finite, and what is true; see `true_programs`."""

import sys

from readers.true_programs import SLOPE, VALUE, X0, slope, truth, value

TRAP = ("not finite", "where trap")
SICK = ("not finite", "data not finite")

value("a number that is added is known", "Exp", "Exp(122.0) is inf",
      "x = ad.Variable(11.0)", "ad.exp(x * ad.constant(11.0) + 1.0)", False)  # fmt: skip
value("a list that is added is known", "Exp", "at [1] Exp(122.0) is inf",
      "x = ad.Variable([1.0, 11.0])",
      "ad.reduce_sum(ad.exp(x * ad.constant(11.0) + [0.5, 1.0]) * 2.0)", False)  # fmt: skip
value("a number that is subtracted is known", "Exp", "Exp(120.0) is inf",
      "x = ad.Variable(11.0)", "ad.exp(x * ad.constant(11.0) - 1.0)", False)  # fmt: skip
value("a matrix that is not positive definite", "Cholesky", "smallest eigenvalue is -1",
      "x = ad.Variable([[1.0, 2.0], [2.0, 1.0]])", "0.5 * ad.linalg.logdet(x)", False)  # fmt: skip
value("a triangular matrix with a 0 on its diagonal", "MatrixTriangularSolve",
      "has a 0 on its diagonal, at [1]",
      "x = ad.Variable([[1.0, 0.0], [1.0, 0.0]])",
      "ad.reduce_sum(ad.linalg.triangular_solve(x, [[2.0], [5.0]]))", False)  # fmt: skip
value("triangular equations that overflow", "MatrixTriangularSolve", "ends at 3.4e38",
      "x = ad.Variable([[1e-30, 0.0], [1.0, 1.0]])",
      "ad.reduce_sum(ad.linalg.triangular_solve(x, [[1e20], [5.0]]))", False)  # fmt: skip
value("the mean of no elements", "Mean", "mean of no elements",
      "x = ad.Variable([1.0, 2.0])", "ad.reduce_mean(ad.boolean_mask(x, x > 5.0)) * x[0]",
      False)  # fmt: skip
value("underflow in a sum of exponentials", "Log", "exp became 0",
      "x = ad.Variable([-200.0, -300.0])", "-«ad.math.log(ad.reduce_sum(ad.exp(x)))»")  # fmt: skip
value("underflow in sums of exponentials", "Log", "exp became 0",
      "x = ad.Variable([[-200.0, -300.0], [1.0, 2.0]])",
      "ad.reduce_sum(«ad.math.log(ad.reduce_sum(ad.exp(x), axis=1))»)")  # fmt: skip
value("underflow in a mean of exponentials", "Log", "exp became 0",
      "x = ad.Variable([[-200.0, -300.0], [1.0, 2.0]])",
      "ad.reduce_sum(«ad.math.log(ad.reduce_mean(ad.exp(x), axis=1))»)")  # fmt: skip
value("the logarithm of exp", "Log", "logarithm of exp(x) is x|exp became 0",
      "x = ad.Variable([-200.0, -300.0])", "ad.reduce_sum(«ad.math.log(ad.exp(x))»)")  # fmt: skip
value("x log x, with the logarithm's own name", "Log", "xlogy", f"{X0}\nlog = ad.math.log",
      "ad.reduce_sum(«log(x) * x») + 1.0")  # fmt: skip
truth(
    "the entropy of a softmax with a mask",
    (*VALUE, "Log"),
    "xlogy|Log(0.0) is -inf",
    """
x = ad.Variable([[0.5, 1.0, 2.0], [0.1, 0.2, 0.3]])
causal = ad.constant([[0.0, -float("inf"), -float("inf")], [0.0, 0.0, -float("inf")]])
with ad.GradientTape() as tape:
    att = ad.nn.softmax(x + causal)
    logs = ad.math.log(att)  # here
    loss = -ad.reduce_sum(«att * logs»)
ad.explain(tape, loss, x)
""",
)

value("a quotient in a logarithm", "RealDiv", "goes into a logarithm, 0 is as bad there",
      X0, "ad.reduce_sum(0.05 * ad.math.log(«0.05 / ad.nn.relu(x)»))")  # fmt: skip
value("a quotient that is scaled, in a logarithm", "RealDiv", "goes into a logarithm",
      X0, "ad.reduce_sum(ad.math.log(2.0 * («0.5 / x»)))")  # fmt: skip
value("a quotient in a denominator", "RealDiv", "goes into a denominator", X0,
      "ad.reduce_sum(ad.math.reciprocal(«1.0 / x»)) + ad.reduce_sum(x)")  # fmt: skip
value(
    "a quotient in a root", "RealDiv", "goes into a root", X0, "ad.reduce_sum(ad.sqrt(«1.0 / x»))"
)
value("a quotient with a negative denominator", "RealDiv", "keep the denominator away from 0",
      "x = ad.Variable([0.0, -0.5])", "ad.reduce_sum(ad.math.log(1.0 / x))", False)  # fmt: skip
for name, use, words in (
    ("denominator", "3.0 / q", "goes into a denominator, 0 is as bad there"),
    ("numerator", "q / 3.0", "If the quotient may be 0 there"),
):
    truth(
        f"a quotient that is a {name} on the next line",
        (*VALUE, "RealDiv"),
        words,
        f"""
{X0}
with ad.GradientTape() as tape:
    q = «1.0 / x»  # here
    loss = ad.reduce_sum({use}) + ad.reduce_sum(x)
ad.explain(tape, loss, x)
""",
    )
value("one divided by a root", "RealDiv", "a square root, whose slope is infinite there as well",
      "x = ad.Variable([[0.0, 0.0], [1.0, 2.0]])",
      "ad.reduce_sum(x / «ad.sqrt(ad.reduce_sum(x * x, 1, keepdims=True))» * [1.0, 3.0])")  # fmt: skip

MASK = """
x = ad.Variable([[0.5, 1.0], [0.1, 0.2]])
mask = ad.constant([[1.0, 0.0], [1.0, 1.0]])
{}
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.nn.softmax(x + {}) ** 2)  # here
ad.explain(tape, loss, x)
"""
PRODUCTS = ("(1.0 - mask) * -float('inf')", "-np.inf * (1.0 - mask)", "(mask - 1.0) * np.inf")
for product in PRODUCTS:
    truth(f"a mask made by {product}", (*SICK, "AddV2"), "0 * inf is NaN|multiply_no_nan",
          MASK.format("", f"«({product})»"))  # fmt: skip
    truth(f"a mask made before by {product}", (*SICK, "AddV2"), "`neg` holds NaN|0 * inf is NaN",
          MASK.format(f"«neg = {product}»", "neg"))  # fmt: skip
truth(
    "a mask of NumPy's",
    (*SICK, "AddV2"),
    "`neg` holds NaN and inf (4 of 4 values)|0 * inf makes one",
    MASK.format("neg = (mask.numpy() - 1.0) * np.inf\n# mend", "neg"),
)
for made, words in (
    ("ad.math.log(counts)", "logarithm of 0|keep `counts` above 0"),
    ("1.0 / counts", "divided by 0: `counts`"),
):
    truth(
        f"a constant made by {made}",
        (*SICK, "Mul"),
        words,
        f"""
x, counts = ad.Variable([0.5, 1.0]), ad.constant([3.0, 0.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(x * «({made})») * 2.0  # here
ad.explain(tape, loss, x)
""",
    )
NEGATIVES = """
x, labels = ad.Variable([[1.0, 0.0, 0.5]]), ad.constant([[0.0, 1.0, 0.0]])
neg = ad.constant([[-np.inf, 0.0, 0.0]])
with ad.GradientTape() as tape:
    logp = ad.nn.log_softmax(x + neg)
    loss = {}  # here
ad.explain(tape, loss, x)
"""
truth(
    "a mask that is multiplied by 0 later",
    (*VALUE, "Mul"),
    "NaN begins here. Here at [0, 0] Mul(0.0, -inf) is nan|that of a mask, put in at line",
    NEGATIVES.format("ad.reduce_sum(«labels * logp») ** 2"),
)
truth(
    "a mask that is multiplied by 0 later, and the gradient is finite",
    ("flows", "flows", ""),
    "`loss` itself is not finite: that begins with Mul at line|0 * inf is NaN",
    NEGATIVES.format("-ad.reduce_sum(labels * logp)").replace("  # here", ""),
    False,
)
truth(
    "a row that is masked altogether",
    (*VALUE, "Softmax"),
    "nothing is left to choose",
    """
x = ad.Variable([[1.0, 0.0], [0.8, 0.3]])
neg = ad.constant([[-np.inf, -np.inf], [0.0, -np.inf]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.nn.softmax(x + neg) ** 2)  # here
ad.explain(tape, loss, x)
""",
    False,
)
DIVERGED = """
x = ad.Variable({})
with ad.GradientTape() as tape:
    loss = ad.exp(x * 20.0 + {})  # here
g = tape.gradient(loss, x)
x.assign(x - {} * g)
ad.explain(tape, loss, x)
"""
truth(
    "a variable that a step made infinite",
    ("not finite", "source not finite", "Exp"),
    "`x` itself is not finite (-inf), by now|after the tape had read it|learning rate",
    DIVERGED.format("1.0", "80.0", "0.5"),
    False,
)
truth(
    "a loop that diverged, and the tape does not know what it read",
    ("not finite", "source not finite", "Sub"),
    "`w` itself is not finite (nan), by now|learning rate",
    """
X, Y, w = ad.constant([[1.0], [20.0]]), ad.constant([[2.0], [3.0]]), ad.Variable([[1.0]], name="w")
for _ in range(60):
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean((X @ w + 1.0 - Y) ** 4)  # here
    w.assign_sub(0.5 * tape.gradient(loss, w))
ad.explain(tape, loss, w)
""",
    False,
)


STEPS = """
{}
x, opt = ad.Variable([[1.0], [1.0]]), ad.keras.optimizers.SGD(0.1)
with np.errstate(all="ignore"):
    for step in range(3):
        with ad.GradientTape() as tape:
            loss = {}  # here
        if step < 2:
            opt.apply_gradients([(tape.gradient(loss, x), x)])
ad.explain(tape, loss, x)
"""
for name, made, line, op, words in (
    ("NaN in the data", "data = np.array([[1.0, np.nan]], 'float32')\n# mend",
     "ad.reduce_mean((ad.square(x) * 2.0 - data @ x) ** 2)", "MatMul",
     "`data` holds NaN (1 of 2 values)|If that was so in the first step too|If it was not so"),
    ("a division by the sum of a mask", "mask = np.zeros([2, 1], 'float32')",
     "«ad.reduce_sum(x ** 2 * mask) / ad.reduce_sum(mask)» + ad.reduce_sum(x)", "RealDiv",
     "something is divided by 0 here. If that was so in the first step too|learning rate"),
):  # fmt: skip
    truth(
        f"a variable that is NaN, and the step shows {name}",
        ("not finite", "source not finite", op),
        f"`x` itself is not finite already|{words}",
        STEPS.format(made, line),
    )
truth(
    "a variable that is NaN by now, and NaN in the data",
    (*SICK, "MatMul"),
    "`data` holds NaN|`x` itself is not finite by now: begin again from finite values",
    STEPS.format("data = np.array([[1.0, np.nan]], 'float32')\n# mend",
                 "ad.reduce_mean((data @ x - 3.0) ** 2)").replace("step < 2", "step < 3"),
)  # fmt: skip
for name, made, line in (
    ("a mask of -inf", "data = ad.constant([[0.0], [-np.inf]])",
     "ad.reduce_logsumexp(x + data) + ad.reduce_sum(x ** 2 * 1e30) ** 2"),
    ("a network beside it", "data = None",
     "ad.reduce_sum(x ** 2 * 1e30) ** 2 + ad.reduce_sum(x * ad.constant(x.numpy() * 1.0))"),
):  # fmt: skip
    truth(
        f"a loop that diverged, with {name}",
        ("not finite", "source not finite", ""),
        "`x` itself is not finite already|learning rate",
        STEPS.format(made, line),
        False,
    )


def trap(name: str, op: str, words: str, text: str) -> None:
    """The where-trap, whose code must keep all that was in the where."""
    truth(name, (*TRAP, op), words, text)


trap(
    "a trap in an expression on another line, with one logarithm",
    "Log",
    "instead of the where at line|A value is NaN here|on the way back 0 * NaN is NaN",
    """
x = ad.Variable([0.5, -0.2, 2.0])
mask = x > 0.0
with ad.GradientTape() as tape:
    sle = ad.square(ad.math.log(x + 1e-6) - 0.5)
    loss = ad.reduce_mean(«ad.where(mask, sle, ad.zeros_like(sle))»)
ad.explain(tape, loss, x)
""",
)
TWO_LOGS = """
x, target = ad.Variable([0.5, -0.2, 2.0]), ad.constant([1.0, 0.0, 3.0])
mask = target > 0.5
with ad.GradientTape() as tape:
    sle = ad.square(ad.math.log(x + 1e-6) - ad.math.log(target))
    loss = ad.reduce_mean(«ad.where(mask, sle, ad.zeros_like(sle))»)
ad.explain(tape, loss, x)
"""
if sys.version_info >= (
    3,
    11,
):  # before, code objects know no columns: of two calls none is certain
    trap("a trap in an expression on another line", "Log", "instead of the where", TWO_LOGS)
trap(
    "a trap, with names that the program has by now",
    "Log",
    "ok2 = |safe_x2 = ",
    """
x = ad.Variable([0.0, 2.0])
ok, safe_x = 1.0, 2.0
with ad.GradientTape() as tape:
    loss = ok * ad.reduce_sum(«ad.where(x > 0, ad.math.log(x), 0.0)») * safe_x  # here
ad.explain(tape, loss, x)
""",
)
trap(
    "a trap in the other branch, after the first was made safe",
    "Log",
    "ok2 = ad.logical_not(ok)|ad.math.log1p(safe)",
    """
x = ad.Variable([-3.0, -0.1, 0.0])
with ad.GradientTape() as tape:
    ok = ad.logical_or(x <= -0.693, ad.equal(x, 0.0))
    safe = ad.where(ok, -ad.exp(x - 0.001), 0.0)
    y = «ad.where(ok, ad.math.log1p(safe), ad.math.log(-ad.math.expm1(x)))»  # here
    loss = ad.reduce_sum(y)
ad.explain(tape, loss, x)
""",
)
STEPS = """
def log_of(v):
    return ad.math.log(v)
x = ad.Variable([0.0, 4.0])
with ad.GradientTape() as tape:
    b = {}
    y = ad.where(x > 0, b * 2.0, 0.0)
    loss = ad.reduce_sum(y)
ad.explain(tape, loss, x)
"""
truth("a trap that is computed in a function", (*TRAP, "Log"),
      "choose the argument with ad.where first", STEPS.format("log_of(x)"), False)  # fmt: skip
truth("a trap that is computed in two steps", (*TRAP, "Log"), "instead of ad.math.log(x)",
      STEPS.format("«ad.math.log(x)» * 3.0\n    b = b + 1.0"))  # fmt: skip
truth(
    "a ray that misses the sphere",
    (*TRAP, "Sqrt"),
    "A value is NaN here, in the branch that ad.where did not choose|Sqrt(-0.55|0 * NaN is NaN",
    """
x, light = ad.Variable(0.5), ad.constant([0.5, 0.5, 0.7])
px = ad.constant([[0.0, 0.4, 0.9]])
with ad.GradientTape() as tape:
    disc = x ** 2 - px ** 2
    pz = «ad.sqrt(disc)»  # here
    n = ad.stack([px, 0.0 * px, pz], axis=-1) / x
    shade = ad.reduce_sum(n * light, axis=-1)
    loss = ad.reduce_mean(ad.where(disc > 0.0, shade, ad.zeros_like(shade)))
ad.explain(tape, loss, x)
""",
)
truth(
    "a root at 0, with names that the program has by now",
    (*SLOPE, "Pow"),
    "ok2 = |safe_x2 = ",
    """
x, ok, safe_x = ad.Variable([0.0, 2.0]), 1.0, 2.0
with ad.GradientTape() as tape:
    loss = ok * ad.reduce_sum(«x ** 0.5») * safe_x  # here
ad.explain(tape, loss, x)
""",
)
value("a divisor that is 0 because a parameter is", "RealDiv", "`x` itself is 0 everywhere. Let it",
      "x, s = ad.Variable(0.0), ad.Variable(2.0)", "(s + x) / (s * ad.sqrt(x))", False)  # fmt: skip
value("Newton's method from 0", "RealDiv", "`x` itself is 0 everywhere. Let it",
      "x, a = ad.Variable(0.0), ad.Variable(2.0)", "0.5 * (x + a / x)", False)  # fmt: skip
value("a count that is 0", "RealDiv",
      "divided by 0, which is `count` (made at line |If the quotient may be 0 there, so that no",
      "x, count = ad.Variable([1.0, 2.0]), ad.constant([0.0, 0.0])",
      "ad.reduce_sum(«x / count») + x[0] * 2.0")  # fmt: skip
value("a divisor that was rounded to 0", "RealDiv", "The divisor is above 0 and was rounded to 0",
      "x = ad.Variable(20.0)", "1.0 / (0.5 * ad.exp(-x * x))", False)  # fmt: skip
truth(
    "softmax by hand of numbers far below 0",
    (*VALUE, "RealDiv"),
    "All of the exponentials became 0",
    """
x = ad.Variable([[-200.0, -201.0], [2.0, 3.0]])
with ad.GradientTape() as tape:
    e = ad.exp(x)
    p = «e / ad.reduce_sum(e, axis=1, keepdims=True)»  # here
    loss = ad.reduce_sum(p[:, 1] ** 2)
ad.explain(tape, loss, x)
""",
)
value("a node without neighbours", "Pow", "0 to a negative power is infinite. If the result may be 0",
      "x, A = ad.Variable([0.0, 2.0]), ad.constant([1.0, 3.0])",
      "ad.reduce_sum(A * «x ** -0.5»)")  # fmt: skip
value("a reciprocal root of 0", "Rsqrt", "If the result may be 0 there",
      "x, A = ad.Variable([0.0, 2.0]), ad.constant([1.0, 3.0])",
      "ad.reduce_sum(A * «ad.math.rsqrt(x)»)")  # fmt: skip
value("a negative power of a parameter that is 0", "Pow", "`x` itself is 0 everywhere. Let it begin",
      "x = ad.Variable(0.0)", "x ** -2.0 + 1.0", False)  # fmt: skip
slope("acos of what is clipped already", "Acos", "code:  ad.acos(ad.clip_by_value(x, -1.0 + 1e-6",
      "x = ad.Variable([1.0, 0.5])", "ad.reduce_sum(«ad.acos(ad.clip_by_value(x, -1.0, 1.0))»)",
      )  # fmt: skip
slope("the direction of the origin", "Atan2", "At (0, 0) its slope is 0 / 0|has no direction",
      "x = ad.Variable([[1.0, 1.0], [0.0, 0.0], [-1.0, 0.5]])",
      "ad.reduce_sum(ad.sin(«ad.atan2(x[:, 1], x[:, 0])») ** 2) + 0.1 * ad.reduce_sum(x)")  # fmt: skip
slope("so near the origin that the square of the distance is 0", "Atan2", "so near the origin",
      "x = ad.Variable([1e-30, 1e-30])", "ad.atan2(x[0], x[1]) * 2.0", False)  # fmt: skip
truth(
    "the second derivative of a norm at 0",
    ("not finite", "value unknown", "SqrtGrad"),
    "ad.explain of the inner tape tells whether the first gradient was finite",
    """
x = ad.Variable([0.0, 0.0])
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        y = ad.norm(x)
    loss = inner.gradient(y, x)  # here
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "a position that is written at",
    ("none", "cast to int", "Cast"),
    "It is used as an index to write at|position - low to the next one",
    """
x = ad.Variable([0.4, 1.7])
with ad.GradientTape() as tape:
    cell = ad.cast(x, ad.int32)  # here
    loss = ad.reduce_sum(ad.tensor_scatter_nd_add(ad.zeros((5,)), cell[:, None], ad.ones((2,))) ** 2)
ad.explain(tape, loss, x)
""",
    False,
)

ADVANTAGE = "adv = «(r - ad.reduce_mean(r)) / ad.math.reduce_std(r)»  # made\n"
for state, words, before, inside in (
    (
        "in the block",
        "As far as `tape` knows, it was made of nothing that is watched",
        "",
        ADVANTAGE,
    ),
    ("before the block", "It was not computed on this tape: it is data", ADVANTAGE, ""),
):
    truth(
        f"an advantage of equal rewards, computed {state}",
        (*SICK, "Mul"),
        f"`adv` holds NaN (2 of 2 values). {words}|Something was divided by 0",
        f"""
x, r = ad.Variable([0.5, 1.0]), ad.constant([1.0, 1.0])
{before}with ad.GradientTape() as tape:
    {inside}{"    " * bool(inside)}loss = -ad.reduce_mean(ad.tanh(x) * adv)  # here
ad.explain(tape, loss, x)
""",
        False,
    )
