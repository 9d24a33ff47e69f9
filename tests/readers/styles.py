"""More programs whose gradient is None, zero or NaN, in as many styles as learners have.

Each ends with `answer`, what `ad.explain` said; `# here` marks the line that it must name. They are
run as files, as a learner's are.
"""

# ruff: noqa: E501 - very long lines are one of the styles

STYLES: dict[str, tuple[str, str, str]] = {}


def style(name: str, status: str, cause: str, text: str) -> None:
    text = "import autodiff_kit as ad\nimport numpy as np\n" + text.lstrip("\n")
    STYLES[name] = (status, cause, text)


style(
    "dataclass attr constant",
    "none",
    "not watched",
    """
from dataclasses import dataclass, field
@dataclass
class Params:
    w: object = field(default_factory=lambda: ad.constant(2.0))  # here
    b: object = field(default_factory=lambda: ad.Variable(1.0))
params = Params()
with ad.GradientTape() as tape:
    y = params.w * 3.0 + params.b
answer = ad.explain(tape, y, params.w)
""",
)
style(
    "dataclass updated",
    "none",
    "rebound",
    """
from dataclasses import dataclass
@dataclass
class Params:
    w: object
params = Params(ad.Variable(2.0))
params.w = params.w - 0.1  # here
with ad.GradientTape() as tape:
    y = params.w * 3.0
answer = ad.explain(tape, y, params.w)
""",
)
style(
    "decorator",
    "none",
    "left the tensors",
    """
import functools
def logged(f):
    @functools.wraps(f)
    def inner(*a, **k):
        r = f(*a, **k)
        return r
    return inner
@logged
def model(x):
    return ad.constant(np.exp(x.numpy()))  # here
x = ad.Variable(1.0)
with ad.GradientTape() as tape:
    y = model(x) * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "generator",
    "none",
    "no gradient",
    """
def steps(x):
    h = x
    while True:
        h = ad.floor(h * 2.0)  # here
        yield h
x = ad.Variable(1.3)
with ad.GradientTape() as tape:
    g = steps(x)
    y = next(g) + next(g)
answer = ad.explain(tape, y, x)
""",
)
style(
    "async",
    "none",
    "stop_gradient",
    """
import asyncio
async def enc(x):
    return ad.stop_gradient(x * 2.0)  # here
async def main(x):
    return (await enc(x)) + 1.0
x = ad.Variable(1.3)
with ad.GradientTape() as tape:
    y = asyncio.run(main(x))
answer = ad.explain(tape, y, x)
""",
)
style(
    "async with tape inside",
    "none",
    "no gradient",
    """
import asyncio
async def main(x):
    with ad.GradientTape() as tape:
        h = ad.round(x)  # here
        await asyncio.sleep(0)
        y = h * 2.0
    return ad.explain(tape, y, x)
x = ad.Variable(1.3)
answer = asyncio.run(main(x))
""",
)
style(
    "comprehension with if",
    "none",
    "branch not taken",
    """
ws = [ad.Variable(float(i)) for i in range(4)]
keep = [True, False, True, True]
with ad.GradientTape() as tape:
    y = ad.add_n([w * w for w, k in zip(ws, keep) if k])
answer = ad.explain(tape, y, ws[1])
""",
)
style(
    "walrus",
    "none",
    "no gradient",
    """
x = ad.Variable(1.3)
with ad.GradientTape() as tape:
    if (n := ad.floor(x)) > 0.0:  # here
        y = n * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "lambda default",
    "none",
    "not used",
    """
x = ad.Variable(1.3)
f = lambda a=x: a * a
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = f()
answer = ad.explain(tape, y, x)
""",
)
style(
    "exec no source",
    "none",
    "not watched",
    """
exec("x = ad.constant(2.0)\\nwith ad.GradientTape() as tape:\\n    y = x * x\\nanswer = ad.explain(tape, y, x)")
""",
)
style(
    "exec no source floor",
    "none",
    "no gradient",
    """
ns = {"ad": ad}
exec("x = ad.Variable(2.0)\\nwith ad.GradientTape() as tape:\\n    y = ad.floor(x)\\nanswer = ad.explain(tape, y, x)", ns)
answer = ns["answer"]
""",
)
style(
    "threads",
    "none",
    "outside the tape",
    """
import threading
x = ad.Variable(1.3)
out = []
def work():
    out.append(x * x)  # here
with ad.GradientTape() as tape:
    t = threading.Thread(target=work); t.start(); t.join()
    y = out[0] + 0.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "thread pool",
    "none",
    "outside the tape",
    """
from concurrent.futures import ThreadPoolExecutor
w, b = ad.Variable(2.0), ad.Variable(1.0)
def part(k):
    return w * float(k)  # here
with ad.GradientTape() as tape:
    with ThreadPoolExecutor(2) as pool:
        parts = [done.result() for done in [pool.submit(part, k) for k in (1, 2)]]
    loss = ad.add_n(parts) * b
answer = ad.explain(tape, loss, w)
""",
)
style(
    "thread pool for something else",
    "none",
    "not used",
    """
from concurrent.futures import ThreadPoolExecutor
w, b = ad.Variable(2.0), ad.Variable(1.0)
with ad.GradientTape() as tape:
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda k: k * ad.constant(2.0), (1.0, 2.0)))
    loss = ad.add_n(parts) * b
