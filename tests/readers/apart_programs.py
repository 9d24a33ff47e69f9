"""More programs for `true_programs.TRUTHS`: None, because what is missing is not on the tape.

Importing this adds them.
"""

from __future__ import annotations

from readers.cause_programs import cause

# What was computed from a list: from the tensors in it, or from the numbers beside them.
EPISODE = """
w = ad.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
x = np.array([[1.0, -1.0]], "float32")
steps = []
for i in range(3):
    steps.append((x, ad.nn.log_softmax(x @ w)[0, 0], float(i))){}
{}
ad.explain(tape, loss, w)
"""
REWARDS = "the rewards alone go into the loss"
for name, rewards in (
    ("by a comprehension", "[r for _, _, r in steps]"),
    ("by their position", "[s[2] for s in steps]"),
    ("by zip", "list(zip(*steps))[2]"),
):
    cause(
        f"{REWARDS}, taken {name}",
        ("constant target", "Neg"),
        "computed here from `rewards` (a NumPy array)|no way leads back|keep them tensors",
        EPISODE.format(
            f"\nrewards = np.array({rewards}, 'float32')",
            "with ad.GradientTape() as tape:\n    logits = x @ w\n"
            "    loss = -ad.reduce_mean(rewards)  # here",
        ),
    )
cause(
    f"{REWARDS}, and the log-probability has a name",
    ("constant target", "Neg"),
    "computed here from `rewards` (a NumPy array)",
    """
w = ad.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
x, steps = np.array([[1.0, -1.0]], "float32"), []
for i in range(3):
    logp, reward = ad.nn.log_softmax(x @ w)[0, 0], float(i)
    steps.append((logp, reward))
rewards = np.array([r for _, r in steps])
with ad.GradientTape() as tape:
    advantages = ad.constant(rewards) - 1.0
    loss = -ad.reduce_mean(advantages)  # here
ad.explain(tape, loss, w)
""",
)
for name, loss in (
    ("in a comprehension", "loss = -ad.add_n([lp * r for _, lp, r in steps])"),
    ("in a loop", "loss = 0.0\n    for _, lp, r in steps:\n        loss = loss - lp * r"),
):
    cause(
        f"log-probabilities that were computed before the block, {name}",
        ("outside the tape", ""),
        "before the block of `tape` began",
        EPISODE.format("  # here", f"with ad.GradientTape() as tape:\n    {loss}"),
    )
cause(
    "log-probabilities beside rewards, where nothing tells which of them is taken",
    ("not used", ""),
    "inside the with block",
    EPISODE.format(
        "",
        "with ad.GradientTape() as tape:\n    loss = -ad.add_n(list(list(zip(*steps))[1]))",
    ),
)
cause(
    "rewards that a function takes out of a list beside log-probabilities",
    ("not used", ""),
    "never saw `w` being read",
    EPISODE.format(
        "\ndef rewards(steps):\n    return np.array([r for _, _, r in steps])",
        "with ad.GradientTape() as tape:\n    loss = -ad.reduce_mean(rewards(steps))",
    ),
)
cause(
    "a NumPy array that was made before the block",
    ("constant target", "Neg"),
    "from `numbers` (a NumPy array)|If these numbers were made of `w`, keep them tensors",
    """
w = ad.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
numbers = ad.tanh(np.ones([1, 2], "float32") @ w).numpy()
with ad.GradientTape() as tape:
    loss = -ad.reduce_mean(numbers)  # here
ad.explain(tape, loss, w)
""",
)

# A source that nobody watches: to watch it mends only what was computed from it.
UNUSED = """
w = ad.Variable(2.0, name="w")
c = ad.constant(3.0)
total = ad.Variable(0.0, trainable=False, name="total")
class Model:
    def __init__(self):
        self.k, self.buffers = ad.constant(2.0), [ad.Variable(0.0, trainable=False)]
    def __call__(self, x):
        return x * self.k
model = Model()
with ad.GradientTape() as tape:
    {}
total.assign_add(loss)
ad.explain(tape, loss, {})
"""
NOT_COMPUTED = "`loss` was not computed from `{}`|ask for that if you mean it|computed from `w`"
for source in ("c", "total", "model.buffers[0]"):
    cause(
        f"{source} is not watched, and not used either",
        ("not used", ""),
        NOT_COMPUTED.format(source),
        UNUSED.format("loss = w * w + 1.0", source),
    )
