"""More programs for `true_programs.TRUTHS`: tapes inside tapes, and second derivatives.

Importing this adds them.
"""

from __future__ import annotations

from readers.true_programs import truth

SECOND = """
w = ad.Variable([0.5, 3.0], name="w")
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        loss = ad.reduce_sum({})
    grad = inner.gradient(loss, w)  # here
ad.explain(outer, grad, w)
"""
PENALTY = SECOND.replace(
    "ad.explain(outer, grad", "    loss = ad.reduce_sum(grad**2)\nad.explain(outer, loss"
)
for name, op, words, function in (
    ("maximum", "SelectV2", "straight lines|softplus", "ad.maximum(w, 1.0)"),
    ("minimum", "SelectV2", "straight lines|softplus", "ad.minimum(w, 1.0) * 2.0"),
    ("clip_by_value", "SelectV2", "straight lines|ad.tanh", "ad.clip_by_value(w, 0.0, 1.0)"),
    ("reduce_max", "Cast", "only picks|logsumexp", "ad.reduce_max(w)"),
    ("reduce_min", "Cast", "only picks|logsumexp", "ad.reduce_min(w)"),
    ("sort", "GatherGrad", "only picks|ad.nn.softmax", "ad.sort(w)[0]"),
    ("top_k", "GatherGrad", "only picks|ad.nn.softmax", "ad.math.top_k(w, 1)[0]"),
    ("where", "SelectV2", "which of the two is chosen", "ad.where(w > 1.0, w, 0.0)"),
):
    told = "none", "second derivative", op
    words = f"`inner` was asked for|this is the derivative of {name}:|{words}"
    zeros = '|outer.gradient(grad, w, unconnected_gradients="zero")    # if 0 is what is meant'
    truth(f"the second derivative of {name}", told, words + zeros, SECOND.format(function), False)
    truth(f"a loss of the derivative of {name}", told, words, PENALTY.format(function), False)
POOL = 'ad.nn.max_pool2d(ad.reshape(w, [1, 1, 2, 1]), [1, 2], 1, "VALID")'
for name, op, words, function in (
    ("elu", "EluGrad", "a straight line above 0|softplus", "ad.nn.elu(w)"),
    ("selu", "SeluGrad", "a straight line above 0|softplus", "ad.nn.selu(w)"),
    ("max_pool", "MaxPoolGrad", "only picks|avg_pool", POOL),
):
    told = "zero", "zero", op
    words = f"this is the derivative of {name},|{words}"
    truth(f"the second derivative of {name}", told, words, SECOND.format(function), False)
for name, function in (  # with the first of them no operation makes the gradient: it is just ones
    ("a sum", "w"),
    ("a sum less a number", "w - 1.0"),
    ("a sum of what was only passed on", "ad.identity(w)"),
    ("a scalar product", "ad.tensordot([1.0, 2.0], w, 1)"),
    ("a product with a matrix", "ad.constant([[1.0, 2.0]]) @ w[:, None]"),
    ("what was moved", "ad.transpose(ad.reshape(w, [1, 2]))"),
    ("what was taken", "ad.gather(w, [0, 0]) + w[0]"),
    ("what was put together", "ad.concat([w, ad.stack([w[0]])], 0)"),
    ("what a constant condition chose", "ad.where([True, False], w, 0.0)"),
    ("what was cast", "ad.cast(w, ad.float64)"),
):
    words = "`grad` is a gradient, and `w` does not occur in it any more|linear in `w`"
    zeros = 'outer.gradient(grad, w, unconnected_gradients="zero")'
    linear = "none", "not on the way", ""
    truth(
        f"the second derivative of {name}",
        linear,
        f"{words}|{zeros}",
        SECOND.format(function),
        False,
    )
truth(
    "a derivative that was made with where in the learner's own hand",
    ("none", "condition", "SelectV2"),
    "only as its condition",
    """
w = ad.Variable([0.5, 3.0], name="w")
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        loss = ad.reduce_sum(ad.where(w > 1.0, 1.0, 2.0) * w)  # here
    grad = inner.gradient(loss, w)
ad.explain(outer, grad, w)
""",
    False,
)

