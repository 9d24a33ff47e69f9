"""What is said instead of an assignment mends the program, or there is no code."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from readers.test_told import run, told

MAML = """
w, x, lr = ad.Variable([1.0, 2.0]), ad.constant([1.0, 2.0]), 0.1
with ad.GradientTape() as tape:
    fast = ad.Variable(w)
    with ad.GradientTape() as inner:
        inner_loss = ad.reduce_sum((fast * x) ** 2)
    g = inner.gradient(inner_loss, fast)
    {step}
    loss = ad.reduce_sum((fast * x - 1.0) ** 2)
"""
STEPS = ("fast.assign_sub(lr * g)", "fast.assign(fast - lr * g)")


@pytest.mark.parametrize("step", STEPS)
def test_a_variable_that_began_as_a_copy_is_mended_at_the_copy(step: str) -> None:
    text = MAML.format(step=step)
    found = told(text + "ad.explain(tape, loss, w)")
    assert (found.cause, found.line.text) == ("assigned", "fast = ad.Variable(w)"), str(found)
    copy, assignment = found.fix.splitlines()
    assert copy.startswith("fast = w ") and "has to watch" in found.advice
    mended = text.replace("fast = ad.Variable(w)", copy).replace(step, assignment)
    answer = run(mended + "answer = tape.gradient(loss, w)")
    # d/dw of sum((w x (1 - 2 lr x^2) - 1)^2)
    x, w, keeps = np.array([1.0, 2.0]), np.array([1.0, 2.0]), np.array([0.8, 0.2])
    np.testing.assert_allclose(answer, 2.0 * (w * x * keeps - 1.0) * x * keeps, rtol=1e-5)


def test_a_copy_that_was_overwritten_is_not_to_blame() -> None:
    found = told("""
w = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    h = w * 2.0
    fast = ad.Variable(w)
    fast.assign([3.0, 4.0])
    loss = ad.reduce_sum(fast)
ad.explain(tape, loss, w)
""")
    assert found.cause != "assigned" and "new variable" not in found.why, str(found)


HANDED_ON = (
    ("def store(variable, value):\n    variable.assign(value)", "store(v, x * x)", "v * 2.0"),
    ("def store(value):\n    v.assign(ad.reshape(value, []))", "store(x * x)", "v * 2.0"),
    ("def store(value):\n    v.assign_add(value * 1.0)", "store(x * x)", "v * 2.0"),
    ("slots = [v, ad.Variable(1.0)]", "for s in slots: s.assign(x * 2.0)", "slots[0] + slots[1]"),
    (
        "slots = [v, ad.Variable(1.0)]",
        "for i, s in enumerate(slots):\n        s.assign(x * float(i))",
        "slots[0] + slots[1]",
    ),
)


@pytest.mark.parametrize("before, inside, loss", HANDED_ON)
def test_a_name_that_nobody_else_reads_is_no_place_for_the_value(
    before: str, inside: str, loss: str
) -> None:
    found = told(f"""
x, v = ad.Variable(3.0), ad.Variable(0.0)
{before}
with ad.GradientTape() as tape:
    {inside}
    loss = {loss}
ad.explain(tape, loss, x)
""")
    assert (found.cause, found.fix) == ("assigned", ""), str(found)
    assert ("list" if "slots" in before else "Return the new value") in found.advice


@pytest.mark.parametrize("read", ["v * 2.0", "(lambda one: one * 2.0)(v)"])
def test_a_name_that_is_read_there_takes_the_value(read: str) -> None:
    text = f"""
def main(x):
    v = ad.Variable(0.0)
    v.assign(x * x)
    return {read}
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    loss = main(x)
ad.explain(tape, loss, x)
"""
    found = told(text)
    assert found.fix.startswith("v = x * x ")
    assert told(text.replace("v.assign(x * x)", found.fix)).status == "flows"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns before 3.11")
@pytest.mark.parametrize("how", ["box.assign(ad.tanh(w))", "other = ad.Variable(ad.tanh(w))"])
def test_a_value_that_ends_in_a_variable_is_said_to(how: str) -> None:
    found = told(f"""
w, u, box = ad.Variable(0.3), ad.Variable(0.7), ad.Variable(1.0)
with ad.GradientTape() as tape:
    loss = u * 2.0
    {how}
ad.explain(tape, loss, w)
""")
    word = "assign" if "assign" in how else "Variable"
    assert found.cause == "not on the way", str(found)
    assert f"There a variable was given it by {word}(...)" in found.why


UNROLLED = """
w, lr = ad.Variable(3.0), ad.Variable(0.1)
def derivative(one):
    with ad.GradientTape() as inside:
        value = (one - 1.0) ** 2
    return inside.gradient(value, one)
with ad.GradientTape() as tape:
    for _ in range(3):
        with ad.GradientTape() as inner:
            loss = (w - 1.0) ** 2
        g = {derivative}
        {step}
    final = (w - 1.0) ** 2
ad.explain(tape, final, lr)
"""
DERIVATIVES = {
    "inner.gradient(loss, w)": "        with ad.GradientTape() as inner:\n            ",
    "derivative(w)": "    with ad.GradientTape() as inside:\n        ",
}


@pytest.mark.parametrize("step", ["w.assign_sub(lr * g)", "w.assign(w - lr * g)"])
@pytest.mark.parametrize("derivative", DERIVATIVES)
def test_a_tape_inside_has_to_watch_the_new_value(step: str, derivative: str) -> None:
    text, block = UNROLLED.format(step=step, derivative=derivative), DERIVATIVES[derivative]
    assignment, watch = told(text).fix.splitlines()
    assert "first thing inside the block of `in" in watch
    mended = text.replace(step, assignment).replace(
        block, f"{block}{watch}\n{block.split(chr(10))[1]}"
    )
    assert told(mended).status == "flows"
    rate, gradient = 0.1, run(mended + "answer = tape.gradient(final, lr)")
    keeps = 1.0 - 2.0 * rate  # final = (w - 1)^2 (1 - 2 lr)^6
    np.testing.assert_allclose(gradient, -48.0 * keeps**5, rtol=1e-5)


def test_no_tape_has_to_watch_what_it_was_asked_for_before() -> None:
    text = """
w, lr = ad.Variable(3.0), ad.Variable(0.1)
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        loss = (w - 1.0) ** 2
    w.assign(w - lr * inner.gradient(loss, w))
    final = (w - 1.0) ** 2
ad.explain(tape, final, lr)
"""
    assert told(text).fix.startswith("w = w - lr") and "watch" not in told(text).fix


ASKED = (
    "ad.explain(tape, final, [lr, w])",
    "tape.gradient(final, [w, lr])\nad.explain(tape, final, lr)",
)


@pytest.mark.parametrize("asked", ASKED)
def test_a_name_that_is_asked_for_keeps_its_variable(asked: str) -> None:
    found = run(f"""
w, lr = ad.Variable(3.0), ad.Variable(0.1)
with ad.GradientTape(persistent=True) as tape:
    with ad.GradientTape() as inner:
        loss = (w - 1.0) ** 2
    g = inner.gradient(loss, w)
    w.assign(w - lr * g)
    final = (w - 1.0) ** 2
{asked}
""").findings[0]
    assert (found.cause, found.fix) == ("assigned", ""), str(found)
    assert "`new_w = w - lr * g`" in found.advice and "instead of `w`" in found.advice
