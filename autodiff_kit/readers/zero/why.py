"""Layer 5: gradients that are all zero.

One idea: go the way back step by step and name the first one that turned a gradient into zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import nonzero
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.floating import is_floating
from autodiff_kit.readers.facts.kinds import SHAPE_ONLY
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.lost.cut import MOST, departed, within_a_call
from autodiff_kit.readers.zero.absorbed import absorbed, lost_step
from autodiff_kit.readers.zero.always import always_the_same
from autodiff_kit.readers.zero.behind import steps_behind
from autodiff_kit.readers.zero.cutoff import cut_off_by_loss
from autodiff_kit.readers.zero.dropped import dropped
from autodiff_kit.readers.zero.equalvalues import equal_values
from autodiff_kit.readers.zero.flat import flat
from autodiff_kit.readers.zero.given_rule import given_rule
from autodiff_kit.readers.zero.leftout import empty_input, moved, of_nothing
from autodiff_kit.readers.zero.moved import ONLY_MOVES
from autodiff_kit.readers.zero.products import is_constant_zero, product
from autodiff_kit.readers.zero.relaxed import relaxed
from autodiff_kit.readers.zero.squares import zero_squared
from autodiff_kit.readers.zero.takenaway import taken_away
from autodiff_kit.readers.zero.thinned import thinned
from autodiff_kit.readers.zero.vanished import only_too_small, vanished


def why_zero(case: Case) -> Finding:
    """Where an all-zero gradient became zero."""
    constant = always_the_same(case)
    if constant is not None:
        return constant
    found = Finding(case.source_name, "zero", "zero")
    ends = [step for step in reversed(case.account.steps) if _ends(case, step)]
    if ends:
        return _where_it_ends(case, ends, found)
    cancelled = _cancelled(case)
    return _cancels(case, *cancelled, found) if cancelled is not None else _began_so(case, found)


def _cancels(case: Case, place: int, last: int, found: Finding) -> Finding:
    """Gradients that are not zero add up to zero at a place."""
    found.cause, found.line = "cancelled", case.line(last)
    if relaxed(case, last, found) or taken_away(case, place, found):
        return found
    found.why = (
        "Several gradients arrive here that are not zero, and their sum is: the ways cancel each other."
        f"{lost_step(case)}"
    )
    found.advice = "Look at the parts and their running sums."
    found.fix = case.replay
    return found


def _began_so(case: Case, found: Finding) -> Finding:
    """No step turned it into zero: it was zero, or nothing at all, from the beginning."""
    if not any(np.size(tensor_behind(t)._value) for t in case.account.request.targets):
        found.cause, found.why = "empty", f"`{case.target_name}` has no elements."
        found.advice = "Look at what was to be taken there."
        found.line = case.line(case.target_places[0])
    elif case.account.steps and nonzero(case.account.steps[0].dy):
        found.why = "The gradient became zero on its way, in several steps."
        found.advice, found.fix = "Follow it step by step.", case.replay
    else:
        found.cause = "nothing arrived"
        found.why = "The gradient that the way back began with is zero."
        found.advice = "Look at output_gradients and at the target."
    return found


def _ends(case: Case, step: Step) -> bool:
    """Whether a gradient comes into a step, and zeros are all that goes on to the source."""
    inside = [dx for place, dx in step.pairs if place in case.leads and dx is not None]
    return bool(inside) and nonzero(step.dy) and not any(nonzero(dx) for dx in inside)


def _where_it_ends(case: Case, ends: list[Step], found: Finding) -> Finding:
    """What is said of the ends of all ways: of the first, and beside it of one or two others.

    A constant that is zero is mostly meant to be, as a mask is, so any other end comes first.
    """
    ends = sorted(ends, key=lambda step: is_constant_zero(case, step))
    found = _became_zero(case, ends[0], found)
    said = {(found.op, found.line)}
    for step in ends[1:]:
        if len(said) > 2 or step.operation.type in ONLY_MOVES:
            continue
        other = _became_zero(case, step, Finding(case.source_name, "zero", "zero"))
        if other.line is not None and (other.op, other.line) not in said:
            said.add((other.op, other.line))
            where = case.line(step.operation.place).where
            ends_there = "" if where in other.why else f" at {where}"
            found.also.append(f"Another way ends{ends_there}. {other.why}")
    found.also += _behind(case, ends[0], said) if found.fix and found.fix != case.replay else []
    return found


def _behind(case: Case, step: Step, said: set[Any]) -> list[str]:
    """What is said of a second end, behind the one that the code mends."""
    ends = [one for one in reversed(steps_behind(case, step)) if _ends(case, one)]
    ends = [one for one in ends if not _chooses_alike(case, one, step)]
    told = [_became_zero(case, one, Finding(case.source_name, "zero", "zero")) for one in ends]
    new = [one for one in told if one.line is not None and (one.op, one.line) not in said]
    return (
        [f"That alone is not enough, for behind it the way ends again. {new[0].why}"] if new else []
    )


def _chooses_alike(case: Case, step: Step, other: Step) -> bool:
    """Whether two where choose by one condition: what is done about the one helps the other."""
    if step.operation.type != "SelectV2" or other.operation.type != "SelectV2":
        return False
    first, second = (one.operation.places[0] for one in (step, other))
    return (
        first == second or first < -1 and case.tape.origin_of(first) == case.tape.origin_of(second)
    )


def _became_zero(case: Case, step: Step, found: Finding) -> Finding:
    operation = step.operation
    if relaxed(case, operation.place, found) or cut_off_by_loss(case, step, found):
        return found
    exchanged = given_rule(case, step, found)
    if exchanged is not None:
        return exchanged
    empty = empty_input(case, step)
    if empty is not None:
        return of_nothing(case, step, empty, found)
    if only_too_small(case, step):
        return vanished(case, step, found)
    if operation.type in ONLY_MOVES:
        return moved(case, step, found, _was_flat)
    return _was_flat(case, step, found)


def _was_flat(case: Case, step: Step, found: Finding) -> Finding:
    told = (
        absorbed(case, step, found)
        or zero_squared(case, step, found)
        or thinned(case, step, found)
        or product(case, step, found)
        or dropped(case, step.operation.place, found)
        or equal_values(case, step, found)
        or flat(case, step, found)
    )
    told.also += _other_way(case) or list(dict.fromkeys(text for _, text in departed(case)))[:MOST]
    return told


def _other_way(case: Case) -> list[str]:
    """A sentence about a way on which no gradient flows, if there is one too."""
    stops = [
        s.operation for s in case.steps
        if any(is_floating(case, place) for place in case.closed(s))
        and s.operation.type not in ("SelectV2", *SHAPE_ONLY)
        and not within_a_call(case, s.operation.place)
    ]  # fmt: skip
    if not stops:
        return []
    line = case.line(stops[0].place)
    return [
        f"There is another way, through {stops[0].type} at {line.where}, and no gradient flows there."
    ]


def _cancelled(case: Case) -> tuple[int, int] | None:
    """The place at which gradients that are not zero add up to zero, and the last step to it."""
    arrived: dict[int, list[int]] = {}
    for step in case.account.steps:
        for place, dx in case.sent(step):
            if nonzero(dx):
                arrived.setdefault(place, []).append(step.operation.place)
    for place, steps in arrived.items():
        if not nonzero(case.account.total[place]):
            return place, steps[-1]
    return None
