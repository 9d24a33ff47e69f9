"""Programs after questions that people ask about their zeros and NaNs, and what is true of each."""

from readers.true_programs import truth
from readers.true_zeros import zero

APART = """
def apart(first, second):
    return ad.reduce_sum(ad.square(first - second))

points = ad.constant([[1.0, 2.0], [0.5, 0.0], [2.0, 1.0]])
x = ad.Variable({}, name="x")  {}
with ad.GradientTape() as tape:
    seen = points @ x
    loss = ad.maximum(apart(seen[0], seen[1]) - apart(seen[0], seen[2]) + 0.5, 0.0)
ad.explain(tape, loss, x)
"""
zero(
    "weights of zeros put all points on one, and the margin is left", "zero", "",
    "what is squared is 0|`x` itself is 0 everywhere|Let the weights begin at random values",
    APART.format("«ad.zeros([2, 3])»", "# here"), True,
)  # fmt: skip
zero(
    "a bell at its top is no loss that became 0", "zero", "Pow",
    "the value is 0, where a square is flat|as a whole is 1.",
    """
x = ad.Variable([0.0, 0.0], name="x")
with ad.GradientTape() as tape:
    loss = ad.exp(-ad.norm(x) ** 2)  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
zero(
    "two points that are one, beside a penalty", "zero", "Square",
    "two equal values are subtracted|`loss` as a whole is 0.25",
    """
x = ad.Variable(2.0, name="x")
with ad.GradientTape() as tape:
    loss = ad.square(x * 3.0 - x * 3.0) + 0.25  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
zero(
    "a loss that has reached 0 is told so", "zero", "Square",
    "If the loss was to become 0, it has",
    """
x = ad.Variable([[0.0], [0.0]], name="x")
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.square(ad.ones([3, 2]) @ x))  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip


def not_finite(name: str, op: str, words: str, text: str, mended: bool = True) -> None:
    """A program in which a value stopped being finite at the line that is marked."""
    truth(name, ("not finite", "value not finite", op), words, text, mended)


TINY = """
x = ad.Variable([-100.0, 0.5], name="x")
with ad.GradientTape() as tape:
    size = ad.nn.softplus(x)
    rate = «{}»  # here
    loss = ad.reduce_sum(ad.tanh(rate) + rate)
ad.explain(tape, loss, x)
"""
for one, kind in (("1.0 / size", "RealDiv"), ("ad.math.reciprocal(size)", "Reciprocal")):
    not_finite(
        f"a divisor that is as good as 0: {one}", kind,
        "The divisor is not 0, but as small as 3.8e-44, and float32 ends at 3.4e38",
        TINY.format(one),
    )  # fmt: skip
not_finite(
    "a numerator that is too large for its divisor", "RealDiv", "keep the numbers smaller",
    TINY.format("1e30 / (size + 1e-20)").replace("«", "").replace("»", ""), False,
)  # fmt: skip
BOUNDED = """
x = ad.Variable([{}, 0.5], name="x", dtype=ad.{})
eps = {}
with ad.GradientTape() as tape:
    p = {}
    loss = -ad.reduce_mean({})  # here
ad.explain(tape, loss, x)
"""
LOST = "`1 - eps` is 1 in {}, which has no number between {} and 1, so the bound at"
for name, words, slots in (
    ("float32", LOST.format("float32", "0.99999994"),
     ("40.0", "float32", "1e-9", "«ad.clip_by_value(ad.sigmoid(x), eps, 1 - eps)»",
      "ad.math.log(p) + ad.math.log(1.0 - p)")),
    ("float16", LOST.format("float16", "0.99951172"),
     ("12.0", "float16", "1e-6", "«ad.minimum(ad.sigmoid(x), 1 - eps)»", "ad.math.log1p(-p)")),
    ("float16 from below", "`eps` is 0 in float16, which has no number between 0 and 6e-08",
     ("0.0", "float16", "1e-8", "«ad.clip_by_value(x, eps, 1.0)»", "ad.math.log(p)")),
):  # fmt: skip
    kind = "Log1p" if "log1p" in slots[-1] else "Log"
    not_finite(f"a bound that was rounded away, {name}", kind, words, BOUNDED.format(*slots))
truth(
    "a bound that was rounded away, and a slope", ("not finite", "not finite", "Acos"),
    "Acos is infinitely steep there: `1 - eps` is 1 in float32",
    BOUNDED.format("1.0", "float32", "1e-9", "«ad.clip_by_value(x, -1 + eps, 1 - eps)»",
                   "ad.acos(p)"),
)  # fmt: skip
for name, slots in (
    ("a bound that is 1 by itself",
     ("40.0", "float32", "1e-7", "ad.clip_by_value(ad.sigmoid(x), eps, 1.0)",
      "«ad.math.log(1.0 - p)»")),
    ("a bound that was rounded away, and is not reached",
     ("0.0", "float32", "1e-9", "ad.clip_by_value(x, 0.0, 1 - eps)", "«ad.math.log(p)»")),
):  # fmt: skip
    not_finite(name, "Log", "Keep the argument away from 0", BOUNDED.format(*slots))
DATA = ("not finite", "data not finite", "Mul")
CLOSED = """
x = ad.Variable([1.0, 2.0, 3.0], name="x")
closed = {}
with ad.GradientTape() as tape:
    scores = {}  # here
    loss = {}
ad.explain(tape, loss, x)
"""
OPEN = CLOSED.replace("with", "# mend\nwith")
OFF = "ad.constant([1.0, -np.inf, 2.0])"
for mask, product, rest in (
    (OFF, "«x * closed»", "ad.nn.softmax(scores)[0]"),
    ("np.array([1.0, -np.inf, 2.0], np.float32)", "«ad.multiply(closed, x)»",
     "ad.reduce_logsumexp(scores)"),
    (OFF, "«closed * x»", "ad.reduce_sum(ad.exp(scores))"),
):  # fmt: skip
    truth(
        f"a mask of -inf as a factor: {product} in {rest}", DATA,
        "`closed` holds -inf (1 of 3 values)|-inf is no factor|put a large negative number in",
        CLOSED.format(mask, product, rest),
    )  # fmt: skip
truth(
    "-inf in data that nothing chooses from", DATA, "Leave those examples out",
    OPEN.format(OFF, "x * closed", "ad.reduce_sum(scores)"),
)  # fmt: skip
truth(
    "infinities of both signs are no mask", DATA, "Leave those examples out",
    OPEN.format("ad.constant([np.inf, -np.inf, 2.0])", "x * closed", "ad.nn.softmax(scores)[0]"),
)  # fmt: skip
DRAWN = """
x = ad.Variable([0.3, -0.5], name="x")
noise = ad.constant([0.7, -0.2])
with ad.GradientTape() as tape:
    mean = 2.0 * x
    action = mean + 0.1 * noise
    far = {}  # here
    loss = {}
ad.explain(tape, loss, x)
"""
for far in ("«action - mean»", "«mean - action»", "«ad.math.squared_difference(action, mean)»"):
    truth(
        f"a sample around a mean, and how far it is from there: {far}",
        ("zero", "cancelled", "SquaredDifference" if "squared" in far else "Sub"),
        "`mean` is in `action` already, and is taken away again|If `action` is to be held",
        DRAWN.format(far, "ad.reduce_sum(-0.5 * far * far)"), True,
    )  # fmt: skip
truth(
    "two ways that cancel by chance", ("zero", "cancelled", ""), "Look at the parts",
    """
x = ad.Variable(0.5, name="x")
with ad.GradientTape() as tape:
    loss = ad.square(x + 1.0) - x * 3.0  # here
ad.explain(tape, loss, x)
""", False,
)  # fmt: skip
truth(
    "a sample around a mean, and another way that cancels", ("zero", "cancelled", ""),
    "Look at the parts",
    """
x = ad.Variable(0.5, name="x")
with ad.GradientTape() as tape:
    action = x + 0.25  # here
    loss = ad.square(action - x) + ad.square(x + 1.0) - x * 3.0
ad.explain(tape, loss, x)
""", False,
)  # fmt: skip
RATIOS = """
x = ad.Variable([[2.0, 1.0], [3.0, 4.0]], name="x")
label = ad.constant([[4.0, 2.0], [0.0, 0.0]])
with ad.GradientTape() as tape:
    own = ad.atan(x[:, 0] / x[:, 1])
    wide, high = label[:, 0], label[:, 1]
    loss = ad.reduce_sum([1.0, 0.0] * ({}) ** 2)  # here
ad.explain(tape, loss, x)
"""
for ratio, op in (
    ("(own - ad.atan(wide / high)) / 3.0", "Sub"),
    ("2.0 * -(ad.atan(wide / high) - own)", "Sub"),
):
    truth(
        f"NaN of data that a difference does not keep: {ratio}",
        ("not finite", "data not finite", op),
        "`ad.atan(wide / high)` holds NaN|`wide / high` (line ", RATIOS.format(ratio), False,
    )  # fmt: skip
FAR = """
x = ad.Variable([1.0, 1.0, 1.0], name="x")
with ad.GradientTape() as tape:
    shared = ad.maximum(x - 2.0, 0.0)
    part = {} / (1.0 + ad.reduce_sum(x * x))
    loss = -ad.math.log({})  # here
ad.explain(tape, loss, x)
"""
AGAIN = "That alone is not enough, for behind it the way ends again. At "
for part, rest, kept in (
    ("shared[0] * shared[1]", "ad.clip_by_value(part, 1e-6, 1.0)", "cut off at 0 at line"),
    ("ad.reduce_prod(shared)", "ad.maximum(part, 1e-6)", "part + ad.stop_gradient("),
):
    truth(
        f"a bound, and what is cut off before it: {part}", ("zero", "zero", "Maximum"),
        f"{AGAIN}|{kept}", FAR.format(part, f"«{rest}»"), False,
    )  # fmt: skip
for call, words in (
    ("ad.norm(x, ord='euclidean', axis=1)", "The length of a vector of zeros"),
    ("ad.linalg.norm(x, 2, 1, keepdims=True)", "The length of a vector of zeros"),
    ("ad.linalg.norm(tensor=x, axis=1)", "The length of a vector of zeros"),
    ("ad.math.reduce_std(x, 1)", "The deviation of values that are all equal is 0"),
    ("ad.math.reduce_std(input_tensor=x, axis=1)", "The deviation of values that are all equal"),
):
    truth(
        f"a root in a call with more arguments: {call}", ("not finite", "not finite", "Sqrt"), words,
        f"""
x = ad.Variable([[1.0, 2.0], [0.0, 0.0]], name="x")
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(«{call}»)  # here
ad.explain(tape, loss, x)
""",
    )  # fmt: skip
truth(
    "labels with NaN, and a mask that is made of them", ("not finite", "data not finite", "Sub"),
    "`labels` holds NaN (1 of 2 values)|which asks where it is not finite, and before it is used",
    """
x = ad.Variable([0.5, 0.25], name="x")
labels = ad.constant([float("nan"), 1.0])
known = np.logical_not(np.isnan(labels.numpy()))
# mend
with ad.GradientTape() as tape:
    errors = ad.square(x - labels)  # here
    loss = ad.reduce_sum(ad.boolean_mask(errors, known))
ad.explain(tape, loss, x)
""",
)  # fmt: skip
truth(
    "an angle of nothing in the branch that is not taken", ("not finite", "where trap", "Atan2"),
    "did not choose|give it one there, which is then a constant",
    """
x = ad.Variable([3.0, 0.0, -5.0], name="x")
with ad.GradientTape() as tape:
    angle = «ad.atan2(x, x)»  # here
    loss = ad.reduce_sum(ad.where(ad.equal(x, 0.0), 0.0, angle * x))
ad.explain(tape, loss, x)
""",
)  # fmt: skip
BY_HAND = """
x = ad.Variable([40.0, -3.0], name="x")
labels = ad.constant([0.0, 1.0])
with ad.GradientTape() as tape:
    p = {}
    rest = {}  # here
    loss = -ad.reduce_mean(labels * ad.math.log(p) + (1.0 - labels) * rest)
ad.explain(tape, loss, x)
"""
for sigmoid in ("1.0 / (1.0 + ad.exp(-x))", "1 / (ad.exp(-x) + 1)"):
    not_finite(
        f"a cross entropy of a sigmoid by hand: {sigmoid}", "Log",
        "The sigmoid became 1|ad.math.log_sigmoid(-x)",
        BY_HAND.format(sigmoid, "«ad.math.log(1.0 - p)»"),
    )  # fmt: skip
not_finite(
    "a quotient that is no sigmoid", "Log", "Keep the argument away from 0",
    BY_HAND.format("1.0 / (1.0 + ad.square(1.0 / x - 0.025))", "«ad.math.log(1.0 - p)»")
    .replace("-3.0]", "1.0]"),
)  # fmt: skip
not_finite(
    "a sigmoid of a layer", "Log",
    "The sigmoid became 1|ad.math.log_sigmoid of the negative logits", """
layer = ad.keras.layers.Dense(1, activation="sigmoid", kernel_initializer="ones")
rows = ad.constant([[40.0], [1.0]])
x = layer(rows) is not None and layer.kernel
with ad.GradientTape() as tape:
    loss = -ad.reduce_mean(ad.math.log(1.0 - layer(rows)))  # here
ad.explain(tape, loss, x)
""", False,
)  # fmt: skip
not_finite(
    "a softmax by hand that is 1 to the last digit", "Log",
    "`p[0]` is 1 to the last digit. If it is a probability, it was rounded", """
x = ad.Variable([40.0, -3.0], name="x")
with ad.GradientTape() as tape:
    weights = ad.exp(x)
    p = weights / ad.reduce_sum(weights)
    loss = -ad.math.log(1.0 - p[0])  # here
ad.explain(tape, loss, x)
""", False,
)  # fmt: skip
for share in ("p / q", "0.5 / q"):
    not_finite(
        f"a divergence of softmaxes as the logarithm of a quotient: {share}", "RealDiv",
        "The logarithm of a quotient is a difference|ad.nn.log_softmax(x)", f"""
x = ad.Variable([[200.0, 0.0, -3.0]], name="x")
p = ad.nn.softmax(ad.constant([[2.0, 0.5, -1.0]]))
with ad.GradientTape() as tape:
    q = ad.nn.softmax(x)
    loss = ad.reduce_sum(p * «ad.math.log({share})»)  # here
ad.explain(tape, loss, x)
""",
    )  # fmt: skip
SQUASHED = """
x = ad.Variable([12.0, 0.3], name="x")
with ad.GradientTape() as tape:
    action = ad.tanh(x)
    loss = ad.reduce_sum(«ad.math.log(1.0 - {})»)  # here
ad.explain(tape, loss, x)
"""
for square in ("action ** 2", "action * action", "ad.square(action)"):
    not_finite(
        f"the density of a squashed sample: {square}", "Log",
        "only rounding in float32 made it 0|x - ad.math.softplus(-2.0 * x))",
        SQUASHED.format(square),
    )  # fmt: skip
not_finite(
    "a cube of tanh is another thing", "Log", "Keep the argument away from 0",
    SQUASHED.format("action ** 3"),
)  # fmt: skip
for call, values, words in (
    ("ad.acos(x)", "[1.0000002, 0.3]", "Acos is defined from -1 to 1: keep the argument inside"),
    ("ad.atanh(x)", "[1.0, 0.3]", "infinite at both ends: keep the argument inside"),
    ("ad.math.log1p(x)", "[-1.0, 0.3]", "Log1p is defined above -1"),
    ("ad.acosh(x)", "[0.9999999, 1.5]", "Acosh is defined from 1 upwards"),
    ("ad.sqrt(x)", "[-1e-7, 0.3]", "keep the argument above 0. If it is learnt"),
    ("ad.math.rsqrt(x)", "[-0.2, 0.3]", "keep the argument above 0. If it is learnt"),
):
    not_finite(
        f"a number outside, beside one inside: {call}", call.split("(")[0].split(".")[-1].capitalize(),
        words, f"""
x = ad.Variable({values}, name="x")
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(«{call}»)  # here
ad.explain(tape, loss, x)
""",
    )  # fmt: skip
not_finite(
    "a cosine that is no cosine", "Acos", "keep the argument inside", """
x = ad.Variable(2.5, name="x")
with ad.GradientTape() as tape:
    loss = ad.acos(x) * 2.0  # here
ad.explain(tape, loss, x)
""", False,
)  # fmt: skip
MADE = """
x = ad.Variable([0.5, 0.2], name="x")
barred = ad.Variable({}, name="barred")  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_sum({})
ad.explain(tape, loss, x)
"""
for value, line, words in (
    ("[0.1, -np.inf]", "x * (x + barred)", "a large negative number such as -1e9 says so too"),
    (
        "[0.1, np.nan]",
        "x * ad.exp(barred)",
        "Begin with finite numbers: look at what it is made of",
    ),
):
    truth(
        f"a variable that was made with {value}", ("not finite", "source not finite", ""),
        f"`barred` itself is not finite already|and no step has changed it since|{words}",
        MADE.format(value, line), False,
    )  # fmt: skip
truth(
    "a variable that a loop makes anew, until it is infinite",
    ("not finite", "source not finite", ""), "itself is not finite already|learning rate",
    """
x = ad.Variable(10.0, name="x")
for _ in range(60):
    with ad.GradientTape() as tape:
        loss = x ** 4
    x = ad.Variable(x - 0.5 * tape.gradient(loss, x), name="x")
with ad.GradientTape() as tape:
    loss = x ** 4  # here
ad.explain(tape, loss, x)
""",
    False,
)  # fmt: skip
truth(
    "noise of a logarithm of a logarithm, and a 0 among the draws",
    ("not finite", "value not finite", "Softmax"),
    "it is `noise(draws)` that holds such numbers|`ad.math.log(draws)` (line ",
    """
x = ad.Variable([[0.2, 0.5, 0.3]], name="x")
draws = ad.constant([[0.0, 0.5, 1.0]])
def noise(draws):
    return -ad.math.log(-ad.math.log(draws))
with ad.GradientTape() as tape:
    loss = ad.nn.softmax((x + noise(draws)) / 0.5)[0, 1]  # here
ad.explain(tape, loss, x)
""",
    False,
)  # fmt: skip
truth(
    "a target that is infinite by its data", ("flows", "flows", ""),
    "`loss` itself is not finite: `offset` holds inf, at line ",
    """
x = ad.Variable(2.0, name="x")
offset = ad.constant(np.inf)
with ad.GradientTape() as tape:
    loss = x + offset
ad.explain(tape, loss, x)
""",
    False,
)  # fmt: skip
FLOWS = ("flows", "flows", "")
truth(
    "a length that is bounded only after it was inverted", FLOWS,
    "It is very large, 3e+12, and a step by it goes far. Mul at line ",
    """
x = ad.Variable([[0.0, 0.0], [3.0, 4.0]], name="x")
with ad.GradientTape() as tape:
    inverse = ad.minimum(ad.math.rsqrt(ad.reduce_sum(x * x, axis=1, keepdims=True)), 1e12)
    loss = ad.reduce_sum(x * inverse * 3.0)
ad.explain(tape, loss, x)
""",
    False,
)  # fmt: skip
GROWS = """
x = ad.Variable(0.9, name="x")
with ad.GradientTape() as tape:
    state = x
    for _ in range({}):
        state = state * {}
    loss = state
ad.explain(tape, loss, x)
"""
for count, factor, words in (
    (
        40,
        3.0,
        "It is very large, 1e+19, and a step by it goes far. On its way back through 40 rounds of",
    ),
    (40, 0.3, "so small, 1e-21 at most, that `x` minus it is the same in float32: either all"),
):
    truth(f"a loop with a factor of {factor}", FLOWS, words, GROWS.format(count, factor), False)
for name, line in (
    ("a lambda", "(lambda v: «ad.where(v < 0.0, 1.0 / (1.0 - v), ad.math.log(v + 1.0))»)(x)"),
    ("a comprehension", "ad.add_n([«ad.where(v < 0.0, 1.0 / (1.0 - v), v)» for v in [x, x]])"),
):
    truth(
        f"a branch that is not taken, in {name}", ("not finite", "where trap", "RealDiv"),
        "did not choose|ad.where((v < 0.0), 1.0 / ad.where((v < 0.0), 1.0 - v, 1.0)",
        f"""
x = ad.Variable(1.0, name="x")
with ad.GradientTape() as tape:
    loss = {line}  # here
ad.explain(tape, loss, x)
""",
    )  # fmt: skip
truth(
    "a root at 0 in a lambda", ("not finite", "not finite", "Sqrt"),
    "ad.where((v > 0), ad.sqrt(ad.where((v > 0), v, 1.0)), 0.0)",
    """
x = ad.Variable([0.0, 4.0], name="x")
root = lambda v: «ad.sqrt(v)»  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(root(x))
ad.explain(tape, loss, x)
""",
)  # fmt: skip
