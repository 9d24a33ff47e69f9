"""Programs for `true_programs.TRUTHS` in which a name means another tensor than the learner thinks.

Importing this adds them.
"""

from __future__ import annotations

from readers.cause_programs import cause

cause(
    "a step that replaces the variable, in a loop",
    ("rebound", "Sub"),
    "`w` is no longer what it was|bound the name to a new tensor",
    """
w, rate = ad.Variable(1.0), 0.1
for step in range(2):
    with ad.GradientTape(persistent=True) as tape:
        loss = (w * 3.0 - 1.0) ** 2
    if step == 0:
        g = tape.gradient(loss, w)
        «w = w - rate * g»  # here
ad.explain(tape, loss, w)
""",
    True,
)
cause(
    "a variable that was divided by its norm",
    ("rebound", "RealDiv"),
    "bound the name to a new tensor",
    """
theta = ad.Variable([1.0, 2.0])
«theta = theta / ad.norm(theta)»  # here
with ad.GradientTape() as tape:
    y = ad.reduce_sum(theta ** 3)
ad.explain(tape, y, theta)
""",
    True,
)
cause(
    "a method that replaces the variable",
    ("rebound", "Sub"),
    "`m.w` is no longer what it was",
    """
class Linear:
    def __init__(self):
        self.w = ad.Variable(2.0)
    def update(self, g):
        «self.w = self.w - 0.1 * g»  # here
m = Linear()
m.update(ad.constant(1.0))
with ad.GradientTape() as tape:
    loss = (m.w * 3.0 - 1.0) ** 2
ad.explain(tape, loss, m.w)
""",
    True,
)
cause(
    "a constant that was divided is no variable, and has no assign",
    ("rebound", "RealDiv"),
    "no longer what it was|or make it an ad.Variable",
    """
x = ad.constant(2.0)
x = x / 2.0  # here
with ad.GradientTape() as tape:
    # mend
    y = x ** 2
ad.explain(tape, y, x)
""",
    True,
)
cause(
    "a variable of another shape cannot be assigned to",
    ("rebound", "Reshape"),
    "no longer what it was|a name of its own",
    """
w = ad.Variable([1.0, 2.0])
w = ad.reshape(w, [2, 1])  # here
with ad.GradientTape() as tape:
    y = ad.reduce_sum(w * w)
ad.explain(tape, y, w)
""",
)
cause(
    "an attribute of another object keeps its meaning",
    ("not watched", "Sub"),
    "a plain tensor, the result of Sub",
    """
class Holder:
    def __init__(self, v):
        self.w = v - 1.0  # here
m = Holder(ad.Variable(2.0))
with ad.GradientTape() as tape:
    # mend
    loss = (m.w * 3.0 - 1.0) ** 2
ad.explain(tape, loss, m.w)
""",
    True,
)
GIVEN = """
@ad.custom_gradient
def scaled(x, k):
    def backward(up):
        return {}
    return k * x ** 2, backward
x, k = ad.Variable(3.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    loss = scaled(x, k) + 1.0  # here
ad.explain(tape, loss, {})
"""
cause(
    "None for the second of two inputs",
    ("custom None", "CustomGradient"),
    "None for `k`, the second input|return up * 2.0 * k * x, None",
    GIVEN.format("up * 2.0 * k * x, None", "k"),
)
cause(
    "None for the first of two inputs",
    ("custom None", "CustomGradient"),
    "None for `x`, the first input|return None, up * x ** 2",
    GIVEN.format("None, up * x ** 2", "x"),
)
cause(
    "None for a variable that the function uses",
    ("custom None", "CustomGradient"),
    "None for the variable `scale`|return up * scale, [None]",
    """
scale, x = ad.Variable(2.0), ad.Variable(1.0)
@ad.custom_gradient
def f(x):
    def grad(up, variables=None):
        return up * scale, [None]
    return scale * x, grad
with ad.GradientTape() as tape:
    out = f(x)  # here
ad.explain(tape, out, scale)
""",
)
cause(
    "None for the only input: its argument keeps its name",
    ("custom None", "CustomGradient"),
    "None for `x`",
    """
@ad.custom_gradient
def f(x):
    def backward(upstream):
        # mend
        return None
    return x * 2.0, backward
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = f(x)  # here
ad.explain(tape, y, x)
""",
    True,
)
cause(
    "a name that stands for no gradient is no function",
    ("custom None", "Square"),
    "put in the place of its own (RulelessForExplain)|gives no gradient for `x`",
    """
if "RulelessForExplain" not in ad.registry.GRADIENTS:
    ad.NotDifferentiable("RulelessForExplain")
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    with ad.gradient_override_map({"Square": "RulelessForExplain"}):
        y = ad.square(x)  # here
ad.explain(tape, y, x)
""",
)
cause(
    "a loss that was computed while recording was paused",
    ("recording stopped", "Pow"),
    "had paused the tape|outside of the pause",
    """
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = w * 3.0
    with tape.stop_recording():
        loss = (y - 1.0) ** 2  # here
    # mend
ad.explain(tape, loss, w)
""",
    True,
)
cause(
    "a number that says how often a loop runs",
    ("condition", ""),
    "how often|let a few more run|10.0 * (n - i)",
    """
n, v, x = ad.Variable(3.7), ad.Variable(1.0), ad.constant(0.0)
with ad.GradientTape() as tape:
    for _ in range(int(n)):  # here
        x = x + v
    loss = (x - 5.0) ** 2
ad.explain(tape, loss, n)
""",
)

