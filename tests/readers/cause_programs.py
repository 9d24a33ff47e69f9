"""More programs for `true_programs.TRUTHS`: the gradient is None, and a wrong cause lay near.

Importing this adds them.
"""

from __future__ import annotations

from readers.true_programs import truth


def cause(name: str, told: tuple[str, str], words: str, text: str, mended: bool = False) -> None:
    """Add a program whose gradient is None: the cause, the operation, and parts of what is said."""
    truth(name, ("none", *told), words, text, mended)


BLOCK = """
x = ad.Variable(3.0, name="x")
w = ad.Variable([1.0, 2.0], name="w")
v = ad.Variable(1.0, name="v")
with ad.GradientTape() as tape:
    {}
ad.explain(tape, y, x)
"""
cause(
    "a variable is not watched late, whatever else is in the block",
    ("left the tensors", ""),
    "float()",
    BLOCK.format("h = w * ad.ones([2])\n    y = ad.reduce_sum(h) * float(x)  # here"),
)
cause(
    "noise is older than an assignment",
    ("assigned", "AssignVariableOp"),
    "`v` with assign",
    BLOCK.format(
        "h = w * ad.random.normal([2])\n    v.assign(x * x)  # here\n    y = ad.reduce_sum(h * v)"
    ),
)
cause(
    "noise is older than a condition",
    ("condition", ""),
    "decides",
    BLOCK.format(
        "y = ad.reduce_sum(w * ad.random.uniform([2]))\n    if y > -x:  # here\n        y = y * 2.0"
    ),
)
cause(
    "a constant that is watched after noise was drawn",
    ("left the tensors", ""),
    "float()",
    """
x = ad.constant(3.0)
w = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    n = ad.random.normal([2])
    tape.watch(x)
    y = ad.reduce_sum(w * n) * float(x)  # here
ad.explain(tape, y, x)
""",
)
for watch, when in (("tape.watch(x)", "after the block"), ("    tape.watch(x)", "in it")):
    cause(
        f"watched {when}, after an operation that is on the tape took it",
        ("watched late", "MatMul"),
        "after it had been used",
        f"""
w = ad.Variable([[1.0, 1.0], [1.0, 1.0]])
x = ad.constant([[0.3, 0.2]])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.matmul(x, w) ** 2)  # here
{watch}
ad.explain(tape, y, x)
""",
    )
