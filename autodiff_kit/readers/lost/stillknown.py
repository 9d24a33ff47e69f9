"""Layer 5: what a plain tape still knows after it has given its gradients and let go of its records.

One idea: the target is at hand, the events stay, and each knows whether the tape tracked the value.
What the value led to only the learner's text tells.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.surely import Surely
from autodiff_kit.readers.facts.timeline import STORES
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.lost.choosing import HOW, only_compared
from autodiff_kit.readers.lost.departed import is_a_position
from autodiff_kit.readers.lost.leaving import asks_only_the_shape, left_in, way_of

MOST = 3
_WAYS = {  # what became of the variable, and what no gradient flows through
    "assign": ("assigned a value", "an assignment"),
    "step": ("moved by an optimizer, with a gradient", "a step"),
}


def still_known(case: Case) -> list[str]:
    """What can be said about a target, and about the block in which it was computed."""
    lost = {event.line: event for event in reversed(_departures(case))}.values()
    told = [_departed(case, event) for event in lost][:MOST]
    return [*_not_finite(case), *told, *_assigned(case)[:MOST], *asked_again(case)]


def _not_finite(case: Case) -> list[str]:
    value = np.ravel(tensor_behind(case.target)._value)
    sick = value[~np.isfinite(value)] if value.dtype.kind == "f" else value[:0]
    if not sick.size:
        return []
    return [
        f"`{case.target_name}` itself is not finite ({sick[0]}). Asked before gradient, ad.explain "
        "says where that began."
    ]


def _departures(case: Case) -> list[Any]:
    """The events at which a tracked value left the tensors, and may have gone on to the target."""
    events = [e for e in case.time.all(*HOW) if e.subject >= 0 and not is_a_position(e)]
    events = [e for e in events if not only_compared(e) and not asks_only_the_shape(e)]
    return [e for e in events if _leads_on(case, e)]


def _leads_on(case: Case, event: Any) -> bool:
    """Whether what a line computes may come to the target, says the text; no if there is none."""
    text, known = case.flow.text, case.names.known
    begin = left_in(event)
    if begin not in text.read:
        return False
    got = {one for one in text.receivers(begin) if not isinstance(known.get(one[1]), ModuleType)}
    return bool(text.made_of(got) & case.flow.named([case.target_name]))


def _departed(case: Case, event: Any) -> str:
    where, how = event.line.where, way_of(event).how
    source = case.source_name
    if Surely(case).is_of_it_alone(event.spot):
        return (
            f"On another way a value that depends on `{source}` left the tensors at {where} ({how}): "
            "no gradient flows through it."
        )
    return (
        f"A value that the tape tracked left the tensors at {where} ({how}): no gradient flows through "
        f"it. If it depends on `{source}`, this gradient is only a part."
    )


def _assigned(case: Case) -> list[str]:
    """The variables that were given a value that the tape tracked, and were read after that."""
    told = []
    for event in case.time.all(*STORES):
        variable, place = event.subject
        if place >= 0 and any(p >= event.place for p in case.tape.variables.get(variable, ())):
            did, what = _WAYS[event.kind]
            told.append(
                f"`{case.names.of(variable)}` was {did} that the tape tracked at "
                f"{event.line.where}, and read after that: no gradient flows through {what}."
            )
    return told


def asked_again(case: Case) -> list[str]:
    """What to say of a plain tape that was asked for gradients once more, and refused."""
    event = case.time.last("refused")
    if event is None:
        return []
    return [
        f"`{case.tape_name}` was asked again at {event.line.where}, and refused: a tape that "
        "is not persistent answers once. For other gradients with the same values ask for all of them "
        "at once, or make the tape persistent; where a value has changed since, record again."
    ]
