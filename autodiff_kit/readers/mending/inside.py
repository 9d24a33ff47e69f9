"""Layer 5: what has to be moved into the block of a tape.

One idea: the learner's own lines in their order, those from before the block and the block as it
stands, all under one `with`. Where that is not certain, there is no code.
"""

from __future__ import annotations

import ast
import textwrap
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.mending.needed import needed_above
from autodiff_kit.readers.mending.nesting import MOST, own_block, text_of_all
from autodiff_kit.readers.program.lines import Line, line_at, text_of
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.statement import code_of


def statement_to_move(case: Case, made: Any) -> ast.stmt | None:
    """The statement that gave a value its name: in a function's lines there is nothing to move."""
    own = statement_of(made.spot)
    text = case.flow.text
    if not made.name or own not in text.read or not text.inside[own]:
        return own
    names = case.flow.held_as(made.name)
    binders = [s for s in text.read if names & set(text.receivers(s))]
    if len(binders) != 1 or own in binders or not isinstance(binders[0], ast.Assign):
        return own
    calls = any(isinstance(node, ast.Call) for node in ast.walk(binders[0].value))
    bound = [code_of(target) for target in binders[0].targets]
    apart = text.inside[binders[0]] != text.inside[own]
    return binders[0] if calls and apart and made.name in bound else own


def line_to_move(case: Case, made: Any) -> Line:
    """The line of that statement."""
    statement = statement_to_move(case, made)
    if statement is None or statement is statement_of(made.spot):
        return made.line
    return line_at(case.flow.files[statement], statement.lineno)


def all_inside(case: Case, made: Any, inside: bool = True) -> str:
    """The lines of the learner's, all in the block; "" if one of them cannot be moved as it is.

    Args:
      case: the source, the target and the tape.
      made: what was computed outside the block, the last of it.
      inside: whether the target was computed in the block.
    """
    begin, block = case.entered, own_block(case)
    if begin is None or block is None:
        return ""
    head, body = _as_it_stands(begin.file, block)
    before = _before(case, made, block, inside)
    if not body or not before:
        return ""
    first = _watches(case, block)
    rest = [line for number, line in enumerate(body) if number not in first]
    return "\n    ".join([head, *[body[number] for number in first], *before, *rest])


def _watches(case: Case, block: Any) -> list[int]:
    """The lines of a block that tell the tape to watch what was there before: they come first."""
    nodes = [node for statement in block.body for node in ast.walk(statement)]
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    calls = [one for one in block.body if code_of(one).startswith(f"{case.tape_name}.watch(")]
    early = [one for one in calls if not bound & names_in(one) and one.end_lineno == one.lineno]
    return [one.lineno - block.body[0].lineno for one in early]


def _as_it_stands(file: str, block: Any) -> tuple[str, list[str]]:
    """The head and the lines of a block; no lines if there are many, or more than one for the head."""
    lines, first = text_of(file).splitlines(), block.body[0].lineno
    body = lines[first - 1 : block.body[-1].end_lineno]
    if len(body) > MOST or first != block.lineno + 1:
        return "", []
    return lines[block.lineno - 1].strip(), textwrap.dedent("\n".join(body)).splitlines()


def _before(case: Case, made: Any, block: Any, inside: bool) -> list[str]:
    """The lines on the way that stand before the block; nothing if nobody can tell which."""
    needed = needed_above(case, block, inside) or []
    if statement_to_move(case, made) not in needed:
        return []
    texts = [text_of_all(case.flow.files[one], [one]) for one in needed]
    return [line for text in texts for line in text] if all(texts) else []
