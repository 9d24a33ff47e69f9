"""Programs that take the logarithm of a zero: one that rounding made, or a real one."""

from __future__ import annotations

import sys

from readers.true_programs import VALUE, truth, value

ROUNDED = "The argument is above 0; only rounding in float32 made it 0"
BOUND = "below the bound the gradient is then 0"
SMALL = "x = ad.Variable(200.0)"

if sys.version_info >= (3, 11):  # before, of two calls with one name on a line none is certain
    value("the logarithm of a density", "Log", ROUNDED, SMALL,
          "-«ad.math.log(ad.exp(-0.5 * x ** 2) / 2.5)»")  # fmt: skip
    value("the logarithm of a mixture", "Log", "ad.reduce_logsumexp(ad.math.log(w) + ",
          "x, w = ad.Variable(200.0), ad.constant([0.3, 0.7])",
          "«ad.math.log(ad.reduce_sum(w * ad.exp(-x * ad.constant([1.0, 2.0]))))»")  # fmt: skip
value("the logarithm of a quotient beside an operator", "Log", "code:  (-x - ad.math.log(3.0))", SMALL,
      "2.0 * «ad.math.log(ad.exp(-x) / 3.0)»")  # fmt: skip
value("the logarithm of a power", "Log", ROUNDED, "x = ad.Variable([1e-20, 1.0])",
      "ad.reduce_sum(«ad.math.log(x ** 3)»)")  # fmt: skip
value("the logarithm of a determinant", "Log", "ad.linalg.slogdet(x)[1]",
      "x = ad.Variable(0.001 * np.eye(20, dtype='float32'))",
      "-«ad.math.log(ad.linalg.det(x))»")  # fmt: skip
value("the logarithm of a likelihood", "Log", "ad.reduce_sum(ad.math.log(x))",
      "x = ad.Variable(np.full(60, 0.1, 'float32'))", "-«ad.math.log(ad.reduce_prod(x))»")  # fmt: skip
value("the logarithm of a product with a real 0", "Log", "with a bound its gradient would be 0",
      "x = ad.Variable([0.0, 0.5])", "-ad.math.log(ad.reduce_prod(x))", False)  # fmt: skip
value("the logarithm of a mean of weighted exponentials", "Log", "reduce_logsumexp",
      "x = ad.Variable([[200.0, 300.0]])",
      "ad.reduce_sum(«ad.math.log(ad.reduce_mean(0.5 * ad.exp(-x), 1, keepdims=True))»)")  # fmt: skip
value("the logarithm of one minus a sigmoid", "Log", "The sigmoid became 1|ad.math.log_sigmoid(-x)",
      SMALL, "«ad.math.log(1.0 - ad.sigmoid(x))»")  # fmt: skip
value("the logarithm of a sigmoid", "Log", "sigmoid became 0|ad.math.log_sigmoid(2.0 * x)",
      "x = ad.Variable([-200.0, 1.0])", "-ad.reduce_mean(«ad.math.log(ad.sigmoid(2.0 * x))»)",
      )  # fmt: skip
value("the logarithm of one minus exp", "Log", "ad.math.log(-ad.math.expm1(x))",
      "x = ad.Variable(-1e-9)", "«ad.math.log(1.0 - ad.exp(x))»")  # fmt: skip
if sys.version_info >= (3, 11):
    value("the logarithm of one probability", "Log", "ad.nn.log_softmax(x)[0, 1]",
          "x = ad.Variable([[1000.0, 0.0]])", "-«ad.math.log(ad.nn.softmax(x)[0, 1])»")  # fmt: skip
value("a logarithm in another dtype", "Log", "only rounding in float64",
      "x = ad.Variable(800.0, dtype=ad.float64)", "«ad.math.log(ad.exp(-x) / 3.0)» * 2.0")  # fmt: skip
value("a real zero after a relu", "Log", BOUND, "x = ad.Variable([-1.0, 1.0])",
      "ad.reduce_sum(«ad.math.log(ad.nn.relu(x) * 2.0)»)")  # fmt: skip
value("a weight that is 0 in a mixture", "Log", "That 0 began before: `w`, which is 0 everywhere",
      "x, w = ad.Variable(1.0), ad.constant([0.0, 0.0])",
      "ad.math.log(ad.reduce_sum(w * ad.exp(x))) * 2.0", False)  # fmt: skip


def log(name: str, words: str, setting: str, *lines: str, mended: bool = True) -> None:
    """A program whose logarithm is that of a value that was computed before."""
    body = "".join(f"    {line}\n" for line in lines)
    truth(name, (*VALUE, "Log"), words,
          f"{setting}\nwith ad.GradientTape() as tape:\n{body}ad.explain(tape, loss, x)\n", mended,
          )  # fmt: skip


