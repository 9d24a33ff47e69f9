"""Layer 5: targets that were computed from plain numbers alone.

One idea: the target's own line names what went into it. Where all of that leads to numbers, as the
names show that are at hand, nothing that has a gradient had a part in it.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.ended import end_of
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.missing.copies import is_made_anew, new_tensor
from autodiff_kit.readers.missing.given import CAUGHT, after_an_error
from autodiff_kit.readers.program.asked import NOWHERE, is_a_tool, is_reference, led_to, references
from autodiff_kit.readers.program.plain import is_plain, kind_of
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.statement import read_by
from autodiff_kit.readers.program.words import root_of
from autodiff_kit.tensor import Tensor

_FARTHEST = 8  # lines that are gone back


def from_numbers(case: Case) -> Finding | None:
    """All that went into the target is numbers or constants, and none of them is the source."""
    birth = case.target_birth
    if case.target_places or type(case.target) is not Tensor or not birth.computed:
        return None
    found = _leaves(case, birth, _FARTHEST)
    if not found:
        return None
    source = case.source_birth
    if not is_reference(case.source_name) and is_made_anew(case):
        return new_tensor(case, source.line, source.type if source.computed else "")
    caught = _caught(case, found)
    names = " and ".join(f"`{name}` ({kind})" for name, kind in found.items())
    what = "texts" if set(found.values()) == {"a text"} else "plain numbers"
    return case.none(
        "constant target",
        f"`{case.target_name}` was computed here from {names}: {what} do not know what they "
        f"were computed from, and no way leads back from them to `{case.source_name}`.{end_of(case)}",
        "",
        birth.type, birth.line,
        caught
        or f"If these numbers were made of `{case.source_name}`, keep them tensors, and compute them "
        f"inside the block. If they are data or rewards, let something enter `{case.target_name}` "
        f"that is computed from `{case.source_name}` there: a prediction, a log-probability.",
    )  # fmt: skip


def _caught(case: Case, names: dict[str, str]) -> str:
    """A sentence about one of some constants that was made because an error had been caught."""
    for name in names:
        birth = (
            case.birth_of(one) if type(one := led_to(name, case.names.frame)) is Tensor else None
        )
        if birth is not None and birth.line is not None and after_an_error(birth):
            return f"`{name}` is what {birth.line.where} made, which {CAUGHT}"
    return ""


def _leaves(case: Case, birth: Birth, farthest: int) -> dict[str, str] | None:
    """The numbers that a value was computed from, by name; None if that is not certain."""
    statement = statement_of(birth.spot)
    if statement is None or not farthest or not _seen_from_here(case, birth.code):
        return None
    found: dict[str, str] = {}
    for name in references(list(read_by(statement))):
        more = _leaf(case, birth, statement, name, farthest)
        if more is None:
            return None
        found.update(more)
    return found


def _leaf(
    case: Case, birth: Birth, statement: ast.stmt, name: str, farthest: int
) -> dict[str, str] | None:
    """The numbers behind one name that a statement reads; None if that is not certain."""
    root, frame = root_of(name), case.names.frame
    if is_a_tool(led_to(root, frame), name):
        return {}
    value = led_to(name, frame)
    hidden = birth.code is not frame.f_code and frame.f_globals.get(root) is not led_to(root, frame)
    if value is NOWHERE or hidden or not _still_means(case, statement, root):
        return None
    if is_plain(value):
        return {name: kind_of(value)}
    if type(value) is not Tensor or value is case.source:
        return None
    made = Birth(value._home)
    if not made.known or made.time > birth.time:
        return None
    return _leaves(case, made, farthest - 1) if made.computed else {name: "a constant"}


def _seen_from_here(case: Case, code: Any) -> bool:
    """Whether the names of a line mean what they mean where the question was asked."""
    return code is case.names.frame.f_code or code.co_name == "<module>"


def _still_means(case: Case, statement: ast.stmt, name: str) -> bool:
    """Whether a name was not bound again after a statement, says the text."""
    text = case.flow.text
    if statement not in text.read:
        return False
    binders = text.binders((text.owner(statement, name), name))
    before = [b for b in binders if b.lineno < statement.lineno]
    return len(binders) <= 1 or len(before) == len(binders)
