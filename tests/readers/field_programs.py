"""Programs as they are written in some fields of machine learning and statistics, each with one fault.

Importing this adds them to `true_programs.TRUTHS` and `cut_programs.CUTS`.
"""

from __future__ import annotations

import sys
from typing import Any

from readers.cause_programs import cause
from readers.cut_programs import cut
from readers.true_programs import truth, value


def by_columns(*told: Any) -> None:
    """Add one in which only the columns tell what is meant, which code objects know from 3.11 on."""
    if sys.version_info >= (3, 11):
        cause(*told)


GATED = """
x = [ad.Variable([[1.0], [2.0]]), ad.Variable([[3.0], [1.0]]), ad.Variable([[0.5], [2.0]])]
tokens, chosen = ad.constant([[1.0, 2.0], [3.0, 0.0]]), np.array([0, 0])
with ad.GradientTape() as tape:
    loss = 0.0
    for i, e in enumerate(x):
        rows = np.flatnonzero(chosen == i)
{}
    loss = loss + 1.0
ad.explain(tape, loss, x[{}])
"""
for name, number, body, stands in (
    (
        "continue", 1,
        "        if len(rows) == 0:\n            continue\n"
        "        loss += ad.reduce_sum(ad.gather(tokens, rows) @ e)  # here",
        "behind the if at line 9 (continue)",
    ),
    (
        "an if", 2,
        "        if len(rows):\n            loss += ad.reduce_sum(ad.gather(tokens, rows) @ e)  # here",
        "in the if at line 9",
    ),
    (
        "an else", 1,
        "        if not len(rows):\n            pass\n        else:\n"
        "            loss += ad.reduce_sum(ad.gather(tokens, rows) @ e)  # here",
        "in the else of the if at line 9",
    ),
    (
        "break", 2,
        "        if i == 1:\n            break\n"
        "        loss += ad.reduce_sum(ad.gather(tokens, rows) @ e)  # here",
        "behind the if at line 9 (break)",
    ),
):  # fmt: skip
    cause(
        f"an expert that no token was sent to, kept out by {name}",
        ("branch not taken", ""),
        f"The loop comes to `x[{number}]` as well|{stands.partition(' at line')[0]}",
        GATED.format(body, number),
    )
cause(
    "experts in a dict, in a class",
    ("branch not taken", ""),
    "as well, but this did not run for it|behind the if at line",
    """
class Mixture:
    def __init__(self):
        self.experts = {k: ad.Variable([[1.0], [2.0]]) for k in "abc"}
    def __call__(self, tokens, wanted):
        out = 0.0
        for k, w in self.experts.items():
            if k not in wanted:
                continue
            out = out + tokens @ w  # here
        return out
x = Mixture()
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(x(ad.constant([[1.0, 2.0]]), "b"))
ad.explain(tape, loss, x.experts["a"])
""",
)
cause(
    "a loop that goes through names, and a condition in it",
    ("not used", ""),
    "takes others of `x`, and never |it goes through `names`, and what it does with each "
    "stands behind the if at line",
    """
x = {k: ad.Variable(2.0) for k in "abc"}
names, frozen = ["a", "b"], ["b"]
with ad.GradientTape() as tape:
    loss = 0.0
    for name in names:  # here
        if name in frozen:
            continue
        loss += x[name] ** 2
ad.explain(tape, loss, x["c"])
""",
)
RISKS = """
x, X = ad.Variable([[0.1], [0.2]]), ad.constant([[1.0, 2.0], [0.5, -1.0], [3.0, 0.0]])
times, events = [5.0, 3.0, 8.0], [0, 0, 0]
def likelihood(x):
    total = ad.constant(0.0)
    risk = (X @ x)[:, 0]
    for i, event in enumerate(events):
        if not event:
            continue
        total += risk[i] - ad.reduce_logsumexp(risk)
    return {}
with ad.GradientTape() as tape:
    loss = likelihood(x)
ad.explain(tape, loss, x)
"""
cause(
    "a likelihood of which no event is left, with a sign",
    ("not on the way", "MatMul"),
    "ends with `risk`|further; line |would, and did not run: it stands in the loop at line |"
    "behind the if at line ",
    RISKS.format("-total").replace("[:, 0]\n", "[:, 0]  # here\n"),
)
cause(
    "a sum that each round leaves before it adds",
    ("branch not taken", ""),
    "`loss` is still what line |the line that was to go on from there never ran|"
    "It stands in the loop at line |behind the if at line ",
    """
x, data = ad.Variable(1.0), [(1.0, 0), (2.0, 0)]
with ad.GradientTape() as tape:
    loss = ad.constant(0.0)
    for t, event in data:
        if not event:
            continue
        loss += t * x  # here
ad.explain(tape, loss, x)
""",
)
cause(
    "a constant that nothing was added to, since a line did not run",
    ("constant target", ""),
    "ends with `h`|further; line |would, and did not run",
    """
x, data = ad.Variable(1.0), [(1.0, 0), (2.0, 0)]
with ad.GradientTape() as tape:
    h = x * 2.0
    terms = [ad.constant(0.0)]  # here
    for t, event in data:
        if event:
            terms.append(t * h)
    loss = ad.add_n(terms)
ad.explain(tape, loss, x)
""",
)
cause(
    "a state that is never moved on",
    ("constant target", "Sum"),
    "`s` (a constant)|ends with `new`, made at line ",
    """
x, s = ad.Variable([[0.1, -1.0], [1.0, 0.1]]), ad.constant([[1.0, 0.0]])
with ad.GradientTape() as tape:
    for step in range(3):
        new = s + 0.1 * ad.tanh(s @ x)
    loss = ad.reduce_sum(s ** 2)  # here
ad.explain(tape, loss, x)
""",
)

