"""Layer 5: what falls out of a derivative on its way to the target.

One idea: where the way ends, the value was not used further but differentiated. The question stands in
the learner's text, and the tape that was asked, if it is at hand, tells whether it had an answer.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.facts.account import Account
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.questions import Question, meant
from autodiff_kit.readers.missing.differentiated import question_of
from autodiff_kit.readers.missing.lost_in import lost_in, recorded_at
from autodiff_kit.readers.missing.pieces import PIECES, second_derivative_of
from autodiff_kit.readers.program.asked import NOWHERE
from autodiff_kit.recorder import Recorder


def fallen_out(case: Case) -> Finding | None:
    """The target was made of a derivative, and the source is in what was differentiated only."""
    question = lost_in(case)
    if question is None:
        return None
    return no_answer(case, question) or _pieces(case, question) or _fell(case, question)


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
    kinds = {second_derivative_of(case, place, question.call) for place in case.above} - {""}
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
        asked = f"ask ad.explain({question.tape}, {one}, {', '.join(question.by)}) after that line."
        advice = (
            f"{advice} If more is to be there, {asked}"
            if recorded_at(case, question)
            else f"`{question.tape}` may have had no gradient to give there: {asked} {advice}"
        )
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
