"""Layer 5: what may lie between the source and the target, though this tape did not record it.

One idea: in a notebook any cell may have been run before; times, and what other tapes have watched,
tell what cannot have been on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.others import record_of, recorder
from autodiff_kit.readers.facts.timeline import Timeline
from autodiff_kit.readers.program.lines import spot_of
from autodiff_kit.tensor import Tensor

if TYPE_CHECKING:
    from autodiff_kit.readers.facts.case import Case


def codes_between(case: Case) -> set[Any]:
    """The code that made what the learner's names lead to, as far as it may lie in between: each may
    have a cell of its own.
    """
    held = case.held.values()
    births = [case.birth_of(one) for one in held]
    records = [record_of(one) for one in held if may_be_between(case, one)]
    found = {birth.code for birth in births if birth.known and birth.time < case.end}
    return found | {spot_of(record).code for record in records if record is not None}


def may_be_between(case: Case, one: Any) -> bool:
    """Whether what another tape recorded may have been made of the source, and before the target."""
    tape = recorder(one)
    if tape is None:
        return True
    return _began(tape) < case.end and _may_come_from(case, tape, one._index)


def _began(tape: Any) -> float:
    """When a tape's block began; 0 if it never did."""
    entered = Timeline(tape).last("enter")
    return float(entered.time) if entered is not None else 0.0


def _may_come_from(case: Case, tape: Any, place: int) -> bool:
    """Whether what another tape recorded may have been made of the source: not if the tape would have
    watched it by itself and has not, nor if the source was made only after the tape's block.
    """
    source = case.source
    if type(source) is Tensor:
        left, made = Timeline(tape).last("exit"), case.birth_of(source)
        return left is None or not made.known or made.time < left.time
    if not source._trainable or not tape.watches_variables:
        return True
    places = tape.variables.get(source, [])
    if not places or tape.released:
        return bool(places)
    if tape not in case.made_elsewhere:  # a list of many values asks for each of them
        case.made_elsewhere[tape] = depending_on(tape.records, places)
    return place in case.made_elsewhere[tape]
