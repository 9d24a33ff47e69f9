"""Layer 5: a gradient that is zero because nothing was taken.

One idea: a slice, a choice of elements or an empty mask has no slope that could be zero; what is told
is what it left out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.program.spots import called, calls_at
from autodiff_kit.readers.zero.moved import adds_up, lost_after

Teller = Callable[[Case, Step, Finding], Finding]


def empty_input(case: Case, step: Step) -> int | None:
    """The place of an input without any elements, which is all that an operation was given."""
    sizes = {place: np.size(dense(dx)) for place, dx in case.sent(step)}
    return next(iter(sizes)) if sizes and not any(sizes.values()) else None


def of_nothing(case: Case, step: Step, place: int, found: Finding) -> Finding:
    """The source's elements were all left out before this step: an empty slice, an empty mask."""
    operation = step.operation
    while (before := _tracked(case, place)) is not None and not np.size(case.values.get(before, 1)):
        place = before
    masked = "boolean_mask" in {called(call) for call in calls_at(case.spot(place))}
    found.cause, found.op, found.line = "empty", case.operation(place).type, case.line(place)
    before = _tracked(case, place)
    size = np.size(case.values[before]) if before is not None and before in case.values else None
    of = f" of {size}" if size is not None else ""
    taker = "the mask" if masked else "the slice" if found.op == "StridedSlice" else f"{found.op}"
    where = case.line(operation.place).where
    found.why = (
        f"{operation.type} at {where} gets no elements at all: {taker} takes none{of} here, so nothing "
        f"of `{found.source}` is left."
    )
    if operation.type == "Mean":
        found.why += " The mean of no elements is 0 / 0, which is NaN."
    found.advice = (
        "The mask is False everywhere. Where that may happen, leave this part of the loss out then, "
        "or divide the sum by the count, and by 1 if that is 0."
        if masked
        else "Look at what is to be taken: there is nothing between these bounds."
    )
    return found


def _tracked(case: Case, place: int) -> int | None:
    """The first input that is on the tape."""
    return next((p for p in case.operation(place).places if p in case.below), None)


def moved(case: Case, step: Step, found: Finding, tell: Teller) -> Finding:
    """The source's elements were put beside others, and no gradient comes back for them."""
    operation = step.operation
    together = adds_up(case, step)
    lost = lost_after(case, operation) if not together else None
    if lost is not None and lost.left_out:
        return _taken_none(case, lost.place, found)
    if lost is not None:
        steps = case.account.steps
        return tell(case, next(s for s in steps if s.operation.place == lost.place), found)
    found.op, found.line, found.fix = operation.type, case.line(operation.place), case.replay
    found.why = (
        f"Here `{found.source}` is put together with others ({operation.type}), and what comes "
        "back for its part is zero: what follows leaves it out, or is flat there."
    )
    found.advice = "Look at what follows."
    if together:
        found.cause = "cancelled"
        found.why = (
            f"One value goes to several places here ({operation.type}), and the gradients that come "
            "back from them are not zero, but their sum is: they cancel each other."
        )
        found.advice = "Look at the parts: over a symmetric batch, for example, that is right."
    return found


def _taken_none(case: Case, place: int, found: Finding) -> Finding:
    """An operation took elements, and none of the source's."""
    found.cause, found.op, found.line = "left out", case.kind(place), case.line(place)
    found.why = (
        f"Only other elements are taken here: none that came from `{found.source}` is among them, so "
        f"`{case.target_name}` does not depend on it."
    )
    found.advice = (
        f"Take its elements too, if `{case.target_name}` is to depend on `{found.source}`."
    )
    return found
