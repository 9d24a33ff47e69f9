"""Layer 5: a derivative that was taken outside the block of the tape that is to differentiate it.

One idea: one block goes into the other, and the question stands between the two ends. How the two
blocks lie now, the learner's text tells.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.questions import Question
from autodiff_kit.readers.mending.nesting import (
    MOST,
    TAKE_INSIDE,
    asked_block,
    following,
    own_block,
    text_of_all,
    with_more,
)
from autodiff_kit.readers.missing.differentiated import question_of


def taken_outside(case: Case) -> Finding:
    """The target is a gradient that this tape did not see being computed."""
    birth, target, tape = case.target_birth, case.target_name, case.tape_name
    question, block = question_of(case), own_block(case)
    advice, code = TAKE_INSIDE.format(tape), ""
    if question is not None and block is not None:
        known = _same_tape(case, question, block) or _exchanged(case, question, block)
        advice, code = known or (advice, _moved_in(question, block))
    if not case.would_be_seen:
        code = ""
        advice += f" And let `{tape}` watch `{case.source_name}` before."
    return case.none(
        "inner gradient outside",
        f"`{target}` is a gradient that was taken outside the block of `{tape}`, so this tape did not "
        "see it being computed.",
        code,
        birth.type,
        birth.line,
        advice,
    )


def _same_tape(case: Case, question: Question, block: Any) -> tuple[str, str] | None:
    """The tape itself gave the gradient, and cannot have recorded its own way back."""
    if question.tape != case.tape_name:
        return None
    other = next(n for n in ("outer", "second", "outer_tape") if n not in case.names.frame.f_locals)
    lines = text_of_all(
        question.file, [block, *following(question.file, block, question.statement)]
    )
    head = [f"with ad.GradientTape() as {other}:", *("    " + line for line in lines)]
    last = f"{other}.gradient({case.target_name}, {case.source_name})"
    return (
        f"`{case.tape_name}` gave that gradient itself. For the gradient of a gradient put a second "
        "tape around both, and ask that one.",
        "\n".join([*head, last]) if lines and len(head) < MOST else "",
    )


def _exchanged(case: Case, question: Question, block: Any) -> tuple[str, str] | None:
    """The inner tape was asked to differentiate what the outer one gave."""
    around = asked_block(question)
    if around is None or block is around or not any(node is block for node in ast.walk(around)):
        return None
    inner, outer = case.tape_name, question.tape
    call = copy.copy(question.call)
    call.func = ast.Attribute(ast.Name(inner), call.func.attr)
    first = f"{question.name} = {ast.unparse(call)}"
    code = with_more(question.file, around, [first]) if question.name else ""
    last = f"\n{outer}.gradient({case.target_name}, {case.source_name})" if code else ""
    return (
        f"The two tapes are exchanged: the block of `{inner}` lies in that of `{outer}`. So ask "
        f"`{inner}` first, inside the block of `{outer}`, and `{outer}` for the gradient of that.",
        code + last,
    )


def _moved_in(question: Question, block: Any) -> str:
    """The question and what stands before it, in the block; the other block must lie in there."""
    inner = asked_block(question)
    if inner is None or not any(node is inner for node in ast.walk(block)):
        return ""
    more = text_of_all(question.file, following(question.file, block, question.statement))
    return with_more(question.file, block, more)
