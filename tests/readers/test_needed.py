"""Code that moves lines into a block takes just those that the value is made of."""

from __future__ import annotations

import sys

import pytest

from readers.test_told import told

columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="expressions are not known")
HEAD = "w, b = ad.Variable(2.0), ad.Variable(0.5)\nx = ad.constant([1.0, 2.0])\n"
EARLIER = """
opt = ad.keras.optimizers.SGD(0.1)
for _ in range(2):
    with ad.GradientTape() as first:
        loss = ad.reduce_mean((w * x + b) ** 2)
    gw, gb = first.gradient(loss, [w, b])
    w.assign_sub(0.1 * gw)
    opt.apply_gradients([(gb, b)])
print("loss", float(loss), end="")
"""
# What stands before the block, what is in it, and which of the lines before belong into it.
PROGRAMS = [
    ("h = w * x\nloss = h * h\n", "z = w * 1.0", ["h = w * x", "loss = h * h"]),
    ("pred = w * x + b\n", "loss = ad.reduce_mean(pred ** 2)", ["pred = w * x + b"]),
    (
        "a = w * x\npred = a + 1.0\npred = w * 3.0\n",
        "loss = pred ** 2",
        ["pred = w * 3.0"],
    ),
    (
        "loss = 0.0\nloss += w * w\nloss = loss * 0.5\n",
        "pass",
        ["loss = 0.0", "loss += w * w", "loss = loss * 0.5"],
    ),
    (
        "c = ad.constant(2.0)\nh = w * c\nc = ad.constant(5.0)\nloss = h * c\n",
        "z = w * 1.0",
        ["c = ad.constant(2.0)", "h = w * c", "c = ad.constant(5.0)", "loss = h * c"],
    ),
    (
        "def model(x):\n    return w * x + b\npreds = [model(v) for v in (1.0, 2.0)]\n"
        "mean = ad.reduce_mean(x)\ntotal = (\n    preds[0]\n    + preds[1]\n)\n",
        "loss = total * mean",
        ["preds = [model(v) for v in (1.0, 2.0)]", "total = (", "preds[0]", "+ preds[1]", ")"],
    ),
    ("phi = w * x\nn = len(phi)\n", "loss = ad.reduce_sum(phi) / n", ["phi = w * x"]),
    (
        "params = [w, b]\npred = params[0] * x + params[1]\n",
        "loss = ad.reduce_sum(pred)",
        ["pred = params[0] * x + params[1]"],
    ),
]


@columns
@pytest.mark.parametrize("earlier", ["", EARLIER])
@pytest.mark.parametrize("before, inside, needed", PROGRAMS)
def test_just_what_is_needed_is_moved(
    before: str, inside: str, needed: list[str], earlier: str
) -> None:
    begin, ask = HEAD + earlier, "ad.explain(tape, loss, w)"
    block = f"with ad.GradientTape() as tape:\n    {inside}\n"
    found = told(f"{begin}{before}{block}{ask}")
    head, *lines = [line.strip() for line in found.fix.splitlines()]
    assert (head, lines) == ("with ad.GradientTape() as tape:", [*needed, inside]), str(found)
    assert told(f"{begin}{before}{found.fix}\n{ask}").status == "flows"
    assert "Take the gradient inside" not in found.advice


@columns
def test_an_earlier_question_moves_nothing() -> None:
    found = told(f"""{HEAD}
h = w * x
with ad.GradientTape() as first:
    loss = h * 2.0
str(ad.explain(first, loss, w))
k = w * w
with ad.GradientTape() as tape:
    loss = k * 2.0
ad.explain(tape, loss, w)
""")
    assert found.fix.split("\n    ")[1:] == ["k = w * w", "loss = k * 2.0"], str(found)


@columns
def test_a_source_that_an_earlier_gradient_made_needs_no_gradient() -> None:
    found = told("""
x = ad.constant(2.0)
with ad.GradientTape() as first:
    first.watch(x)
    y = x ** 3
x = x - 0.1 * first.gradient(y, x)
h = ad.sin(x)
with ad.GradientTape() as tape:
    tape.watch(x)
    z = h * 2.0
ad.explain(tape, z, x)
""")
    assert "one with block" in found.advice and "Take the gradient" not in found.advice
    assert found.fix.split("\n    ")[1:] == ["tape.watch(x)", "h = ad.sin(x)", "z = h * 2.0"]


