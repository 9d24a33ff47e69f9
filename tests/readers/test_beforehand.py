"""What was computed before the block, the target or a gradient alone, is told with all it needs."""

from __future__ import annotations

import sys

import pytest

from readers.test_told import told

HEAD = "w, x = ad.Variable([1.0, 2.0]), ad.constant([1.0, 3.0])\n"
BLOCK = "with ad.GradientTape() as tape:\n    z = w * 1.0\n"
columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="expressions are not known")


@pytest.mark.parametrize(
    "before",
    [
        "loss = ad.reduce_sum(w * x)\n",
        "h = w * x\nloss = ad.reduce_sum(h)\n",
        "def model(x):\n    a = ad.tanh(x * w)\n    return a - 1.0\n"
        "pred = model(x)\nloss = ad.reduce_sum(pred ** 2)\n",
        "D = ad.keras.layers.Dense(1)\nD(x[None])\nw = D.kernel\n"
        "pred = D(x[None])\nloss = ad.reduce_mean(pred ** 2)\n",
    ],
)
def test_all_that_leads_to_a_target_from_before_the_block_is_moved_into_it(before: str) -> None:
    ask = "ad.explain(tape, loss, w)"
    found = told(HEAD + before + BLOCK + ask)
    assert found.cause == "outside the tape" and "before the tape's block began" in found.why
    code = found.fix if found.fix.startswith("with") else BLOCK + "    " + found.fix
    assert told(HEAD + before + code + "\n" + ask).status == "flows", found.fix


def test_a_row_of_steps_in_a_loop_is_told_without_code() -> None:
    loop = "h = w\nfor _ in range(2):\n    h = h * x\nloss = ad.reduce_sum(h)\n"
    found = told(HEAD + loop + BLOCK + "ad.explain(tape, loss, w)")
    assert "with all that leads from `w` to it" in found.advice and not found.fix


CRITIC = """
x = ad.constant([[1.0, 2.0], [0.5, -1.0]])
D = ad.keras.Sequential([ad.keras.layers.Dense(4, activation="tanh"), ad.keras.layers.Dense(1)])
D(x)
with ad.GradientTape() as gp:
    gp.watch(x)
    out = D(x)
slope = gp.gradient(out, x)
penalty = ad.reduce_mean({} ** 2)
with ad.GradientTape() as tape:
    loss = ad.reduce_mean(D(x)) + penalty
ad.explain(tape, {}, D.trainable_variables[0])
"""


def test_a_target_made_of_a_gradient_needs_that_gradient_inside() -> None:
    found = told(CRITIC.format("slope", "penalty"))
    assert "Take the gradient inside the block of `tape`" in found.advice and not found.fix


@columns
def test_a_gradient_of_a_tape_that_saw_the_source_is_told_as_a_lost_way() -> None:
    found = told(CRITIC.format("slope", "loss"))
    assert found.status == "flows" and len(found.also) == 1, str(found)
    assert "from a gradient as well that `gp` gave at line 10 of" in found.also[0]
    assert "Where that depends on `D.trainable_variables[0]`" in found.also[0]


@pytest.mark.parametrize("slope", ["ad.stop_gradient(slope)", "x", "slope.numpy()"])
def test_a_gradient_that_is_meant_as_a_constant_is_none(slope: str) -> None:
    found = told(CRITIC.format(slope, "loss"))
    assert (found.status, found.also) == ("flows", []), str(found)


def test_a_gradient_of_the_last_round_is_no_lost_way() -> None:
    found = told("""
w, last = ad.Variable(2.0), ad.constant(0.0)
def model(x):
    return w * w * x
x = ad.constant(3.0)
for step in range(2):
    with ad.GradientTape(persistent=True) as tape:
        loss = model(x) + last
    answer = ad.explain(tape, loss, w)
    with ad.GradientTape() as inner:
        inner.watch(x)
        y = model(x)
    last = inner.gradient(y, x)
""")
    assert (found.status, found.also) == ("flows", []), str(found)


BEFORE = """
w = ad.Variable(1.0)
with ad.GradientTape() as tape:
    loss = w * w
g = tape.gradient(loss, w)
{}
h = w * 2.0
with ad.GradientTape() as tape:
    loss = h * h
ad.explain(tape, loss, w)
{}
"""


@columns
@pytest.mark.parametrize("step", [("w.assign_sub(0.1 * g)", ""), ("", "w.assign_sub(0.1 * g)")])
def test_a_block_of_the_same_name_that_had_its_answer_is_left_alone(step: tuple[str, str]) -> None:
    found = told(BEFORE.format(*step))
    assert "`loss` was computed from `h`" in found.why and "Take the gradient" not in found.advice
    assert found.fix == "with ad.GradientTape() as tape:\n    h = w * 2.0\n    loss = h * h"