cause(
    "a tape that watches nothing by itself, and a variable that is not used",
    ("not used", ""),
    "`loss` was not computed from `v`|watch_accessed_variables=False",
    """
w, v = ad.Variable(2.0, name="w"), ad.Variable(3.0, name="v")
with ad.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(w)
    loss = w * 3.0
ad.explain(tape, loss, v)
""",
)
for source, loss, what in (
    ("c", "d = c * 2.0\n    loss = w * d", "not watched"),
    ("c", "loss = c * c", "not watched"),
    ("total", "loss = w * total", "not trainable"),
    ("model.k", "loss = model(w)", "not watched"),
):
    cause(
        f"{source} is not watched, and used: {loss}",
        (what, ""),
        f"tape.watch({source})",
        UNUSED.format("# mend\n    " + loss, source),
        mended=True,
    )

# What went into a variable, where a line runs for several of them.
LAYERS = """
class Layer:
    def __init__(self, n, m):
        r = np.random.default_rng(n)
        self.w = ad.Variable(r.normal(size=(n, m)).astype("float32"), trainable=False, name="w")
        self.a = ad.Variable(r.normal(size=(n, 1)).astype("float32"), name="a")
        self.b = ad.Variable(r.normal(size=(1, m)).astype("float32"), name="b")
    def __call__(self, x):
        {}
layers = [Layer(3, 4), Layer(4, 2)]
for step in range(2):
    with ad.GradientTape() as tape:
        h = ad.ones([2, 3])
        for layer in layers:
            h = layer(h)
        loss = ad.reduce_mean(h ** 2)
ad.explain(tape, loss, layers[{}].{})
"""
MERGED = "merged = ad.Variable(self.w + self.a @ self.b)  # here\n        return x @ merged"
ADDED = "self.w.assign_add(self.a @ self.b)  # here\n        return x @ self.w"
for number, part in ((0, "a"), (1, "a"), (1, "b")):
    cause(
        f"layers[{number}].{part} is put into a new variable",
        ("assigned", ""),
        "put into a new variable here, `merged`|merged = self.w + self.a @ self.b",
        LAYERS.format(MERGED, number, part),
    )
    cause(
        f"layers[{number}].{part} is added to a variable",
        ("assigned", "AssignVariableOp"),
        "stored in the variable `w` with assign_add",
        LAYERS.format(ADDED, number, part),
    )
VECTORS = """
w, u = ad.Variable([0.3, 0.2], name="w"), ad.Variable([0.6, 0.7], name="u")
v1, v2 = ad.Variable([1.0, 2.0], name="v1"), ad.Variable([1.0, 2.0], name="v2")
boxes = [ad.Variable([1.0, 2.0]) for _ in range(2)]
class Main: pass
main = Main()
def act(h):
    return ad.tanh(h)
with ad.GradientTape() as tape:
    {}
    loss = ad.reduce_sum({})
ad.explain(tape, loss, w)
"""
ANOTHER = "|come through another variable"
for name, lines, loss, words in (
    ("copies in a chain", "a = ad.Variable(ad.tanh(w))\n    b = ad.Variable(a * 2.0)  # here", "b",
     "new variable here, `b`" + ANOTHER),
    ("an assignment, then a copy", "v1.assign(ad.tanh(w))\n    b = ad.Variable(v1 * 2.0)  # here",
     "b", "new variable here, `b`" + ANOTHER),
    ("assignments in a chain", "v1.assign(ad.tanh(w))\n    v2.assign(v1 * 2.0)  # here", "v2 * 3.0",
     "in the variable `v2`" + ANOTHER),
    ("a comprehension", "h = [ad.Variable(t) for t in ad.unstack(ad.tanh(w))]  # here", "h[0]",
     "new variable here, `h[0]`"),
    ("a zip", "h = [ad.Variable(s * t) for s, t in zip([u, u], [w, w])]  # here", "h[0]",
     "new variable here, `h[0]`"),
    ("fast weights of two variables",
     "both = [w, u]\n    fast = [ad.Variable(v - 0.1 * v * w) for v in both]  # here",
     "fast[0] * fast[1]", "new variable here, `fast[0]`"),
    ("attributes", "parts = ad.unstack(w * 2.0)\n"
     "    main.a, main.b = [ad.Variable(p) for p in parts]  # here", "main.a * main.b",
     "new variable here, `main.a`"),
    ("what a function returned, under its own name",
     "h = w\n    for t in range(3):\n        h = act(h)\n        h = ad.Variable(h)  # here", "h",
     "new variable here, `h`|leave this line out"),
    ("boxes of a loop", "for box in boxes:\n        box.assign(ad.tanh(w))  # here",
     "2.0 * boxes[0]", "in the variable `boxes[0]`|Collect the new values"),
    ("another name of a box", "box = boxes[0]\n    box.assign(ad.tanh(w))  # here", "2.0 * boxes[0]",
     "in the variable `box` with assign"),
    ("a variable with another name too", "v1.assign(ad.tanh(w))  # here\n    v3 = v1", "v3 * 2.0",
     "in the variable `v1`"),
):  # fmt: skip
    op = "AssignVariableOp" if "assign(" in lines.partition("# here")[0].splitlines()[-1] else ""
    cause(f"into variables: {name}", ("assigned", op), words, VECTORS.format(lines, loss))
