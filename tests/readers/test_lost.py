"""A gradient that flows and is not the whole: each way on which it is lost is named, and no other."""

from __future__ import annotations

import sys
import textwrap

import pytest

from readers.test_told import run, told

columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns")

LOST = {  # what is said, with bars between the sentences, and the program
    "stop_gradient of another difference than a straight-through estimator's": (
        "ad.stop_gradient at line 6 of|holds it back, as is its purpose",
        """w = ad.Variable([0.3, 1.7], name="w")
with ad.GradientTape() as tape:
    h = w * 2.0
    loss = ad.reduce_sum(h + ad.stop_gradient(ad.floor(h) - w))
ad.explain(tape, loss, w)""",
    ),
    "a tensor made before the block": (
        "`h` was computed at line 4 of|before the block of `tape` began",
        """w = ad.Variable(2.0, name="w")
h = w * w
with ad.GradientTape() as tape:
    loss = h * w
ad.explain(tape, loss, w)""",
    ),
    "two steps before the block, the first without a name now": (
        "`h` was computed at line 6 of",
        """w = ad.Variable(2.0, name="w")
def features():
    h = ad.tanh(w)
    return h * 2.0
h = features()
with ad.GradientTape() as tape:
    loss = h * w
ad.explain(tape, loss, w)""",
    ),
    "a layer called before the block": (
        "`h` was computed at line 5 of",
        """net = ad.keras.layers.Dense(2)
x = ad.ones([3, 4])
h = net(x)
w = net.trainable_variables[0]
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(h * net(x))
ad.explain(tape, loss, w)""",
    ),
    "weights tied once in a class": (
        "`model.out` was computed at line 6 of",
        """class Model:
    def __init__(self):
        self.emb = ad.Variable([[1.0, 2.0], [3.0, 4.0]], name="emb")
        self.out = ad.transpose(self.emb)
    def __call__(self, x):
        return ad.tanh(x @ self.emb) @ self.out
model = Model()
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(model(ad.ones([1, 2])))
ad.explain(tape, loss, model.emb)""",
    ),
    "an inner gradient taken before": (
        "`gw` is a gradient that was taken at line 6 of",
        """w = ad.Variable(2.0, name="w")
with ad.GradientTape() as inner:
    l = w ** 3
gw = inner.gradient(l, w)
with ad.GradientTape() as tape:
    loss = (w - 0.1 * gw) ** 2
ad.explain(tape, loss, w)""",
    ),
    "inner gradients in a list, and a step": (
        "`grads` is a gradient that was taken at line 6 of",
        """w, b = ad.Variable(2.0, name="w"), ad.Variable(1.0, name="b")
with ad.GradientTape() as inner:
    l = w ** 3 * b ** 2
grads = inner.gradient(l, [w, b])
with ad.GradientTape() as tape:
    fast = [v - 0.1 * g for v, g in zip([w, b], grads)]
    loss = fast[0] * fast[1]
ad.explain(tape, loss, w)""",
    ),
    "the source itself is assigned": (
        "`w` itself was assigned at line 7 of",
        """w = ad.Variable(2.0, name="w")
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        l = (w - 2.5) ** 2
    w.assign_sub(0.1 * inner.gradient(l, w)); loss = (w - 2.5) ** 2
ad.explain(tape, loss, w)""",
    ),
    "another variable is assigned": (
        "the variable `m` as well, which was assigned at line 6 of",
        """w, m = ad.Variable(2.0, name="w"), ad.Variable(0.0, name="m")
with ad.GradientTape() as tape:
    a = w * w
    m.assign(0.9 * m + 0.1 * a)
    loss = (a - m) ** 2
ad.explain(tape, loss, w)""",
    ),
    "assigned in two steps, and no tape watches it": (
        "the variable `m` as well, which was assigned at line 6 of",
        """w, m = ad.Variable(2.0, name="w"), ad.Variable(0.0, trainable=False, name="m")
with ad.GradientTape() as tape:
    a = w * w
    m.assign(a)
    m.assign_add(1.0)
    loss = (a - m) ** 2
ad.explain(tape, loss, w)""",
    ),
    "moving averages instead of the batch's": (
        "the variable `moving` as well, which was assigned at line 8 of",
        """class Norm:
    def __init__(self):
        self.moving = ad.Variable([0.0], trainable=False, name="moving")
    def __call__(self, h):
        mean = ad.reduce_mean(h, axis=0)
        self.moving.assign(0.9 * self.moving + 0.1 * mean)
        return (h - self.moving) * mean
w, norm = ad.Variable([[1.0], [2.0]], name="w"), Norm()
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(norm(ad.ones([3, 2]) @ w))
ad.explain(tape, loss, w)""",
    ),
    "a new variable": (
        "the variable `v` as well, made at line 5 of",
        """w = ad.Variable(2.0, name="w")
with ad.GradientTape() as tape:
    v = ad.Variable(w * w)
    loss = w * v
ad.explain(tape, loss, w)""",
    ),
    "a new variable that is not trained": (
        "a variable as well, made at line 5 of",
        """w = ad.Variable(2.0, name="w")
with ad.GradientTape() as tape:
    v = ad.Variable(w * w, trainable=False)
    loss = w * v
ad.explain(tape, loss, w)""",
    ),
    "cast to int and back": (
        "through Cast at line 5 of",
        """w = ad.Variable(2.5, name="w")
with ad.GradientTape() as tape:
    n = ad.cast(w, ad.int32)
    loss = w * ad.cast(n + 1, ad.float32)
ad.explain(tape, loss, w)""",
    ),
    "while the tape was paused": (
        "`b` was computed at line 7 of|while tape.stop_recording() had paused the tape",
        """w = ad.Variable(2.0, name="w")
with ad.GradientTape() as tape:
    a = ad.tanh(w)
    with tape.stop_recording():
        b = a * a
    loss = w * b
ad.explain(tape, loss, w)""",
    ),
    "on another tape": (
        "`h` was recorded by `first` (line 5), not by `tape`",
        """w = ad.Variable(2.0, name="w")
with ad.GradientTape() as first:
    h = w * w
with ad.GradientTape() as tape:
    loss = h * w
ad.explain(tape, loss, w)""",
    ),
    "on another tape, and added": (
        "`h` was recorded by `first` (line 5), not by `tape`",
        """w = ad.Variable(2.0, name="w")
with ad.GradientTape() as first:
    h = w * w
with ad.GradientTape() as tape:
    loss = h + w
ad.explain(tape, loss, w)""",
    ),
    "the inner block had ended": (
        "The block of `inner` had ended before the block of `outer` began|asked for at line 9 of",
        """x = ad.constant(0.5)
with ad.GradientTape() as inner:
    inner.watch(x)
    u = x * ad.tanh(x)
with ad.GradientTape() as outer:
    outer.watch(x)
    u_x = inner.gradient(u, x)
ad.explain(outer, u_x, x)""",
    ),
    "the inner block had ended, and the variable is used as well": (
        "The block of `inner` had ended before the block of `outer` began|asked for at line 7 of",
        """w = ad.Variable(0.5, name="w")
with ad.GradientTape() as inner:
    l = ad.exp(w)
with ad.GradientTape() as outer:
    g = inner.gradient(l, w)
    loss = (w - 0.1 * g) ** 2
ad.explain(outer, loss, w)""",
    ),
}


