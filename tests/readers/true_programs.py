"""Programs whose cause was once told wrong, with what is true, and advice that is put in literally.

`«…»` is what the code of the advice takes the place of, and `# mend` a line where it is to be put;
`# here` marks the line that the answer must name.
"""

from __future__ import annotations

from typing import NamedTuple


class Truth(NamedTuple):
    """What `ad.explain` must say of a program, and whether its code must mend it."""

    status: str
    cause: str
    op: str
    words: str
    text: str
    mended: bool


TRUTHS: dict[str, Truth] = {}
HEAD = "import autodiff_kit as ad\nimport numpy as np\n"


def truth(
    name: str, told: tuple[str, str, str], words: str, text: str, mended: bool = True
) -> None:
    """Add a program; ``words`` are parts of what is said, with bars between them."""
    TRUTHS[name] = Truth(*told, words, HEAD + text.lstrip("\n"), mended)


VALUE, SLOPE = ("not finite", "value not finite"), ("not finite", "not finite")


def value(name: str, op: str, words: str, setting: str, line: str, mended: bool = True) -> None:
    truth(
        name, (*VALUE, op), words,
        f"{setting}\nwith ad.GradientTape() as tape:\n    loss = {line}  # here\n"
        "ad.explain(tape, loss, x)\n", mended,
    )  # fmt: skip