for name, lines, loss, words in (
    ("one that was not made of it", "h = ad.tanh(w)\n    pair = [ad.Variable(2.0 * z) for z in (u, u)]",
     "pair[0]", "ends with `h`"),
    ("the one that is not used", "pair = [ad.Variable(2.0 * z) for z in (u, w)]", "pair[0]",
     "What was made of it ends with"),
    ("the part of a zip that it is not in",
     "h = ad.tanh(w)\n    pair = [ad.Variable(2.0 * z) for z, _ in zip([u, u], [w, w])]",
     "pair[0]", "ends with `h`"),
):  # fmt: skip
    cause(
        f"variables beside it: {name}",
        ("not on the way", "Tanh" if "tanh" in lines else "Mul"),
        words,
        VECTORS.format(lines, loss),
    )

# What is kept from an earlier round, so that this tape never saw it being computed.
ROUNDS = """
import functools
w = ad.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
x, cache, kept = ad.constant([[1.0, -1.0]]), {{}}, None
{}
for step in range(2):
    {}
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum({} ** 2)
    tape.gradient(loss, w)
ad.explain(tape, loss, w)
"""
EMBED = """
def embed(key):
    if key not in cache:
        cache[key] = ad.tanh(x @ w)  # here
    return cache[key]
"""
CACHED = "\n@functools.lru_cache\ndef embed(key):\n    return ad.tanh(x @ w)  # here\n"
MODEL = """
class Model:
    def __init__(self):
        self.w, self.cache = w, {{}}
    def tower(self, x):
        return ad.tanh(x @ self.w)
    def __call__(self, key):
        if key not in self.cache:
            self.cache[key] = self.tower(x){}
        return self.cache[key]
    @functools.cached_property
    def h(self):
        return ad.tanh(x @ self.w){}
model = Model()
"""
for name, text, loss, words in (
    ("a dict", EMBED, 'embed("a")', "did not run in the block of `tape`|what `cache` does not hold"),
    ("lru_cache", CACHED, 'embed("a")', "`embed` keeps what it once computed (functools.lru_cache)"),
    ("a dict of an object", MODEL.format("  # here", ""), 'model("a")',
     "what `self.cache` does not hold"),
    ("cached_property", MODEL.format("", "  # here"), "model.h",
     "`h` keeps what it once computed (functools.cached_property)"),
):  # fmt: skip
    mends = "def" in text and "class" not in text
    cause(
        f"kept from an earlier round in {name}",
        ("outside the tape", ""),
        words,
        ROUNDS.format(text, "# mend" if mends else "", loss),
        mended=mends,
    )