@columns
@pytest.mark.parametrize("name", LOST)
def test_a_way_that_is_lost_is_named(name: str) -> None:
    words, text = LOST[name]
    found = told(text)
    assert found.status == "flows" and len(found.also) == 1, str(found)
    for part in words.split("|"):
        assert part in found.also[0], found.also


HEALTHY = {
    "a target that is chosen by a position": """w = ad.Variable([[1.0, 2.0]], name="w")
v = ad.constant([[3.0, 4.0]])
with ad.GradientTape() as tape:
    best = ad.argmax(w, axis=1)
    goal = ad.stop_gradient(1.0 + 0.9 * ad.gather(v, best, axis=1, batch_dims=1))
    mask = ad.stop_gradient(ad.cast(w > 1.5, ad.float32))
    loss = ad.reduce_sum((w * mask - goal) ** 2)
ad.explain(tape, loss, w)""",
    "a straight-through estimator": """w = ad.Variable([0.3, 1.7], name="w")
with ad.GradientTape() as tape:
    h = w * 2.0
    hard = h + ad.stop_gradient(ad.round(h) - h)
    loss = ad.reduce_sum((ad.stop_gradient(ad.floor(hard) - hard) + hard) ** 2)
ad.explain(tape, loss, w)""",
    "moving averages that are only kept": """w = ad.Variable([[1.0], [2.0]], name="w")
moving = ad.Variable([0.0], trainable=False, name="moving")
with ad.GradientTape() as tape:
    h = ad.ones([3, 2]) @ w
    mean = ad.reduce_mean(h, axis=0)
    moving.assign(0.9 * moving + 0.1 * mean)
    loss = ad.reduce_sum((h - mean) ** 2) + h[0, 0]
ad.explain(tape, loss, w)""",
    "a variable that was read before it is assigned": """w = ad.Variable(2.0, name="w")
m = ad.Variable(1.0, name="m")
with ad.GradientTape() as tape:
    loss = w * m
    m.assign(loss)
ad.explain(tape, loss, w)""",
    "a variable that holds something else by now": """w = ad.Variable(2.0, name="w")
m = ad.Variable(1.0, name="m")
with ad.GradientTape() as tape:
    m.assign(w * w)
    m.assign(3.0)
    loss = w * m
ad.explain(tape, loss, w)""",
    "only the shape": """w = ad.Variable([1.0, 2.0], name="w")
noise, n = ad.random.normal(w.shape), ad.cast(ad.size(w), ad.float32)
start = ad.zeros_like(w) + 1.0
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((w + noise) * start) / n
    loss = loss + ad.reduce_sum(ad.ones_like(w) * w)
ad.explain(tape, loss, w)""",
    "what a function of the learner's made of it, which nobody knows": """w = ad.Variable([1.0, 2.0])
def mask_of(v):
    return ad.cast(v > 1.5, ad.float32)
def noise_like(v):
    return ad.random.normal(v.shape)
mask, noise = mask_of(w), noise_like(w)
more = mask_of(w) + noise_like(w)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(w * mask + noise) + w[0] * more[0]
ad.explain(tape, loss, w)""",
    "a mask": """w = ad.Variable([1.0, 2.0], name="w")
mask = ad.cast(w > 1.5, ad.float32)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(w * mask)
ad.explain(tape, loss, w)""",
    "a copy to stay near": """w = ad.Variable([1.0, 2.0], name="w")
start = ad.identity(w)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((w - start) ** 2) + w[0]
ad.explain(tape, loss, w)""",
    "constants of others": """w, v = ad.Variable(1.0, name="w"), ad.Variable(2.0, name="v")
params = [w, v]
h, k = v * v, params[1] * 3.0
with ad.GradientTape() as tape:
    loss = w * h * k
ad.explain(tape, loss, params[0])""",
    "the state of a stream": """w, state = ad.Variable(1.0, name="w"), ad.constant(0.0)
for step in range(3):
    with ad.GradientTape(persistent=True) as tape:
        h = ad.tanh(w + state)
    w.assign_sub(0.1 * tape.gradient(h, w))
    state = h * 1.0
with ad.GradientTape(persistent=True) as tape:
    loss = w * 2.0
ad.explain(tape, loss, w)""",
    "a baseline of the last round": """w, low = ad.Variable(1.0, name="w"), ad.constant(0.0)
for step in range(3):
    with ad.GradientTape(persistent=True) as tape:
        loss = w * w - low
    answer = ad.explain(tape, loss, w)
    low = ad.tanh(w)
""",
    "a position": """w = ad.Variable(1.3, name="w")
table = ad.constant([0.0, 1.0, 4.0, 9.0])
with ad.GradientTape() as tape:
    i = ad.cast(w, ad.int32)
    j = int(w)
    loss = w * ad.gather(table, i) * table[j]
ad.explain(tape, loss, w)""",
    "how often": """w = ad.Variable(3.3, name="w")
with ad.GradientTape() as tape:
    n = int(w)
    loss = w
    for _ in range(n):
        loss = loss * w
ad.explain(tape, loss, w)""",
    "an accuracy": """w = ad.Variable([[1.0, 2.0]], name="w")
with ad.GradientTape() as tape:
    hits = ad.cast(ad.argmax(w, axis=1) == 0, ad.float32)
    loss = ad.reduce_sum(w * w) * (1.0 + 0.0 * ad.reduce_mean(hits))
ad.explain(tape, loss, w)""",
    "a gradient of a gradient": """x = ad.constant(0.5)
with ad.GradientTape() as outer:
    outer.watch(x)
    with ad.GradientTape() as inner:
        inner.watch(x)
        u = x * ad.tanh(x)
    u_x = inner.gradient(u, x)
ad.explain(outer, u_x, x)""",
    "steps of gradients": """w = ad.Variable(2.0, name="w")
with ad.GradientTape() as tape:
    fast = w
    for _ in range(3):
        with ad.GradientTape() as inner:
            inner.watch(fast)
            l = (fast - 2.5) ** 2
        fast = fast - 0.1 * inner.gradient(l, fast)
    loss = (fast - 2.5) ** 2
ad.explain(tape, loss, w)""",
    "a step that has nothing to do with it": """w, g = ad.Variable(2.0, name="w"), ad.constant(0.3)
with ad.GradientTape() as first:
    first.watch(g)
    l = g ** 2
step = first.gradient(l, g)
with ad.GradientTape() as tape:
    loss = (w - 0.1 * step) ** 2
ad.explain(tape, loss, w)""",
}


