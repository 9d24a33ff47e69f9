"""Values that leave the tensors in several places: all are told of at once, the brief way."""

from __future__ import annotations

import pytest

from readers.test_told import columns, told

SIDE_BY_SIDE = """
x = ad.Variable(3.0)
with ad.GradientTape(persistent=True) as tape:
    a = x.numpy()
    b = {}
    loss = {}
ad.explain(tape, loss, x)
"""


@columns
@pytest.mark.parametrize(
    ("second", "loss", "status"),
    [
        ("float(x)", "ad.constant(2.0) * a * b", "none"),
        ("x.numpy() ** 2", "ad.constant(a + b)", "none"),
        ("float(ad.exp(x))", "x * a * b", "flows"),
        ("float(x)", "a * b * ad.nn.relu(-x)", "zero"),
    ],
)
def test_two_that_leave_on_two_lines_are_told_at_once(second: str, loss: str, status: str) -> None:
    found = told(SIDE_BY_SIDE.format(second, loss))
    assert found.status == status
    lines = {found.line.number} if status == "none" else set()
    ways = [one for one in found.also if "left the tensors" in one]
    lines |= {n for n in (6, 7) if any(f"line {n} of" in one for one in ways)}
    assert lines == {6, 7}, str(found)


IN_A_ROW = """
x = ad.Variable(3.0)
def last(h):
    return ad.constant(float(h)) ** 2
with ad.GradientTape() as tape:
    a = x.numpy()
    h = ad.constant(a) * 2.0
    {}
ad.explain(tape, loss, x)
"""


@columns
@pytest.mark.parametrize(
    ("rest", "named"),
    [
        ("b = float(h); loss = ad.constant(b) ** 2", "`float(h)` at line 10 of"),
        ("loss = ad.constant(h.numpy())", "`h.numpy()` at line 10 of"),
        ("loss = last(h)", "`float(h)` at line 6 of"),
        (
            "b = float(h); loss = ad.constant(b * ad.exp(h).numpy())",
            "`ad.exp(h).numpy()` at line 10 of",
        ),
    ],
)
def test_what_would_leave_next_on_the_same_way_is_told_with_it(rest: str, named: str) -> None:
    found = told(IN_A_ROW.format(rest))
    assert (found.cause, found.line.number) == ("left the tensors", 8)
    again = [one for one in found.also if "leaves again" in one]
    assert len(again) == 1 and named in again[0], str(found)


@columns
@pytest.mark.parametrize(
    "rest",
    [
        "print(float(h)); loss = ad.constant(a) ** 2",  # it goes nowhere
        "b = float(ad.constant(1.0)); loss = h * b",  # nothing of x is in it
        "loss = h * (1.0 if a > 9.0 else 2.0)",
        "if a > 9.0: h = float(h)\n    loss = h * 2.0",  # it did not run
    ],
)
def test_what_leaves_to_no_harm_is_not_told(rest: str) -> None:
    found = told(IN_A_ROW.format(rest))
    assert found.cause == "left the tensors"
    assert not any("leaves again" in one for one in found.also), str(found)
