"""Training programs of machine learning, and what is true of each; see `true_programs`.

Importing this adds them.
"""

from __future__ import annotations

from readers.true_programs import truth, value, zero

zero(
    "an attention whose logits are too large, of another number of rows than the weights",
    "zero",
    "Softmax",
    "one probability is 1|too far apart",
    """
x, tokens = ad.Variable(ad.eye(4) * 100.0), ad.constant([[3.0, 1.0, 0.0, 2.0], [0.0, 1.0, 2.0, 5.0]])
with ad.GradientTape() as tape:
    weights = ad.nn.softmax(tokens @ ad.transpose(tokens @ x))  # here
    loss = ad.reduce_sum(weights[:, 0] ** 2)
ad.explain(tape, loss, x)
""",
)
truth(
    "a sum of exponentials by hand, of -inf alone at its beginning",
    ("not finite", "data not finite", "AddV2"),
    "it was made of nothing that is watched|It was computed at line |inf - inf make such numbers",
    """
w = ad.Variable([0.5, 1.0, 0.2])
def add_logs(a, b):
    m = ad.maximum(a, b)
    return m + ad.math.log(ad.exp(a - m) + ad.exp(b - m))
with ad.GradientTape() as tape:
    logp = ad.nn.log_softmax(w)
    first, second = ad.constant(-np.inf), ad.constant(-np.inf)
    for t in range(3):
        first, second = first + logp[0], (
            add_logs(first, second) + logp[1]  # here
        )
    loss = -second
ad.explain(tape, loss, w)
""",
    False,
)
truth(
    "a correlation with what is constant",
    ("not finite", "value not finite", "RealDiv"),
    "divided by 0: two equal values are subtracted at line |no gradient would come through it",
    """
w, x = ad.Variable(0.0), ad.Variable(1.0)
t, y = ad.constant([1.0, 2.0, 4.0]), ad.constant([1.0, -1.0, 0.0])
with ad.GradientTape() as tape:
    p = w * t + x
    p = p - ad.reduce_mean(p)
    r = ad.reduce_sum(p * y) / (ad.norm(p) * ad.norm(y))  # here
    loss = 1.0 - r
ad.explain(tape, loss, x)
""",
    False,
)
for name, exponentials, what, where, form in (
    (
        "a softmax",
        "e / ad.reduce_sum(e)",
        "ad.math.log(made(x))",
        "logarithm",
        "ad.nn.log_softmax",
    ),
    ("a sum", "ad.reduce_sum(e)", "ad.math.log(made(x))", "logarithm", "ad.reduce_logsumexp"),
    ("one and more", "1.0 + e", "ad.math.log(made(x))", "logarithm", "ad.math.softplus"),
    ("one and more, by log1p", "e", "ad.math.log1p(made(x))", "logarithm", "ad.math.softplus"),
    ("a softmax of parts", "e", "made(x) / ad.reduce_sum(made(x))", "", ""),
):
    truth(
        f"{name} of exponentials in a function of its own",
        ("not finite", "value not finite", "Exp"),
        f"{form} of what exp takes here, in place of the {where} at line " if form else "overflow",
        f"""
x = ad.Variable([100.0, 0.0])
def made(scores):
    e = ad.exp(scores)  # here
    return {exponentials}
with ad.GradientTape() as tape:
    loss = -ad.reduce_sum({what})
ad.explain(tape, loss, x)
""",
        False,
    )
truth(
    "exponentials whose logarithm is taken in a function within",
    ("not finite", "value not finite", "Exp"),
    "ad.math.softplus(scores)    # instead of ad.math.log(1.0 + e)",
    """
x = ad.Variable([100.0, 0.0])
def made(scores):
    e = ad.exp(scores)  # here
    def log_of():
        return «ad.math.log(1.0 + e)»
    return log_of()
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(made(x))
ad.explain(tape, loss, x)
""",
)
truth(
    "exponentials whose logarithm is taken in a function within, and the name means something else",
    ("not finite", "value not finite", "Exp"),
    "ad.math.softplus of what exp takes here, in place of the logarithm at line ",
    """
x = ad.Variable([100.0, 0.0])
def made(scores):
    e = ad.exp(scores)  # here
    def log_of():
        return ad.math.log(1.0 + e)
    scores = scores * 2.0
    return log_of() + scores
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(made(x))
ad.explain(tape, loss, x)
""",
    False,
)
for unit in ("relu", "leaky_relu"):
    zero(
        f"the residual of an equation is the second derivative of a net of {unit}",
        "zero",
        "ZerosLike",
        f"what is squared is 0|takes the second derivative of {unit}, and it is made of straight|soft",
        f"""
x, v, t = ad.Variable([[1.0, -2.0]]), ad.Variable([[1.0], [2.0]]), ad.constant([[0.5], [1.0]])
with ad.GradientTape() as tape:
    with ad.GradientTape() as second:
        second.watch(t)
        with ad.GradientTape() as first:
            first.watch(t)
            y = ad.nn.{unit}(t @ x) @ v
        slope = first.gradient(y, t)
    bend = second.gradient(slope, t)  # here
    loss = ad.reduce_mean(bend ** 2)
ad.explain(tape, loss, x)
""",
    )
