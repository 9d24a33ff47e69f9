"""Small programs whose gradient is None, zero or NaN, as a learner would write them.

Each ends with `tape`, `target` and `source` for `ad.explain` to be asked; `# here` marks the line
that the answer must name.
"""

PROGRAMS: dict[str, tuple[str, str]] = {}


def program(name: str, cause: str, text: str) -> None:
    PROGRAMS[name] = (cause, "import autodiff_kit as ad\nimport numpy as np\n" + text.lstrip("\n"))


program(
    "constant",
    "not watched",
    """
x = ad.constant(3.0)  # here
with ad.GradientTape() as tape:
    y = x * x
ad.explain(tape, y, x)
""",
)
program(
    "numpy made constant",
    "not watched",
    """
x = ad.convert_to_tensor(np.ones(3, np.float32))  # here
with ad.GradientTape() as tape:
    y = ad.reduce_sum(x * x)
ad.explain(tape, y, x)
""",
)
program(
    "not trainable",
    "not trainable",
    """
x = ad.Variable(3.0, trainable=False)  # here
with ad.GradientTape() as tape:
    y = x * x
ad.explain(tape, y, x)
""",
)
program(
    "variables not watched",
    "variables not watched",
    """
x = ad.Variable(3.0)
with ad.GradientTape(watch_accessed_variables=False) as tape:  # here
    y = x * x
ad.explain(tape, y, x)
""",
)
program(
    "watched late",
    "watched late",
    """
x = ad.constant(3.0)
with ad.GradientTape() as tape:
    y = x * x  # here
    tape.watch(x)
ad.explain(tape, y, x)
""",
)
program(
    "watched late, another factor is tracked",
    "watched late",
    """
x = ad.constant(3.0)
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    h = ad.sin(x)  # here
    tape.watch(x)
    y = h + w
ad.explain(tape, y, x)
""",
)
for place, ends in (("first", "h, w"), ("second", "w, h")):
    program(
        f"watched late, the {place} of two that are not kept",
        "watched late",
        f"""
x = ad.constant(3.0)
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    h = ad.sin(x)  # here
    tape.watch(x)
    y = ad.linspace({ends}, 3)
ad.explain(tape, y, x)
""",
    )