X0 = "x = ad.Variable([0.0, 0.5], name='x')"
value("log of 0", "Log", "Log(0.0) is -inf|at [0]", X0, "-ad.reduce_sum(«ad.math.log(x)»)")
value(
    "log of 0 after a difference", "Log", "Log(0.0) is -inf", "x = ad.Variable([1.0, 0.5])",
    "ad.reduce_sum(ad.constant([1.0, 1.0]) * «ad.math.log(1.0 - x)»)",
)  # fmt: skip
value("x log x", "Log", "xlogy|Log(0.0)", X0, "ad.reduce_sum(«x * ad.math.log(x)») + 1.0")
value(
    "one divided by 0", "RealDiv", "RealDiv(1.0, 0.0) is inf", X0, "ad.reduce_sum(«1.0 / x») + 1.0"
)
value("0 / 0", "RealDiv", "RealDiv(0.0, 0.0) is nan", "x = ad.Variable(0.0)", "x / x", False)
value(
    "x log x of a negative number", "Log", "no logarithm|Log(-1.0) is nan",
    "x = ad.Variable([-1.0, 1.0])",
    "ad.reduce_sum(x * ad.math.log(x)) * 2.0", False,
)  # fmt: skip
value(
    "a deviation that is divided by",
    "RealDiv",
    "divided by 0, the deviation",
    "x = ad.Variable([2.0, 2.0])",
    "ad.reduce_sum(((x - ad.reduce_mean(x)) / «ad.math.reduce_std(x)») ** 2) + x[0] * 2.0",
)
truth(
    "log of a negative number has a slope",
    ("flows", "flows", ""),
    "`loss` itself is not finite: that begins with Log at line ",
    """
x = ad.Variable([-1.0, 1.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.math.log(x)) * 2.0
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "an infinite slope beside a log of a negative number",
    (*SLOPE, "Sqrt"),
    "The slope itself is not finite|`loss` itself is not finite: that begins with Log at line ",
    """
x, y = ad.Variable([0.0, 4.0]), ad.constant([-1.0, 2.0])
with ad.GradientTape() as tape:
    a = «ad.sqrt(x)»  # here
    b = ad.math.log(y * (x - 2.0) / 2.0 - 1.5)
    loss = ad.reduce_sum(a) + ad.reduce_sum(b)
ad.explain(tape, loss, x)
""",
)
value(
    "root of a negative number, as a power", "Pow", "Pow(-2.0, 0.5) is nan|not whole",
    "x = ad.Variable([1.0, -2.0])", "ad.reduce_sum(x ** 0.5) * 2.0", False,
)  # fmt: skip
value(
    "root of a negative number", "Sqrt", "Sqrt(-1.0) is nan", "x = ad.Variable(-1.0)",
    "ad.sqrt(x) + 1.0", False,
)  # fmt: skip
value(
    "log of a saturated softmax", "Log", "logits|softmax became 0",
    "x = ad.Variable([1000.0, 0.0])", "-ad.reduce_mean(«ad.math.log(ad.nn.softmax(x))»)",
)  # fmt: skip
value("exp alone", "Exp", "the value itself is too large", "x = ad.Variable(100.0)",
      "ad.exp(x) * 2.0", False)  # fmt: skip
value("softplus by hand", "Exp", "form that cannot overflow", "x = ad.Variable(100.0)",
      "«ad.math.log(1.0 + ad.exp(x))»")  # fmt: skip
value("softplus by hand, with log1p", "Exp", "form that cannot overflow", "x = ad.Variable(100.0)",
      "«ad.math.log1p(ad.exp(x))» * 2.0")  # fmt: skip
value("sigmoid by hand", "Exp", "sigmoid|`loss` itself is finite again",
      "x = ad.Variable([-100.0, 1.0])", "ad.reduce_sum(«1 / (1 + ad.exp(-x))»)")  # fmt: skip
value("logsumexp by hand", "Exp", "logarithm of a sum", "x = ad.Variable([[100.0, 1.0], [2.0, 3.0]])",
      "ad.reduce_sum(«ad.math.log(ad.reduce_sum(ad.exp(x), axis=1))»)")  # fmt: skip
value("too large a product", "Square", "float32 ends at 3.4e38", "x = ad.Variable(1e30)",
      "(2.0 * ad.square(x)) ** 2.0", False)  # fmt: skip
truth(
    "softmax by hand",
    (*VALUE, "Exp"),
    "softmax",
    """
x = ad.Variable([[100.0, 1.0], [2.0, 3.0]])
with ad.GradientTape() as tape:
    e = ad.exp(x)  # here
    p = «e / ad.reduce_sum(e, axis=1, keepdims=True)»
    loss = ad.reduce_sum(p[:, 1] ** 2)
ad.explain(tape, loss, x)
""",
)
truth(
    "NaN in the data",
    ("not finite", "data not finite", "MatMul"),
    "`D` holds NaN (1 of 2 values)|data|made at line 4",
    """
x = ad.Variable([[1.0], [1.0]], name="w")
D = ad.constant([[1.0, np.nan]])
# mend
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((D @ x - 3.0) ** 2)  # here
ad.explain(tape, loss, x)
""",
)
truth(
    "NaN in an array that is added",
    ("not finite", "data not finite", "AddV2"),
    "`noise` holds NaN",
    """
x = ad.Variable([1.0, 1.0])
noise = np.array([0.5, np.nan], np.float32)
# mend
with ad.GradientTape() as tape:
    h = x + noise  # here
    loss = ad.reduce_mean(h ** 2)
ad.explain(tape, loss, x)
""",
)
truth(
    "a loop that diverged",
    ("not finite", "source not finite", ""),
    "`k` itself is not finite already|learning rate|step before",
    """
k = ad.Variable(10.0, name="k")
for i in range(60):
    with ad.GradientTape() as tape:
        loss = k ** 4  # here
    k.assign_sub(0.1 * tape.gradient(loss, k))
ad.explain(tape, loss, k)
""",
    False,
)
truth(
    "the values are finite, the gradient explodes",
    ("not finite", "overflow", "Mul"),
    "product is too large|exploded",
    """
x = ad.Variable(1e-30)
with ad.GradientTape() as tape:
    h = x * 1e30  # here
    loss = h * 1e20
ad.explain(tape, loss * 1.0, x)
""".replace("loss * 1.0", "loss"),
    False,
)
truth(
    "a NaN that is only added does no harm, an infinite slope beside it does",
    (*SLOPE, "Sqrt"),
    "infinite",
    """
x = ad.Variable([0.0, 1.0])
bad = ad.constant([np.nan, 0.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(«ad.sqrt(x)» + bad)  # here
ad.explain(tape, loss, x)
""",
)


def slope(name: str, op: str, words: str, setting: str, line: str, mended: bool = True) -> None:
    truth(
        name, (*SLOPE, op), words,
        f"{setting}\nwith ad.GradientTape() as tape:\n    loss = {line}  # here\n"
        "ad.explain(tape, loss, x)\n", mended,
    )  # fmt: skip


slope("acos at both ends", "Acos", "a hair inside", "x = ad.Variable([-1.0, 0.5, 1.0])",
      "ad.reduce_sum(«ad.acos(x)»)")  # fmt: skip
slope("asin at the end", "Asin", "a hair inside", "x = ad.Variable([-1.0, 0.5])",
      "ad.reduce_sum(«ad.asin(x)»)")  # fmt: skip
slope("norm of zeros", "Sqrt", "no direction", "x = ad.Variable([0.0, 0.0])", "«ad.norm(x)»", False)
slope("norm of rows", "Sqrt", "no direction", "x = ad.Variable([[0.0, 0.0], [3.0, 4.0]])",
      "ad.reduce_sum(«ad.norm(x - 0.0, axis=1)»)")  # fmt: skip
slope("deviation of equal values", "Sqrt", "all equal", "x = ad.Variable([2.0, 2.0])",
      "«ad.math.reduce_std(x)»", False)  # fmt: skip
slope("acosh at 1", "Acosh", "safe", "x = ad.Variable([1.0, 2.0])", "ad.reduce_sum(«ad.acosh(x)»)")
slope("a root as a power", "Pow", "safe", "x = ad.Variable([0.0, 2.0])",
      "ad.reduce_sum(«x ** 0.5»)")  # fmt: skip
truth(
    "a product in the branch of where",
    ("not finite", "where trap", "Mul"),
    "did not choose|The infinity itself is Log's",
    """
x = ad.Variable([0.0, 2.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(«ad.where(x > 0, x * ad.math.log(x), 0.0)»)  # here
ad.explain(tape, loss, x)
""",
)


def none(name: str, cause: str, op: str, words: str, text: str, mended: bool = True) -> None:
    truth(name, ("none", cause, op), words, text, mended)


none(
    "computed before the block",
    "outside the tape",
    "",
    "`loss` was computed from `pred`|before the block of `tape` began",
    """
w, x = ad.Variable([1.0, 2.0], name="w"), ad.constant([3.0, 4.0])
h = w * x
pred = ad.reduce_sum(h)  # here
with ad.GradientTape() as tape:
    loss = (pred - 1.0) ** 2
# mend
ad.explain(tape, loss, w)
""",
)
none(
    "computed before the block, with another variable inside",
    "outside the tape",
    "",
    "`loss` was computed from `pred`|before the block",
    """
w, b = ad.Variable(2.0), ad.Variable(1.0)
pred = w * 3.0  # here
with ad.GradientTape() as tape:
    loss = (pred + b) ** 2
# mend
ad.explain(tape, loss, w)
""",
)
none(
    "two tapes in a row",
    "another tape",
    "",
    "while another tape recorded",
    """
x = ad.Variable(1.0)
with ad.GradientTape() as first:
    a = x * 2.0  # here
with ad.GradientTape() as second:
    b = a * 3.0
# mend
ad.explain(second, b, x)
""",
)
none(
    "not read, and nothing else can be said",
    "not used",
    "",
    "as far as it knows|forgotten in a formula|`b` was computed from `w`: ask for that if you mean it",
    """
x, w = ad.Variable(1.0), ad.Variable(2.0)
def helper(v):
    return v * 2.0
with ad.GradientTape() as tape:
    b = helper(w)
ad.explain(tape, b, x)
""",
    False,
)
none(
    "a state that is not trainable",
    "assigned",
    "AssignVariableOp",
    "stored in the variable `state`",
    """
w, state = ad.Variable(2.0, name="w"), ad.Variable(0.0, trainable=False, name="state")
with ad.GradientTape() as tape:
    for x in [1.0, 2.0, 3.0]:
        «state.assign(0.5 * state + w * x)»  # here
    loss = (state - 4.0) ** 2
ad.explain(tape, loss, w)
""",
)
none(
    "the state of a cell",
    "assigned",
    "AssignVariableOp",
    "stored in the variable",
    """
class Cell:
    def __init__(self):
        self.w, self.h = ad.Variable(0.5), ad.Variable(0.0, trainable=False)
    def step(self, x):
        «self.h.assign(ad.tanh(self.w * self.h + self.w * x))»  # here
        return self.h
cell = Cell()
with ad.GradientTape() as tape:
    for x in [1.0, 2.0]:
        out = cell.step(x)
    loss = out ** 2
ad.explain(tape, loss, cell.w)
""",
)
none(
    "a sum that is not trainable",
    "assigned",
    "AssignVariableOp",
    "assign",
    """
w, total = ad.Variable(2.0), ad.Variable(0.0, trainable=False)
with ad.GradientTape() as tape:
    h = w * 3.0
    «total.assign_add(h)»  # here
    loss = total * 2.0
ad.explain(tape, loss, w)
""",
)
none(
    "a counter that is not trainable is no way to the loss",
    "not on the way",
    "Mul",
    "nothing that was made of it leads to `loss`|ends with `h`",
    """
w, v, seen = ad.Variable(2.0), ad.Variable(3.0), ad.Variable(0.0, trainable=False)
with ad.GradientTape() as tape:
    h = w * 3.0  # here
    seen.assign(h)
    loss = v * 2.0
ad.explain(tape, loss, w)
""",
    False,
)
none(
    "a variable made of a value",
    "assigned",
    "",
    "new variable",
    """
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    «h = ad.Variable(w * 3.0)»  # here
    loss = h ** 2
ad.explain(tape, loss, w)
""",
)
none(
    "layers in a list, each on the first input",
    "not on the way",
    "MatMul",
    "nothing that was made of it leads to `loss`|`out`",
    """
layers = [ad.keras.layers.Dense(2) for _ in range(3)]
x = ad.ones([4, 2])
layers[0](x)
w = layers[0].kernel
with ad.GradientTape() as tape:
    for layer in layers:
        out = layer(x)  # here
    loss = ad.reduce_mean(out ** 2)
ad.explain(tape, loss, w)
""",
    False,
)
none(
    "only the key of a choice",
    "condition",
    "",
    "only to choose|`best` does not contain it",
    """
g, s = ad.Variable(2.0), ad.Variable(3.7)
with ad.GradientTape() as tape:
    best = max([g * 1.0, g * 3.0, s * 2.0], key=lambda t: float(t))  # here
ad.explain(tape, best, g)
""",
    False,
)
none(
    "only in a condition on a number",
    "condition",
    "",
    "only to choose",
    """
g, s = ad.Variable(2.0), ad.Variable(3.7)
with ad.GradientTape() as tape:
    y = s * 2.0 if float(g * 1.0) > 1.0 else s * 3.0  # here
ad.explain(tape, y, g)
""",
    False,
)


def zero(name: str, cause: str, op: str, words: str, text: str, mended: bool = False) -> None:
    truth(name, ("zero", cause, op), words, text, mended)


zero(
    "a chain of sigmoids",
    "vanished",
    "Sigmoid",
    "The gradient vanished|The slope of Sigmoid is not 0 here",
    """
v = ad.Variable(0.1)
with ad.GradientTape() as tape:
    h = v
    for _ in range(80):
        h = ad.sigmoid(0.5 * h)  # here
ad.explain(tape, h, v)
""",
)
zero(
    "a small slope times a small gradient",
    "vanished",
    "Sigmoid",
    "too small for float32",
    """
u = ad.Variable(-60.0)
with ad.GradientTape() as tape:
    loss = ad.sigmoid(u) ** 2  # here
ad.explain(tape, loss, u)
""",
)
zero(
    "a sigmoid that is saturated",
    "zero",
    "Sigmoid",
    "saturated",
    """
u = ad.Variable(60.0)
with ad.GradientTape() as tape:
    loss = 1e-3 * ad.sigmoid(u)  # here
ad.explain(tape, loss, u)
""",
)
zero(
    "weights behind a dead unit",
    "zero",
    "Relu",
    "output of the relu|the unit is dead",
    """
w1, w2 = ad.Variable([[-1.0], [-2.0]]), ad.Variable([[1.0]])
x = ad.constant([[1.0, 2.0], [0.5, 0.1]])
with ad.GradientTape() as tape:
    h = «ad.nn.relu(x @ w1)»  # here
    loss = ad.reduce_mean((h @ w2 - 1.0) ** 2)
ad.explain(tape, loss, w2)
""",
    True,
)
zero(
    "all values are clipped",
    "zero",
    "Minimum",
    "At clip_by_value (Minimum)|Begin inside the bounds|as if it were not there",
    """
w = ad.Variable([3.0, 2.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(«ad.clip_by_value(w, 0.0, 1.0)»)  # here
ad.explain(tape, loss, w)
""",
)
none(
    "the position of the largest",
    "no gradient",
    "ArgMax",
    "positions",
    """
w = ad.Variable([[0.1, 0.4, 0.2], [2.0, 0.3, 1.0]])
with ad.GradientTape() as tape:
    guess = «ad.cast(ad.argmax(w * 1.0, axis=1), ad.float32)»  # here
    loss = ad.reduce_sum(ad.abs(guess - ad.constant([2.0, 1.0])))
ad.explain(tape, loss, w)
""",
)
