"""Layer 5: what falls out of a derivative on its way to the target.

One idea: where the way ends, the value was not used further but differentiated. The question stands in
the learner's text, and the tape that was asked, if it is at hand, tells whether it had an answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.account import Account
from autodiff_kit.readers.asked import NOWHERE
from autodiff_kit.readers.carried import Named, Text
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.differentiated import question_of
from autodiff_kit.readers.ended import bound_name, ends_of
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.lines import covers, tree_of
from autodiff_kit.readers.questions import Question, meant, question_at, questions_about
from autodiff_kit.readers.reach import blocks_at
from autodiff_kit.readers.spots import statement_of
from autodiff_kit.readers.timeline import line_of_event
from autodiff_kit.readers.twice import PIECES, made_of_pieces
from autodiff_kit.recorder import Recorder


def fallen_out(case: Case) -> Finding | None:
    """The target was made of a derivative, and the source is in what was differentiated only."""
    last = {case.records[place][-2:]: place for place in ends_of(case)}  # of each line, for loops
    for place in sorted(last.values(), reverse=True):
        for question in _asked_of(case, place):
            if _in_the_block(case, question) and _leads_on(case, question):
                return no_answer(case, question) or _pieces(case, question) or _fell(case, question)
    return None


def _asked_of(case: Case, place: int) -> list[Question]:
    """The questions for the derivative of a value, or of what it is a part of."""
    code, instruction = case.records[place][-2:]
    own, made = question_at(code, instruction), statement_of(code, instruction)
    if own is not None or made not in case.flow.text.read:
        return [own] if own is not None else []
    named = {(case.flow.text.owner(made, name), name) for name in [bound_name(case, place)] if name}
    named = named or set(_given_to(case.flow.text, made, 3))
    return [
        question
        for _, name in named
        for question in questions_about(code.co_filename, name)
        if question.statement in case.flow.text.read
        and (case.flow.text.owner(question.statement, name), name) in named
    ]


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
    entered = case.time.last("enter")
    begin = line_of_event(entered) if entered is not None else None
    if begin is None:
        return False
    if begin.file != question.file:
        return question.function is not None
    tree = tree_of(question.file)
    blocks = blocks_at(tree, begin.number) if tree else ()
    if any(covers(block, question.call.lineno) for block in blocks):
        return True
    return question.function is not None and not covers(question.function, begin.number)


def _leads_on(case: Case, question: Question) -> bool:
    """Whether the target was made of the derivative."""
    statement, flow = question.statement, case.flow
    return statement in flow.ends or flow.arrives(flow.text.receivers(statement))


def no_answer(case: Case, question: Question) -> Finding | None:
    """The tape that was asked for the derivative had none to give."""
    tape = meant(case, question, question.tape)
    sources = [meant(case, question, text) for text in question.by]
    if not isinstance(tape, Recorder) or tape.released or not all(map(is_tensor, sources)):
        return None
    targets = [meant(case, question, text) for text in question.of]
    account = Account(tape, targets, sources) if all(map(is_tensor, targets)) else None
    if account is None or any(result is not None for result in account.results):
        return None
    source, unwatched = question.by[0], not any(map(account.places, sources))
    words = f"{question.tape}, {question.of[0]}, {source}"
    reason = f"found no way from `{question.of[0]}` back to `{source}`"
    if unwatched:
        reason = f"does not watch `{source}`"
    return case.none(
        "no inner gradient",
        f"{_beginning(case, question)}. But `{question.tape}` {reason}, so it has no gradient to give "
        "there: None, or zeros in its place.",
        f"{question.tape}.watch({source})    # first thing inside the block of `{question.tape}`"
        if unwatched
        else "",
        line=question.line,
        advice="" if unwatched else f"ad.explain({words}) says why.",
    )


def _pieces(case: Case, question: Question) -> Finding | None:
    """The derivative is a second one, of something that is made of straight pieces."""
    kinds = {_zeros(case, place) for place in case.above} - {""}
    if len(kinds) != 1:
        return None
    name, reason, advice = PIECES[kinds.pop()]
    value = getattr(meant(case, question, question.name or "0"), "_value", None)
    zero = value is not None and not np.any(value)
    result = f" So `{question.name}` is 0, whatever `{case.source_name}` is." if zero else ""
    return case.none(
        "second derivative",
        f"{_beginning(case, question)}, and that takes the second derivative of {name}: {reason}."
        f"{result}",
        "",
        line=question.line,
        advice=advice,
    )


def _zeros(case: Case, place: int) -> str:
    """Which of the `PIECES` put zeros in the place of its second derivative here."""
    record = case.records[place]
    question = question_at(*record[-2:]) if record[0].type == "ZerosLike" else None
    return made_of_pieces(case, place, question) if question is not None else ""


def _fell(case: Case, question: Question) -> Finding | None:
    if question_of(case) is not None:
        return None  # the target is that derivative itself
    one, source = question.of[0], case.source_name
    by = [meant(case, question, text) for text in question.by]
    alone = len(by) == 1 and is_tensor(by[0]) and by[0] is not case.source
    linear = "" if alone else ", and so does what it is differentiated by if it is linear in that"
    advice = (
        f"What is only added to `{one}` falls out of its derivative{linear}: then None is right. A "
        f"term in `{case.target_name}` that uses `{one}` itself, as a boundary condition does, gives "
        "it a gradient."
    )
    inside = "in that" if alone else f"in what `{case.target_name}` took of that"
    if meant(case, question, question.tape) is NOWHERE:
        asked = f"{question.tape}, {one}, {', '.join(question.by)}"
        advice += f" If more is to be there, ask ad.explain({asked}) after that line."
    return case.none(
        "not on the way",
        f"{_beginning(case, question)}, and `{source}` does not occur {inside} any more.",
        "",
        line=question.line,
        advice=advice,
    )


def _beginning(case: Case, question: Question) -> str:
    """The beginning of a sentence: which derivative the target was made of."""
    of = " and ".join(f"`{one}`" for one in question.of)
    derivative = f"the derivative of {of} ({question.line.where})"
    if question.name == case.target_name:
        return f"`{case.target_name}` is {derivative}"
    named = f"`{question.name}`, " if question.name else ""
    return f"`{case.target_name}` was made of {named}{derivative}"