cause(
    "kept from an earlier round where it was None",
    ("outside the tape", ""),
    "what `self.h` does not hold yet",
    ROUNDS.format(
        """
class Lazy:
    h = None
    def __call__(self):
        if self.h is None:
            self.h = ad.tanh(x @ w)  # here
        return self.h
lazy = Lazy()""",
        "",
        "lazy()",
    ),
)
# Kept by a call before the block: the value is at hand, and the line that made it keeps it.
EARLY = """
import functools
w = ad.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
x, cache = ad.constant([[1.0, -1.0]]), {{}}
{}
print({}, end="\\r")
{}
with ad.GradientTape() as tape:
    loss = ad.reduce_sum({} ** 2)
ad.explain(tape, loss, w)
"""
for name, text in (("a dict", EMBED), ("lru_cache", CACHED)):
    cause(
        f"kept by a call before the block in {name}",
        ("outside the tape", ""),
        "did not run in the block of `tape`|What was computed and kept before",
        EARLY.format(text, 'embed("a")', "# mend", 'embed("a")'),
        mended=True,
    )
cause(
    "a branch that keeps nothing was not taken",
    ("branch not taken", ""),
    "only in a branch that was not taken (if)",
    ROUNDS.format("big = False", "", "(ad.tanh(x @ w) if big else x)"),
)

# What has to be moved into the block: all the lines that are needed, in their order.
BEFORE = """
w = ad.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
x, v = ad.constant([[1.0, -1.0]]), ad.constant([[1.0], [2.0]])
class Net:
    def __init__(self):
        self.k = w
    def __call__(self, x):
        return ad.tanh(x @ self.k)
net = Net()
def loss_of(h):
    return ad.reduce_sum(h ** 2)
{}
# mend
ad.explain(tape, loss, w)
"""
TAPE = "with ad.GradientTape() as tape:"
INSIDE = f"{TAPE}\n             h0 = ad.tanh(x @ w)\n"
for name, text, words in (
    ("two lines between", f"h0 = ad.tanh(x @ w)  # here\n{TAPE}\n    a = ad.stack([h0, h0])\n"
     "    b = ad.reduce_mean(a, axis=0)\n    loss = ad.reduce_sum(b ** 2)",
     INSIDE + "             a = ad.stack([h0, h0])\n             b = ad.reduce_mean"),
    ("a constant of the block", f"h0 = ad.tanh(x @ w)  # here\n{TAPE}\n    scale = 3.0\n"
     "    a = h0 * scale\n    b = a + 1.0\n    loss = loss_of(b @ v)", "scale = 3.0"),
    ("a loop in the block", f"h0 = ad.tanh(x @ w)  # here\n{TAPE}\n    loss = 0.0\n"
     "    for i in range(3):\n        loss = loss + ad.reduce_sum(h0 * i)", "for i in range(3)"),
    ("a line before the block", f"h0 = ad.tanh(x @ w)\nh1 = h0 * 2.0  # here\nn = 3.0\n{TAPE}\n"
     "    loss = ad.reduce_sum(h1 ** 2)", INSIDE + "             h1 = h0 * 2.0\n             loss"),
    ("another head", "h0 = ad.tanh(x @ w)  # here\n"
     "with ad.GradientTape(persistent=True) as tape:\n    loss = ad.reduce_sum(h0)",
     "with ad.GradientTape(persistent=True) as tape:\n             h0"),
    ("a function computed it", f"h0 = net(x)  # here\n{TAPE}\n    loss = ad.reduce_mean(h0 ** 2)",
     "`h0` was computed here, before|h0 = net(x)\n             loss"),
    ("functions on both sides", f"h0 = net(net(x))  # here\n{TAPE}\n    loss = loss_of(h0)",
     "h0 = net(net(x))\n             loss = loss_of(h0)"),
):  # fmt: skip
    cause(
        f"moved into the block: {name}",
        ("outside the tape", ""),
        words,
        BEFORE.format(text),
        mended=True,
    )