LOGITS = "x, tokens = ad.Variable([[1.0, 2.0, 0.0], [3.0, 0.0, 1.0]]), ad.constant([[1.0, 2.0]])\n"
LOGITS += "table = ad.constant([[1.0, 4.0], [2.0, 1.0], [0.0, 3.0]])\n"
MARKS = "It marks the largest of {0}, weights that add up to one"
cut(
    "ArgMax", "one-hot vector of probabilities", f"""
{LOGITS}with ad.GradientTape() as tape:
    y = ad.nn.softmax(tokens @ x)
    y = ad.one_hot(ad.argmax(y, axis=-1), 3)  # here
    loss = ad.reduce_sum(y @ table)
ad.explain(tape, loss, x)
""",
    "y + ad.stop_gradient(ad.one_hot(ad.argmax(y, axis=-1), 3) - y)"
    "    # instead of ad.one_hot(ad.argmax(y, axis=-1), 3)",
    MARKS.format("y"),
)  # fmt: skip
cut(
    "ArgMax", "row of a table by probabilities", f"""
{LOGITS}with ad.GradientTape() as tape:
    p = ad.nn.softmax(tokens @ x)
    best = ad.argmax(p, axis=1)  # here
    loss = ad.reduce_sum(ad.gather(table, best))
ad.explain(tape, loss, x)
""",
    "ad.tensordot(p, table, 1)    # instead of ad.gather(table, best)", "the weights p, in place", None,
)  # fmt: skip
cut(
    "ArgMax", "position of the largest probability", f"""
{LOGITS}with ad.GradientTape() as tape:
    p = ad.nn.softmax(tokens @ x)
    loss = ad.reduce_sum(ad.cast(ad.argmax(p, axis=1), ad.float32))  # here
ad.explain(tape, loss, x)
""",
    "ad.reduce_sum(p * ad.range(3.0), axis=-1)    # instead of ad.argmax(p, axis=1)", "weights p", None,
)  # fmt: skip
cut(
    "ArgMax", "one-hot vector of a softmax along another axis", f"""
{LOGITS}with ad.GradientTape() as tape:
    p = ad.nn.softmax(x, axis=0)
    loss = ad.reduce_sum(ad.one_hot(ad.argmax(p, axis=1), 3) @ table)  # here
ad.explain(tape, loss, x)
""",
    "ad.nn.softmax(10.0 * p)    # instead of ad.one_hot(ad.argmax(p, axis=1), 3)", "sharper", None,
)  # fmt: skip
for name, before, weights in (
    ("scores", "tokens @ x", "ad.nn.softmax(s)"),
    ("probabilities", "ad.nn.softmax(tokens @ x)", "s"),
):
    cut(
        "TopKV2", f"a mask of the largest {name}", f"""
{LOGITS}with ad.GradientTape() as tape:
    s = {before}
    values, idx = ad.math.top_k(s, 2)  # here
    mask = ad.reduce_sum(ad.one_hot(idx, 3), axis=1)
    loss = ad.reduce_sum(mask @ table)
ad.explain(tape, loss, x)
""",
        f"ad.reduce_sum(ad.one_hot(idx, 3), axis=1) * {weights}"
        "    # instead of ad.reduce_sum(ad.one_hot(idx, 3), axis=1)",
        "The positions make a mask", None,
    )  # fmt: skip