APART = """
x = ad.constant(0.5)
with ad.GradientTape({}) as inner:  # before
    inner.watch(x)
    u = {}
with ad.GradientTape() as outer:
    outer.watch(x)
    {}u_x = inner.gradient(u, x)  # asked
ad.explain(outer, u_x, x)
"""
UNSEEN = (
    "`u_x` is the derivative of `u`, and `u` was computed before the block of `outer` began|"
    "block of `inner` into it"
)
for number, (persistent, function, more, line) in enumerate((
    ("", "ad.tanh(x)", "", "before"),
    ("", "ad.exp(x)", "y = x * x\n    ", "before"),
    ("", "ad.nn.softplus(x * 2.0) if x > 0.0 else x", "", "before"),
    ("persistent=True", "ad.sin(2.0 * x)", "", "u ="),
    ("", "2.0 * x", "", "before"),
)):  # fmt: skip
    text = APART.format(persistent, function, more)
    text = "\n".join(one + "  # here" * (line in one) for one in text.splitlines()) + "\n"
    told = "none", "outside the tape", ""
    truth(f"what was differentiated is older than the block, {number}", told, UNSEEN, text, False)
truth(
    "what was differentiated is older than the block, by a variable",
    ("none", "outside the tape", ""),
    UNSEEN,
    """
w = ad.Variable(0.5, name="w")
with ad.GradientTape() as inner:  # here
    u = w**3
with ad.GradientTape() as outer:
    u_x = inner.gradient(u, w)
ad.explain(outer, u_x, w)
""",
    False,
)
BOTH = """
x = ad.constant(0.5)
def second(x):
    {}
    return outer, u_x
outer, g = second(x)
ad.explain(outer, g, x)
"""
truth(
    "what was differentiated is older than the block, in a function that has returned",
    ("none", "outside the tape", ""),
    "no operation that `outer` recorded took `x`|If it was computed before",
    BOTH.format(
        "with ad.GradientTape() as inner:\n        inner.watch(x)\n        u = ad.tanh(x)\n    "
        "with ad.GradientTape() as outer:\n        outer.watch(x)\n        "
        "u_x = inner.gradient(u, x)  # here"
    ),
    False,
)
truth(
    "what was differentiated is linear, in a function that has returned",
    ("none", "not on the way", ""),
    'linear in `x`|outer.gradient(g, x, unconnected_gradients="zero")',
    BOTH.format(
        "with ad.GradientTape() as outer:\n        outer.watch(x)\n        "
        "with ad.GradientTape() as inner:\n            inner.watch(x)\n            "
        "u = 3.0 * x\n        u_x = inner.gradient(u, x)  # here"
    ),
    False,
)

PINN = """
x = ad.constant([[0.5]])
V = ad.Variable([[1.0, 2.0]], name="V")
W = ad.Variable([[1.0], [1.0]], name="W")
c = ad.Variable([0.3], name="c")
with ad.GradientTape() as tape:
    with ad.GradientTape() as second:
        second.watch(x)
        with ad.GradientTape() as first:
            first.watch(x)
            u = {}(x @ V) @ W + c
        u_x = first.gradient(u, x)  # first
    u_xx = second.gradient(u_x, x)  # second
    loss = ad.reduce_mean({})
ad.explain(tape, loss, {})
"""


def pinn(name: str, told: tuple[str, str, str], words: str, line: str, *parts: str) -> None:
    """A differential equation, asked for a source, and the derivative whose line is named."""
    text = PINN.format(*parts).replace(f"# {line}", "# here")
    truth(name, told, words, text, False)


pinn(
    "the last weights, if relu is differentiated twice",
    ("none", "second derivative", ""),
    "`u_xx`, the derivative of `u_x`|second derivative of relu|is 0, whatever `W` is|ad.tanh",
    "second", "ad.nn.relu", "(u_xx + 1.0) ** 2", "W",
)  # fmt: skip
pinn(
    "the first weights, if relu is differentiated twice",
    ("zero", "zero", "ReluGrad"),
    "this is the derivative of relu, and it is made of straight lines|ad.tanh",
    "second", "ad.nn.relu", "(u_xx + 1.0) ** 2", "V",
)  # fmt: skip
for loss in ("u_x**2", "(u_xx + 1.0) ** 2", "(u_x + 1.0) ** 2"):
    pinn(
        f"the last bias falls out of a derivative, {loss}",
        ("none", "not on the way", ""),
        "`u_x`, the derivative of `u`|`c` does not occur in that any more|then None is right",
        "first", "ad.tanh", loss, "c",
    )  # fmt: skip