zero(
    "the residual of an equation is met",
    "zero",
    "Pow",
    "this is its minimum|If the loss was to become 0, it has",
    """
x, t = ad.Variable([[2.0]]), ad.constant([[0.5], [1.0]])
with ad.GradientTape() as tape:
    with ad.GradientTape() as first:
        first.watch(t)
        y = t @ x
    slope = first.gradient(y, t)
    loss = ad.reduce_mean((slope - 2.0) ** 2)  # here
ad.explain(tape, loss, x)
""",
)
truth(
    "a target that is chosen by a position, and stopped",
    ("none", "stop_gradient", "StopGradient"),
    "Without it no gradient would come through either: of `x` only what ArgMax at line ",
    """
x, w, v = ad.Variable([[1.0, 2.0]]), ad.Variable([[0.5, 2.0]]), ad.constant([[3.0, 4.0]])
with ad.GradientTape() as tape:
    best = ad.argmax(x, axis=1)
    goal = 1.0 + 0.9 * ad.gather(v, best, axis=1, batch_dims=1)
    loss = ad.reduce_sum((w - ad.stop_gradient(goal)) ** 2)  # here
ad.explain(tape, loss, x)
""",
    False,
)
ON_PURPOSE = (
    "on purpose, as a target or an advantage is, None is right: `x` learns from a loss of its own"
)
for name, words, line in (
    ("an advantage", "Otherwise leave", "-ad.reduce_mean(ad.tanh(w) * ad.stop_gradient(1.0 - x))"),
    (
        "a target",
        "by assign, as a target",
        "ad.reduce_sum((w - 0.9 * ad.stop_gradient(x * 2.0)) ** 2)",
    ),
):
    truth(
        f"{name} that is stopped on purpose",
        ("none", "stop_gradient", "StopGradient"),
        f"{ON_PURPOSE}|{words}",
        f"""
x, w = ad.Variable([1.0, 2.0]), ad.Variable([0.5, 2.0])
with ad.GradientTape() as tape:
    loss = {line}  # here
ad.explain(tape, loss, x)
""",
        False,
    )
truth(
    "all that could learn is stopped",
    ("none", "stop_gradient", "StopGradient"),
    "Leave it out if the gradient is wanted.",
    """
x, w = ad.Variable([1.0, 2.0]), ad.Variable([0.5, 2.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(«ad.stop_gradient(x * w)» + 1.0)  # here
ad.explain(tape, loss, x)
""",
)
for around, state in (
    ("", "before the block of `tape` began"),
    ("with ad.GradientTape() as first:\n    ", "while another tape recorded"),
):
    truth(
        f"what a generator made was stopped, {state}",
        ("none", "another tape" if around else "outside the tape", ""),
        f"{state}|And leave out the stop_gradient at line |it would end the way there too",
        f"""
x, w = ad.Variable([[1.0, 2.0]]), ad.Variable([[0.5], [2.0]])
{around}fake = ad.stop_gradient(ad.tanh(x * 2.0))  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(fake @ w)
ad.explain(tape, loss, x)
""",
        False,
    )
zero(
    "the scale of a batch norm, and the batch is one example",
    "zero",
    "Sub",
    "the other factor is 0 everywhere|a mean over one element is subtracted from that very element|"
    "a larger batch, or another axis",
    """
w, x, t = ad.Variable([[1.0, 2.0]]), ad.Variable([1.0, 1.0]), ad.constant([[3.0]])
with ad.GradientTape() as tape:
    h = t @ w
    m, v = ad.nn.moments(h, axes=[0])
    h = x * (h - m) / ad.sqrt(v + 1e-5)  # here
    loss = ad.reduce_sum((h - 1.0) ** 2)
ad.explain(tape, loss, x)
""",
)
BINS = "x, p = ad.Variable([[0.0, 0.4, 0.6]]), ad.constant([[0.0, 0.5, 0.5]])"
for product in ("p * ad.math.log(p / x)", "ad.math.log(p / x) * p"):
    value(
        f"bins that are empty on both sides, {product}", "RealDiv",
        "a bound alone would leave the logarithm of 0|ad.math.xlogy(p, p / ad.maximum(x, 1e-7))",
        BINS, f"ad.reduce_sum(«{product}»)",
    )  # fmt: skip
value("a bin that is empty on one side", "RealDiv", "goes into a logarithm, 0 is as bad there",
      BINS.replace("[0.0, 0.5", "[0.1, 0.4"), "ad.reduce_sum(p * ad.math.log(«p / x»))")  # fmt: skip

ACTION = """
table = {table}
x, s = ad.Variable([[1.0, 0.2, 0.1], [0.5, 2.0, 0.3]]), ad.constant([[1.0, 1.0]])
with ad.GradientTape() as tape:
    logits = s @ x
    action = ad.argmax(logits, axis={axis})  # here
    loss = -ad.reduce_mean({taken})
ad.explain(tape, loss, x)
"""
CHOSEN = ("none", "no gradient", "ArgMax")
REINFORCE = "REINFORCE|draw it at random with the chances ad.nn.softmax(logits)|enter `loss`"
for name, table, words, taken, axis in (
    ("NumPy's table", "np.array([0.0, 1.0, 0.5], 'float32')", "weights = ad.nn.softmax(10.0 * logits)",
     "«ad.gather(table, action)»", 1),
    ("a table", "ad.constant([0.0, 1.0, 0.5])", "weights = ad.nn.softmax(10.0 * logits)",
     "«ad.gather(table, action)»", 1),
    ("a table of another dtype", "np.array([0.0, 1.0, 0.5])", "where scores has a number for each",
     "ad.gather(table, action)", 1),
    ("more rows than scores", "ad.constant([0.0, 1.0, 0.5, 2.0])",
     "ad.tensordot(ad.nn.softmax(scores), table, 1), where scores", "ad.gather(table, action)", 1),
):  # fmt: skip
    truth(
        f"an action that is looked up in {name}", CHOSEN, f"{REINFORCE}|{words}",
        ACTION.format(table=table, taken=taken, axis=axis), "«" in taken,
    )  # fmt: skip