HALVES = "The halves of this sum are exchanged: its value is that of x"
cut(
    "Round", "straight through, the wrong way round", """
x = ad.Variable([0.3, 1.6])
with ad.GradientTape() as tape:
    h = ad.round(x)  # here
    loss = ad.reduce_sum((ad.stop_gradient(x - h) + h) ** 2)
ad.explain(tape, loss, x)
""",
    "(x + ad.stop_gradient(h - x))    # instead of ad.stop_gradient(x - h) + h", HALVES, 4.0,
)  # fmt: skip
truth(
    "a sign straight through, the wrong way round",
    ("zero", "zero", "Sign"),
    f"{HALVES}, and its gradient that of ad.sign(x), which has none",
    """
x = ad.Variable([0.3, -1.6])
def binary(x):
    return «ad.sign(x) + ad.stop_gradient(x - ad.sign(x))»  # here
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(binary(x) * [1.0, 2.0])
ad.explain(tape, loss, x)
""",
)
cause(
    "the codebook of a straight-through sum that is the right way round",
    ("stop_gradient", "StopGradient"),
    "If it is a constant there on purpose",
    """
x, w = ad.Variable([[1.0, 0.0], [0.0, 1.0]]), ad.Variable([[0.2, 0.9]])
with ad.GradientTape() as tape:
    z = ad.tanh(w)
    row = ad.gather(x, [1])
    loss = ad.reduce_sum((z + ad.stop_gradient(row - z)) ** 2)  # here
ad.explain(tape, loss, x)
""",
)
CRITIC = """
x, w = ad.Variable([0.3, 0.1]), ad.Variable([0.5, 0.2])
rewards = ad.constant([1.0, 0.0])
with ad.GradientTape() as tape:
    td = ad.stop_gradient(rewards - x)  # here
    policy = -ad.reduce_mean(ad.math.log_sigmoid(w) * td)
    critic = {}
    loss = policy + 0.5 * critic
ad.explain(tape, loss, x)
"""
cause(
    "a critic whose own loss is made of the stopped advantage",
    ("stop_gradient", "StopGradient"),
    "`critic` is made of `td` alone|a constant in `loss`|write ad.stop_gradient(td) at line ",
    CRITIC.format("ad.reduce_mean(td ** 2)"),
)
cause(
    "a critic without a loss of its own",
    ("stop_gradient", "StopGradient"),
    "If it is a constant there on purpose",
    CRITIC.format("ad.reduce_mean((td - w) ** 2)"),
)

LAG = """
x, w, t = ad.Variable(2.4), ad.Variable(1.0), ad.constant([1.0, 2.0])
with ad.GradientTape() as tape:
    lag = «{}»  # here
    loss = ad.reduce_sum((w * t - lag) ** 2)
ad.explain(tape, loss, x)
"""
for written, name, soft in (
    ("round(float(x))", "round", "x"),
    ("int(float(x) / 0.5)", "int", "x / 0.5"),
    ("int(x.numpy())", "int", "x"),
    ("int(np.round(x * 2.0))", "int", "x * 2.0"),
    ("np.floor(x)", "np.floor", "x"),
    ("int(x)", "int", "x"),
):
    by_columns(
        f"a parameter that is made whole by hand, {written}",
        ("left the tensors", ""),
        f"and {name} made it whole|compute with `{soft}` itself",
        LAG.format(written),
        True,
    )