Z = "x = ad.Variable([[100.0, 200.0, 300.0]])"
log("a policy and its entropy", "log_softmax|The softmax became 0", Z, "pi = ad.nn.softmax(x)",
    "logp = «ad.math.log(pi)»  # here",
    "loss = -ad.reduce_sum(pi * logp) + logp[0, 2] - logp[0, 1]")  # fmt: skip
log("a policy along another axis", "ad.nn.log_softmax(2.0 * x, axis=0)",
    "x = ad.Variable([[100.0, 1.0], [0.0, 2.0]])",
    "pi = ad.nn.softmax(2.0 * x, axis=0)",
    "loss = -ad.reduce_mean(«ad.math.log(pi)»)  # here")  # fmt: skip
log("a survival", "ad.cumsum(ad.math.log_sigmoid(-x))", "x = ad.Variable([-2.0, 120.0, 0.0])",
    "hazard = ad.sigmoid(x)", "survival = ad.math.cumprod(1.0 - hazard)",
    "loss = -ad.reduce_sum(«ad.math.log(survival)»)  # here")  # fmt: skip
if sys.version_info >= (3, 11):
    log("a mixture in three lines", "ad.reduce_logsumexp(ad.math.log(w) + (-0.5 * ((data[:, None] - x)",
        "x, data = ad.Variable([0.0, 1.0]), ad.constant([-40.0, 0.1, 35.0])",
        "w = ad.nn.softmax(x)", "density = ad.exp(-0.5 * ((data[:, None] - x) / 2.0) ** 2) / 5.0",
        "likelihood = ad.reduce_sum(w * density, axis=1)",
        "loss = -ad.reduce_mean(«ad.math.log(likelihood)»)  # here")  # fmt: skip
log("a softmax of a name that means something else by now", "log_softmax does both in one", Z,
    "p = x * 1.0", "p = ad.nn.softmax(p)", "loss = -ad.reduce_sum(ad.math.log(p)) * 2.0  # here",
    mended=False)  # fmt: skip
log("a softmax of a layer is not computed twice", "Begin with the logits, from before the softmax",
    "x, layer = ad.Variable([[1000.0, 0.0]]), (lambda v: v * 2.0)",
    "p = ad.nn.softmax(layer(x))", "loss = -ad.reduce_sum(ad.math.log(p)) * 2.0  # here",
    mended=False)  # fmt: skip
log("softmaxes in a list", "Begin with the logits, from before the softmax", Z,
    "ps = [ad.nn.softmax(x * k) for k in (1.0, 2.0)]",
    "loss = -ad.reduce_sum(ad.math.log(ps[0])) * 2.0  # here", mended=False)  # fmt: skip
log("a forward algorithm", "too small for float32, whose smallest is 1e-45|divide by the sum in each",
    "x = ad.Variable([[2.0, 0.0], [0.0, 2.0]])",
    "A, alpha = ad.nn.softmax(x), ad.constant([0.5, 0.5])",
    "for _ in range(200): alpha = ad.linalg.matvec(A, alpha) * 0.3",
    "loss = -ad.math.log(ad.reduce_sum(alpha)) * 2.0  # here", mended=False)  # fmt: skip
log("a divergence with an empty bin", "xlogy is the product, and 0 where its first factor is 0",
    "x, p = ad.Variable([0.0, 0.1, 0.2]), ad.constant([0.3, 0.0, 0.7])",
    "loss = ad.reduce_sum(«p * ad.math.log(p / ad.nn.softmax(x))»)  # here")  # fmt: skip
log("a cross entropy of a layer", "Begin with the logits, from before the softmax|As it stands: xlogy",
    "x, layer = ad.Variable([[1000.0, 0.0]]), (lambda v: v * 2.0)",
    "p, y = ad.nn.softmax(layer(x)), ad.constant([[1.0, 0.0]])",
    "loss = -ad.reduce_sum(«y * ad.math.log(p)») + x[0, 0]  # here")  # fmt: skip
log("x log y, and y is 0 where x is not", BOUND,
    "x, p = ad.Variable([0.0, 0.1]), ad.constant([0.3, 0.7])",
    "loss = ad.reduce_sum(p * «ad.math.log(x)»)  # here")  # fmt: skip
log("x log x, and the logarithm is needed elsewhere", BOUND, "x = ad.Variable([0.0, 0.5])",
    "l = «ad.math.log(x)»  # here", "loss = ad.reduce_sum(x * l) + 0.1 * ad.reduce_sum(l)")  # fmt: skip