cause(
    "a metric adds in its method",
    ("assigned", "AssignVariableOp"),
    "assign_add",
    """
class Mean:
    def __init__(self):
        self.total = ad.Variable(0.0, name="total")
        self.count = 0
    def update(self, value):
        «self.total.assign_add(value)»  # here
        self.count += 1
    def result(self):
        return self.total / self.count
w, metric = ad.Variable(2.0, name="w"), Mean()
with ad.GradientTape() as tape:
    for x in [1.0, 2.0, 3.0]:
        error = (w * x - 1.0) ** 2
        metric.update(error)
    loss = metric.result()
ad.explain(tape, loss, w)
""",
    True,
)
cause(
    "a function adds to a variable of its caller",
    ("assigned", "AssignVariableOp"),
    "assign_add|Return the new value",
    """
w, total = ad.Variable(2.0), ad.Variable(0.0)
def add(v):
    total.assign_add(v)  # here
with ad.GradientTape() as tape:
    for x in [1.0, 2.0]:
        add((w * x - 1.0) ** 2)
    loss = total / 2.0
ad.explain(tape, loss, w)
""",
)
cause(
    "only another value is added to a variable",
    ("not on the way", "Mul"),
    "ends with `error`",
    """
w, total = ad.Variable(2.0, name="value"), ad.Variable(0.0)
def add(value):
    total.assign_add(value)
with ad.GradientTape() as tape:
    error = w * 3.0  # here
    add(2.0)
    loss = total / 2.0
ad.explain(tape, loss, w)
""",
)
cause(
    "the target is a variable that holds the number",
    ("assigned", ""),
    "put into a new variable here, `loss`",
    """
x = ad.Variable(2.0)
with ad.GradientTape(persistent=True) as tape:
    y = x ** 2
    «loss = ad.Variable(y)»  # here
ad.explain(tape, loss, x)
""",
    True,
)
cause(
    "a variable of the same name is made in a function",
    ("not used", ""),
    "another variable|Each time this line runs",
    """
theta = ad.Variable(2.0, name="theta")
def model(x):
    theta = ad.Variable(2.0, name="theta")  # here
    return theta * x
with ad.GradientTape() as tape:
    loss = model(3.0)
ad.explain(tape, loss, theta)
""",
)
cause(
    "each call makes a variable",
    ("not used", ""),
    "another variable|Each time this line runs|once and before the block",
    """
class Net(ad.keras.layers.Layer):
    def call(self, x):
        self.w = ad.Variable(ad.ones([3, 1]), name="w")  # here
        return x @ self.w
net, x = Net(), ad.ones([2, 3])
net(x)
w = net.w
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(net(x) ** 2)
ad.explain(tape, loss, w)
""",
)
cause(
    "each call makes a layer",
    ("not used", ""),
    "another variable|If a new layer is made for each call",
    """
def model(x):
    return ad.keras.layers.Dense(1)(x)  # here
x, layer = ad.ones([2, 3]), ad.keras.layers.Dense(1)
layer(x)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(model(x))
ad.explain(tape, loss, layer.kernel)
""",
)
PAUSED = """
w, u = ad.Variable([1.0], name="w"), ad.Variable([2.0])
with ad.GradientTape() as tape:
    {}
    with tape.stop_recording():
        {}
    loss = ad.reduce_sum({})
ad.explain(tape, loss, w)
"""
for how, before, within, after in (
    ("and used before", "reg = ad.reduce_sum(w ** 2)", "h = w * 2.0  # here", "h"),
    ("alone", "pass", "h = w * 2.0  # here", "h"),
    ("and another variable is used", "pass", "h = w * 2.0  # here", "h * u"),
    ("after a recorded step", "y = w ** 2", "h = y * 2.0  # here", "h"),
):
    cause(
        f"computed while paused, {how}",
        ("recording stopped", ""),
        "computed from `h`|had paused the tape (line|out of that block",
        PAUSED.format(before, within, after),
    )