answer = ad.explain(tape, loss, w)
""",
)
style(
    "recursion",
    "none",
    "no gradient",
    """
def f(x, n):
    if n == 0:
        return ad.round(x)  # here
    return f(x * 1.1, n - 1) + 1.0
x = ad.Variable(1.3)
with ad.GradientTape() as tape:
    y = f(x, 5)
answer = ad.explain(tape, y, x)
""",
)
style(
    "partial",
    "none",
    "integer source",
    """
from functools import partial
def power(base, n):
    return base ** n
square = partial(power, n=2)
x = ad.Variable(3)  # here
with ad.GradientTape() as tape:
    y = square(x)
answer = ad.explain(tape, y, x)
""",
)
style(
    "class attribute",
    "none",
    "not used",
    """
class Config:
    scale = ad.Variable(2.0)
    shift = ad.Variable(1.0)
with ad.GradientTape() as tape:
    y = Config.scale * 3.0
answer = ad.explain(tape, y, Config.shift)
""",
)
style(
    "closures over loop variable",
    "none",
    "not used",
    """
ws = [ad.Variable(float(i)) for i in range(3)]
fs = []
for w in ws:
    fs.append(lambda x: w * x)
with ad.GradientTape() as tape:
    y = fs[0](2.0)
answer = ad.explain(tape, y, ws[0])
""",
)
style(
    "several statements on a line",
    "none",
    "no gradient",
    """
