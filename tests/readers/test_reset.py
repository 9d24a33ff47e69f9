"""What is said where a tape was reset: it forgets what was recorded, and what it watches."""

from __future__ import annotations

import pytest

from readers.test_told import told

RESET = """
x = ad.{}
with ad.GradientTape() as tape:
    {}
    tape.reset()
    {}
ad.explain(tape, y, x)
"""
VARIABLE = 'Variable(3.0, name="x")'


def test_a_value_of_before_leads_to_the_target() -> None:
    found = told(RESET.format(VARIABLE, "h = x * x", "y = h * 2.0"))
    assert (found.cause, found.line.number) == ("before a reset", 7)
    assert "`h` was computed before tape.reset()" in found.why and not found.fix


def test_a_value_of_before_that_is_gone() -> None:
    found = told(RESET.format(VARIABLE, "y = x * x", "y = y * 2.0"))
    assert (found.status, found.line.number) == ("none", 7)
    assert "since then it has not seen `x` being read" in found.why


def test_what_it_watched_has_to_be_watched_again() -> None:
    program = RESET.format("constant(3.0)", "tape.watch(x)", "{}y = x * x")
    found = told(program.format(""))
    assert (found.cause, found.line.number) == ("before a reset", 7)
    assert found.fix == "tape.watch(x)    # after tape.reset(), before `x` is used"
    assert told(program.format(found.fix + "\n    ")).status == "flows"


def test_a_value_of_before_is_a_way_that_is_lost() -> None:
    found = told(RESET.format(VARIABLE, "h = x * x", "y = h * x"))
    assert found.status == "flows"
    assert "`h` was computed before tape.reset() at line 7" in str(found.also)


@pytest.mark.parametrize("before", ["h = x * x", "h = ad.ones([2])", "y = x * x"])
def test_what_is_not_used_any_more_is_not_lost(before: str) -> None:
    found = told(RESET.format(VARIABLE, before, "y = x * 2.0"))
    assert (found.status, found.also) == ("flows", [])