@pytest.mark.parametrize("name", HEALTHY)
def test_a_gradient_that_is_the_whole_gets_no_word(name: str) -> None:
    found = told(HEALTHY[name])
    assert found.status == "flows" and not found.also, str(found)


@columns
def test_several_lost_ways_are_named_and_not_more_than_three() -> None:
    found = told("""
w = ad.Variable(2.5, name="w")
with ad.GradientTape() as tape:
    v = ad.Variable(w * w)
    with tape.stop_recording():
        b = w * w
    c = float(w)
    loss = w * v * b * c * ad.stop_gradient(w) * ad.floor(w)
ad.explain(tape, loss, w)
""")
    assert [("float()" in found.also[0]), len(found.also)] == [True, 3], found.also
    assert "line 9 of" in found.also[0] and "line 6 of" in found.also[1]


def test_each_source_has_its_own() -> None:
    first, second = run("""
w, b = ad.Variable(2.0, name="w"), ad.Variable(1.0, name="b")
h = w * w
with ad.GradientTape() as tape:
    loss = h * w * b
ad.explain(tape, loss, [w, b])
""").findings
    assert (len(first.also), second.also) == (1, [])


FIRST = {  # cause, what is said, the line, and the program
    "float() before a position": (
        "left the tensors", "float()|Another way ends at line 5 of|(Cast)", 6,
        """x, table = ad.Variable(1.3, name="x"), ad.Variable([0.0, 1.0, 4.0, 9.0])
with ad.GradientTape() as tape:
    i = ad.cast(ad.floor(x), ad.int32)
    frac = float(x) % 1.0
    y = (1 - frac) * ad.gather(table, i) + frac * ad.gather(table, i + 1)
ad.explain(tape, y, x)""",
    ),
    "NumPy before a condition": (
        "left the tensors", "NumPy|Another way ends at line 6 of|(SelectV2)", 5,
        """x = ad.Variable(1.3, name="x")
with ad.GradientTape() as tape:
    weight = np.exp(-x)
    y = ad.where(x > 1.0, weight * ad.constant(2.0), 0.0)
ad.explain(tape, y, x)""",
    ),
    "assign before a condition": (
        "assigned", "variable `m` with assign|Another way ends at line 6 of|(SelectV2)", 5,
        """x, m = ad.Variable(1.3, name="x"), ad.Variable(0.0, name="m")
with ad.GradientTape() as tape:
    m.assign(x * x)
    y = ad.where(x > 1.0, m, 0.0)
ad.explain(tape, y, x)""",
    ),
    "what was made before the block before a condition": (
        "outside the tape", "`h` was computed at line 4 of|Another way ends at line 6 of", 4,
        """x = ad.Variable(1.3, name="x")
h = x * x
with ad.GradientTape() as tape:
    y = ad.where(x > 1.0, h * 2.0, 0.0)
ad.explain(tape, y, x)""",
    ),
    "stop_gradient before a comparison": (
        "stop_gradient", "Another way ends at line 5 of|(LessEqual)", 6,
        """t, knots = ad.Variable(1.3, name="t"), ad.constant([0.0, 1.0, 2.0, 3.0])
with ad.GradientTape() as tape:
    seg = ad.reduce_sum(ad.cast(knots[1:] <= t, ad.int32))
    y = ad.gather(knots, seg) * ad.stop_gradient(t)
ad.explain(tape, y, t)""",
    ),
    "two that left": (
        "left the tensors", "(numpy())|left the tensors (float()) at line 5 of", 6,
        """x = ad.Variable(1.3, name="x")
with ad.GradientTape() as tape:
    a = float(x * 2.0)
    b = ad.sin(x).numpy()
    y = ad.constant(a * b) + 1.0
ad.explain(tape, y, x)""",
    ),
    "stop_gradient and what left": (
        "stop_gradient", "On another way the value left the tensors (float()) at line 5 of", 6,
        """x = ad.Variable(1.3, name="x")
with ad.GradientTape() as tape:
    a = float(x)
    y = ad.stop_gradient(x) * a
ad.explain(tape, y, x)""",
    ),
    "numpy() before int()": (
        "left the tensors", "(numpy())", 6,
        """x, table = ad.Variable(1.3, name="x"), ad.Variable([0.0, 1.0, 4.0, 9.0])
with ad.GradientTape() as tape:
    j = int(x)
    weight = x.numpy(); i = int(x)
    y = weight * table[i] * table[j]
ad.explain(tape, y, x)""",
    ),
}  # fmt: skip


