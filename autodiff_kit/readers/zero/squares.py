"""Layer 5: squares of zero, and the edge of relu.

One idea: such a place is flat, but what made the zero is the cause; only the square of a difference
that is zero is where it was meant to go.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.ended import bound_name, ends_of
from autodiff_kit.readers.facts.entering import input_value, input_values
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import CONTRACTIONS
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.program.spelled import spelled
from autodiff_kit.readers.zero.began import is_nought
from autodiff_kit.readers.zero.beginning import with_beginning
from autodiff_kit.readers.zero.nought import nought
from autodiff_kit.readers.zero.sayings import ZERO

SQUARED = "what is squared is 0, where a square is flat"
EDGE = "every input is exactly 0, where relu is flat"
_ELSEWHERE = "If this is only where you begin, begin somewhere else."
_REACHED = f"If the loss was to become 0, it has, and nothing is left to learn. {_ELSEWHERE}"


def zero_squared(case: Case, step: Step, found: Finding) -> Finding | None:
    """If the slope is zero because a value is: where that zero began."""
    operation = step.operation
    if operation.type == "SquaredDifference":
        first, second = input_values(case, operation.place)
        equal = first is not None and second is not None and np.all(np.equal(first, second))
        return minimum(case, step, found) if equal else None
    if operation.type in ("Pow", "Square"):
        return _square(case, step, found)
    return _relu(case, step, found) if operation.type == "Relu" else None


def _square(case: Case, step: Step, found: Finding) -> Finding | None:
    operation = step.operation
    base = operation.places[0]
    value = input_value(case, operation.place, 0)
    power = input_value(case, operation.place, 1) if operation.type == "Pow" else 2.0
    if base not in case.below or power is None or np.any(np.asarray(power) <= 1):
        return None
    if not is_nought(value):
        return None if value is None else _zero_where_asked(case, step, found)
    began = nought(case, base)
    if began is not None and began.kind == "leaf" and _weighs(case, began.place):
        return with_beginning(case, step, began, SQUARED, found)
    if began is None or began.kind in ("difference", "leaf"):
        found = minimum(case, step, found)
        if np.any(np.asarray(power) % 2):
            found.why = (
                f"At {found.op} the gradient became zero: the value is 0; this power is flat there."
            )
        if began is not None and began.kind == "difference" and _left(case) is not None:
            found.why += f" It is 0 because {began.words}."
        return found
    return with_beginning(case, step, began, SQUARED, found)


def _weighs(case: Case, leaf: int) -> bool:
    """Whether zeros are weights, of a target that is not 0: then they are no minimum of it."""
    taken = [case.operation(place).type for place in case.takers.get(leaf, ())]
    return _left(case) is not None and any(kind in CONTRACTIONS for kind in taken)


def _left(case: Case) -> Any:
    """The target's value where it is one number and not 0: then its square is not all there is."""
    value = tensor_behind(case.target)._value
    return (
        value.item() if np.size(value) == 1 and np.all(np.isfinite(value) & (value != 0)) else None
    )


def _zero_where_asked(case: Case, step: Step, found: Finding) -> Finding:
    """Only some elements are zero: those that a gradient arrives at."""
    found = minimum(case, step, found)
    found.why = (
        f"At {found.op} the gradient became zero: wherever a gradient arrives, the value is 0, where a "
        "square is flat."
    )
    return found


def _relu(case: Case, step: Step, found: Finding) -> Finding | None:
    """A relu of nothing but zeros has not died: what goes in has never begun."""
    place = step.operation.places[0]
    began = nought(case, place) if is_nought(input_value(case, step.operation.place, 0)) else None
    return with_beginning(case, step, began, EDGE, found) if began is not None else None


def by_itself(case: Case, step: Step) -> bool:
    """Whether both factors of a product are the same: the same value, or written alike."""
    first, second = step.operation.places
    text = spelled("Mul", case.spot(step.operation.place))
    return first == second or (text is not None and len(set(text.arguments)) == 1)


def _beside(case: Case) -> list[str]:
    """A sentence about numbers that were computed from the source as well, and were left out."""
    ends = [place for place in ends_of(case) if np.shape(case.values.get(place, [0.0])) == ()]
    ends = [place for place in ends if place not in case.target_places]
    names = {bound_name(case, place): place for place in ends}
    named = [f"`{name}` ({case.line(place).where})" for name, place in names.items() if name]
    if not named or np.shape(tensor_behind(case.target)._value) != ():
        return []
    return [
        f"{' and '.join(named)} {'were' if len(named) > 1 else 'was'} computed from "
        f"`{case.source_name}` as well, and nothing of that enters `{case.target_name}`."
    ]


def minimum(case: Case, step: Step, found: Finding) -> Finding:
    """The finding for a value that is where a square is smallest."""
    place = step.operation.place
    found.op, found.line = step.operation.type, case.line(place)
    found.why, found.advice = f"At {found.op} the gradient became zero: {ZERO['Square']}.", _REACHED
    left = _left(case)
    if left is None:
        found.also += _beside(case)
    else:
        found.advice = (
            f"If this part was to become 0, it has; `{case.target_name}` as a whole is {left:.4g}. "
            f"{_ELSEWHERE}"
        )
    return found
