"""Layer 5: what a soft choice is weighed with, in words.

One idea: that depends on the question. Which of two is larger goes over in a step, and a sigmoid rounds
it; equality holds at one point alone, and its soft form is a hump.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.softened import EQUAL, GREATER, LESS, UNEQUAL
from autodiff_kit.readers.program.spots import statement_of

ORDER = "ad.sigmoid of ten times the difference of what is compared"
HUMP = "`ad.exp(-ad.square(d / 0.1))`, where `d` is the difference of what is compared"
SOFT = (
    "a number between 0 and 1 that follows the condition smoothly "
    f"(for < and > {ORDER}; for == {HUMP})"
)
ROUNDS = (
    "How often a loop runs only jumps. Let it run as often as it may have to at most, and multiply "
    f"what each round adds by {ORDER} in the condition: about 1 as long as that holds, and about 0 "
    "after it."
)
MIX = "Mix both results softly instead of choosing one:"
_IN_BETWEEN = "from a distance of 0.3 on; a slope it has only in between."
SLOPES = {
    "equality": f"is 1 where both are equal and nearly 0 {_IN_BETWEEN}",
    "inequality": f"is 0 where both are equal and nearly 1 {_IN_BETWEEN}",
}


def mixture(case: Case, places: Iterable[int]) -> str:
    """How to mix what a condition chose between, for the answers that it is made of."""
    return mixture_for({_question(case, place) for place in places})


def mixture_for(asked: set[str]) -> str:
    """The same, for what was asked: "order", "equality", "inequality", or something else."""
    if asked == {"order"}:
        return f"weigh them with {ORDER}, and with one minus that."
    if asked and asked <= {"equality", "inequality"}:
        return f"weigh them with {HUMP}, and with one minus that. That {SLOPES['equality']}"
    return f"weigh them with {SOFT}, and with one minus that."


def instead_of_deciding(event: Any, mixed: str) -> str:
    """What to do where a value only decides: mix softly, or run the rounds that a `while` counts."""
    counts = isinstance(statement_of(event.spot), ast.While)
    return ROUNDS if counts else mixed


def in_place_of_a_mask(case: Case, place: int) -> str:
    """What to weigh all elements with instead of the mask at a place."""
    weights = {"order": ORDER, "equality": HUMP, "inequality": f"one minus {HUMP}"}
    return weights.get(_question(case, place), SOFT)


def _question(case: Case, place: int) -> str:
    """What an answer was given to; "" if it is not that of a single comparison."""
    kind = case.operation(place).type
    if kind in (*GREATER, *LESS):
        return "order"
    return "equality" if kind in EQUAL else "inequality" if kind in UNEQUAL else ""