cause(
    "a parameter that is made whole by hand to be a position",
    ("left the tensors", ""),
    "If it is a position or a count",
    """
x, w, t = ad.Variable(1.4), ad.Variable(1.0), ad.constant([1.0, 2.0])
with ad.GradientTape() as tape:
    k = int(x)  # here
    loss = ad.reduce_sum((w * t[k]) ** 2) + w * ad.cast(k, ad.float32)
ad.explain(tape, loss, x)
""",
)
MESSAGES = """
x, edges = ad.Variable([[1.0, 2.0], [3.0, 4.0]]), [(0, 1), (1, 1)]
with ad.GradientTape() as tape:
    agg = np.zeros({})
    for i, j in edges:
        «agg[j] {}= x[i]»  # here
    loss = ad.reduce_sum(ad.constant(agg, ad.float32) ** 2)
ad.explain(tape, loss, x)
"""
for made, old in (
    ("(2, 2), np.float32", "agg"),
    ("(2, 2)", "ad.convert_to_tensor(agg, ad.float32)"),
):
    for sign, word in (("+", "add"), ("-", "sub")):
        by_columns(
            f"messages that are put into an array of zeros with {sign}=, made with {made}",
            ("left the tensors", ""),
            f"cannot be changed in place|ad.tensor_scatter_nd_{word}({old}, [[j]], [x[i]])",
            MESSAGES.format(made, sign),
            True,
        )
value(
    "a likelihood with more noughts, which an exponential became", "Log",
    "the argument is above 0 and was rounded|Exp made a number that is too small",
    "x, counts = ad.Variable(5.5), ad.constant([3.0, 0.0])\nrate = lambda: ad.exp(x)",
    "-ad.reduce_sum(ad.math.log(ad.where(counts == 0.0, 0.1 + ad.exp(-rate()), "
    "ad.exp(-rate()) * rate() ** counts)))", False,
)  # fmt: skip
SLOPES = """
x, r = ad.Variable(0.5), ad.Variable([0.0, 0.5, 1.0])
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        u = {}
    slope = inner.gradient(u, r)  # here
    loss = ad.reduce_mean(slope ** 2)
ad.explain(tape, loss, x)
"""
for name, op, of, u in (
    (
        "the length of a vector of zeros",
        "SqrtGrad",
        "Sqrt",
        "x * «ad.norm(ad.stack([r, r]), axis=0)»",
    ),
    ("a quotient by 0", "RealDiv", "RealDiv", "«ad.sin(x * r) / r»"),
):
    truth(
        f"the slope of {name} inside of an equation",
        ("not finite", "value not finite", op),
        f"a step of the derivative: the slope of {of} at line ",
        SLOPES.format(u),
    )
truth(
    "an infinite slope of what the outer tape does not watch",
    ("not finite", "value not finite", "RealDiv"),
    "a step of the derivative of `u`: some slope on the way to that is infinite",
    """
x, r = ad.Variable(0.5), ad.constant([0.0, 0.5, 1.0])
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        inner.watch(r)
        u = x * r * ad.math.log(r)
    slope = inner.gradient(u, r)  # here
    loss = ad.reduce_mean(slope ** 2)
ad.explain(tape, loss, x)
""",
    False,
)
TURNED = """
x, points = ad.Variable(0.4), ad.constant([[1.0, 2.0, 0.5]])
with ad.GradientTape() as tape:
    c, s = ad.cos(x), ad.sin(x)
    R = «{}»  # here
    loss = ad.reduce_sum((points @ R)[0] * [1.0, 2.0, 3.0])
ad.explain(tape, loss, x)
"""
for written in (
    "ad.constant([[float(c), -float(s), 0], [float(s), float(c), 0], [0, 0, 1]])",
    "ad.constant(np.array([[c.numpy(), -s.numpy(), 0.0], [s.numpy(), c.numpy(), 0.0], (0, 0, 1)]), "
    "dtype=ad.float32)",
):
    by_columns(
        f"a matrix of numbers that were tensors, {written}",
        ("left the tensors", ""),
        "ad.stack([[c, -s, 0",
        TURNED.format(written),
        True,
    )
