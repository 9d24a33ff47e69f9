"""Layer 5: what the target was made of, but not on this tape.

One idea: the learner's own text says which names a value was computed from; what they lead to knows
when and where it was made.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autodiff_kit.readers.case import Case
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.lines import Line, line_of, segment, statement_at
from autodiff_kit.readers.timeline import Birth
from autodiff_kit.tape import Home
from autodiff_kit.tensor import Tensor

DEEPEST = 8  # names behind names


def made_apart(case: Case) -> Finding | None:
    """A value on the way to the target was computed before the block, after it, or on another tape."""
    if case.path:
        return None
    lines = {case.line(place) for place in case.above} | {case.target_birth.line}
    for line in sorted(one for one in lines if one is not None):
        for name, made, how in _apart_on(case, line):
            chain = _leads_to_source(case, made, DEEPEST)
            if chain:
                return _finding(case, name, made, how, [*chain, line])
    return None


def _apart_on(case: Case, line: Line) -> list[tuple[str, Line, str]]:
    """The values that a line reads and that were not recorded here: name, line, how."""
    found = []
    for name in _names_read(line):
        one = case.held.get(name)
        if one is None or type(one) is not Tensor or case.tape.find(one) >= 0:
            continue
        if type(one._home) is Home:
            if one._home in case.tape.former_homes:
                continue
            other = one._home()
            if other is not None and one._index < len(other.records):
                made = line_of(*other.records[one._index][-2:])
                found.append((name, made, "another tape"))
            continue
        birth = Birth(one._home)
        state = case.time.state(birth.time)
        if birth.computed and birth.line is not None and state in ("not begun", "left"):
            found.append((name, birth.line, state))
    return found


def _names_read(line: Line) -> list[str]:
    """The names in what a line computes: ``pred`` and ``model.w`` in ``loss = f(pred, model.w)``."""
    statement = statement_at(line.file, line.number)
    value = getattr(statement, "value", None)
    names = []
    for node in ast.walk(value) if value is not None else ():
        if isinstance(node, (ast.Name, ast.Attribute)):
            names.append(ast.unparse(node))
    return names


def _leads_to_source(case: Case, line: Line, deep: int) -> list[Line]:
    """The lines from one that uses the source to this one; nothing if the text tells of no use."""
    names = _names_read(line)
    root = re.split(r"[.\[]", case.source_name)[0]
    if case.source_name in names or root in names:
        return [line]
    for name in names if deep else ():
        one = case.held.get(name)
        birth = Birth(one._home) if type(one) is Tensor else None
        if birth is not None and birth.computed and birth.line is not None and birth.line != line:
            chain = _leads_to_source(case, birth.line, deep - 1)
            if chain:
                return [*chain, line]
    return []


def _finding(case: Case, name: str, made: Line, how: str, chain: list[Line]) -> Finding:
    words = {
        "not begun": f"before the block of `{case.tape_name}` began",
        "left": f"after the block of `{case.tape_name}` had ended",
        "another tape": f"while another tape recorded, and not `{case.tape_name}`",
    }[how]
    return case.none(
        "another tape" if how == "another tape" else "outside the tape",
        f"`{case.target_name}` was computed from `{name}`, and `{name}` was computed here, {words}: so "
        f"this tape does not know what it was made of.",
        _inside(case, chain),
        line=made,
        advice=f"Compute everything between `{case.source_name}` and `{case.target_name}` inside one "
        "with block.",
    )


def _inside(case: Case, chain: list[Line]) -> str:
    """The lines of the learner's, all in the block; nothing if one is more than a plain statement."""
    texts: list[str] = []
    for line in dict.fromkeys(chain):
        statement: Any = statement_at(line.file, line.number)
        if not isinstance(statement, ast.Assign) or line.file != chain[0].file:
            return ""
        texts.append(segment(line.file, statement))
    if any("\n" in text for text in texts):
        return ""
    return "\n    ".join([f"with ad.GradientTape() as {case.tape_name}:", *texts])
