"""Layer 5: an expression of the learner's that other code is to stand in place of.

One idea: what is put there is made of the text that is there, so that its names mean what they mean;
and what has no name yet gets one that nobody uses.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.asked import is_reference
from autodiff_kit.readers.program.lines import nodes_in, segment, text_of, tree_of
from autodiff_kit.readers.program.spelled import bracketed, is_written, node_of, read
from autodiff_kit.readers.program.spots import span_of

_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Attribute, ast.Subscript)
_NUMBERS = ("first", "second", "third", "fourth")
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PLAIN = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr, ast.Assert)


class Here:
    """Where an operation stands in the learner's program, and how it is written there.

    Args:
      case: the source, the target and the tape.
      node: the expression.
      code: the code object that it belongs to.
    """

    def __init__(self, case: Case, node: ast.expr, code: Any) -> None:
        self.case, self.node, self.code, self.file = case, node, code, code.co_filename
        self.text = read(self.file, node)
        self.whole = segment(self.file, node)

    def argument(self, number: int, keyword: str = "") -> str:
        """The text of an argument, ``""`` if it was not written."""
        if self.text is None:
            return ""
        given = self.text.arguments
        return given[number] if number < len(given) else self.text.keywords.get(keyword, "")

    def instead(self, code: str) -> str:
        """Code that takes the place of the expression, in brackets where an operator is beside it."""
        code = in_its_place(self.file, self.node, code)
        return f"{code}    # instead of {self._which()}{self.whole}"

    def _which(self) -> str:
        """Which one it is, where the same stands on its line several times."""
        calls = [c for c in nodes_in(self.file, ast.Call) if c.lineno == self.node.lineno]
        alike = sorted(c.col_offset for c in calls if ast.unparse(c) == ast.unparse(self.node))
        if len(alike) < 2:
            return ""
        number = alike.index(self.node.col_offset)
        return f"the {_NUMBERS[number]} " if number < len(_NUMBERS) else ""

    def named(self, text: str, *names: str) -> tuple[str, str]:
        """A line that gives a piece of a program a name, and that name.

        No line and the piece itself where it is a name already, or where the line would have no place.
        """
        if is_reference(text) or not self._has_a_line_before():
            return "", bracketed(text)
        name = self.fresh(*names)
        return f"{name} = {text}\n", name

    def fresh(self, *names: str) -> str:
        """The first of some names that means nothing yet."""
        return fresh(self.case, self.file, *names)

    def _has_a_line_before(self) -> bool:
        above = _parents(tree_of(self.file)).get(span_of(self.node), [])
        statement = next((node for node in above if isinstance(node, ast.stmt)), None)
        if not isinstance(statement, _PLAIN) or any(isinstance(n, _SCOPES) for n in above):
            return False
        line = text_of(self.file).splitlines()[statement.lineno - 1].encode()
        return not line[: statement.col_offset].strip()


def in_its_place(file: str, node: ast.expr, code: str) -> str:
    """Code that is to take the place of an expression, in brackets where an operator is beside it."""
    above = _parents(tree_of(file)).get(span_of(node), [])
    return bracketed(code) if above and isinstance(above[0], _OPERATORS) else code


def fresh(case: Case, file: str, *names: str) -> str:
    """The first of some names that means nothing yet, neither in a file nor where it was asked."""
    frame = case.names.frame
    taken = {*re.findall(r"\w+", text_of(file)), *frame.f_globals, *frame.f_locals}
    more = (f"{names[0]}_{number}" for number in range(2, 1000))
    return next(name for name in (*names, *more) if name not in taken)


def here(case: Case, place: int) -> Here | None:
    """Where an operation is written; None if it is only a part of what was written there."""
    node = written_as(case, place)
    return Here(case, node, case.spot(place).code) if node is not None else None


def written_as(case: Case, place: int) -> ast.expr | None:
    """The expression that is this very operation; None if that is not certain."""
    kind, spot = case.kind(place), case.spot(place)
    node = node_of(kind, spot)
    if isinstance(node, ast.Compare):  # 0.5 > x is recorded as x < 0.5
        return node if len(node.ops) == 1 else None
    text = read(spot.code.co_filename, node) if node is not None else None
    return node if is_written(text, kind) else None


@lru_cache(maxsize=16)
def _parents(tree: ast.Module | None) -> dict[Any, list[ast.AST]]:
    """What each expression stands in, the innermost first, up to its statement."""
    found: dict[Any, list[ast.AST]] = {}

    def go(node: ast.AST, above: list[ast.AST]) -> None:
        if isinstance(node, ast.expr):
            found.setdefault(span_of(node), above)
        above = [node] if isinstance(node, ast.stmt) else [node, *above]
        for child in ast.iter_child_nodes(node):
            go(child, above)

    if tree is not None:
        go(tree, [])
    return found
