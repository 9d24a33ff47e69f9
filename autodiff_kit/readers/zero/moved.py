"""Layer 5: elements that are only moved on the way, and at last left out.

One idea: joining, stacking and cutting have no slope that could be zero. So the source's own elements
are followed forwards, through what only moves them, to the operation that no gradient comes back from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import Step, value_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import JOINS, MOVES, PADS, REDUCTIONS
from autodiff_kit.readers.facts.values import run_again

ONLY_MOVES = MOVES | JOINS | PADS


class Lost(NamedTuple):
    """Where elements stopped mattering.

    left_out: whether the operation took none of them; if not, a gradient that is not zero came into
      it there, and zero went out.
    """

    place: int
    left_out: bool


def adds_up(case: Case, step: Step) -> bool:
    """Whether gradients that are not zero came to the source's elements, so that their sum is zero."""
    marks = _marks(
        case, step.operation, {p for p in step.operation.places if p in case.below}, True
    )
    return marks is not None and _any_of(value_of(step.dy), marks)


def lost_after(case: Case, operation: Operation) -> Lost | None:
    """Where what a moving operation moved was left out or stopped mattering; None if not certain."""
    marks = _marks(case, operation, {p for p in operation.places if p in case.below}, True)
    return None if marks is None else _follow(case, operation.place, marks)


def _follow(case: Case, place: int, mask: Any) -> Lost | None:
    users = [s for s in case.account.steps if place in s.operation.places]
    found = [_beyond(case, user, place, mask) for user in users]
    certain = [lost for lost in found if lost is not None]
    if not certain or len(certain) < len(found):
        return None
    return min(certain, key=lambda lost: (lost.left_out, lost.place))


def _beyond(case: Case, user: Step, place: int, mask: Any) -> Lost | None:
    """Where the marked elements that went into one operation were lost, there or after it."""
    here = user.operation.place
    if any(p == place and _any_of(value_of(dx), mask) for p, dx in user.pairs):
        return None  # something does come back: the ways cancel each other
    marks = _marks(case, user.operation, {place}, mask)
    if marks is None:
        return None
    if not np.any(marks):
        return Lost(here, left_out=True)
    if _any_of(value_of(user.dy), marks):
        return Lost(here, left_out=False)
    return _follow(case, here, marks)


def _any_of(gradient: Any, marks: Any) -> bool:
    """Whether any marked element of a gradient is not zero."""
    if gradient is None or isinstance(gradient, dict) or np.shape(gradient) != np.shape(marks):
        return False
    return bool(np.any(np.where(marks, gradient, 0)))


def _marks(case: Case, operation: Operation, marked: set[int], mask: Any) -> Any:
    """Which elements of a result are made of the marked ones of some inputs, None if not known."""
    value, attrs = case.values.get(operation.place), operation.attrs
    if operation.definition.elementwise:
        return mask if value is not None and np.shape(mask) == np.shape(value) else None
    if operation.type in REDUCTIONS:
        return np.any(mask, axis=tuple(attrs["axis"]), keepdims=attrs["keepdims"])
    if operation.type not in ONLY_MOVES or value is None:
        return None
    inputs = [
        _marked(case, operation, number, mask if place in marked else False)
        for number, place in enumerate(operation.places)
    ]
    moved = run_again(operation, inputs)
    return None if moved is None else np.asarray(moved) != 0


def _marked(case: Case, operation: Operation, number: int, mask: Any) -> Any:
    """An input with ones in place of the marked elements; positions stay as they are."""
    known = input_value(case, operation.place, number)
    if known is None and operation.type == "ConcatV2":
        size, axis = (operation.attrs["sizes"][number],), operation.attrs["axis"]
        shape = np.shape(case.values[operation.place])
        return np.zeros((*shape[:axis], *size, *shape[axis + 1 :]))
    if operation.places[number] < 0 and operation.type not in JOINS:
        return known
    if np.asarray(known).dtype.kind != "f":
        return known  # positions, also those that were computed from the source
    return np.broadcast_to(mask, np.shape(known)).astype(float)
