"""More programs for `true_programs.TRUTHS`: a loop had no round, or a setting in other words.

Importing this adds them.
"""

from __future__ import annotations

from readers.cause_programs import cause
from readers.true_programs import truth

NEVER = ("loop never ran", "")
LOOPS = {
    "an empty list": ("rates = []", "for r in rates:", "y = y * x * r", "`rates` is empty"),
    "zip with an empty list": (
        "rates = []",
        "for i, r in zip(range(3), rates):",
        "y = y * x * r",
        "`rates` is empty",
    ),
    "a range of no numbers": ("n = 0", "for i in range(n):", "y = y * x", "for `n` is 0"),
    "a range that goes the wrong way": (
        "n = 5",
        "for i in range(n, 0):",
        "y = y * x",
        "`range(n, 0)` is empty, for `n` is 5",
    ),
    "a range from a number to itself": (
        "n = 5",
        "for i in range(n, n):",
        "y = y * x",
        "`range(n, n)` is empty, for `n` is 5. A tape",
    ),
    "fewer examples than a batch has": (
        "xs, size = [1.0, 2.0], 4",
        "for b in range(len(xs) // size):",
        "y = y * x",
        "for `len(xs) // size` is 0",
    ),
    "a while that is not entered": (
        "k = 0",
        "while k > 3:",
        "y = y * x",
        "`k > 3` did not hold when it was first asked",
    ),
    "a zip that was gone through": (
        "pairs = zip([1.0], [2.0])\nn = len(list(pairs))",
        "for a, b in pairs:",
        "y = y * x * a",
        "gives its elements only once",
    ),
    "a branch in a loop that never ran": (
        "rates = []",
        "for r in rates:",
        "y = y * x if r > 1.0 else y",
        "`rates` is empty",
    ),
}
for name, (before, head, body, words) in LOOPS.items():
    cause(
        f"a loop without a round: {name}",
        NEVER,
        f"`x` is used only in a loop that never ran|{words}",
        f"""
x = ad.Variable(3.0)
{before}
with ad.GradientTape() as tape:
    y = ad.constant(1.0)
    {head}  # here
        {body}
    y = y + 1.0
ad.explain(tape, y, x)
""",
    )
cause(
    "a comprehension without a round",
    NEVER,
    "`xs` is empty",
    """
w = ad.Variable(2.0)
xs = []
with ad.GradientTape() as tape:
    parts = [w * x for x in xs]  # here
    y = ad.add_n(parts) if parts else ad.constant(0.0)
ad.explain(tape, y, w)
""",
)
cause(
    "the layers of an object, of which there are none",
    NEVER,
    "`self.layers` is empty",
    """
class Net:
    def __init__(self, depth):
        self.w = ad.Variable([1.0, 2.0])
        self.layers = [ad.keras.layers.Dense(2) for _ in range(depth)]
    def __call__(self, x):
        for layer in self.layers:  # here
            x = layer(x * self.w)
        return x
net = Net(0)
with ad.GradientTape() as tape:
    y = ad.reduce_sum(net(ad.constant([[1.0, 4.0]])) ** 2)
ad.explain(tape, y, net.w)
""",
)
cause(
    "a sum that no round added to",
    NEVER,
    "`loss` is still what line |the loop that was to go on from there never ran",
    """
w = ad.Variable(2.0)
def penalty(weights):
    total = ad.constant(0.0)
    for v in weights:  # here
        total += v ** 2
    return total
weights = (v for v in [w])
n = len(list(weights))
with ad.GradientTape() as tape:
    loss = penalty(weights)
ad.explain(tape, loss, w)
""",
)
cause(
    "a loop that ran, and changed the source only",
    ("not used", ""),
    "never saw `w` being read",
    """
w, v = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:  # here
    y = v * 1.0
    for k in range(2):
        w.assign_add(1.0)
        y = y * v
ad.explain(tape, y, w)
""",
)
cause(
    "a round that was left early",
    ("branch not taken", ""),
    "after a break",
    """
w, v = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = v * v
    for k in range(2):
        if k >= 0:
            break
        y = y * w  # here
ad.explain(tape, y, w)
""",
)