cause(
    "computed while paused, in a function",
    ("recording stopped", ""),
    "`w`, or what was made of it, was used here|had paused the tape (line",
    """
w = ad.Variable([1.0], name="w")
def model(tape):
    with tape.stop_recording():
        h = w * 2.0  # here
    return h * 3.0
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(model(tape))
ad.explain(tape, loss, w)
""",
)
cause(
    "what is computed while paused is only for the history",
    ("left the tensors", ""),
    "float()",
    """
w, u, history = ad.Variable([1.0], name="w"), ad.Variable([2.0]), []
with ad.GradientTape() as tape:
    with tape.stop_recording():
        size = ad.reduce_sum(w ** 2)
        history.append(size)
    loss = ad.reduce_sum(u * float(ad.reduce_sum(w * 3.0)))  # here
ad.explain(tape, loss, w)
""",
)
cause(
    "a print in a branch, and computed before",
    ("outside the tape", ""),
    "`params` was computed here, before the block",
    """
debug = False
w, v = ad.Variable(1.0), ad.Variable(2.0)
params = ad.stack([w, v])  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(params ** 2)
    if debug:
        print("w is", w, "loss", loss)
ad.explain(tape, loss, w)
""",
)
cause(
    "a check for NaN, and computed before",
    ("outside the tape", ""),
    "`pred` was computed here, before the block",
    """
w, x = ad.Variable([1.0, 2.0]), ad.constant([[1.0, 2.0]])
pred = ad.linalg.matvec(x, w)  # here
with ad.GradientTape() as tape:
    if ad.reduce_any(ad.math.is_nan(w)):
        raise ValueError("w is nan")
    loss = ad.reduce_mean((pred - 1.0) ** 2)
ad.explain(tape, loss, w)
""",
)
cause(
    "the shape, and computed before",
    ("outside the tape", ""),
    "`feat` was computed here, before the block",
    """
x = ad.Variable([1.0, 2.0])
feat = x * 2.0  # here
with ad.GradientTape() as tape:
    tape.watch(x)
    n = x.shape[0]
    loss = ad.reduce_sum(feat ** 2) / n
ad.explain(tape, loss, x)
""",
)
cause(
    "a list of values that were computed before",
    ("outside the tape", ""),
    "`log_probs[2]` was computed here, before the block",
    """
theta, rewards, log_probs = ad.Variable([1.0, 2.0]), [1.0, 0.5, 2.0], []
for a in [0, 1, 0]:
    log_probs.append(ad.nn.log_softmax(theta)[a])  # here
def policy_loss(values, rewards):
    return -ad.reduce_sum(ad.stack(values) * rewards)
with ad.GradientTape() as tape:
    loss = policy_loss(log_probs, rewards)
ad.explain(tape, loss, theta)
""",
)
cause(
    "gradients of another tape",
    ("outside the tape", ""),
    "`grads[0]`, and `grads[0]` is a gradient that was taken here|one with block in the other",
    """
w = ad.Variable([1.0, 2.0])
def penalty(grads):
    return ad.add_n([ad.reduce_sum(g ** 2) for g in grads])
with ad.GradientTape() as inner:
    loss = ad.reduce_sum(w ** 3)
grads = inner.gradient(loss, [w])  # here
with ad.GradientTape() as tape:
    total = penalty(grads)
ad.explain(tape, total, w)
""",
)
cause(
    "the name of a value from outside is another function's parameter",
    ("condition", ""),
    "decides",
    """
w, data = ad.Variable(1.0), ad.constant([1.0, 2.0])
pred = w * data
def loss_of(pred):
    return ad.reduce_sum(pred ** 2)
with ad.GradientTape() as tape:
    loss = loss_of(data)
    if w > 0.0:  # here
        loss = loss * 2.0
ad.explain(tape, loss, w)
""",
)
cause(
    "a check for NaN is no decision",
    ("not on the way", "Mul"),
    "nothing that was made of it leads to `loss`",
    """
w, v = ad.Variable([1.0, 2.0]), ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    if ad.reduce_any(ad.math.is_nan(w)):
        raise ValueError("w is nan")
    h = w * 2.0  # here
    loss = ad.reduce_sum(v ** 2)
ad.explain(tape, loss, w)
""",
)
cause(
    "a print is no use in a branch",
    ("not used", ""),
    "never saw",
    """
debug, w, v = False, ad.Variable([1.0, 2.0]), ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:  # here
    loss = ad.reduce_sum(v ** 2)
    if debug:
        print("w is", w)
ad.explain(tape, loss, w)
""",
)
for dtype in ("int32", "int64"):
    cause(
        f"answers counted as {dtype}",
        ("no gradient", "Greater"),
        "True or False",
        f"""
x = ad.Variable([2.0, 1.0], name="x")
with ad.GradientTape() as tape:
    n = ad.reduce_sum(ad.cast(x > 1.5, ad.{dtype}))  # here
ad.explain(tape, n, x)
""",
    )