@columns
@pytest.mark.parametrize(
    "before",
    [
        "parts = []\nparts.append(w * 2.0)\nparts.append(b)\nloss = ad.add_n(parts)\n",
        "h = w\nfor _ in range(2):\n    h = h * 2.0\nloss = h * 1.0\n",
        "c = ad.constant(2.0)\nh = w * c\nc = ad.constant(5.0)\nloss = h * 2.0\n",  # the block reads c
    ],
)
def test_where_it_is_not_certain_there_is_no_code(before: str) -> None:
    block = "with ad.GradientTape() as tape:\n    z = c * 1.0\n"
    found = told(f"{HEAD}c = 1.0\n{before}{block}ad.explain(tape, loss, w)")
    assert not found.fix and "with all that leads from `w` to it" in found.advice, str(found)


@columns
def test_what_came_after_the_block_takes_along_what_it_needs_from_above() -> None:
    text = f"""{HEAD}
pred = w * x
with ad.GradientTape() as tape:
    penalty = 0.01 * w ** 2
error = ad.reduce_mean(pred ** 2)
w.assign_sub(0.001)
loss = error + penalty
ad.explain(tape, loss, w)
"""
    found = told(text)
    assert found.fix.split("\n    ")[1:] == [
        "pred = w * x",
        "penalty = 0.01 * w ** 2",
        "error = ad.reduce_mean(pred ** 2)",
        "loss = error + penalty",
    ]
    assert "Put line 6 of" in found.advice and "(`pred = w * x`) into it too" in found.advice
    before, _, after = text.partition("with")
    assert told(f"{before}{found.fix}\nad.explain(tape, loss, w)").also == [] and after


@columns
def test_what_stands_further_down_has_not_run() -> None:
    found = told("""
w, u, v = ad.Variable(2.0), ad.constant(1.0), ad.Variable(1.0)
h = w * 3.0
with ad.GradientTape() as tape:
    loss = u * v
ad.explain(tape, loss, w)
with ad.GradientTape() as later:
    k = w * w
u = h * later.gradient(k, w)
""")
    assert found.cause == "not used" and "`h`" not in str(found), str(found)


@columns
def test_a_gradient_of_the_last_round_is_not_to_be_taken_inside() -> None:
    found = told("""
w, slope = ad.Variable(2.0), ad.constant(1.0)
for step in range(2):
    h = w * 3.0
    with ad.GradientTape() as tape:
        loss = slope * h
    answer = ad.explain(tape, loss, w)
    with ad.GradientTape() as later:
        k = w * w
    slope = later.gradient(k, w)
""")
    assert "`loss` was computed from `h`" in found.why and "Take the gradient" not in found.advice


@columns
def test_all_of_a_list_that_holds_a_number_too_is_taken() -> None:
    found = told("""
w, values = ad.Variable(0.9), [1.0]
for _ in range(2):
    values.append(w * values[-1])
with ad.GradientTape() as tape:
    total = ad.add_n([ad.convert_to_tensor(v) for v in values])
ad.explain(tape, total, w)
""")
    assert found.cause == "outside the tape" and "`values[2]` was computed here" in found.why


@columns
def test_a_call_of_what_holds_the_source_is_taken_along() -> None:
    text = """
model, x = ad.keras.layers.Dense(2), ad.constant([[1.0, 2.0]])
model(x)
w = model.kernel
other = model.bias * 2.0
penalty = ad.reduce_sum(w ** 2)
pred = model(x)
loss = ad.reduce_mean(pred ** 2) + penalty + ad.reduce_sum(other)
with ad.GradientTape() as tape:
    z = w * 1.0
ad.explain(tape, loss, w)
"""
    lines = told(text).fix.split("\n    ")
    assert lines[1:3] == ["penalty = ad.reduce_sum(w ** 2)", "pred = model(x)"], lines
    assert len(lines) == 5 and lines[3].startswith("loss = ")