MODEL = """
class Model:
    def __init__(self):
        self.w = ad.Variable(2.0)
        self.b = ad.Variable(0.5)
m = Model()
for k in range(2):
    with ad.GradientTape() as tape:
        loss = (m.w * 3.0 + m.b - 1.0) ** 2
    if k == 0:
        gw, gb = tape.gradient(loss, [m.w, m.b])
        {}
ad.explain(tape, loss, m.w)
"""
SETTINGS = {
    "setattr": 'setattr(m, "w", m.w - 0.1 * gw)',
    "object.__setattr__": 'object.__setattr__(m, "w", m.w - 0.1 * gw)',
    "its own __setattr__": 'm.__setattr__("w", m.w - 0.1 * gw)',
    "__dict__": 'm.__dict__["w"] = m.w - 0.1 * gw',
    "vars": 'vars(m)["w"] = m.w - 0.1 * gw',
}
for name, line in SETTINGS.items():
    cause(
        f"a variable replaced by {name}",
        ("rebound", "Sub"),
        "`m.w` is no longer what it was|m.w.assign(m.w - 0.1 * gw)",
        MODEL.format(f"«{line}»  # here"),
        mended=True,
    )
cause(
    "variables replaced by setattr in a loop over their names",
    ("rebound", "Sub"),
    "`m.w` is no longer the ad.Variable that line",
    MODEL.format(
        'for name, g in [("w", gw), ("b", gb)]:\n'
        "            «setattr(m, name, getattr(m, name) - 0.1 * g)»  # here"
    ),
    mended=True,
)
cause(
    "a dict that is updated",
    ("rebound", "Sub"),
    'params["w"].assign(params["w"] - 0.1 * g)',
    """
params = {"w": ad.Variable(2.0)}
for k in range(2):
    with ad.GradientTape() as tape:
        loss = (params["w"] * 3.0 - 1.0) ** 2
    if k == 0:
        g = tape.gradient(loss, params["w"])
        «params.update(w=params["w"] - 0.1 * g)»  # here
ad.explain(tape, loss, params["w"])
""",
    mended=True,
)
cause(
    "a variable that a helper gave back as a tensor",
    ("rebound", "Sub"),
    "`w` is no longer the ad.Variable that line|`w.assign(...)`",
    """
w = ad.Variable(2.0)
def step(v, g):
    return v - 0.1 * g  # here
for k in range(2):
    with ad.GradientTape() as tape:
        loss = (w * 3.0 - 1.0) ** 2
    if k == 0:
        w = step(w, tape.gradient(loss, w))
ad.explain(tape, loss, w)
""",
)
cause(
    "a tensor that is put where a variable was made elsewhere",
    ("not watched", "Mul"),
    "tape.watch(m.w)",
    """
class Model:
    def __init__(self, w):
        self.w = w
m, other = Model(ad.constant([1.0]) * 2.0), Model(ad.Variable([1.0]))  # here
with ad.GradientTape() as tape:
    y = m.w * 3.0
ad.explain(tape, y, m.w)
""",
)

DEFAULTS = """
w = ad.Variable([1.0, 2.0])
def squares():
    return ad.reduce_sum(w ** 2)
{}
with ad.GradientTape() as tape:
    out = {}
ad.explain(tape, out, w)
"""
FUNCTIONS = {
    "an operation": "def penalty(scale, l2=ad.reduce_sum(w ** 2)):  # here\n    return scale * l2",
    "a call": "def penalty(scale, l2=squares()):  # here\n    return scale * l2",
    "a keyword only": "def penalty(scale, *, l2=squares()):  # here\n    return scale * l2",
    "a lambda": "penalty = lambda scale, l2=ad.reduce_sum(w ** 2): scale * l2  # here",
}
for name, text in FUNCTIONS.items():
    cause(
        f"a default value that is {name}",
        ("outside the tape", ""),
        "default value of the parameter `l2`|computes a default once",
        DEFAULTS.format(text, "penalty(0.1)"),
    )
