"""Layer 5: the question that a value went into.

One idea: a value that no operation takes may have been differentiated instead. The learner's text says
so: a question has its name, and what comes out of it leads to the target.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.ended import bound_name, ends_of
from autodiff_kit.readers.facts.questions import Question, question_at, questions_about
from autodiff_kit.readers.mending.nesting import own_blocks
from autodiff_kit.readers.program.lines import covers, spot_of
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.text import Named, Text


def lost_in(case: Case) -> Question | None:
    """The question in whose answer the source does not occur any more, the last of several."""
    last = {case.spot(place): place for place in ends_of(case)}  # of each line, for loops
    for place in sorted(last.values(), reverse=True):
        for question in _asked_of(case, place):
            in_block = _in_the_block(case, question)
            leads_on = in_block and case.flow.leads_to_it(question.statement)
            if leads_on and not _goes_through(case, question):
                return question
    return None


def recorded_at(case: Case, question: Question) -> list[int]:
    """What this tape recorded of the way back that a question set off."""
    spots = {spot_of(record) for record in case.records}
    asked = {spot for spot in spots if (q := question_at(spot)) and q.call is question.call}
    return [place for place, record in enumerate(case.records) if spot_of(record) in asked]


def _asked_of(case: Case, place: int) -> list[Question]:
    """The questions for the derivative of a value; or the one that the value itself is a part of."""
    spot = case.spot(place)
    text, made = case.flow.text, statement_of(spot)
    own = question_at(spot)
    if made not in text.read:
        return [own] if own is not None else []
    named = {(text.owner(made, name), name) for name in [bound_name(case, place)] if name}
    named = named or set(_given_to(text, made, 3))
    files = {file for one, file in case.flow.files.items() if one in text.read}
    found = [
        question
        for _, name in named
        for file in sorted(files)
        for question in questions_about(file, name)
        if question.statement in text.read and (text.owner(question.statement, name), name) in named
    ]
    return [*found, own] if own is not None else found


def _given_to(text: Text, made: ast.stmt, deep: int) -> Iterator[Named]:
    """The names that get what a function returns, where it or an object with it is called."""
    around = text.inside.get(made, [])
    if not isinstance(made, ast.Return) or not around:
        yield from text.receivers(made)
        return
    for statement in text.read if deep else ():
        if any(around[-1] in functions for functions, _ in text.calls_in(statement)):
            yield from _given_to(text, statement, deep - 1)


def _in_the_block(case: Case, question: Question) -> bool:
    """Whether a question stands in the block of this tape, or in a function that ran there."""
    begin = case.entered
    if begin is None:
        return False
    if begin.file != question.file:
        return question.function is not None
    if any(covers(block, question.call.lineno) for block in own_blocks(case)):
        return True
    return question.function is not None and not covers(question.function, begin.number)


def _goes_through(case: Case, question: Question) -> bool:
    """Whether the source is in the answer all the same: something else was computed from that."""
    inside = [place for place in recorded_at(case, question) if place in case.below]
    ends = depending_on(case.records, inside).intersection(ends_of(case)) if inside else set()
    return any(question_at(case.spot(place)) is None for place in ends)