# A variable in the middle of an expression: what has the name is a plain tensor.
PASSING = """
import math
{}
k = ad.Variable(0.5)
x = ad.constant([[1.0, 2.0]])
with ad.GradientTape() as tape:
    y = ad.reduce_sum((x @ w * k) ** 2)
ad.explain(tape, y, w)
"""
NO_NAME = "has no name: nothing leads back to it, no optimizer can change it"
for what, line, op in (
    ("scaled", "ad.Variable(ad.random.normal([2, 1], seed=1)) / math.sqrt(2)", "RealDiv"),
    ("of a list, scaled", "0.1 * ad.Variable([[1.0], [2.0]])", "Mul"),
    ("given a shape", "ad.reshape(ad.Variable([1.0, 2.0]), [2, 1])", "Reshape"),
    (
        "clipped and moved",
        "ad.clip_by_value(ad.Variable(ad.ones([2, 1])), 0.0, 0.9) + 1.0",
        "AddV2",
    ),
    ("of Keras", "ad.keras.Variable([[1.0], [2.0]]) * np.sqrt(2.0)", "Mul"),
    ("of a dtype", "ad.Variable([[1], [2]], dtype=ad.float32) + 1.0", "AddV2"),
):
    cause(
        f"a variable is made in passing: {what}", ("not watched", op), f"{NO_NAME}|Compute first",
        PASSING.format(f"«w = {line}»  # here"), True,
    )  # fmt: skip
cause(
    "a variable is made in passing, with a name of its own", ("not watched", "Mul"), NO_NAME,
    PASSING.format("w = 0.1 * ad.Variable([[1.0], [2.0]], name='w')  # here"),
)  # fmt: skip
cause(
    "a variable meets another in passing", ("not watched", "Mul"), "watches only trainable variables",
    PASSING.format("g = ad.Variable(2.0)\nw = g * ad.Variable([[1.0], [2.0]])  # here"),
)  # fmt: skip

# A variable that was made before the block, of what the source was then.
BEGUN = """
p, q = ad.Variable([1.0]), ad.Variable([2.0])
{}  # here
with ad.GradientTape() as tape:
    # mend
    y = ad.reduce_sum(t * t + q)
ad.explain(tape, y, p)
"""
for what, line, mends in (
    ("a list", "t = ad.Variable([p, q])", True),
    ("a formula", "t = ad.Variable(p * 2.0 + 1.0)", True),
    ("a copy", "t = ad.Variable(p)", False),
    ("a list by its name", "ps = [p, q]\nt = ad.Variable(ps)", False),
    ("with a name", "t = ad.Variable([p, q], name='t')", False),
):
    text = BEGUN.format(line)
    cause(
        f"a variable was made of it before the block: {what}", ("assigned", ""),
        "which was made here, before the block, of what `p` was then",
        text if mends else text.replace("# mend", "# no"), mends,
    )  # fmt: skip
cause(
    "a variable was made of another before the block", ("not used", ""), "never saw `p` being read",
    BEGUN.format("t = ad.Variable(q)").replace("# mend", "# no").replace("  # here", ""),
)  # fmt: skip

# The largest of several weights, marked with 1: the values stay, the gradient is that of the weights.
MARKS = """
x = ad.Variable([[1.0, 2.0, 0.5], [0.3, 0.2, 0.1]])
def draw(logits):
    return ad.nn.softmax(logits * 2.0)
with ad.GradientTape() as tape:
    p = draw(x)
    {}
    loss = ad.reduce_sum(hard * ad.constant([1.0, 2.0, 3.0]))
ad.explain(tape, loss, x)
"""
KEPT = "It marks the largest of p, weights that add up to one. Keep the values"
for what, line in (
    (
        "with ==",
        "hard = ad.cast(«p == ad.reduce_max(p, axis=1, keepdims=True)», ad.float32)  # here",
    ),
    (
        "with equal",
        "hard = ad.cast(«ad.equal(p, ad.reduce_max(p, 1, keepdims=True))», p.dtype)  # here",
    ),
    ("the other way round", "hard = ad.cast(«ad.reduce_max(p, 1, True) == p», p.dtype)  # here"),
    (
        "with a new axis",
        "top = ad.reduce_max(p, axis=1)\n    top = ad.expand_dims(top, 1)\n"
        "    hard = ad.cast(«p == top», p.dtype)  # here",
    ),
):
    cause(
        f"softmax's largest is marked: {what}", ("no gradient", "Equal"), KEPT, MARKS.format(line)
    )