truth(
    "a derivative that leads nowhere is not why",
    ("none", "not on the way", "MatMul"),
    "ends with `u_xx`|go on with what was made of it",
    PINN.format("ad.tanh", "(x * v) ** 2", "W").replace(
        "with ad", "v = ad.Variable(1.0)\nwith ad", 1
    ),
    False,
)
UNWATCHED = """
r = ad.constant([[1.0, 2.0]])
k = ad.Variable([[1.0, 0.5], [0.5, 1.0]], name="k")
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        # mend
        s = ad.reduce_sum(ad.tanh(r @ k))
    g = inner.gradient(s, {}, unconnected_gradients="zero")  # here
    loss = (ad.reduce_sum(g**2) - 1.0) ** 2
ad.explain(outer, loss, k)
"""
truth(
    "an inner tape that does not watch what it is asked for",
    ("none", "no inner gradient", ""),
    "`g`, the derivative of `s`|`inner` does not watch `r`|None, or zeros in its place",
    UNWATCHED.format("r"),
)
truth(
    "an inner tape that finds no way",
    ("none", "no inner gradient", ""),
    "`inner` found no way from `s` back to `k2`|ad.explain(inner, s, k2) says why",
    UNWATCHED.format("k2").replace("# mend", "k2 = k * 1.0"),
    False,
)
truth(
    "an inner tape that is not at hand any more",
    ("none", "not on the way", ""),
    "`k` does not occur in what `loss` took of that|ask ad.explain(inner, s, r) after that line",
    """
r = ad.constant([[1.0, 2.0]])
k = ad.Variable([[1.0, 0.5], [0.5, 1.0]], name="k")
def penalty(r):
    with ad.GradientTape() as inner:
        s = ad.reduce_sum(ad.tanh(r @ k))
    g = inner.gradient(s, r, unconnected_gradients="zero")  # here
    return (ad.reduce_sum(g**2) - 1.0) ** 2
with ad.GradientTape() as outer:
    loss = penalty(r)
ad.explain(outer, loss, k)
""",
    False,
)
truth(
    "the last bias of a network that is an object, in a function",
    ("none", "not on the way", ""),
    "`u_x`, the derivative of `u`|`net.c` does not occur in|then None is right",
    """
class Net:
    def __init__(self):
        self.v = ad.Variable([[1.0]], name="v")
        self.c = ad.Variable([0.3], name="Variable")
    def __call__(self, x):
        return ad.tanh(x) @ self.v + self.c
net = Net()
def residual(x):
    with ad.GradientTape() as inner:
        inner.watch(x)
        u = net(x)
    u_x = inner.gradient(u, x)  # here
    return u_x - ad.sin(x)
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(residual(ad.constant([[0.5], [0.2]])) ** 2)
ad.explain(tape, loss, net.c)
""",
    False,
)
truth(
    "one of several derivatives goes on",
    ("none", "not on the way", ""),
    "`w` does not occur in what `loss` took of that any more|if it is linear in that",
    """
v, w = ad.Variable(1.0, name="v"), ad.Variable(2.0, name="w")
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        l = v * w + w
    grads = inner.gradient(l, [v, w])  # here
    loss = grads[1] ** 2
ad.explain(outer, loss, w)
""",
    False,
)
truth(
    "what is lost in the second derivative only",
    ("none", "not on the way", ""),
    "made of `d2u`, the derivative of `du`|`second` may have had no gradient to give there: ask "
    "ad.explain(second, du, x) after that line",
    """
x = ad.constant([[0.5]])
V = ad.Variable([[1.0, 2.0]], name="V")
def residual(x):
    with ad.GradientTape() as second:
        second.watch(x)
        with ad.GradientTape() as first:
            first.watch(x)
            u = ad.tanh(x @ V)
    du = first.gradient(u, x)
    d2u = second.gradient(du, x)  # here
    return d2u if d2u is not None else ad.zeros_like(x)
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((residual(x) - 1.0) ** 2)
ad.explain(tape, loss, V)
""",
    False,
)
pinn(
    "the last bias falls out of the first derivative, relu or not",
    ("none", "not on the way", ""),
    "`u_x`, the derivative of `u`|then None is right",
    "first", "ad.nn.relu", "(u_xx + 1.0) ** 2", "c",
)  # fmt: skip