cause(
    "right answers counted in integers",
    ("no gradient", "ArgMax"),
    "positions",
    """
x = ad.Variable([[2.0, 1.0]], name="x")
with ad.GradientTape() as tape:
    best = ad.argmax(x, axis=1)  # here
    n = ad.reduce_sum(ad.cast(ad.equal(best, [0]), ad.int32))
ad.explain(tape, n, x)
""",
)
cause(
    "an empty list of losses",
    ("no target", ""),
    "`losses` holds nothing|may not have run",
    """
x, losses = ad.Variable(2.0), []
with ad.GradientTape() as tape:
    for batch in []:
        losses.append(x * batch)
ad.explain(tape, losses, x)
""",
)
cause(
    "a constant after an error",
    ("constant target", ""),
    "`y` is a constant|`except` branch",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    try:
        y = x @ x
    except Exception:
        y = ad.constant(0.0)  # here
ad.explain(tape, y, x)
""",
)
for data in ("ad.constant([1.0, 2.0, 3.0])", "ad.Variable([1.0, 2.0, 3.0])"):
    cause(
        f"a mask of {data}",
        ("condition", ""),
        "which elements ad.boolean_mask takes|sum of the weights",
        f"""
scores, data = ad.Variable([0.2, 0.9, 0.4]), {data}
with ad.GradientTape() as tape:
    keep = scores > 0.3
    kept = ad.boolean_mask(data, keep)  # here
    loss = ad.reduce_mean(kept)
ad.explain(tape, loss, scores)
""",
    )
cause(
    "a mask whose choice goes nowhere",
    ("not on the way", "Greater"),
    "leads to `loss`",
    """
scores, data = ad.Variable([0.2, 0.9]), ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    keep = scores > 0.3  # here
    kept = ad.boolean_mask(data, keep)
    loss = ad.reduce_mean(data)
ad.explain(tape, loss, scores)
""",
)
TAPES = """
g, d = ad.Variable(2.0), ad.Variable(1.0)
def step():
    with ad.GradientTape() as gt:
        gl = (g * 3.0) ** 2
    with ad.GradientTape() as dt:{}
        dl = (d * g) ** 2{}
    return gt, dt, dl
{}, dl = step()
ad.explain(tape, dl, g)
"""
for how, begins, computes, names, words in (
    ("whose name is a function's", "", "  # here", "tape, kept", "by another tape, `kept`,"),
    ("that is in a list", "", "  # here", "*tapes", "by another tape, `tapes[1]`, not by"),
    (
        "that has given its gradient", "  # here", "\n    dt.gradient(dl, d)", "tape, other",
        "by another tape, `other`,|has given its gradients",
    ),
):  # fmt: skip
    text = TAPES.format(begins, computes, names)
    text = text.replace("*tapes, dl = step()", "*tapes, dl = step(); tape = tapes[0]")
    cause(f"another tape {how}", ("another tape", ""), words, text)
cause(
    "a second inner step",
    ("not watched", "Sub"),
    "result of Sub|`outer` recorded it|inner.watch(fast)",
    """
w = ad.Variable(2.0)
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        loss = (w * 3.0 - 1.0) ** 2
    fast = w - 0.1 * inner.gradient(loss, w)  # here
    with ad.GradientTape() as inner:
        # mend
        loss = (fast * 3.0 - 1.0) ** 2
ad.explain(inner, loss, fast)
""",
    True,
)
cause(
    "bound to a new tensor while another tape recorded",
    ("rebound", "Mul"),
    "was bound to a new tensor here",
    """
w = ad.Variable(2.0)
with ad.GradientTape() as outer:
    fast = w - 0.1 * w
    with ad.GradientTape() as inner:
        loss = (fast * 3.0 - 1.0) ** 2
    fast = fast * 0.5  # here
ad.explain(inner, loss, fast)
""",
)
cause(
    "a list that is watched late",
    ("watched late", "Sin"),
    "`xs[1]` was watched only at",
    """
xs = [ad.constant(2.0), ad.constant(3.0)]
v = ad.Variable(1.0)
with ad.GradientTape() as tape:
    ys = [ad.sin(t) for t in xs]  # here
    tape.watch(xs)
    z = ad.add_n(ys) * v
ad.explain(tape, z, xs[1])
""",
)
cause(
    "something else was computed before the watching",
    ("not on the way", ""),
    "Nothing on the tape uses `x`|where the tape began to watch it",
    """
x, c, w = ad.constant(2.0), ad.constant(5.0), ad.Variable(1.0)
with ad.GradientTape() as tape:
    k = c * 3.0
    tape.watch(x)  # here
    y = w * k
ad.explain(tape, y, x)
""",
)
cause(
    "another object of the same class was used before",
    ("not used", ""),
    "never saw",
    """
class Layer:
    def __init__(self, v):
        self.w = ad.Variable(v)
    def __call__(self, x):
        return x * self.w
one, two = Layer(1.0), Layer(2.0)
pred = two(ad.constant([1.0, 2.0]))
with ad.GradientTape() as tape:  # here
    loss = ad.reduce_sum(pred ** 2)
ad.explain(tape, loss, one.w)
""",
)
cause(
    "this object was used before",
    ("outside the tape", ""),
    "`pred` was computed here, before the block",
    """
class Layer:
    def __init__(self, v):
        self.w = ad.Variable(v)
    def __call__(self, x):
        return x * self.w
one, two = Layer(1.0), Layer(2.0)
pred = two(ad.constant([1.0, 2.0]))  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(pred ** 2)
ad.explain(tape, loss, two.w)
""",
)
cause(
    "a constant from before the block that no loop adds to",
    ("loop never ran", ""),
    "`w` is used only in a loop that never ran|`[]` is empty",
    """
w = ad.Variable(1.0)
loss = ad.constant(0.0)
with ad.GradientTape() as tape:
    for batch in []:  # here
        loss = loss + w * batch
ad.explain(tape, loss, w)
""",
)
cause(
    "an encoder outside, a decoder inside",
    ("outside the tape", ""),
    "`code` was computed here|code = enc(x)\n             out = dec(code)\n             loss = ad.red",
    """
enc, dec, x = ad.keras.layers.Dense(2), ad.keras.layers.Dense(2), ad.ones([3, 2])
code = enc(x)  # here
with ad.GradientTape() as tape:
    out = dec(code)
    loss = ad.reduce_mean((out - x) ** 2)
ad.explain(tape, loss, enc.kernel)
""",
)
cause(
    "a piece of what the target was computed from",
    ("made of the same", "StridedSlice"),
    "`u` was computed from `xt`, and so was `x`|tape.gradient(u, xt)[:, 0:1]",
    """
xt, w = ad.constant([[0.1, 0.2], [0.3, 0.4]]), ad.Variable([[1.0], [2.0]])
with ad.GradientTape() as tape:
    tape.watch(xt)
    x = xt[:, 0:1]  # here
    u = ad.tanh(xt @ w)
ad.explain(tape, u, x)
""",
)
cause(
    "a copy of what the target was computed from",
    ("made of the same", "Mul"),
    "`u` was computed from `s`, and so was `half`|Ask for `s`, or compute `u` from `half`",
    """
s = ad.Variable(3.0)
with ad.GradientTape() as tape:
    half = 0.5 * s  # here
    u = ad.tanh(s)
ad.explain(tape, u, half)
""",
)
cause(
    "a branch that was taken, but whose result only decides",
    ("condition", ""),
    "`e` only decides",
    """
e = ad.Variable(0.8)
with ad.GradientTape() as tape:
    y, v = ad.constant(1.0), ad.constant(-1.0)
    bounces = 0.0
    for _ in range(40):
        y = y + 0.1 * v
        if y < 0.0:  # here
            y = -y
            v = -e * v
            bounces += 1.0
    loss = ad.constant((bounces - 3.0) ** 2)
ad.explain(tape, loss, e)
""",
)
DENSE = """
net, other = ad.keras.layers.Dense(2), ad.keras.layers.Dense(2)
x = ad.constant([[1.0, -2.0]])
net(x), other(x)
with ad.GradientTape() as tape:{}
    with tape.stop_recording():
        {}
    loss = {}
ad.explain(tape, loss, net.kernel)
"""
cause(
    "a layer that was called while recording was paused",
    ("recording stopped", ""),
    "`loss` was computed from `h`|had paused the tape|out of that block",
    DENSE.format(
        "", "h = net(x)  # here\n        mean = ad.reduce_mean(h)", "ad.reduce_sum(h - mean)"
    ),
)
cause(
    "a layer that was called while recording was paused, for a metric",
    ("not used", ""),
    "never saw|forgotten in a formula",
    DENSE.format("  # here", "metric = ad.reduce_mean(net(x))", "ad.reduce_sum(other(x))"),
)
cause(
    "a parameter that a formula forgot, in a dict",
    ("not used", ""),
    "never saw|forgotten in a formula|`loss` was computed from `p['w']`: ask for that",
    """
p = {"w": ad.Variable([[1.0], [2.0]]), "b": ad.Variable([0.0])}
def forward(p, x):
    return x @ p["w"]
with ad.GradientTape() as tape:  # here
    loss = ad.reduce_mean(forward(p, ad.ones([4, 2])) ** 2)
ad.explain(tape, loss, p["b"])
""",
)
cause(
    "a variable that was used before the block, for something else",
    ("not used", ""),
    "forgotten in a formula|was made of it before does not count",
    """
b, w = ad.Variable(1.0), ad.Variable(2.0)
shown = w * b
with ad.GradientTape() as tape:  # here
    loss = (w * 2.0 - 1.0) ** 2
ad.explain(tape, loss, b)
""",
)
cause(
    "a variable that was used before the block, for the loss",
    ("outside the tape", ""),
    "before the block of `tape` began",
    """
b, w = ad.Variable(1.0), ad.Variable(2.0)
scale = ad.sin(b)  # here
with ad.GradientTape() as tape:
    loss = (w * scale - 1.0) ** 2
ad.explain(tape, loss, b)
""",
)
for position, target in (
    ("«ad.argmax(p)»", "p = ad.nn.softmax(x * 2.0)"),
    ("«ad.argmin(p * 2.0, axis=1)»", "p = ad.reshape(x * x, [1, 3])"),
):
    function = "max" if "max" in position else "min"
    cause(
        f"the position itself is asked for, of {position}",
        ("no gradient", "Arg" + function.title()),
        f"saliency|ad.reduce_{function}",
        f"""
x = ad.Variable([1.0, 3.0, 2.0])
with ad.GradientTape() as tape:
    {target}
    top = {position}  # here
ad.explain(tape, top, x)
""",
        True,
    )
cause(
    "several values that a comprehension made before the block",
    ("outside the tape", ""),
    "`y` was computed from `vals`, and `vals` was computed here",
    """
vs = [ad.Variable(1.0), ad.Variable(2.0)]
vals = [v * 1.0 for v in vs]  # here
with ad.GradientTape() as tape:
    y = vals[0] * vals[1]
ad.explain(tape, y, vs[0])
""",
)
cause(
    "one of a list, made on a line of its own before the block",
    ("outside the tape", ""),
    "`y` was computed from `vals[1]`, and `vals[1]` was computed here",
    """
v, vals = ad.Variable(2.0), [ad.constant(1.0)]
vals.append(v * 2.0)  # here
with ad.GradientTape() as tape:
    y = vals[0] * vals[1]
ad.explain(tape, y, v)
""",
)
cause(
    "a number that was written out as text",
    ("constant target", "Pow"),
    "from `s` (a text): texts do not know",
    """
a = ad.Variable(2.0)
with ad.GradientTape() as tape:
    s = f"{a:.3f}"
    y = ad.constant(float(s)) ** 2  # here
ad.explain(tape, y, a)
""",
)
cause(
    "what an inner tape watched is a plain tensor",
    ("not watched", ""),
    "`t` is a plain tensor, and a tape watches only",
    """
t = ad.reshape(ad.linspace(0.0, 1.0, 4), [4, 1])
with ad.GradientTape() as second:
    with ad.GradientTape() as first:
        first.watch(t)
        u = t ** 3
    u_t = first.gradient(u, t)
ad.explain(second, u_t, t)
""",
)
TAKEN = """
gates, e = ad.Variable([0.2, 0.8]), ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    outs = [e[0] * 3.0, e[1] * 3.0]
    {}
ad.explain(tape, y, gates)
"""
for how in (
    "k = int(ad.argmax(gates))  # here\n    y = outs[k]",
    "y = outs[int(ad.argmax(gates))]  # here",
):
    cause(
        f"a position says which one is taken: {how.split('  #')[0]}",
        ("condition", ""),
        "only says which one is taken: `outs[|Mix the candidates softly",
        TAKEN.format(how),
    )
cause(
    "a position that says only what is printed",
    ("not on the way", "ArgMax"),
    "nothing that was made of it leads to `y`",
    TAKEN.format("k = int(ad.argmax(gates))  # here\n    name = ['a', 'b'][k]\n    y = outs[1]"),
)
cause(
    "a weight of a layer that was made with trainable=False in the block",
    ("not trainable", ""),
    "without trainable=False|instead of self.add_weight(",
    """
class Scale(ad.keras.layers.Layer):
    def build(self, shape):
        self.gamma = «self.add_weight(shape=(1,), initializer="ones", trainable=False)»  # here
    def call(self, x):
        return self.gamma * x
layer = Scale()
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(layer(ad.constant([[1.0, 2.0]])))
ad.explain(tape, loss, layer.gamma)
""",
    True,
)
cause(
    "a cast in the middle of a sum with integers",
    ("cast to int", "Cast"),
    "Go on with `w * 3.0` itself, without the cast|has to be float32 too",
    """
w = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    pred = ad.cast(w * 3.0, "int32")  # here
    err = ad.constant([2, 5]) - pred
    loss = ad.reduce_sum(ad.cast(err * err, "float32"))
ad.explain(tape, loss, w)
""",
)