cause(
    "equal to another's largest", ("no gradient", "Equal"), "Put a soft equality in its place",
    MARKS.format(
        "top = ad.reduce_max(p + p, 1, True)\n    hard = ad.cast(«p == top», p.dtype)  # here"
    ),
)  # fmt: skip
cause(
    "the largest of what does not add up to one", ("no gradient", "Equal"), "Put a soft equality",
    MARKS.format("p = p * 3.0\n    hard = ad.cast(«p == ad.reduce_max(p, 1, True)», p.dtype)  # here"),
)  # fmt: skip

# A position that is compared with labels, and a place between two rows.
LABELLED = """
x = ad.Variable([[1.0, 2.0, 0.5], [0.3, 0.2, 0.1]])
with ad.GradientTape() as tape:
    c = ad.cast(«ad.argmax(x, axis=-1)», ad.float32)  # here
    loss = {}
ad.explain(tape, loss, x)
"""
ENTROPY = "If these are classes, their numbers are no sizes: take the cross entropy"
for line in (
    "ad.keras.losses.MeanSquaredError()([1.0, 2.0], c)",
    "ad.reduce_sum((c - ad.constant([2.0, 0.0])) ** 2)",
    "ad.reduce_mean(ad.abs(ad.constant([0.0, 1.0]) - c))",
):
    cause(
        f"a position beside labels: {line}",
        ("no gradient", "ArgMax"),
        ENTROPY,
        LABELLED.format(line),
    )
for line in ("ad.reduce_sum((c - [0.5, 1.5]) ** 2)", "ad.reduce_sum((c - [5.0, 7.0]) ** 2)"):
    cause(
        f"a position beside no labels: {line}", ("no gradient", "ArgMax"), "do:    Put a soft position",
        LABELLED.format(line),
    )  # fmt: skip
PLACES = """
x = ad.Variable(1.3)
table = ad.constant([1.0, 4.0, 9.0])
with ad.GradientTape() as tape:
    i = ad.cast({}, ad.int32)  # here
    loss = ({} - 5.0) ** 2
ad.explain(tape, loss, x)
"""
for taken in ("ad.gather(table, i)", "ad.gather(table, i + 1)"):
    cause(
        f"a place between two rows: {taken}", ("cast to int", "Cast"),
        "an index has to be whole.|Where neighbours lie close to each other",
        PLACES.format("x * 1.0", taken),
    )  # fmt: skip

# A constant that is made in the block can't be watched before it is there.
cause(
    "a constant is made in the block", ("not watched", ""), "tape.watch(x)    # right after",
    """
p = np.array([0.5, 2.0])
with ad.GradientTape() as tape:
    x = ad.constant(p, dtype=ad.float32)  # here
    # mend
    loss = ad.reduce_sum((x - 1.0) ** 2)
ad.explain(tape, loss, x)
""",
    True,
)  # fmt: skip
cause(
    "a constant is made in the block, elsewhere", ("not watched", ""), "# right after it is made",
    """
def made(p):
    h = ad.constant(p)  # here
    return h
with ad.GradientTape() as tape:
    x = made([0.5, 2.0])
    # mend
    loss = ad.reduce_sum((x - 1.0) ** 2)
ad.explain(tape, loss, x)
""",
    True,
)  # fmt: skip
cause(
    "rows are ordered by a score", ("no gradient", "ArgSort"),
    "let the score itself enter too: multiply the rows that were taken by theirs",
    """
x = ad.Variable([0.3, -0.2])
rows = ad.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.1]])
with ad.GradientTape() as tape:
    score = ad.tanh(ad.linalg.matvec(rows, x))
    best = ad.argsort(score, direction="DESCENDING")[:2]  # here
    loss = ad.reduce_sum(ad.gather(rows, best) ** 2)
ad.explain(tape, loss, x)
""",
)  # fmt: skip
cause(
    "a variable was made before the block, and the source is mentioned later", ("not used", ""),
    "never saw `p` being read",
    """
p, q = ad.Variable([1.0]), ad.Variable([2.0])
t = ad.Variable(ad.random.uniform([1], seed=1))
with ad.GradientTape() as tape:
    y = ad.reduce_sum(t * t + q)
ad.convert_to_tensor(p)
ad.explain(tape, y, p)
""",
)  # fmt: skip
