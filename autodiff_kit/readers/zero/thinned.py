"""Layer 5: a factor that is zero at the few numbers that a gradient still arrives at.

One idea: where most of a gradient was lost before, that loss is the cause; the zero factor only stopped
what was left. So the one that lost it is named, and the factor beside it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import input_name
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.zero.sayings import ZERO

_FLAT = {
    "Exp": (ZERO["Exp"], "Look at why the argument is so far below 0: begin with a smaller factor "
            "in it, or bring the data to another scale."),
    "Sigmoid": (ZERO["Sigmoid"], "Scale the inputs down."),
    "Tanh": (ZERO["Tanh"], "Scale the inputs down."),
    "Relu": ("what goes in is at or below zero there, where relu is flat", "Begin where more of it is "
             "above zero."),
}  # fmt: skip


def thinned(case: Case, step: Step, found: Finding) -> Finding | None:
    """If a factor of zeros met only what an earlier step of the way back had left over."""
    operation = step.operation
    own = [n for n, place in enumerate(operation.places) if place in case.leads]
    if operation.type != "Mul" or len(own) != 1 or isinstance(step.dy, dict):
        return None
    factor = input_value(case, operation.place, 1 - own[0])
    dy = np.asarray(dense(step.dy))
    if factor is None:
        return None
    factor = np.broadcast_to(factor, dy.shape)
    if np.any(factor[dy != 0]):
        return None
    taken = _taken_away(case, step, factor)
    return _told(case, step, taken, 1 - own[0], found) if taken is not None else None


def _taken_away(case: Case, step: Step, factor: Any) -> tuple[Step, int] | None:
    """The step that lost the gradient where the factor is not 0, and of how many numbers."""
    steps = {one.operation.place: one for one in case.steps}
    place = step.operation.place
    while True:
        after = [steps[one] for one in case.takers.get(place, ()) if one in steps]
        if len(after) != 1 or isinstance(after[0].dy, dict):
            return None
        step = after[0]
        sent = [dx for p, dx in step.pairs if p == place and dx is not None]
        dy = np.asarray(dense(step.dy))
        if len(sent) != 1 or not step.operation.definition.elementwise or dy.shape != factor.shape:
            return None
        lost = (dy != 0) & (np.asarray(dense(sent[0])) == 0)
        if step.operation.type in _FLAT and np.any(lost & (factor != 0)):
            return step, int(np.sum(lost))
        place = step.operation.place


def _told(case: Case, step: Step, taken: tuple[Step, int], number: int, found: Finding) -> Finding:
    flat, count = taken
    operation, size = flat.operation, np.size(dense(flat.dy))
    why, found.advice = _FLAT[operation.type]
    found.op, found.line = operation.type, case.line(operation.place)
    name = input_name(case, step.operation.place, number)
    called = f"`{name}`" if name else "the other factor"
    found.why = (
        f"At {operation.type} the gradient became zero for {count} of {size} numbers: {why}."
    )
    found.also.append(
        f"For the rest {called} is 0 at {case.line(step.operation.place).where}, and what comes in is "
        "multiplied by it, so nothing is left."
    )
    return found