# What left the tensors where nobody looks: in a constructor, or as a count.
LEAVING = """
w, dt = ad.Variable([0.3, 0.2], name="w"), ad.Variable(0.25, name="dt")
class Batch:
    def __init__(self, x):
        self.x = np.asarray(x){}
class Shadow:
    def __init__(self, ws):
        self.kept = [w.numpy() for w in ws]
    def update(self, ws):
        for i, (s, w) in enumerate(zip(self.kept, ws)):
            self.kept[i] = 0.9 * s + 0.1 * w.numpy(){}
def step(y):
    return y + 0.1 * y
def solve(y):
    n = int(1.0 / dt){}
    for _ in range(n):
        y = step(y)
    return y
with ad.GradientTape() as tape:
    {}
ad.explain(tape, loss, {})
"""
HERE, NO = "  # here", ""
for name, told, words, marks, lines, source in (
    ("a constructor", "left the tensors", "(NumPy)", (HERE, NO, NO),
     "batch = Batch(ad.tanh(w))\n    loss = ad.reduce_sum(batch.x)", "w"),
    ("a constructor, and an array beside it", "left the tensors", "(NumPy)", (HERE, NO, NO),
     "batch, y = Batch(ad.tanh(w)), np.ones(2)\n    loss = ad.reduce_sum((batch.x - y) ** 2)", "w"),
    ("a method that updates", "left the tensors", "(numpy())", (NO, HERE, NO),
     "shadow = Shadow([w])\n    shadow.update([w])\n    loss = ad.reduce_sum(2.0 * shadow.kept[0])",
     "w"),
    ("a count", "condition", "int()|only decides how often the loop runs that begins at line",
     (NO, NO, HERE), "loss = ad.reduce_sum(solve(w))", "dt"),
    ("a count in the block", "condition", "only decides how often the loop runs", (NO, NO, NO),
     "n = int(1.0 / dt)  # here\n    loss = ad.reduce_sum(w)\n    for _ in range(n):\n"
     "        loss = loss * 1.1", "dt"),
    ("a number that is compared later", "condition", "only decides which way the program goes",
     (NO, NO, NO), "big = float(dt * 2.0)  # here\n    loss = ad.reduce_sum(w)\n    if big > 0.3:\n"
     "        loss = loss * 1.1", "dt"),
    ("a number that is only kept", "not on the way", "What was made of it ends with", (NO, NO, NO),
     "size = float(dt * 2.0)\n    loss = ad.reduce_sum(w)\n    for _ in range(3):\n"
     "        loss = loss * 1.1", "dt"),
):  # fmt: skip
    op = "Mul" if told == "not on the way" else ""
    cause(
        f"left in {name}",
        (told, op),
        words,
        LEAVING.format(*marks, lines, source),
    )
cause(
    "what went into earlier rounds of a loop alone, and was made of the source too",
    ("outside the tape", ""),
    "computed from `log_probs[2]`, and|before the block of `tape` began",
    """
w = ad.Variable([[0.3, -0.2]], name="w")
state, log_probs = ad.constant([[1.0]]), []
for t in range(3):
    logp = ad.nn.log_softmax(state @ w)
    act = int(0.5 < float(ad.exp(logp[0, 1])))
    log_probs.append(logp[0, act])  # here
    state = state * 0.9 + 0.1 * act
with ad.GradientTape() as tape:
    loss = -ad.reduce_sum(ad.stack(log_probs))
ad.explain(tape, loss, w)
""",
)
for name, watch, body in (
    ("is watched first", "tape.watch(x)\n    ", "loss = ad.reduce_sum(h * w)"),
    ("is watched among others", "tape.watch([x, z])\n    ", "loss = ad.reduce_sum(h * w * z)"),
    ("is watched late", "", "u = w * 2.0\n    tape.watch(x)\n    loss = ad.reduce_sum(h * u)"),
):
    cause(
        f"a line is moved behind what the tape is told to watch, and the source {name}",
        ("outside the tape", ""),
        "before the block of `tape` began|    tape.watch(",
        f"""
x, z, w = ad.constant([1.0, 2.0]), ad.constant(2.0), ad.Variable(3.0)
h = ad.tanh(x)  # here
with ad.GradientTape() as tape:
    {watch}{body}
# mend
ad.explain(tape, loss, x)
""",
        mended=True,
    )