TAIL = """
x = ad.Variable(12.0)
def cdf(z):
    return 0.5 * (1.0 + ad.math.erf(z / 2.0 ** 0.5))
with ad.GradientTape() as tape:
    loss = {} + 1.0  # here
ad.explain(tape, loss, x)
"""
for log in ("ad.math.log(cdf(-x))", "ad.math.log(1.0 - cdf(x))"):
    truth(
        f"the tail of a normal distribution, {log}", (*VALUE, "Log"),
        "erf became 1 or -1 to the last digit at|Write ad.math.erfc(z) for 1 - erf(z)",
        TAIL.format(log), False,
    )  # fmt: skip
truth(
    "a softplus that was rounded to 0", (*VALUE, "Log"), "Softplus made a number that is too small",
    """
x = ad.Variable(-200.0)
with ad.GradientTape() as tape:
    deviation = ad.math.softplus(x)
    loss = ad.math.log(deviation) * 2.0  # here
ad.explain(tape, loss, x)
""",
    False,
)  # fmt: skip

TWO = "x = ad.Variable([1.0, 100.0, -200.0])"
STACKED = "ad.reduce_logsumexp(ad.stack([x, -x]), axis=0)"
for name, words, line in (
    ("", f"exp overflows|code:  {STACKED}", "ad.reduce_mean(«ad.math.log(ad.exp(x) + ad.exp(-x))»)"),
    (", halved", f"code:  ({STACKED} - ad.math.log(2.0))",
     "ad.reduce_mean(-«ad.math.log((ad.exp(x) + ad.exp(-x)) / 2.0)»)"),
    (", three of them", "ad.stack([ad.reduce_logsumexp(ad.stack([x, -x]), axis=0), 2.0 * x])",
     "ad.reduce_sum(«ad.math.log(ad.exp(x) + ad.exp(-x) + ad.exp(2.0 * x))»)"),
):  # fmt: skip
    if sys.version_info >= (3, 11):  # which of two on a line it is, the columns tell
        value(f"exponentials added under a logarithm{name}", "Exp", words, TWO, line)
value("exponentials and something else under a logarithm", "Exp", "in one function", TWO,
      "ad.reduce_sum(ad.math.log(ad.exp(x) + ad.nn.relu(-x)))", False)  # fmt: skip
value("a sum that is 0, of an exponential and something else", "Log", "is above 0 and was rounded",
      "x = ad.Variable(-200.0)", "ad.math.log(ad.exp(x) + ad.nn.relu(x))", False)  # fmt: skip
value("exponentials of two shapes under a logarithm", "Exp", "in one function", TWO,
      "ad.reduce_sum(ad.math.log(ad.exp(x) + ad.exp(x[0])))", False)  # fmt: skip
value("a sum of exponentials that is used twice", "Exp", "in one function that cannot overflow",
      "x = ad.Variable(100.0)", "ad.math.log(s := ad.exp(x) + ad.exp(-x)) + 1.0 / s", False,
      )  # fmt: skip
if sys.version_info >= (3, 11):
    value("a mixture of two that is written with a plus", "Log", f"{ROUNDED}|ad.stack([",
          "x = ad.Variable([1.0, 40.0])",
          "-ad.reduce_sum(«ad.math.log(0.3 * ad.exp(-x ** 2) + 0.7 * ad.exp(-(x - 5.0) ** 2))»)",
          )  # fmt: skip
TABLE = "x = ad.Variable([[1000.0, 2.0], [1.0, 2.0]])"
for name, words, setting, line in (
    ("", "ad.nn.softmax(x) ", "x = ad.Variable([1000.0, 2.0])", "ad.exp(x) / ad.reduce_sum(ad.exp(x))"),
    (" of rows", "ad.nn.softmax(x) ", TABLE, "ad.exp(x) / ad.reduce_sum(ad.exp(x), 1, True)"),
    (" of columns", "ad.nn.softmax(x, axis=0)", TABLE, "ad.exp(x) / ad.reduce_sum(ad.exp(x), axis=0)"),
):  # fmt: skip
    if sys.version_info >= (3, 11):
        value(f"a softmax{name}, with each exponential written twice", "Exp", words, setting,
              f"ad.reduce_sum(x / 7.0 + «{line}»)")  # fmt: skip
value("no softmax: the sums of the rows, for the columns", "Exp", "in one function", TABLE,
      "ad.reduce_sum(ad.square(ad.exp(x) / ad.reduce_sum(ad.exp(x), axis=1)))", False)  # fmt: skip
value("no softmax: the exponentials of something else below", "Exp", "in one function", TABLE,
      "ad.reduce_sum(ad.square(ad.exp(x) / ad.reduce_sum(ad.exp(2.0 * x))))", False)  # fmt: skip
