"""Programs whose NaN begins before the last value that the tape keeps; see `true_programs`."""

from readers.true_programs import SLOPE, VALUE, truth

SICK = ("not finite", "data not finite")
MASKS = "x, mask = ad.Variable([[1.0, 2.0], [3.0, -4.0]]), np.array([[1, 1], [0, 0]], 'float32')"

truth(
    "NaN before a sum with something that is not kept",
    (*VALUE, "Log"),
    "Here at [0] Log(-0.9) is nan|A negative number has no logarithm",
    """
m, x = ad.Variable([0.1, 0.2]), np.array([1.0, 1.0], "float32")
with ad.GradientTape() as tape:
    s = ad.math.log(m - 1.0)  # here
    h = ad.where([True, True], s, 0.0)
    out = (x + h) * np.array([1.0, 1.0], "float32") / ad.constant([2.0, 2.0])
    loss = ad.reduce_mean((out - x) ** 2)
ad.explain(tape, loss, m)
""",
    False,
)
truth(
    "a quotient before a residual and a norm",
    (*VALUE, "RealDiv"),
    "Something was divided by 0",
    """
data, x = np.array([[1.0, 2.0]], "float32"), ad.Variable([[0.0, 1.0]])
def normed(v):
    return v - ad.reduce_mean(v, axis=-1, keepdims=True)
with ad.GradientTape() as tape:
    p = «1.0 / x»  # here
    loss = ad.reduce_mean((normed(data + p) - 1.0) ** 2)
ad.explain(tape, loss, x)
""",
)
for name, infinity in (
    ("", "-np.inf"),
    (" that is called float", "float('-inf')"),
    (" that has a name", "NEG"),
):
    truth(
        f"a row that where masks altogether, with infinity{name}",
        (*VALUE, "Softmax"),
        "NaN begins here. At [1] everything along axis 1 is -inf|"
        f"instead of ad.where(mask > 0, x, {infinity})",
        f"""
{MASKS}
NEG = -np.inf
with ad.GradientTape() as tape:
    scores = «ad.where(mask > 0, x, {infinity})»
    p = ad.nn.softmax(scores)  # here
    loss = ad.reduce_sum(np.ones((2, 2), "float32") + p @ x)
ad.explain(tape, loss, x)
""",
    )
