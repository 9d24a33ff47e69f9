"""Layer 5: gradients that are all zero.

One idea: go the way back step by step and name the first one that turned a gradient into zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.readers.account import Step, again
from autodiff_kit.readers.always import always_the_same
from autodiff_kit.readers.case import Case, tensor_of
from autodiff_kit.readers.dense import dense, nonzero
from autodiff_kit.readers.dropped import dropped
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.flat import flat
from autodiff_kit.readers.leftout import empty_input, moved, of_nothing
from autodiff_kit.readers.moved import MOVES
from autodiff_kit.readers.relaxed import relaxed
from autodiff_kit.readers.squares import zero_squared


def why_zero(case: Case) -> Finding:
    """Where an all-zero gradient became zero."""
    constant = always_the_same(case)
    if constant is not None:
        return constant
    found = Finding(case.source_name, "zero", "zero")
    leads = _leading(case)
    for step in reversed(case.account.steps):
        inside = [dx for place, dx in step.pairs if place in leads and dx is not None]
        if inside and nonzero(step.dy) and not any(nonzero(dx) for dx in inside):
            return _became_zero(case, step, found)
    cancelled = _cancelled(case)
    if cancelled is not None:
        found.cause, found.line = "cancelled", case.line(cancelled)
        if relaxed(case, cancelled, found):
            return found
        found.why = (
            "Several gradients arrive here that are not zero, and their sum is: the ways cancel each "
            "other."
        )
        found.advice = "Look at the parts and their running sums."
        found.fix = f"ad.replay({case.tape_name}, {case.target_name}, {case.source_name})"
        return found
    found.cause, found.why = "nothing arrived", "The gradient that the way back began with is zero."
    found.advice = "Look at output_gradients and at the target."
    if not any(np.size(tensor_of(t)._value) for t in case.account.request.targets):
        found.cause, found.why = "empty", f"`{case.target_name}` has no elements."
        found.advice = "Look at what was to be taken there."
        found.line = case.line(case.target_places[0])
    elif case.account.steps and nonzero(case.account.steps[0].dy):
        found.cause, found.why = "zero", "The gradient became zero on its way, in several steps."
        found.advice = "Follow it step by step."
        found.fix = f"ad.replay({case.tape_name}, {case.target_name}, {case.source_name})"
    return found


def _leading(case: Case) -> set[int]:
    """The places from which a gradient can reach the source, be it zero."""
    found = set(case.source_places)
    for step in reversed(case.account.steps):
        if any(place in found and dx is not None for place, dx in step.pairs):
            found.add(step.operation.place)
    return found


def _became_zero(case: Case, step: Step, found: Finding) -> Finding:
    operation = step.operation
    if relaxed(case, operation.place, found):
        return found
    empty = empty_input(case, step)
    if empty is not None:
        return of_nothing(case, step, empty, found)
    if _only_too_small(case, step):
        return _vanished(case, step, found)
    if operation.type in MOVES:
        return moved(case, step, found, _was_flat)
    return _was_flat(case, step, found)


def _was_flat(case: Case, step: Step, found: Finding) -> Finding:
    told = (
        zero_squared(case, step, found)
        or dropped(case, step.operation.place, found)
        or flat(case, step, found)
    )
    told.also += _other_way(case)
    return told


def _other_way(case: Case) -> list[str]:
    """A sentence about a way on which no gradient flows, if there is one too."""
    stops = [
        s.operation for s in case.account.steps
        if any(dx is None and p in case.below for p, dx in s.pairs)
        and s.operation.place in case.on_path
        and s.operation.type not in ("SelectV2", "ZerosLike", "OnesLike")
    ]  # fmt: skip
    if not stops:
        return []
    line = case.line(stops[0].place)
    return [
        f"There is another way, through {stops[0].type} at {line.where}, and no gradient flows there."
    ]


def at_size_one(
    case: Case, step: Step, applies: Callable[[float], bool]
) -> list[tuple[int, Any]] | None:
    """What the rule returns if the gradient that came in is scaled so that its largest number is 1;
    None unless ``applies(largest)``.
    """
    if step.operation.many or isinstance(step.dy, dict):
        return None
    dy = dense(step.dy)
    largest = np.max(np.abs(dy))
    if not applies(largest):
        return None
    scaled = np.asarray(dy / largest, np.asarray(dy).dtype)[()]
    return again(case.records, step.operation.place, scaled)


def _only_too_small(case: Case, step: Step) -> bool:
    """Whether the slope is not 0, and only its product with so small a gradient is."""
    pairs = at_size_one(case, step, lambda largest: 0.0 < largest < 1.0) or []
    return any(dx is not None and place in case.below and nonzero(dx) for place, dx in pairs)


def _vanished(case: Case, step: Step, found: Finding) -> Finding:
    """The product of many small slopes is too small a number."""
    operation, dtype = step.operation, case.source.dtype.name
    found.cause, found.op, found.line = "vanished", operation.type, case.line(operation.place)
    steps = [s.operation.place for s in case.account.steps if s.operation.place in case.on_path]
    count = sum(place >= operation.place for place in steps)
    largest = float(np.max(np.abs(dense(step.dy))))
    found.why = (
        f"The gradient vanished: it became smaller and smaller on its way back through {count} "
        f"operation{'s' * (count > 1)}. The slope of {operation.type} is not 0 here, but at most "
        f"{largest:.1g} arrives, and the product is too small for {dtype}."
    )
    wider = " Or compute in ad.float64." if dtype != "float64" else ""
    found.advice = (
        "Let more of it through: fewer steps, steeper slopes (relu instead of sigmoid or tanh), or "
        f"a way around them (h + f(h)).{wider}"
    )
    found.fix = f"ad.replay({case.tape_name}, {case.target_name}, {case.source_name})"
    return found


def _cancelled(case: Case) -> int | None:
    """The place at which gradients that are not zero add up to zero."""
    arrived: dict[int, list[int]] = {}
    for step in case.account.steps:
        for place, dx in step.pairs:
            if dx is not None and place in case.below and nonzero(dx):
                arrived.setdefault(place, []).append(step.operation.place)
    for place, steps in arrived.items():
        if not nonzero(case.account.total[place]):
            return steps[-1]
    return None
