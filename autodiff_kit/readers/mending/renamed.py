"""Layer 5: a new value under the name of a variable that tapes are asked about by that name.

One idea: from then on the name means a tensor. A tape that is asked for the variable is then asked for
something else, and one inside watches the tensor only if it is told to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.questions import Question, questions_by
from autodiff_kit.readers.program.spots import statement_of

A_NAME_OF_ITS_OWN = (
    "Give the new value a name of its own, `{new} = {value}`, and go on with `{new}` instead of "
    "`{name}` on the way to `{target}`: what `{name}` means must stay what the tape is asked for."
)
INSIDE = " A tape inside has to watch the new value before it differentiates by it."


def is_asked_for(case: Case, variable: Any, event: Any, name: str) -> bool:
    """Whether the tape is asked for a variable itself, now or elsewhere in the text by this name."""
    if any(one is variable for one in case.account.request.sources):
        return True
    asked = questions_by(event.code.co_filename, name)
    return any(one.tape == case.tape_name and _is_same(case, event, one, name) for one in asked)


def to_be_watched(case: Case, event: Any, name: str) -> list[str]:
    """Code for each tape inside that is asked for a derivative by the name after it got the value."""
    found = [
        f"{one.tape}.watch({by})    # first thing inside the block of `{one.tape}`"
        for one, by in _asked_inside(case, event, name)
        if one.tape != case.tape_name
    ]
    return list(dict.fromkeys(found))


def _asked_inside(case: Case, event: Any, name: str) -> Iterator[tuple[Question, str]]:
    text, file = case.flow.text, event.code.co_filename
    statement = statement_of(event.spot, "assign")
    if statement not in text.read:
        return
    for one in questions_by(file, name):
        if _is_same(case, event, one, name) and _comes_after(text, statement, one.statement):
            yield one, name
    for function, given in text.made_of({(text.owner(statement, name), name)}):
        if function is not None and given in [a.arg for a in function.args.args]:
            asked = questions_by(file, given)
            yield from ((one, given) for one in asked if one.function is function)


def _is_same(case: Case, event: Any, question: Question, name: str) -> bool:
    """Whether a name means the same where a variable is assigned and in a question."""
    text, asked = case.flow.text, question.statement
    statement = statement_of(event.spot, "assign")
    if statement not in text.read or asked not in text.read:
        return False
    return bool(text.owner(statement, name) is text.owner(asked, name))


def _comes_after(text: Any, one: ast.stmt, other: ast.stmt) -> bool:
    """Whether a statement stands after another, or in a loop around both."""
    loops = [node for node in text.within[one] if isinstance(node, (ast.For, ast.While))]
    return other.lineno > one.lineno or any(loop in text.within[other] for loop in loops)