cause(
    "a default value that was not taken",
    ("not used", ""),
    "never saw `w` being read",
    DEFAULTS.format(
        FUNCTIONS["an operation"].replace("  # here", ""), "penalty(0.1, ad.constant(3.0))"
    ).replace("as tape:", "as tape:  # here"),
)
cause(
    "a default value that is a number of the source's shape",
    ("not used", ""),
    "never saw `w` being read",
    DEFAULTS.format(
        "def penalty(scale, n=len(w.shape)):\n    return ad.constant(scale) * n", "penalty(0.1)"
    ).replace("as tape:", "as tape:  # here"),
)

POWER = """
x, p = ad.Variable({}), ad.Variable({})
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(«x ** p»)  # here
ad.explain(tape, loss, p)
"""
for base, power, words, mended in (
    ("0.0", "2.0", "the base is 0 here: 0 has no finite logarithm", True),
    ("-2.0", "2.0", "the base is below 0 here|a number below 0 has no logarithm", True),
    ("[1.0, 0.0]", "2.0", "the base is 0 or 1 here|1 has the logarithm 0", False),
):
    text = POWER.format(base, power)
    truth(
        f"the exponent of a power of {base}",
        ("zero", "zero", "Pow"),
        words,
        text if mended else text.replace("«", "").replace("»", ""),
        mended,
    )
truth(
    "x to the power of x at 0",
    ("not finite", "not finite", "Pow"),
    "base and exponent both come from `x`|log(0)",
    "x = ad.Variable(0.0)\nwith ad.GradientTape() as tape:\n    loss = «x ** x»  # here\n"
    "ad.explain(tape, loss, x)\n",
)

LEFT_OUT = """
ws = [ad.Variable([[0.5]]) for _ in range(3)]
steps = [ad.tanh, ad.sigmoid]
with ad.GradientTape() as tape:
    h = ad.constant([[1.0]])
    for {}:  # here
        h = ad.tanh(h @ {})
    loss = ad.reduce_sum(h)
ad.explain(tape, loss, ws[2])
"""
for head, taken, words in (
    ("w, f in zip(ws, steps)", "w", "the shortest (`ws` has 3 and `steps` has 2)"),
    ("i in range(len(ws) - 1)", "ws[i]", "it goes through `range(len(ws) - 1)`"),
    ("w in ws[:-1]", "w", "it goes through `ws[:-1]`"),
):
    cause(
        f"what a loop leaves out: {head}",
        ("not used", ""),
        f"The loop here takes others of `ws`, and never `ws[2]`|{words}",
        LEFT_OUT.format(head, taken),
    )
