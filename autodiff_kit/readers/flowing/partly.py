"""Layer 5: entries of a gradient that are exactly zero, while others are not.

One idea: follow the zeros of the source from one operation to the next, as long as there is one way
only, up to the operation that a gradient arrived at and that made them zero. Only what belongs to a
whole unit is told: a relu that is flat for some rows is nothing but healthy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.losses import loss_with

_FLAT = ("Relu", "Relu6", "Maximum", "Minimum")
_EXTREMES = {"Max": "largest", "Min": "smallest"}
_LAYERS = ("MatMul", "Conv2D")
_LEARN = (
    "As long as that is so in every batch, nothing is learnt there: ad.nn.leaky_relu helps, or smaller "
    "steps, or another start."
)


class Zeros(NamedTuple):
    """The entries that are zero, as they are seen at one place of the way.

    units: whether each stands for a whole slice along the last axis, and not for one element.
    """

    place: int
    which: Any
    units: bool = False


def partly_words(case: Case) -> list[str]:
    """A sentence about the entries that get zero, and why; nothing if that is not certain."""
    gradient = dense(case.gradient)
    if isinstance(gradient, dict) or not np.ndim(gradient) or len(case.source_places) != 1:
        return []
    zeros: Any = Zeros(case.source_places[0], np.equal(gradient, 0))
    steps = {step.operation.place: step for step in case.steps}
    while zeros is not None and np.any(zeros.which):
        takers = [one for one in case.takers.get(zeros.place, ()) if one in steps]
        if len(takers) != 1 or isinstance(steps[takers[0]].dy, dict):
            return []
        step = steps[takers[0]]
        words = _born(case, step, zeros, gradient)
        if words is not None:
            return [words] if words else []
        zeros = _further(step, zeros)
    return []


def _further(step: Step, zeros: Zeros) -> Zeros | None:
    """The same zeros behind an operation, as far as what arrives there is zero too."""
    operation, dy = step.operation, dense(step.dy)
    place, which = operation.place, zeros.which
    if operation.definition is BROADCAST:
        same = np.shape(which)[-1:] == np.shape(dy)[-1:] and np.ndim(which) == 1
        return Zeros(place, which & _idle(dy), True) if same and not zeros.units else None
    if operation.type in _LAYERS and not zeros.units:
        if operation.places[1] != zeros.place or _is_turned(operation):
            return None
        whole = np.all(which, axis=tuple(range(np.ndim(which) - 1)))
        return Zeros(place, whole & _idle(dy), True)
    if not operation.definition.elementwise:
        return None
    if zeros.units:
        fits = np.shape(dy)[-1:] == np.shape(which)
        return Zeros(place, which & _idle(dy), True) if fits else None
    return Zeros(place, which & np.equal(dy, 0)) if np.shape(dy) == np.shape(which) else None


def _idle(dy: Any) -> Any:
    """For each number along the last axis whether nothing arrives at it."""
    return ~np.any(dy, axis=tuple(range(np.ndim(dy) - 1)))


def _is_turned(operation: Any) -> bool:
    attrs = operation.attrs or {}
    return bool(attrs.get("transpose_a") or attrs.get("transpose_b"))


def _born(case: Case, step: Step, zeros: Zeros, gradient: Any) -> str | None:
    """What to say if an operation made the zeros; "" if that is not to be told, None if it did not."""
    operation, dy = step.operation, dense(step.dy)
    kind, where = operation.type, case.line(operation.place).where
    if kind in _EXTREMES and not zeros.units:
        return _not_the_extreme(case, step, zeros, where)
    if kind == "MatMul" and not zeros.units:
        return _after_a_dead_unit(case, step, zeros, gradient)
    if kind not in _FLAT:
        return None
    value = input_value(case, operation.place, operation.places.index(zeros.place))
    if value is None or np.shape(value) != np.shape(dy):
        return None
    if not zeros.units:
        flat = zeros.which & (dense(_last_of(case, step).dy) != 0)
        return f"{_counted(flat, 'element')}: {_element(case, step, where)}" if flat.any() else None
    rows = np.size(dy) // max(np.shape(dy)[-1], 1)
    flat = zeros.which & _idle(np.asarray(value) > 0)
    if not flat.any() or kind != "Relu" or rows == 1:
        return None
    return (
        f"{_counted(flat, _slice(gradient))}: what goes into relu at {where} is at or below 0 there "
        f"for everything in the batch, where relu is flat. {_LEARN}"
    )


def _not_the_extreme(case: Case, step: Step, zeros: Zeros, where: str) -> str:
    """What to say of elements that are not the largest, or the smallest; "" if there are none."""
    kind, which = step.operation.type, zeros.which & _is_another(case, step, np.shape(zeros.which))
    if not which.any():
        return ""
    return (
        f"{_counted(which, 'element')}: ad.reduce_{kind.lower()} at {where} takes only the "
        f"{_EXTREMES[kind]}, and the others change nothing that comes out."
    )


def _is_another(case: Case, step: Step, shape: Any) -> Any:
    """Which elements are not the largest, or the smallest, of those that they are compared with."""
    value, axis = input_value(case, step.operation.place, 0), step.operation.attrs["axis"]
    if value is None or np.shape(value) != shape:
        return np.zeros(shape, bool)
    extreme = np.max if step.operation.type == "Max" else np.min
    return np.not_equal(value, extreme(value, axis=axis, keepdims=True))


def _after_a_dead_unit(case: Case, step: Step, zeros: Zeros, gradient: Any) -> str | None:
    """What to say if rows of a matrix are multiplied by a unit that is 0 everywhere."""
    operation = step.operation
    if operation.places[1] != zeros.place or np.ndim(gradient) != 2 or _is_turned(operation):  # noqa: PLR2004
        return None
    before, taken = input_value(case, operation.place, 0), operation.places[0]
    if before is None or taken < 0 or case.kind(taken) != "Relu":
        return None
    rows = np.all(zeros.which, axis=1) & _idle(before)
    if not rows.any() or np.size(before) == np.shape(before)[-1]:
        return None
    return (
        f"{_counted(rows, 'row')}: what comes out of relu at {case.line(taken).where} is 0 there for "
        "everything in the batch, and that is what it is multiplied by."
    )


def _last_of(case: Case, step: Step) -> Step:
    """The last step of what the learner wrote as one: clip_by_value is a minimum and a maximum."""
    steps = {one.operation.place: one for one in case.steps}
    while True:
        place = step.operation.place
        after = [steps[one] for one in case.takers.get(place, ()) if one in steps]
        if len(after) != 1 or after[0].operation.type not in _FLAT:
            return step
        if case.spot(after[0].operation.place) != case.spot(place):
            return step
        step = after[0]


def _element(case: Case, step: Step, where: str) -> str:
    """Why an operation lets nothing through for an element."""
    kind = step.operation.type
    loss = loss_with(case, step.operation.place)
    if loss is not None:
        return f"{loss.name} at {where} keeps probabilities away from 0 and 1, and cuts it off."
    if _last_of(case, step) is not step:
        return f"clip_by_value at {where} holds it at a bound, and there nothing moves with it."
    if kind in ("Maximum", "Minimum"):
        return f"ad.{kind.lower()} at {where} takes the other argument there."
    return f"{kind.lower()} at {where} is flat there."


def _slice(gradient: Any) -> str:
    return {1: "element", 2: "column", 4: "filter"}.get(np.ndim(gradient), "part")


def _counted(which: Any, what: str) -> str:
    """Which entries get zero: ``Column 1 of its 3 gets zero``."""
    found = np.argwhere(which)
    at = [int(k) for k in found[0]]
    shown = at[0] if len(at) == 1 else at
    if len(found) == 1:
        return f"{what.capitalize()} {shown} of its {np.size(which)} gets zero"
    return f"{len(found)} of its {np.size(which)} {what}s get zero, {what} {shown} for example"