@columns
@pytest.mark.parametrize("name", FIRST)
def test_what_got_lost_is_told_before_what_a_right_program_has_too(name: str) -> None:
    cause, words, line, text = FIRST[name]
    found = told(text)
    assert (found.status, found.cause, found.line.number) == ("none", cause, line), str(found)
    for part in words.split("|"):
        assert part in str(found), str(found)


@pytest.mark.parametrize("more", ["", "print(float(x), end='')", "if float(x) > 9.0: y = 0.0"])
def test_a_position_alone_is_what_it_was(more: str) -> None:
    found = told(f"""
x, table = ad.Variable(1.3, name="x"), ad.Variable([0.0, 1.0, 4.0, 9.0])
with ad.GradientTape() as tape:
    i = ad.cast(x, ad.int32)
    y = ad.gather(table, i)
    {more}
ad.explain(tape, y, x)
""")
    assert (found.cause, found.op, found.also) == ("cast to int", "Cast", [])


KEPT = """
import functools
class Net:
    def __init__(self):
        self.w = ad.Variable(2.0)
    @functools.cached_property
    def energy(self):
        return self.w * self.w
net = Net()
print(net.energy, end="\\r")
with ad.GradientTape() as tape:
    loss = net.energy * 3.0
ad.explain(tape, loss, net.w)
"""


def test_a_property_that_keeps_its_value_is_to_keep_it_no_more() -> None:
    found = told(KEPT)
    assert "`energy` keeps what it once computed" in found.why
    old = "@functools.cached_property\ndef energy(self):\n    return self.w * self.w"
    assert found.fix.startswith("@property    # instead of @functools.cached_property\n")
    mended = KEPT.replace(textwrap.indent(old, "    "), textwrap.indent(found.fix, "    "))
    assert told(mended).status == "flows" and mended != KEPT, found.fix
