"""Layer 5: a source that the tape was told to watch only after it had been used.

One idea: it is certain where an operation took the source itself before; where something was made of
it earlier, the time says when, and the learner's text that it was made of the source.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.mending.watching import watch
from autodiff_kit.readers.missing.apart import values_made


def watched_late(case: Case) -> Finding | None:
    """The source was used before the tape was told to watch it."""
    if not case.source_places or case.watched_by_itself:
        return None
    place = case.source_places[0]
    if case.records[place][0] is not LEAF:
        return None
    op, line = _used_before(case, place) or _made_before(case, place) or (None, None)
    if line is None:
        return None
    return case.none(
        "watched late",
        f"`{case.source_name}` was watched only at {case.line(place).where}, after it had been used: "
        "what was computed before is not on the tape.",
        watch(case, case.source_name),
        op, line,
    )  # fmt: skip


def born_of_a_watch(case: Case, place: int) -> Birth | None:
    """Where a watched tensor came from, if its place on the tape is that of the watching."""
    record = case.records[place]
    return Birth(record[6].get("origin")) if record[0] is LEAF else None


def _used_before(case: Case, place: int) -> Any:
    """The first operation on the way to the target that took the source before it was watched."""
    origin = case.records[place][6]["origin"]
    for user in sorted(case.above) if origin is not None else ():
        if origin in case.outsiders_of(user):
            return case.operation(user).type, case.line(user)
    return None


def _made_before(case: Case, place: int) -> Any:
    """What was computed of the source in the block, before it was watched."""
    watched, target = case.records[place][6]["time"], case.target_birth
    if case.time.state(target.time) == "recording" and target.computed and target.time < watched:
        if case.flow.reads(target.spot):
            return target.type, target.line
    for made in values_made(case, ("recording",)):
        if made.time < watched:
            return made.type, made.line
    return None