x = ad.Variable(1.3)
with ad.GradientTape() as tape: h = ad.sin(x); k = ad.floor(h); y = k * 2.0  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "all on a line",
    "none",
    "stop_gradient",
    """
x = ad.Variable(1.3); tape = ad.GradientTape(); tape.__enter__(); y = ad.stop_gradient(x) * 2.0; tape.__exit__(None, None, None); answer = ad.explain(tape, y, x)  # here
""",
)
style(
    "unicode names",
    "none",
    "no gradient",
    """
θ = ad.Variable(1.3)
with ad.GradientTape() as σ:
    ŷ = ad.floor(θ)  # here
answer = ad.explain(σ, ŷ, θ)
""",
)
style(
    "tape left too early in method",
    "none",
    "outside the tape",
    """
class Trainer:
    def __init__(self):
        self.w = ad.Variable(2.0)
    def loss(self):
        return self.w * self.w  # here
    def step(self):
        with ad.GradientTape() as self.tape:
            pass
        self.l = self.loss()
        return ad.explain(self.tape, self.l, self.w)
answer = Trainer().step()
""",
)
style(
    "recreated in loop",
    "none",
    "not used",
    """
def train():
    w = ad.Variable(2.0)
    for _ in range(2):
        first = w
        w = ad.Variable(2.0)
        with ad.GradientTape() as tape:
            y = w * w
    return ad.explain(tape, y, first)
answer = train()
""",
)
style(
    "assign_add in tape",
    "none",
    "assigned",
    """
x = ad.Variable(1.0); acc = ad.Variable(0.0)
with ad.GradientTape() as tape:
    for i in range(3):
        acc.assign_add(x * float(i))  # here
    y = acc * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "sqrt 0",
    "not finite",
    "not finite",
    """
x = ad.Variable([0.0, 4.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.sqrt(x))  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "norm at zero",
    "not finite",
    "not finite",
    """
x = ad.Variable([0.0, 0.0])
with ad.GradientTape() as tape:
    y = ad.norm(x)  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "log 0",
    "not finite",
    "value not finite",
    """
x = ad.Variable([0.0, 4.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.math.log(x))  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "where trap in lambda",
    "not finite",
    "where trap",
    """
safe_log = lambda v: ad.where(v > 0.0, ad.math.log(v), 0.0)  # here
x = ad.Variable([0.0, 4.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(safe_log(x))
answer = ad.explain(tape, y, x)
""",
)
style(
    "dead relu in class",
    "zero",
    "zero",
    """
class Dense:
    def __init__(self, w, b): self.w, self.b = ad.Variable(w), ad.Variable(b)
    def __call__(self, x): return ad.nn.relu(x @ self.w + self.b)  # here
layer = Dense([[1.0], [1.0]], [-100.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(layer(ad.constant([[1.0, 2.0]])))
answer = ad.explain(tape, y, layer.w)
""",
)
style(
    "zero init deep",
    "zero",
    "zero",
    """
W1, W2 = ad.Variable(ad.ones((2, 2))), ad.Variable(ad.zeros((2, 1)))  # here
x = ad.constant([[1.0, 2.0]])
with ad.GradientTape() as tape:
    h = ad.tanh(x @ W1)
    y = ad.reduce_sum(h @ W2)
answer = ad.explain(tape, y, W1)
""",
)
style(
    "clip",
    "zero",
    "zero",
    """
x = ad.Variable(5.0)
with ad.GradientTape() as tape:
    y = ad.clip_by_value(x, 0.0, 1.0) ** 2  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "zero target weight",
    "zero",
    "zero",
    """
x = ad.Variable(5.0); weight = 0.0
with ad.GradientTape() as tape:
    y = weight * x  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "innocent print then constant",
    "none",
    "not on the way",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    h = x * x  # here
    print(float(h), end="")
    c = ad.constant(2.0)
    y = w * c
answer = ad.explain(tape, y, x)
""",
)
style(
    "innocent print in history then floor elsewhere",
    "none",
    "not on the way",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
history = []
with ad.GradientTape() as tape:
    h = x * x  # here
    history.append(float(h))
    y = w * ad.constant(2.0)
answer = ad.explain(tape, y, x)
""",
)
style(
    "numpy chain of names",
    "none",
    "left the tensors",
    """
x, w = ad.Variable([2.0, 1.0]), ad.Variable(3.0)
with ad.GradientTape() as tape:
    h = (x * x).numpy()  # here
    a = np.sin(h)
    b = a.sum()
    y = w * ad.constant(b)
answer = ad.explain(tape, y, x)
""",
)
style(
    "numpy append list",
    "none",
    "left the tensors",
    """
x = ad.Variable([2.0, 1.0])
with ad.GradientTape() as tape:
    parts = []
    for i in range(2):
        parts.append((x[i] * 2.0).numpy())  # here
    y = ad.reduce_sum(ad.constant(parts))
answer = ad.explain(tape, y, x)
""",
)
style(
    "numpy in function",
    "none",
    "left the tensors",
    """
def to_np(t):
    return t.numpy()  # here
def loss(x):
    v = to_np(x * 3.0)
    return ad.reduce_mean(v ** 2)
x = ad.Variable([2.0, 1.0])
with ad.GradientTape() as tape:
    y = loss(x)
answer = ad.explain(tape, y, x)
""",
)
style(
    "uncalled function has the branch",
    "none",
    "not used",
    """
def never_called(flag):
    if flag:
        return x * 2.0
    return w
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:  # here
    y = w * w
answer = ad.explain(tape, y, x)
""",
)
style(
    "other local of that name in a branch",
    "none",
    "not used",
    """
def clean(x):
    if x is None:
        return 0.0
    elif isinstance(x, str):
        x = x.strip()
    return x
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:  # here
    y = w * clean(2.0)
answer = ad.explain(tape, y, x)
""",
)
style(
    "early return",
    "none",
    "branch not taken",
    """
def model(x, w):
    if w > 1.0:
        return w * 2.0
    return w * x  # here
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = model(x, w)
answer = ad.explain(tape, y, x)
""",
)
style(
    "method branch self.b",
    "none",
    "branch not taken",
    """
class Layer:
    def __init__(self, use_bias):
        self.w, self.b, self.use_bias = ad.Variable(2.0), ad.Variable(0.0), use_bias
    def __call__(self, x):
        y = self.w * x
        if self.use_bias:
            y = y + self.b  # here
        return y
    def ask(self):
        with ad.GradientTape() as tape:
            y = self(2.0)
        return ad.explain(tape, y, self.b)
answer = Layer(False).ask()
""",
)
style(
    "match statement",
    "none",
    "branch not taken",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
mode = "w"
with ad.GradientTape() as tape:
    match mode:
        case "x":
            y = x * 2.0  # here
        case _:
            y = w * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "try except swallowed",
    "none",
    "not on the way",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    try:
        y = x @ w
    except Exception:
        y = w * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "exitstack two tapes",
    "none",
    "another tape",
    """
from contextlib import ExitStack
x = ad.Variable(2.0)
with ExitStack() as stack:
    tape = stack.enter_context(ad.GradientTape())
    z = x + 1.0
with ad.GradientTape() as second:
    y = x * x  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "with two items",
    "none",
    "no gradient",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as outer, ad.GradientTape() as inner:
    y = ad.round(x)  # here
answer = ad.explain(outer, y, x)
""",
)
style(
    "keywords",
    "none",
    "stop_gradient",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = ad.stop_gradient(x) + 1.0  # here
answer = ad.explain(sources=x, target=y, tape=tape)
""",
)
style(
    "star args",
    "none",
    "stop_gradient",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = ad.stop_gradient(x) + 1.0  # here
q = (y, x)
answer = ad.explain(tape, *q)
""",
)
style(
    "import explain as",
    "none",
    "stop_gradient",
    """
from autodiff_kit import explain as why
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = ad.stop_gradient(x) + 1.0  # here
answer = why(tape, y, x)
""",
)
style(
    "second derivative of linear",
    "none",
    "not on the way",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        y = 3.0 * x
    g = inner.gradient(y, x)  # here
answer = ad.explain(outer, g, x)
""",
)
style(
    "second derivative relu zero",
    "zero",
    "zero",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        y = ad.nn.relu(x) * x ** 0
    g = inner.gradient(y, x)
answer = ad.explain(outer, g, x)
""",
)
style(
    "int index",
    "none",
    "left the tensors",
    """
table = ad.Variable([1.0, 2.0, 3.0])
pos = ad.Variable(1.2)
with ad.GradientTape() as tape:
    y = table[int(pos)] * 2.0  # here
answer = ad.explain(tape, y, pos)
""",
)
style(
    "gather by cast",
    "none",
    "cast to int",
    """
table = ad.Variable([1.0, 2.0, 3.0])
pos = ad.Variable(1.2)
with ad.GradientTape() as tape:
    i = ad.cast(pos, ad.int32)  # here
    y = ad.gather(table, i) * 2.0
answer = ad.explain(tape, y, pos)
""",
)
style(
    "assert is innocent",
    "none",
    "not on the way",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    h = x * 2.0  # here
    assert h > 0.0
    y = w * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "two tapes same names in function",
    "none",
    "another tape",
    """
def forward(x):
    with ad.GradientTape() as tape:
        y = x * x  # here
    return y, tape
x = ad.Variable(2.0)
y, tape1 = forward(x)
_, tape2 = forward(x)
answer = ad.explain(tape2, y, x)
""",
)
style(
    "loss over batch of python floats",
    "none",
    "left the tensors",
    """
w = ad.Variable(2.0)
xs = [1.0, 2.0]
with ad.GradientTape() as tape:
    preds = [float(w * x) for x in xs]  # here
    loss = ad.reduce_mean(ad.square(ad.constant(preds)))
answer = ad.explain(tape, loss, w)
""",
)
style(
    "np.mean of tensor list",
    "none",
    "left the tensors",
    """
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    losses = [w * float(i) for i in range(3)]
    loss = ad.convert_to_tensor(np.mean(losses))  # here
answer = ad.explain(tape, loss, w)
""",
)
style(
    "sum of generator fine then argmax",
    "none",
    "no gradient",
    """
w = ad.Variable([2.0, 1.0])
with ad.GradientTape() as tape:
    loss = sum(ad.cast(ad.argmax(w * float(i)), ad.float32) for i in range(3))  # here
answer = ad.explain(tape, loss, w)
""",
)
style(
    "global keyword rebind",
    "none",
    "rebound",
    """
w = ad.Variable(2.0)
def update():
    global w
    w = w - 0.1  # here
update()
with ad.GradientTape() as tape:
    y = w * w
answer = ad.explain(tape, y, w)
""",
)
style(
    "update dict",
    "none",
    "rebound",
    """
params = {"w": ad.Variable(2.0)}
for k in params:
    params[k] = params[k] - 0.1  # here
with ad.GradientTape() as tape:
    y = params["w"] ** 2
answer = ad.explain(tape, y, params["w"])
""",
)
style(
    "map structure update",
    "none",
    "rebound",
    """
params = [ad.Variable(2.0), ad.Variable(1.0)]
grads = [0.1, 0.2]
params = [p - 0.1 * g for p, g in zip(params, grads)]  # here
with ad.GradientTape() as tape:
    y = params[0] * params[1]
answer = ad.explain(tape, y, params[0])
""",
)
style(
    "detach by numpy constructor variable",
    "none",
    "left the tensors",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    h = x * 3.0
    v = ad.Variable(h.numpy())  # here
    y = v * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "variable made of tensor",
    "none",
    "assigned",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    h = x * 3.0
    v = ad.Variable(h)  # here
    y = v * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "softmax argmax one hot",
    "none",
    "no gradient",
    """
logits = ad.Variable([[1.0, 2.0], [0.3, 0.1]])
labels = ad.constant([0, 1])
with ad.GradientTape() as tape:
    pred = ad.argmax(ad.nn.softmax(logits), axis=1)  # here
    acc = ad.reduce_mean(ad.cast(ad.equal(pred, ad.cast(labels, pred.dtype)), ad.float32))
    loss = 1.0 - acc
answer = ad.explain(tape, loss, logits)
""",
)
style(
    "sat sigmoid xent",
    "zero",
    "zero",
    """
w = ad.Variable(500.0)
with ad.GradientTape() as tape:
    prob = ad.sigmoid(w * 1.0)  # here
    loss = -ad.math.log(prob + 1e-9)
answer = ad.explain(tape, loss, w)
""",
)
style(
    "0/0",
    "not finite",
    "value not finite",
    """
x = ad.Variable([0.0, 0.0])
with ad.GradientTape() as tape:
    n = ad.reduce_sum(x)
    y = ad.reduce_sum(x / n)  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "inf target weight",
    "not finite",
    "not finite",
    """
x = ad.Variable(4.0)
with ad.GradientTape() as tape:
    y = ad.math.pow(x - 4.0, 0.5)  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "print on the same line",
    "none",
    "not on the way",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    h = x * x; print(float(h), end=""); y = w * 2.0  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "wrong: one way is cut by stop_gradient",
    "flows",
    "",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    h = ad.stop_gradient(x * x)
    y = h * x
answer = ad.explain(tape, y, x)
""",
)
style(
    "wrong: one factor went through numpy",
    "flows",
    "",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    scale = float(x)
    y = scale * x
answer = ad.explain(tape, y, x)
""",
)
style(
    "wrong: floor beside",
    "flows",
    "",
    """
x = ad.Variable(2.5)
with ad.GradientTape() as tape:
    y = x * x + ad.floor(x)
answer = ad.explain(tape, y, x)
""",
)
style(
    "optimizer pairs swapped zip",
    "none",
    "not on the way",
    """
a, b = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape(persistent=True) as tape:
    la = a * a
    lb = b * b  # here
answer = ad.explain(tape, la, b)
""",
)
style(
    "target is python sum of nothing",
    "none",
    "loop never ran",
    """
x = ad.Variable(2.0)
batches = []
with ad.GradientTape() as tape:
    loss = ad.constant(0.0)
    for b in batches:  # here
        loss += x * b
answer = ad.explain(tape, loss, x)
""",
)
style(
    "watch in wrong tape",
    "none",
    "not watched",
    """
x = ad.constant(2.0)  # here
with ad.GradientTape() as t1, ad.GradientTape() as tape:
    t1.watch(x)
    y = x * x
answer = ad.explain(tape, y, x)
""",
)
style(
    "watch twice after",
    "none",
    "watched late",
    """
x = ad.constant(2.0)
def f(t): return t * t  # here
with ad.GradientTape() as tape:
    y = f(x)
    tape.watch(x)
answer = ad.explain(tape, y, x)
""",
)
style(
    "watch copy",
    "none",
    "not watched",
    """
x = ad.constant(2.0)  # here
with ad.GradientTape() as tape:
    tape.watch(ad.identity(x))
    y = x * x
answer = ad.explain(tape, y, x)
""",
)
style(
    "source is identity copy",
    "none",
    "new expression",
    """
w = ad.Variable([2.0, 3.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(w * w)
answer = ad.explain(tape, y, w[0])  # here
""",
)
style(
    "source slice bound before",
    "none",
    "made of the same",
    """
w = ad.Variable([2.0, 3.0])
first = w[0]  # here
with ad.GradientTape() as tape:
    y = ad.reduce_sum(w * w)
answer = ad.explain(tape, y, first)
""",
)
style(
    "gradient of metric",
    "none",
    "no gradient",
    """
logits = ad.Variable([0.2, 0.9])
with ad.GradientTape() as tape:
    correct = ad.cast(logits > 0.5, ad.float32)  # here
    acc = ad.reduce_mean(correct)
answer = ad.explain(tape, acc, logits)
""",
)
style(
    "sign loss",
    "zero",
    "zero",
    """
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = ad.sign(x) * 3.0  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "abs at zero",
    "zero",
    "zero",
    """
x = ad.Variable(0.0)
with ad.GradientTape() as tape:
    y = ad.abs(x)  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "max other element",
    "zero",
    "zero",
    """
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    y = ad.maximum(x[0], x[1]) * 0.0 + ad.maximum(5.0, x[0])
answer = ad.explain(tape, y, x)
""",
)
style(
    "cancelled over function",
    "zero",
    "cancelled",
    """
def centre(v): return v - ad.reduce_mean(v)
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(centre(x))
answer = ad.explain(tape, y, x)
""",
)
style(
    "softmax sum",
    "zero",
    "zero",
    """
x = ad.Variable([1.0, 2.0, 3.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.nn.softmax(x))  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "output gradients zero is not asked",
    "flows",
    "",
    """
x = ad.Variable([1.0, 2.0, 3.0])
with ad.GradientTape() as tape:
    y = x * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "exp overflow in loop",
    "not finite",
    "value not finite",
    """
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = x
    for _ in range(4):
        y = ad.exp(y)  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "nan data",
    "not finite",
    "data not finite",
    """
data = ad.constant([1.0, float("nan")])
w = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = ad.reduce_mean(data * w)  # here
answer = ad.explain(tape, y, w)
""",
)
style(
    "div by std zero",
    "zero",
    "cancelled",
    """
x = ad.Variable([3.0, 3.0])
with ad.GradientTape() as tape:
    m = ad.reduce_mean(x)
    std = ad.sqrt(ad.reduce_mean((x - m) ** 2))
    y = ad.reduce_sum((x - m) / (std + 1e-6))
answer = ad.explain(tape, y, x)
""",
)
style(
    "where trap named mask",
    "not finite",
    "where trap",
    """
x = ad.Variable([0.0, 2.0])
with ad.GradientTape() as tape:
    mask = x > 0.0
    inv = 1.0 / x  # here
    y = ad.reduce_sum(ad.where(mask, inv, ad.zeros_like(x)))
answer = ad.explain(tape, y, x)
""",
)
style(
    "nested function with nonlocal",
    "none",
    "rebound",
    """
def outer():
    w = ad.Variable(2.0)
    def step():
        nonlocal w
        w = w * 0.9  # here
    step()
    with ad.GradientTape() as tape:
        y = w * w
    return ad.explain(tape, y, w)
answer = outer()
""",
)
style(
    "custom gradient none for second",
    "none",
    "custom None",
    """
@ad.custom_gradient
def f(a, b):
    def grad(dy):
        return dy, None
    return a * b, grad
a, b = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = f(a, b)  # here
answer = ad.explain(tape, y, b)
""",
)
style(
    "custom gradient zero",
    "zero",
    "zero",
    """
@ad.custom_gradient
def f(a):
    def grad(dy):
        return dy * 0.0
    return a * 2.0, grad
a = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = f(a)  # here
answer = ad.explain(tape, y, a)
""",
)
style(
    "override with zero",
    "none",
    "custom None",
    """
ad.NotDifferentiable("NothingStyles3") if "NothingStyles3" not in __import__("autodiff_kit.registry", fromlist=["x"]).GRADIENTS else None
a = ad.Variable(2.0)
with ad.GradientTape() as tape:
    with ad.gradient_override_map({"Square": "NothingStyles3"}):
        y = ad.square(a)  # here
answer = ad.explain(tape, y, a)
""",
)
style(
    "unique has no rule",
    "none",
    "no rule",
    """
a = ad.Variable([2.0, 2.0])
with ad.GradientTape() as tape:
    u, _ = ad.unique(a)  # here
    y = ad.reduce_sum(u)
answer = ad.explain(tape, y, a)
""",
)
style(
    "property",
    "none",
    "no gradient",
    """
class M:
    def __init__(self): self._w = ad.Variable(2.5)
    @property
    def w(self): return ad.round(self._w)  # here
m = M()
with ad.GradientTape() as tape:
    y = m.w * 2.0
answer = ad.explain(tape, y, m._w)
""",
)
style(
    "underscore and loop names",
    "none",
    "no gradient",
    """
_w = ad.Variable(2.5)
with ad.GradientTape() as _t:
    for _ in range(2):
        _h = ad.floor(_w)  # here
answer = ad.explain(_t, _h, _w)
""",
)
style(
    "tape.gradient inside then used",
    "none",
    "not on the way",
    """
x = ad.Variable(2.0)
w = ad.Variable(1.0)
with ad.GradientTape(persistent=True) as tape:
    y = x * x  # here
    z = w * 2.0
answer = ad.explain(tape, z, x)
""",
)
style(
    "list of losses numpy mean float history",
    "flows",
    "",
    """
x = ad.Variable(2.0)
history = []
for _ in range(3):
    with ad.GradientTape() as tape:
        loss = x * x
    history.append(float(loss))
answer = ad.explain(tape, loss, x)
""",
)
style(
    "assign then innocent",
    "none",
    "not on the way",
    """
x, w, ema = ad.Variable(2.0), ad.Variable(1.0), ad.Variable(0.0)
with ad.GradientTape() as tape:
    h = x * 3.0  # here
    ema.assign(0.9 * ema + 0.1 * h)
    y = w * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "ema assign innocent of w",
    "none",
    "assigned",
    """
x, w, ema = ad.Variable(2.0), ad.Variable(1.0), ad.Variable(0.0)
with ad.GradientTape() as tape:
    ema.assign(0.9 * ema + 0.1 * x)  # here
    y = w * ema
answer = ad.explain(tape, y, x)
""",
)
style(
    "mutated numpy buffer",
    "none",
    "left the tensors",
    """
x = ad.Variable([2.0, 3.0])
buf = np.zeros(2, np.float32)
with ad.GradientTape() as tape:
    for i in range(2):
        buf[i] = x[i]  # here
    y = ad.reduce_sum(ad.constant(buf))
answer = ad.explain(tape, y, x)
""",
)
style(
    "fstring and innocent item",
    "none",
    "no gradient",
    """
x = ad.Variable(2.5)
with ad.GradientTape() as tape:
    h = x * 2.0
    msg = f"{float(h):.2f}"
    y = ad.math.ceil(h)  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "if with else same var, walrus cond",
    "none",
    "condition",
    """
x, w = ad.Variable(2.5), ad.Variable(1.0)
with ad.GradientTape() as tape:
    if (big := x > 1.0):  # here
        y = w * 2.0
    else:
        y = w * 3.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "while condition",
    "none",
    "condition",
    """
x, w = ad.Variable(2.5), ad.Variable(1.0)
with ad.GradientTape() as tape:
    y, t = w * 1.0, x * 1.0
    while t > 1.0:  # here
        t = t - 1.0
        y = y * w
answer = ad.explain(tape, y, x)
""",
)
style(
    "a helper's local of the same name left",
    "none",
    "not on the way",
    """
def report(loss):
    h = float(loss)
    print(h, end="")
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    loss = x * x  # here
    report(loss)
    h = ad.constant(2.0)
    y = w * h
answer = ad.explain(tape, y, x)
""",
)
style(
    "variable made of shape only",
    "none",
    "not on the way",
    """
x, w = ad.Variable([2.0, 1.0]), ad.Variable(3.0)
with ad.GradientTape() as tape:
    h = x * x  # here
    v = ad.Variable(np.zeros(2, np.float32))
    y = ad.reduce_sum(v * w)
answer = ad.explain(tape, y, x)
""",
)
style(
    "cached branch, same name passed under another",
    "none",
    "branch not taken",
    """
def net(inputs, scale, use_scale):
    if use_scale:
        return inputs * scale  # here
    return inputs
w, gain = ad.Variable(3.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = net(w, gain, False)
answer = ad.explain(tape, y, gain)
""",
)
style(
    "boolean operator",
    "none",
    "branch not taken",
    """
w, gain = ad.Variable(3.0), ad.Variable(2.0)
flag = False
with ad.GradientTape() as tape:
    y = w * 2.0 + (flag and gain * 2.0)
answer = ad.explain(tape, y, gain)
""",
)
style(
    "lambda in dict",
    "none",
    "not used",
    """
w, gain = ad.Variable(3.0), ad.Variable(2.0)
act = {"a": lambda v: v * gain, "b": lambda v: v * 2.0}
with ad.GradientTape() as tape:
    y = act["b"](w)
answer = ad.explain(tape, y, gain)
""",
)
style(
    "stopped block used for logging only",
    "none",
    "not used",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:  # here
    with tape.stop_recording():
        print(float(x), end="")
    y = w * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "stopped for logging, constant from block",
    "none",
    "recording stopped",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    with tape.stop_recording():
        k = x * 2.0  # here
    y = w * k
answer = ad.explain(tape, y, x)
""",
)
style(
    "keras layer frozen",
    "flows",
    "",
    """
layer = ad.keras.layers.Dense(1, trainable=False)
data = ad.ones((2, 3))
layer(data)
with ad.GradientTape() as tape:
    y = ad.reduce_sum(layer(data))
answer = ad.explain(tape, y, layer.kernel)
""",
)
style(
    "keras layer with a state that was made inside",
    "none",
    "not trainable",
    """
class Scale(ad.keras.layers.Layer):
    def build(self, input_shape):
        self.factor = self.add_weight((), "ones", trainable=False)  # here
    def call(self, inputs):
        return inputs * self.factor
layer = Scale()
with ad.GradientTape() as tape:
    y = ad.reduce_sum(layer(ad.ones((2, 3))))
answer = ad.explain(tape, y, layer.factor)
""",
)
style(
    "keras layer not called",
    "none",
    "not used",
    """
a, b = ad.keras.layers.Dense(2), ad.keras.layers.Dense(1)
data = ad.ones((2, 3))
b(a(data))
with ad.GradientTape() as tape:  # here
    y = ad.reduce_sum(a(data))
answer = ad.explain(tape, y, b.kernel)
""",
)
style(
    "explain in another function than the tape",
    "none",
    "no gradient",
    """
def forward(p):
    with ad.GradientTape() as t:
        out = ad.floor(p["k"]) * p["k2"]  # here
    return t, out
def report(t, out, p):
    return ad.explain(t, out, p["k"])
params = {"k": ad.Variable(1.5), "k2": ad.Variable(2.0)}
answer = report(*forward(params), params)
""",
)
style(
    "not on path with print of source",
    "none",
    "not on the way",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    x_value = float(x)
    z = x * 3.0  # here
    print(f"{x_value}", end="")
    y = w * 2.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "range of int of source",
    "none",
    "condition",
    """
n, w = ad.Variable(3.0), ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = w * 1.0
    for i in range(int(n)):  # here
        y = y * w
answer = ad.explain(tape, y, n)
""",
)
style(
    "numpy function and constant on next line of multi-line call",
    "none",
    "left the tensors",
    """
x = ad.Variable([2.0, 1.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(
        ad.constant(
            np.tanh(x)  # here
        )
    )
answer = ad.explain(tape, y, x)
""",
)
style(
    "zero from mask in multi-line",
    "zero",
    "zero",
    """
x = ad.Variable([2.0, 1.0])
mask = ad.constant([0.0, 0.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(
        mask
        * x
    )
answer = ad.explain(tape, y, x)
""",
)
style(
    "dead relu after bias in loop over layers",
    "zero",
    "zero",
    """
layers = [(ad.Variable(ad.ones((2, 2))), ad.Variable([-50.0, -50.0])) for _ in range(2)]
h = ad.ones((1, 2))
with ad.GradientTape() as tape:
    for W, b in layers:
        h = ad.nn.relu(h @ W + b)  # here
    y = ad.reduce_sum(h)
answer = ad.explain(tape, y, layers[0][0])
""",
)
style(
    "contextmanager wrapper",
    "none",
    "outside the tape",
    """
from contextlib import contextmanager
@contextmanager
def recording():
    with ad.GradientTape() as t:
        yield t
x = ad.Variable(2.0)
with recording() as tape:
    pass
y = x * x  # here
answer = ad.explain(tape, y, x)
""",
)
style(
    "float in an if",
    "none",
    "condition",
    """
x, w = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    if float(x) > 1.0:  # here
        y = w * 2.0
    else:
        y = w * 3.0
answer = ad.explain(tape, y, x)
""",
)
style(
    "method returns numpy",
    "none",
    "left the tensors",
    """
class Net:
    def __init__(self):
        self.w = ad.Variable(2.0)
    def features(self, x):
        h = (self.w * x).numpy()  # here
        return h
    def loss(self, x):
        f = self.features(x)
        return ad.square(ad.constant(f))
net = Net()
with ad.GradientTape() as tape:
    y = net.loss(3.0)
answer = ad.explain(tape, y, net.w)
""",
)
style(
    "kept on self",
    "none",
    "left the tensors",
    """
class Net:
    def __init__(self):
        self.w = ad.Variable(2.0)
    def prepare(self, x):
        self.h = float(self.w * x)  # here
    def loss(self, v):
        return v * self.h
net, v = Net(), ad.Variable(1.0)
with ad.GradientTape() as tape:
    net.prepare(3.0)
    y = net.loss(v)
answer = ad.explain(tape, y, net.w)
""",
)
