"""What is said where a tape was reset, or entered again: what it forgets, and what it did not see."""

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


BETWEEN = """
x = ad.Variable(3.0, name="x")
with ad.GradientTape(persistent=True) as tape:
    h = x * x
k = {}
with tape:
    y = k * x
ad.explain(tape, y, x)
"""


@pytest.mark.parametrize("value", ["x * 2.0", "h * 2.0", "tape.gradient(h, x)"])
def test_what_was_computed_between_two_blocks_is_lost(value: str) -> None:
    found = told(BETWEEN.format(value))
    assert found.status == "flows" and "at line 7 of" in str(found.also)
    assert "between two blocks of `tape`: there it is taken for a constant" in str(found.also)


@pytest.mark.parametrize("value", ["ad.ones([]) * 2.0", "h", "ad.stop_gradient(x)"])
def test_what_was_not_made_of_the_source_between_them_is_not(value: str) -> None:
    found = told(BETWEEN.format(value))
    assert (found.status, found.also) == ("flows", [])