program(
    "outside, after",
    "outside the tape",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    h = x * x
y = ad.sin(h)  # here
ad.explain(tape, y, x)
""",
)
program(
    "outside, before",
    "outside the tape",
    """
x = ad.Variable(3.0)
y = x * x  # here
with ad.GradientTape() as tape:
    z = x + 1.0
ad.explain(tape, y, x)
""",
)
program(
    "another tape",
    "another tape",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as first:
    y = x * x  # here
with ad.GradientTape() as tape:
    z = x + 1.0
ad.explain(tape, y, x)
""",
)
program(
    "stopped",
    "recording stopped",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    z = x + 1.0
    with tape.stop_recording():
        y = x * x  # here
ad.explain(tape, y, x)
""",
)
program(
    "used only while stopped",
    "recording stopped",
    """
x, w = ad.Variable(3.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    with tape.stop_recording():
        h = x * x  # here
        h = h + 1.0
    y = h * w
ad.explain(tape, y, x)
""",
)
program(
    "a constant is watched, and used only while stopped",
    "recording stopped",
    """
x, w = ad.constant(3.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    tape.watch(x)
    z = x + 1.0
    with tape.stop_recording():
        h = x * x  # here
    y = h * w
ad.explain(tape, y, x)
""",
)
program(
    "never used, and something else was while stopped",
    "not used",
    """
x, w = ad.Variable(3.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    with tape.stop_recording():
        h = w * w
    y = h * w
ad.explain(tape, y, x)
""",
)
program(
    "reset",
    "before a reset",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = x * x
    tape.reset()  # here
    z = x + 1.0
ad.explain(tape, y, x)
""",
)
program(
    "exchanged",
    "exchanged",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = x * x  # here
ad.explain(tape, x, y)
""",
)
program(
    "not on the way",
    "not on the way",
    """
x = ad.Variable(3.0)
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    h = x * x  # here
    y = w * w
ad.explain(tape, y, x)
""",
)
program(
    "branch not taken",
    "branch not taken",
    """
x = ad.Variable(3.0)
w = ad.Variable(2.0)
flag = ad.constant(2.0)
with ad.GradientTape() as tape:
    if flag % 2 == 0:
        y = w * w
    else:
        y = x * x  # here
ad.explain(tape, y, x)
""",
)
program(
    "branch of a conditional expression",
    "branch not taken",
    """
x, w = ad.Variable(3.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = w * w if w < 10.0 else x * x  # here
ad.explain(tape, y, x)
""",
)
program(
    "branch of cond",
    "branch not taken",
    """
x, w = ad.Variable(3.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = ad.cond(w < 10.0, lambda: w * w, lambda: x * x)  # here
ad.explain(tape, y, x)
""",
)
program(
    "branch of cond, and in its condition",
    "branch not taken",
    """
x, y = ad.Variable(3.0), ad.Variable(4.0)
with ad.GradientTape() as tape:
    z = ad.cond(x < y, lambda: x * 2.0, lambda: y * 3.0)  # here
ad.explain(tape, z, y)
""",
)
program(
    "branch of if, and in its condition",
    "branch not taken",
    """
x, y = ad.Variable(3.0), ad.Variable(4.0)
with ad.GradientTape() as tape:
    if x < y:
        z = x * 2.0
    else:
        z = y * 3.0  # here
ad.explain(tape, z, y)
""",
)
program(
    "in a condition, and in a branch that was taken but leads elsewhere",
    "not on the way",
    """
x, y = ad.Variable(3.0), ad.Variable(4.0)
with ad.GradientTape() as tape:
    z = x * 2.0
    if x < y:
        other = y * 3.0  # here
ad.explain(tape, z, y)
""",
)
program(
    "rebound before",
    "rebound",
    """
x = ad.Variable(3.0)
x = x + 1.0  # here
with ad.GradientTape() as tape:
    y = x * x
ad.explain(tape, y, x)
""",
)
program(
    "rebound by an update step",
    "rebound",
    """
x = ad.Variable(3.0)
for step in range(2):
    with ad.GradientTape() as tape:
        y = x * x
    x = x - 0.1  # here
ad.explain(tape, y, x)
""",
)
program(
    "rebound inside",
    "rebound",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = x * x
    x = x + 1.0  # here
ad.explain(tape, y, x)
""",
)
program(
    "bound to another variable",
    "rebound",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = x * x
x = ad.Variable(4.0)  # here
ad.explain(tape, y, x)
""",
)
program(
    "new expression",
    "new expression",
    """
a, delta = ad.Variable(3.0), 0.1
with ad.GradientTape() as tape:
    b = a * a
ad.explain(tape, b, a + delta)  # here
""",
)
program(
    "new expression inside",
    "new expression",
    """
a, delta = ad.Variable(3.0), 0.1
with ad.GradientTape(persistent=True) as tape:
    b = a * a
    ad.explain(tape, b, a + delta)  # here
""",
)
program(
    "through numpy",
    "left the tensors",
    """
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    h = x * x
    y = ad.reduce_sum(ad.constant(np.sin(h.numpy())))  # here
ad.explain(tape, y, x)
""",
)
program(
    "through a numpy function",
    "left the tensors",
    """
x = ad.Variable([1.0, 2.0])
w = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    h = np.sin(x)  # here
    y = ad.reduce_sum(w * h)
ad.explain(tape, y, x)
""",
)
program(
    "through a float",
    "left the tensors",
    """
x = ad.Variable(3.0)
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    h = float(x * x)  # here
    y = w * h
ad.explain(tape, y, x)
""",
)
program(
    "assigned",
    "assigned",
    """
x = ad.Variable(3.0)
v = ad.Variable(0.0)
with ad.GradientTape() as tape:
    v.assign(x * x)  # here
    y = v * 2.0
ad.explain(tape, y, x)
""",
)
program(
    "assigned, and the variable is the target",
    "assigned",
    """
x = ad.Variable(3.0)
v = ad.Variable(0.0)
with ad.GradientTape() as tape:
    v.assign(x * x)  # here
ad.explain(tape, v, x)
""",
)
program(
    "integer source",
    "integer source",
    """
x = ad.Variable(3)  # here
with ad.GradientTape() as tape:
    y = x * x
ad.explain(tape, y, x)
""",
)
program(
    "cast to int",
    "cast to int",
    """
x = ad.Variable(3.7)
with ad.GradientTape() as tape:
    n = ad.cast(x * x, ad.int32)  # here
    y = ad.cast(n, ad.float32) * 2.0
ad.explain(tape, y, x)
""",
)
program(
    "integer target",
    "cast to int",
    """
x = ad.Variable(3.7)
with ad.GradientTape() as tape:
    y = ad.cast(x * x, ad.int32)  # here
ad.explain(tape, y, x)
""",
)
for op in ("floor", "round", "math.ceil", "math.rint"):
    program(
        op,
        "no gradient",
        f"""
x = ad.Variable(3.7)
with ad.GradientTape() as tape:
    h = ad.{op}(x * 2.0)  # here
    y = h * h
ad.explain(tape, y, x)
""",
    )
program(
    "floordiv",
    "no gradient",
    """
x = ad.Variable(3.7)
with ad.GradientTape() as tape:
    h = x // 2.0  # here
    y = h * h
ad.explain(tape, y, x)
""",
)
program(
    "argmax",
    "no gradient",
    """
x = ad.Variable([1.0, 3.0, 2.0])
with ad.GradientTape() as tape:
    best = ad.argmax(x)  # here
    y = ad.cast(best, ad.float32) * 2.0
ad.explain(tape, y, x)
""",
)
program(
    "comparison",
    "no gradient",
    """
x = ad.Variable([1.0, 3.0, 2.0])
with ad.GradientTape() as tape:
    right = x > 1.5  # here
    y = ad.reduce_mean(ad.cast(right, ad.float32))
ad.explain(tape, y, x)
""",
)
program(
    "one_hot",
    "no gradient",
    """
x = ad.Variable([1.0, 3.0, 2.0])
with ad.GradientTape() as tape:
    best = ad.argmax(x)  # here
    y = ad.reduce_sum(ad.one_hot(best, 3))
ad.explain(tape, y, x)
""",
)
program(
    "only the shape",
    "only the shape",
    """
x = ad.Variable([1.0, 3.0, 2.0])
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = ad.reduce_sum(w * ad.ones_like(x))  # here
ad.explain(tape, y, x)
""",
)
program(
    "only the shape, asked in Python",
    "only the shape",
    """
x = ad.constant([1.0, 3.0, 2.0])
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    tape.watch(x)
    y = ad.reduce_sum(w * ad.ones(x.shape))  # here
ad.explain(tape, y, x)
""",
)
program(
    "stop_gradient",
    "stop_gradient",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    h = ad.stop_gradient(x * x)  # here
    y = h + 1.0
ad.explain(tape, y, x)
""",
)
program(
    "custom gradient returned None",
    "custom None",
    """
@ad.custom_gradient
def f(x):
    def grad(dy):
        return None
    return x * 2.0, grad
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = f(x)  # here
ad.explain(tape, y, x)
""",
)
program(
    "registered gradient returned None",
    "custom None",
    """
@ad.RegisterGradient("NoneForExplain")
def _nothing(op, dy):
    return None
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    with ad.gradient_override_map({"Sin": "NoneForExplain"}):
        y = ad.sin(x)  # here
ad.explain(tape, y, x)
""",
)
program(
    "inner gradient outside",
    "inner gradient outside",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        y = x * x * x
g = inner.gradient(y, x)  # here
ad.explain(tape, g, x)
""",
)
program(
    "condition",
    "condition",
    """
x = ad.Variable(3.0)
w = ad.Variable(2.0)
flag = ad.constant(2.0)
with ad.GradientTape() as tape:
    tape.watch(flag)
    if flag % 2.0 == 0.0:  # here
        y = w * w
    else:
        y = w
ad.explain(tape, y, flag)
""",
)
program(
    "condition of where",
    "condition",
    """
x = ad.Variable([3.0, -1.0])
w = ad.Variable([2.0, 1.0])
with ad.GradientTape() as tape:
    mask = x > 0.0
    y = ad.reduce_sum(ad.where(mask, w, -w))  # here
ad.explain(tape, y, x)
""",
)
program(
    "never used",
    "not used",
    """
x = ad.Variable(3.0)
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = w * w
ad.explain(tape, y, x)
""",
)
program(
    "after the single gradient of a plain tape",
    "no gradient",
    """
x = ad.Variable(3.7)
with ad.GradientTape() as tape:
    y = ad.floor(x)  # here
g = tape.gradient(y, x)
ad.explain(tape, y, x)
""",
)

SICK: dict[str, tuple[str, str, str]] = {}


def sick(name: str, status: str, op: str, text: str) -> None:
    program(name, "", text)
    SICK[name] = (status, op, PROGRAMS.pop(name)[1])


sick(
    "dead relu",
    "zero",
    "Relu",
    """
x = ad.Variable([-1.0, -2.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.nn.relu(x) * 3.0)  # here
ad.explain(tape, y, x)
""",
)
sick(
    "saturated sigmoid",
    "zero",
    "Sigmoid",
    """
x = ad.Variable(200.0)
with ad.GradientTape() as tape:
    y = ad.sigmoid(x)  # here
ad.explain(tape, y, x)
""",
)
sick(
    "where chose the other",
    "zero",
    "SelectV2",
    """
x = ad.Variable([-1.0, -2.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.where(x > 0.0, x, 0.0))  # here
ad.explain(tape, y, x)
""",
)
sick(
    "masked, and stop_gradient beside it",
    "zero",
    "Mul",
    """
W = ad.Variable([1.0, 2.0])
M = ad.constant([0.0, 0.0])
with ad.GradientTape() as tape:
    kept = M * W  # here
    y = ad.reduce_sum(kept + ad.stop_gradient((1.0 - M) * W))
ad.explain(tape, y, W)
""",
)
sick(
    "cancelled",
    "zero",
    "",
    """
x = ad.Variable(3.0)
m = 0.25
with ad.GradientTape() as tape:
    y = x * 2.0 - x * 2.0
ad.explain(tape, y, x)
""",
)
for op_type, expression in (
    ("Log", "ad.math.log(x)"),
    ("RealDiv", "1.0 / x"),
    ("Pow", "x ** -0.5"),
    ("Exp", "ad.exp(1000.0 - x)"),
):
    sick(
        f"where trap {op_type}",
        "not finite",
        op_type,
        f"""
x = ad.Variable([0.0, 999.0])
with ad.GradientTape() as tape:
    h = {expression}  # here
    y = ad.reduce_sum(ad.where(x > 0.0, h, 0.0))
ad.explain(tape, y, x)
""",
    )
program(
    "a branch that would have watched",
    "not watched",
    """
x = ad.constant(3.0)  # here
watch = False
with ad.GradientTape() as tape:
    if watch:
        tape.watch(x)
    y = x * x
ad.explain(tape, y, x)
""",
)
program(
    "a branch that would have watched the untrainable",
    "not trainable",
    """
x = ad.Variable(3.0, trainable=False)  # here
watch = False
with ad.GradientTape() as tape:
    if watch:
        tape.watch(x)
    y = x * x
ad.explain(tape, y, x)
""",
)
program(
    "an innocent print",
    "assigned",
    """
x, buf = ad.Variable([1.0, 2.0]), ad.Variable([0.0, 0.0])
with ad.GradientTape() as tape:
    print("the first element is", float(x[0]))
    buf.assign(x**2)  # here
    y = ad.reduce_sum(buf)
ad.explain(tape, y, x)
""",
)
program(
    "a name that is new",
    "new expression",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = x * x
shifted = x + 0.1  # here
ad.explain(tape, y, shifted)
""",
)
program(
    "a copy of a variable",
    "new expression",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = x * x
copy = x.value()  # here
ad.explain(tape, y, copy)
""",
)
program(
    "a list of weights, updated by an expression",
    "rebound",
    """
ws = [ad.Variable(3.0), ad.Variable(2.0)]
ws[0] = ws[0] - 0.1  # here
with ad.GradientTape() as tape:
    y = ws[0] * ws[1]
ad.explain(tape, y, ws[0])
""",
)
sick(
    "the value itself overflowed",
    "not finite",
    "Exp",
    """
x = ad.Variable([100.0, 0.0])
with ad.GradientTape() as tape:
    e = ad.exp(x)  # here
    y = ad.reduce_sum(ad.math.log(e / ad.reduce_sum(e)))
ad.explain(tape, y, x)
""",
)
sick(
    "probabilities always add up to one",
    "zero",
    "Softmax",
    """
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    y = ad.reduce_mean(ad.nn.softmax(x))  # here
ad.explain(tape, y, x)
""",
)