cause(
    "a loop that names a part of a list leaves nothing out",
    ("not used", ""),
    "never saw `ws[2]` being read",
    LEFT_OUT.replace("  # here", "").format("k in range(3)", "ws[0]"),
)
cause(
    "the loop of a training leaves nothing out",
    ("not used", ""),
    "never saw `ws[1]` being read",
    """
ws = [ad.Variable(1.0), ad.Variable(1.0)]
first = ws[0]
for k in range(3):
    with ad.GradientTape() as tape:  # here
        loss = first ** 2
ad.explain(tape, loss, ws[1])
""",
)
cause(
    "a branch in a loop that was never taken",
    ("branch not taken", ""),
    "`loss` is still what line |It stands in the loop at line |and in the if at line ",
    """
net = ad.keras.Sequential([ad.keras.layers.Dense(2), ad.keras.layers.Dense(1)])
net(ad.ones([1, 2]))
with ad.GradientTape() as tape:
    loss = ad.constant(0.0)
    for layer in net.layers:
        if isinstance(layer, ad.keras.layers.Conv2D):
            loss += ad.reduce_sum(layer.kernel ** 2)  # here
ad.explain(tape, loss, net.layers[0].kernel)
""",
)
cause(
    "a loop that hands the source on, and whose branch is never taken",
    ("branch not taken", ""),
    "`loss` is still what line ",
    """
w = ad.Variable(0.5)
with ad.GradientTape() as tape:
    loss = ad.constant(0.0)
    for k in range(3):
        parts = [w]
        if k > 4:
            loss = loss + parts[0] ** 2  # here
ad.explain(tape, loss, w)
""",
)
cause(
    "a loop that is still to come",
    ("constant target", ""),
    "`loss` is a constant that was made here",
    """
w = ad.Variable(0.5)
with ad.GradientTape() as tape:
    loss = ad.constant(0.0)  # here
ad.explain(tape, loss, w)
for k in range(3):
    loss = loss + w
""",
)
cause(
    "a property that was computed before",
    ("outside the tape", ""),
    "before the block of `tape` began",
    """
class Model:
    def __init__(self):
        self.w = ad.Variable([1.0, 2.0])
        self.norm = ad.reduce_sum(self.w ** 2)  # here
    @property
    def penalty(self):
        return 0.1 * self.norm
m = Model()
with ad.GradientTape() as tape:
    loss = m.penalty * 0.5
ad.explain(tape, loss, m.w)
""",
)
cause(
    "a constant that an error left behind",
    ("constant target", "Sum"),
    "`out` is what line |stands in an `except` branch",
    """
w = ad.Variable([[1.0], [2.0]])
with ad.GradientTape() as tape:
    try:
        out = ad.constant([1.0, 2.0]) @ w
    except Exception:
        out = ad.constant([0.0])
    loss = ad.reduce_sum(out)  # here
ad.explain(tape, loss, w)
""",
)
cause(
    "a map without a round",
    NEVER,
    "`samples` is empty",
    """
w = ad.Variable(0.5)
samples = []
with ad.GradientTape() as tape:
    terms = list(map(lambda s: (w * s) ** 2, samples))  # here
    loss = ad.constant(0.0) + sum(terms)
ad.explain(tape, loss, w)
""",
)
cause(
    "functions that look the loop's name up when they are called",
    ("not used", ""),
    "look `w` up when they are called|`ws[0]` had a part in none of them",
    """
ws = [ad.Variable(float(k + 1)) for k in range(3)]
fs = [«lambda x: x * w» for w in ws]  # here
with ad.GradientTape() as tape:
    loss = sum(f(2.0) for f in fs)
ad.explain(tape, loss, ws[0])
""",
    mended=True,
)
cause(
    "what an optimizer keeps",
    ("not used", ""),
    "belongs to the optimizer `opt`|no tape records its steps",
    """
opt = ad.keras.optimizers.SGD(0.1)  # here
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    loss = (w - 1.0) ** 2
ad.explain(tape, loss, opt.learning_rate)
""",
)
cause(
    "a return from within a loop",
    ("branch not taken", ""),
    "after an early return",
    """
w = ad.Variable(2.0)
def solve(x, k=0):
    while True:
        if k > 3 or abs(float(x) - 1.0) < 0.1:
            return x
        x = x - 0.5 * (x - 1.0) * w  # here
        k += 1
with ad.GradientTape() as tape:
    loss = solve(ad.constant(1.0)) * 1.0
ad.explain(tape, loss, w)
""",
)
cause(
    "a function in each round that is called there",
    ("not used", ""),
    "The loop here takes others of `ws`, and never `ws[2]`",
    """
ws, xs = [ad.Variable(float(k + 1)) for k in range(3)], [1.0]
loss = 0.0
with ad.GradientTape() as tape:
    for w, x in zip(ws, xs):  # here
        loss += (lambda v: v * w)(x)
ad.explain(tape, loss, ws[2])
""",
)
