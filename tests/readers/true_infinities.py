"""Programs whose NaN begins before the last value that the tape keeps; see `true_programs`."""

from readers.true_programs import VALUE, truth

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