by_columns(
    "an action that NumPy chooses, and its reward",
    ("left the tensors", ""),
    "NumPy gives a position here|let the logarithm of its probability enter `loss`|REINFORCE",
    """
x, state, total = ad.Variable(np.eye(2, dtype="float32")), ad.constant([[1.0, 0.5]]), 0.0
with ad.GradientTape() as tape:
    for t in range(2):
        action = int(np.argmax(ad.nn.softmax(state @ x)[0]))  # here
        total += 1.0 if action == 0 else -1.0
    loss = -ad.constant(total)
ad.explain(tape, loss, x)
""",
)
truth(
    "the logarithm of a determinant below 0, as of a change of variables",
    ("flows", "flows", ""),
    "begins with Log at line |A determinant below 0 has no logarithm|`ad.linalg.slogdet(x)[1]`",
    """
x, data = ad.Variable([[0.0, 1.0], [1.0, 0.0]]), ad.constant([[0.3, -0.2]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((data @ x) ** 2) - ad.math.log(ad.linalg.det(x))
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "a deviation that is learnt and went below 0",
    ("flows", "flows", ""),
    "begins with Log at line |A negative number has no logarithm|ad.math.softplus",
    """
x, data = ad.Variable([0.3, -0.1]), ad.constant([0.2, 0.4])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(0.5 * (data / x) ** 2 + ad.math.log(x))
ad.explain(tape, loss, x)
""",
    False,
)
for total in ("sum", "mean"):
    truth(
        f"the {total} of all probabilities, which only rounding moves",
        ("flows", "flows", ""),
        "It is 0 but for rounding: at Softmax (line |all probabilities get the same|pick one",
        f"""
x = ad.Variable(np.sin(np.arange(28.0, dtype=np.float32)).reshape(4, 7))
tokens = ad.constant(np.cos(np.arange(80.0, dtype=np.float32)).reshape(20, 4))
with ad.GradientTape() as tape:
    loss = ad.reduce_{total}(ad.nn.softmax(tokens @ x)) + 1.0
ad.explain(tape, loss, x)
""",
        False,
    )
PICTURE = """
x, content = ad.Variable([[0.3, 0.6], [0.2, 0.9]]), ad.constant([[0.3, 0.6], [0.2, 0.9]])
with ad.GradientTape() as tape:
    features = ad.tanh(x)
    of_content = ad.reduce_mean((features - ad.tanh(content)) ** 2)  # here
    of_style = ad.reduce_mean((ad.transpose(features) @ features - 0.1) ** 2)
    loss = {}
ad.explain(tape, loss, x)
"""
truth(
    "a picture that begins as its content, and its style left out",
    ("zero", "zero", "Pow"),
    "this is its minimum|`of_style` (line |as well, and nothing of that enters `loss`",
    PICTURE.format("2.0 * of_content"),
    False,
)
truth(
    "a picture that begins as its content, and its style, nothing to say",
    ("flows", "flows", ""),
    "a gradient flows",
    PICTURE.format("of_content + of_style").replace("  # here", ""),
    False,
)
for name, way in (("break", "break"), ("return", "return loss")):
    cause(
        f"a net that is left early, by {name}",
        ("branch not taken", ""),
        f"The loop here was left before it came to `x[1]`: {name} at line ",
        f"""
x, heads = [ad.Variable([[0.5]]) for _ in range(3)], [ad.Variable([[2.0]]) for _ in range(3)]
def early(h):
    for w, head in zip(x, heads):  # here
        h = ad.tanh(h @ w)
        loss = ad.reduce_sum(h @ head)
        if loss > 0.1:
            {way}
    return loss
with ad.GradientTape() as tape:
    loss = early(ad.constant([[1.0]]))
ad.explain(tape, loss, x[1])
""",
    )
cause(
    "a net that is left early, and passes a layer over",
    ("branch not taken", ""),
    "it stands behind the if at line |(continue), or the loop was left before: break at line ",
    """
x, skipped = [ad.Variable([[0.5]]) for _ in range(3)], [1]
with ad.GradientTape() as tape:
    h = ad.constant([[1.0]])
    for i, w in enumerate(x):
        if i in skipped:
            continue
        h = ad.tanh(h @ w)  # here
        if ad.reduce_sum(h) > 0.9:
            break
    loss = ad.reduce_sum(h)
ad.explain(tape, loss, x[1])
""",
)
by_columns(
    "a column that NumPy makes of elements",
    ("left the tensors", ""),
    "Use ad.stack in the place of np.asarray",
    """
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    y = «np.asarray([[x[0]], [x[1]]])»  # here
    loss = ad.reduce_sum(y * [[1.0], [2.0]])
ad.explain(tape, loss, x)
""",
    True,
)
