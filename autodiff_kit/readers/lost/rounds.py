"""Layer 5: a target that adds up rounds which other blocks recorded.

One idea: the number that was added to is what is left without what this block made. If it is not the
one that the sum began with, earlier rounds went into it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.timeline import Timeline
from autodiff_kit.readers.lost.beside import Lost
from autodiff_kit.readers.program.rounds import loop_around, sum_of_rounds
from autodiff_kit.readers.program.spots import called, statement_of

AROUND = (
    "Put the block around the whole loop, or ask the tape in each round and add up the gradients."
)


def earlier_rounds(case: Case) -> Iterator[Lost]:
    """What the target adds up beside what this tape recorded."""
    for place in case.target_places[-1:]:
        operation, text = case.operation(place), case.flow.text
        tracked = [p for p in operation.places if p >= 0]
        made: Any = statement_of(*case.records[place][-2:])
        if operation.type != "AddV2" or len(tracked) != 1 or made not in text.read:
            continue
        entered = Timeline(case.tape).last("enter")
        block = statement_of(entered.code, entered.instruction) if entered is not None else None
        name = sum_of_rounds(text, made, loop_around(text, block, made))
        before = _before(case, place, tracked[0])
        if name and before is not None and _is_more(case, made, name, before):
            knows = f"`{case.tape_name}` knows the last round alone"
            what = (
                f"`{name}` adds up the rounds of a loop, each with a block of its own, and {knows}"
            )
            counts = f"what was in `{name}` before counts as a constant"
            yield case.line(place), f"{what}: {counts}. {AROUND}"


def _before(case: Case, place: int, tracked: int) -> Any:
    """What was added to, None if that is not known."""
    value, added = case.values.get(place), case.values.get(tracked)
    if value is None:
        value = case.target._value if place in case.target_places else None
    return None if value is None or added is None else np.asarray(value) - np.asarray(added)


def _is_more(case: Case, made: Any, name: str, before: Any) -> bool:
    """Whether a sum is not any more what it began with, which is a plain number in the text."""
    text = case.flow.text
    own = text.owner(made, name), name
    begun = [s for s in text.read if s is not made and own in set(text.receivers(s))]
    first = [_number(getattr(s, "value", None)) for s in begun]
    if not first or None in first:
        return False
    off = 1e-4 * (1.0 + np.abs(before))
    return all(bool(np.any(np.abs(before - one) > off)) for one in first)


def _number(value: Any) -> Any:
    """The number that is written, alone or in ``ad.constant(0.0)``; None if it is something else."""
    if isinstance(value, ast.Call) and called(value) == "constant" and value.args:
        value = value.args[0]
    return getattr(value, "value", None) if isinstance(value, ast.Constant) else None
