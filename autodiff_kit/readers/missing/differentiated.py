"""Layer 5: a target that is a derivative, and has no gradient itself.

One idea: whether the source falls out of the derivative, or the tape never saw what was differentiated
being made of it, that very value tells: the learner's name in the question leads to it.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.ended import bound_name
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.others import line_on, recorder
from autodiff_kit.readers.facts.questions import Question, meant, question_at
from autodiff_kit.readers.facts.timeline import Birth, Timeline
from autodiff_kit.readers.program.lines import Line
from autodiff_kit.tensor import Tensor


def of_something_unseen(case: Case) -> Finding | None:
    """The target is the derivative of something that this tape did not see being made of the source."""
    question = question_of(case)
    places = places_differentiated(case, question) if question is not None else None
    if question is None or not places or not case.would_be_seen:
        return None
    if case.below.intersection(places):
        return None
    name = question.of[0]
    return _unseen(case, question, name, meant(case, question, name))


def of_something_unknown(case: Case) -> Finding | None:
    """The target is the derivative of something that is not at hand, and nothing took the source."""
    question = question_of(case)
    if question is None or not case.would_be_seen or case.uses:
        return None
    return _unused(case, question)


def question_of(case: Case) -> Question | None:
    """The question whose answer the target is, if this tape does not track it."""
    birth = case.target_birth
    if case.target_places or not birth.known:
        return None
    return question_at(birth.spot)


def places_differentiated(case: Case, question: Question) -> list[int] | None:
    """Where on this tape the things are that were differentiated, -1 for one that it does not track;
    None if they cannot be told any more.
    """
    things = [meant(case, question, text) for text in question.of]
    if all(type(one) is Tensor for one in things):
        return [case.tape.find(one) for one in things]
    here = [p for p in case.below if case.spot(p).code is question.spot.code]
    return [p for p in here if bound_name(case, p) in question.of] or None


def _unused(case: Case, question: Question) -> Finding:
    source, tape = case.source_name, case.tape_name
    return case.none(
        "outside the tape",
        f"`{case.target_name}` is a derivative, and no operation that `{tape}` recorded took "
        f"`{source}`: so what was differentiated was not computed from `{source}` in its block.",
        "",
        line=question.line,
        advice=f"If it was computed before, compute it in the block of `{tape}` too{_watched(case)}: "
        "one with block in the other.",
    )


def _unseen(case: Case, question: Question, name: str, one: Any) -> Finding:
    target, tape = case.target_name, case.tape_name
    when, line = _made(case, one)
    why = (
        f"`{target}` is the derivative of `{name}`, and `{name}` was computed {when}: so `{tape}` does "
        f"not know how it depends on `{case.source_name}`."
    )
    advice = (
        f"Compute `{name}` inside the block of `{tape}` too{_watched(case)}: put the block of "
        f"`{question.tape}` into it."
    )
    if case.tape.find(one) >= 0:
        why = (
            f"`{target}` is the derivative of `{name}`, and on `{tape}` nothing leads from "
            f"`{case.source_name}` to `{name}`."
        )
        advice = f"If `{name}` is to depend on `{case.source_name}`, compute it from that."
    return case.none("outside the tape", why, "", line=line or question.line, advice=advice)


def _made(case: Case, one: Any) -> tuple[str, Line | None]:
    """When something was made that this tape does not track, and where."""
    tape, other, birth = case.tape_name, recorder(one), Birth(one._home)
    left = Timeline(other).last("exit") if other is not None else None
    begun = case.time.last("enter")
    before = birth.known and case.time.state(birth.time) == "not begun"
    if before or left is not None and begun is not None and left.time < begun.time:
        return f"before the block of `{tape}` began", birth.line or line_on(other, one)
    return f"where `{tape}` did not see it", birth.line or line_on(other, one)


def _watched(case: Case) -> str:
    """When to do it, for a source that the tape was told to watch."""
    if type(case.source) is not Tensor or not case.source_places:
        return ""
    return f", after {case.line(case.source_places[0]).where}"