truth(
    "a row that is masked by what the tape does not keep",
    (*VALUE, "Softmax"),
    "it is `neg` that holds such numbers|or mask with a large negative number such as -1e9",
    f"""
{MASKS}
def attend(scores, neg):
    return ad.nn.softmax((scores + neg) * 0.5)  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(attend(x, np.where(mask > 0, 0.0, -np.inf).astype("float32")) @ x)
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "a mask of NumPy's times infinity, in a function",
    (*SICK, "AddV2"),
    "`(1.0 - mask) * -np.inf` holds NaN or inf|0 * inf is NaN",
    """
x = ad.Variable([[1.0, 2.0], [3.0, -4.0]])
def attend(q, mask):
    scores = q @ q
    with np.errstate(invalid="ignore"):
        scores = scores + «(1.0 - mask) * -np.inf»  # here
    return ad.nn.softmax(scores) @ q
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(attend(x, np.array([[1, 1], [1, 0]], "float32")) ** 2)
ad.explain(tape, loss, x)
""",
)
truth(
    "the logarithm of a sum in which everything is masked",
    (*VALUE, "LogSumExp"),
    "Everything that goes in is -inf|was put in at line |its slope 0 / 0|-1e9",
    """
a, prev = ad.Variable([1.0, 2.0]), ad.constant([-np.inf, -np.inf])
with ad.GradientTape() as tape:
    both = prev + a
    s = ad.reduce_logsumexp(both)  # here
    loss = ad.reduce_logsumexp(ad.stack([s, a[0]]))
ad.explain(tape, loss, a)
""",
    False,
)
truth(
    "a table of logarithms that begins with infinities",
    (*VALUE, "LogSumExp"),
    "Everything that goes in is -inf",
    """
w = ad.Variable([[1.0, 2.0, 0.5], [0.3, 0.2, 0.1]])
def score(logp):
    table = [logp[0, 0]] + [ad.constant(-np.inf)] * 2
    moved = [table[k] + logp[0, k] for k in range(3)]
    step = [ad.reduce_logsumexp(ad.stack([moved[k], moved[k - 1]])) for k in (1, 2)]  # here
    return step[0] + ad.reduce_logsumexp(ad.stack([step[1], logp[1, 0]]))
with ad.GradientTape() as tape:
    loss = -score(ad.nn.log_softmax(w))
ad.explain(tape, loss, w)
""",
    False,
)
truth(
    "the logarithm of a sum of exponentials by hand, of infinities",
    (*VALUE, "Sub"),
    "Sub(-inf, -inf) is nan|was put in at line |Two infinities cancel to NaN",
    """
v = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    a, b = v[0] + -np.inf, v[1] + -np.inf
    m = ad.maximum(a, b)
    s = m + ad.math.log(ad.exp(a - m) + ad.exp(b - m))  # here
    loss = ad.reduce_logsumexp(ad.stack([s, v[0]]))
ad.explain(tape, loss, v)
""",
    False,
)
truth(
    "constants that the kit made infinite, without a name",
    (*SICK, "AddV2"),
    "It was computed at line |The logarithm of 0",
    """
def noise(u):
    return -ad.math.log(-ad.math.log(u))
v = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((v + noise(ad.constant([1.0, 0.5]))) ** 2)  # here
ad.explain(tape, loss, v)
""",
    False,
)
for name, cut in (("a mask that leaves something", "scores[:, :2]"), ("a mask", "scores[:1]")):
    truth(
        f"{name}, and all is well",
        ("flows", "flows", ""),
        "a gradient flows",
        f"""
q, mask = ad.Variable([[1.0, 2.0], [3.0, -4.0]]), np.array([[1, 1], [1, 0]], 'float32')
with ad.GradientTape() as tape:
    scores = ad.where(mask > 0, q, -np.inf)
    loss = ad.reduce_sum(np.ones((1, 2), "float32") + ad.nn.softmax({cut}) @ q)
ad.explain(tape, loss, q)
""",
        False,
    )


# Slopes that are finite and too large, and infinities behind a zero.
STEEP = ("not finite", "overflow")
for name, op, words, setting, line, mends in (
    ("of a logarithm", "Log", "It is about 1e+42, and float32 ends|compute in ad.float64",
     "x = ad.Variable([1e-42, 0.5])", "-ad.reduce_sum(ad.math.log(x))", False),
    ("of a quotient", "RealDiv", "about 2e+50, and", "x = ad.Variable(1e-25)", "1.0 / x * 2.0", False),
    ("of the logarithm of a softmax", "Log", "about 2e+41, and",
     "x = ad.Variable([95.0, 0.0, -5.0])", "-«ad.math.log(ad.nn.softmax(x)[1])»", True),
    ("of the logarithm of a sigmoid", "Log", "float32 ends at 3.4e38",
     "x = ad.Variable(-95.0)", "-«ad.math.log(ad.sigmoid(x))»", True),
):  # fmt: skip
    truth(
        f"a slope {name} that float32 does not have", (*STEEP, op), words,
        f"{setting}\nwith ad.GradientTape() as tape:\n    loss = {line}  # here\n"
        "ad.explain(tape, loss, x)\n", mends,
    )  # fmt: skip
BEHIND = "is not finite here.|What is divided by it is 0, and line "
truth(
    "a sigmoid by hand overflows, and a logarithm follows", (*VALUE, "Exp"),
    f"{BEHIND}|Exp(95.0) is inf|log_sigmoid(x)    # instead of the logarithm of 1.0 / (1.0 + ",
    """
x = ad.Variable(-95.0)
with ad.GradientTape() as tape:
    p = 1.0 / (1.0 + ad.exp(-x))  # here
    loss = -«ad.math.log(p)»
ad.explain(tape, loss, x)
""",
)  # fmt: skip
truth(
    "a softmax by hand overflows, and the logarithm of another entry follows", (*VALUE, "Exp"),
    f"{BEHIND}|Exp(100.0) is inf|ad.nn.log_softmax(x)    # instead of the logarithm of e / ad.",
    """
x = ad.Variable([100.0, 0.0, -5.0])
with ad.GradientTape() as tape:
    e = ad.exp(x)  # here
    p = e / ad.reduce_sum(e)
    loss = -«ad.math.log(p[1:])»[-1]
ad.explain(tape, loss, x)
""",
)  # fmt: skip
truth(
    "an infinity made one of two zeros, and the logarithm is taken of both", (*VALUE, "Log"),
    "Here at [0] Log(0.0) is -inf",
    """
x, s = ad.Variable([0.0, 1.0]), ad.Variable([1.0, 100.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.math.log(x / ad.exp(s)))  # here
ad.explain(tape, loss, x)
""", False,
)  # fmt: skip
for name, line in (
    ("tanh", "ad.reduce_sum(ad.tanh(x / v))"),
    ("exp", "ad.reduce_sum(ad.exp(-x / v))"),
    ("sigmoid", "ad.reduce_sum(ad.sigmoid(x / v))"),
):
    truth(
        f"a quotient that is infinite, of which {name} makes a finite number",
        (*VALUE, "RealDiv"),
        "0 in its place would make another value|Say with ad.where",
        f"""
x, v = ad.Variable([3.0, 10.0]), ad.Variable([0.0, 2.0], name="v")
with ad.GradientTape() as tape:
    loss = {line}  # here
ad.explain(tape, loss, v)
""",
        False,
    )
truth(
    "the root of a parameter that begins at 0", (*SLOPE, "Sqrt",),
    "`s` itself is 0|Let it begin with another number",
    """
s = ad.Variable(0.0, name="s")
with ad.GradientTape() as tape:
    loss = 1.0 + ad.sqrt(s)  # here
ad.explain(tape, loss, s)
""", False,
)  # fmt: skip

for name, setting, line in (
    ("a polynomial", "x = ad.Variable(0.0)", "sum(c * «x ** k» for k, c in enumerate([1.0, 2.0]))"),
    ("columns of powers", "x = ad.Variable([0.0, 1.0])",
     "ad.reduce_sum(ad.stack([«(x + 0.0) ** k» for k in range(3)]) * 2.0)"),
    ("exponents in a tensor", "k, x = ad.range(3.0), ad.Variable(0.0)",
     "ad.reduce_sum(«ad.pow(x, k)»)"),
    ("an exponent that is learned", "k, x = ad.Variable([0.0, 1.0]), ad.Variable([0.0, 2.0])",
     "ad.reduce_sum(«x ** k»)"),
):  # fmt: skip
    truth(
        f"0 to the power of 0, {name}", (*SLOPE, "Pow"),
        "0 is raised to the power of 0|so the slope is 0; but the rule|0 * inf is NaN",
        f"{setting}\nwith ad.GradientTape() as tape:\n    loss = {line}  # here\n"
        "ad.explain(tape, loss, x)\n",
    )  # fmt: skip

for name, start, line, words in (
    ("two equal values", "1.0", "ad.reduce_mean(([1.0, 2.0] ** ad.sin(g := x - 1.0) - 1.0) / g)",
     "two equal values are subtracted"),
    ("a constant", "1.0", "(ad.sin(x * zero) + ad.sin(zero - x * zero)) / ad.sin(zero)",
     "`ad.sin(zero)` is 0"),
):  # fmt: skip
    truth(
        f"divided by 0 on the only way, {name}", (*VALUE, "RealDiv"),
        f"{words}|no gradient would come through it. Keep the divisor away|if the quotient has a limit",
        f"zero, x = ad.constant(0.0), ad.Variable({start})\nwith ad.GradientTape() as tape:\n"
        f"    loss = {line}  # here\nad.explain(tape, loss, x)\n",
        False,
    )  # fmt: skip
truth(
    "divided by 0, and there is another way", (*VALUE, "RealDiv"), "If the quotient may be 0 there",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    d = x - 2.0
    loss = x * x + «1.0 / d»  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
truth(
    "divided by 0 in the first step of a loop", (*VALUE, "RealDiv"), "If the quotient may be 0 there",
    """
x, r = ad.Variable(1.0), ad.constant([0.0, 0.0])
with ad.GradientTape() as tape:
    v = ad.constant([0.0, 1.0])
    for _ in range(3):
        v = v - 0.1 * («x * r / ad.norm(r) ** 3»)  # here
        r = r + 0.1 * v
    loss = ad.reduce_sum(r * r)
ad.explain(tape, loss, x)
""",
)  # fmt: skip
truth(
    "0 / 0 where the limit is another", (*VALUE, "RealDiv"), "another limit: sin(x) / x has 1",
    """
x = ad.Variable([-1.0, 0.0, 1.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(«ad.sin(x) / x»)  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip

truth(
    "a constant that a loop made", (*SICK, "Mul"),
    "`p` holds NaN|as in a loop (lines |first rounds. Of ordinary numbers, `p / r` (line ",
    """
p, v, x = ad.constant([0.0, 0.0]), ad.constant([0.0, 0.0]), ad.Variable(2.0)
with ad.GradientTape() as tape:
    for step in range(4):
        r = ad.norm(p)
        f = p / r
        v = v - 0.1 * f
        p = p + 0.1 * v
    loss = ad.reduce_sum(x * p)  # here
ad.explain(tape, loss, x)
""",
    False,
)  # fmt: skip
truth(
    "a constant that grew in a loop", (*SICK, "Mul"), "`y` was computed from earlier|Numbers that grow",
    """
y, x = ad.constant(2.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    for step in range(10):
        y = y ** 2
    loss = x * ad.sin(y)  # here
ad.explain(tape, loss, x)
""",
    False,
)  # fmt: skip
truth(
    "a constant that was computed from another", (*SICK, "Mul"),
    "`phi` holds NaN|computed from `r`, made at|divided by 0: `b`",
    """
u, x = ad.constant([0.0, 0.0, 0.0, 1.0, 3.0]), ad.Variable(0.5)
a, b = u[1:-1] - u[:-2], u[2:] - u[1:-1]
r = a / b
# mend
phi = ad.maximum(0.0, ad.minimum(1.0, r))
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((x * phi) ** 2)  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip
truth(
    "an array that NumPy standardised", (*SICK, "MatMul"),
    "X.std(0)` (line |can make NaN or inf: look there first. If the data came with them: leave those",
    """
x, X = ad.Variable([[0.3], [0.1]]), np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]], "float32")
X = (X - X.mean(0)) / X.std(0)
# mend
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((X @ x - 1.0) ** 2)  # here
ad.explain(tape, loss, x)
""",
)  # fmt: skip

for name, setting, line in (
    ("logistic growth", "a, x = 9.0, ad.Variable(2.0)", "«100.0 / (1.0 + a * ad.exp(-x * t))»"),
    ("growth with learned numbers", "a, x = ad.Variable(9.0), ad.Variable(2.0)",
     "«a * (a + 1.0) / (a * ad.exp(x * -t) + 1.0)»"),
    ("Planck's law", "a, x = 3.0, ad.Variable(0.5)",
     "«a / (t * t) / (ad.exp(1.0 / (x * ad.abs(t) / 65.0)) - 1.0)»"),
):  # fmt: skip
    truth(
        f"a quotient over an exponential, {name}", (*VALUE, "Exp"), "exp overflows",
        f"{setting}\nt = ad.constant([-60.0, 0.5, 1.2])\nwith ad.GradientTape() as tape:\n"
        f"    loss = ad.reduce_sum({line})  # here\nad.explain(tape, loss, x)\n",
    )  # fmt: skip

truth(
    "the first step of a loop that is not watched", (*SICK, "Mul"),
    "holds NaN (2 of 2|print what goes in there|Of ordinary numbers, `p / r` (line ",
    """
p, v, x = ad.constant([0.0, 0.0]), ad.constant([0.0, 0.0]), ad.Variable(2.0)
with ad.GradientTape() as tape:
    for step in range(4):
        r = ad.norm(p)
        f = p / r
        a = (0.1 * f) * x  # here
        v = v - a / 2.0
        p = p + 0.1 * v
    loss = ad.reduce_sum(x * p)
ad.explain(tape, loss, x)
""",
    False,
)  # fmt: skip
OVER = "x = ad.Variable([1e30, 2.0])"
truth("a power that overflows, and nothing leaves it out", (*VALUE, "Pow"), "float32 ends at 3.4e38",
      f"""
{OVER}
with ad.GradientTape() as tape:
    p = x ** 2  # here
    loss = ad.reduce_sum(p / ad.reduce_sum(p))
ad.explain(tape, loss, x)
""", False)  # fmt: skip
