"""Layer 5: what may lie between the source and the target, though this tape did not record it.

One idea: in a notebook any cell may have been run before; times, and what other tapes have watched,
tell what cannot have been on the way.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.others import record_of, recorder
from autodiff_kit.readers.facts.timeline import Birth, Timeline
from autodiff_kit.tensor import Tensor


def codes_between(case: Any) -> set[Any]:
    """The code that made what the learner's names lead to, as far as it may lie in between: each may
    have a cell of its own.
    """
    held = case.held.values()
    births = [case.birth_of(one) for one in held]
    records = [record_of(one) for one in held if may_be_between(case, one)]
    found = {birth.code for birth in births if birth.known and birth.time < case.end}
    return found | {record[-2] for record in records if record is not None}


def may_be_between(case: Any, one: Any) -> bool:
    """Whether what another tape recorded may have been made of the source, and before the target."""
    made = case.birth_of(case.source)
    return _began(one) < case.end and _may_come_from(one, case.source, made)


def _began(one: Any) -> float:
    """When the block began in which a tape recorded a tensor; 0 if that is not known."""
    tape = recorder(one)
    entered = Timeline(tape).last("enter") if tape is not None else None
    return float(entered.time) if entered is not None else 0.0


def _may_come_from(one: Any, source: Any, made: Birth) -> bool:
    """Whether what another tape recorded may have been made of a source: not if the tape would have
    watched it by itself and has not, nor if the source was made only after the tape's block.
    """
    tape = recorder(one)
    if tape is None:
        return True
    if type(source) is Tensor:
        left = Timeline(tape).last("exit")
        return left is None or not made.known or made.time < left.time
    if not source._trainable or not tape.watches_variables:
        return True
    places = tape.variables.get(source, [])
    return bool(places) and (tape.released or one._index in depending_on(tape.records, places))
