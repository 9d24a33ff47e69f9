"""Layer 5: from an instruction to the very expression that it belongs to.

One idea: from Python 3.11 on a code object knows the columns of each instruction, so that of several
expressions on a line the right one is found. Before that nothing is said where it would be a guess.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.program.lines import (
    Spot,
    covers,
    line_of,
    nodes_in,
    statement_at,
    tree_of,
)
from autodiff_kit.readers.program.nodes import nodes_of

Span = tuple[Any, ...]  # first line, last line, first column, last column


def span_at(spot: Spot) -> Span | None:
    """Where the expression that is computed at a spot stands, None if that cannot be told."""
    code, instruction = spot
    spots = _spots(code, code.co_linetable) if hasattr(code, "co_positions") else []
    known = 0 <= instruction // 2 < len(spots)
    return spots[instruction // 2] if known and None not in spots[instruction // 2] else None


@lru_cache(maxsize=256)
def _spots(code: Any, _table: bytes) -> list[Span]:  # equal code may stand elsewhere
    return list(code.co_positions())


def key_of(spot: Spot) -> tuple[int, int]:
    """What tells a code object and an instruction from others: equal code may stand elsewhere."""
    return id(spot[0]), spot[1]


def span_of(node: Any) -> Span:
    """Where a piece of a program stands."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def stands_in(span: Span, node: Any) -> bool:
    """Whether what stands somewhere is a piece of a program, or a part of it."""
    first, last, begin, end = span_of(node)
    return bool((first, begin) <= (span[0], span[2]) and (span[1], span[3]) <= (last, end))


def expression_at(spot: Spot) -> ast.expr | None:
    """The expression that is computed at a spot, None if that cannot be told."""
    tree, span = tree_of(spot.code.co_filename), span_at(spot)
    return _spanning(tree, span) if tree and span else None


@lru_cache(maxsize=4096)
def _spanning(tree: ast.Module, span: Span) -> ast.expr | None:
    """The outermost expression that stands just there."""
    for node in nodes_of(tree):
        if isinstance(node, ast.expr) and span_of(node) == span:
            return node
    return None


def statement_of(spot: Spot, word: str = "") -> ast.stmt | None:
    """The innermost statement that a spot belongs to.

    Of several on a line the right one, or, where columns are not known, one with a certain word.
    """
    code, line, span = spot.code, line_of(spot), span_at(spot)
    tree = tree_of(code.co_filename)
    if tree is None or span is None:
        found = statement_at(line.file, line.number, word)
        if (
            isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef))
            and found.name == code.co_name
        ):
            return max(found.body, key=lambda part: bool(word) and word in ast.unparse(part))
        return found  # where a whole function stands on a line, its code is not what defines it
    return _around(tree, span)


@lru_cache(maxsize=4096)
def _around(tree: ast.Module, span: Span) -> ast.stmt | None:
    """The innermost statement around a place."""
    statements = [node for node in nodes_of(tree) if isinstance(node, ast.stmt)]
    around = [node for node in statements if stands_in(span, node)]
    return max(around, key=lambda node: (node.lineno, node.col_offset), default=None)


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)  # part of the code around from 3.12 on


def in_comprehension(spot: Spot) -> bool:
    """Whether a spot belongs to a comprehension that has no code object of its own."""
    statement, span = statement_of(spot), span_at(spot)
    if statement is None or span is None:
        return False
    made = [node for node in ast.walk(statement) if isinstance(node, _COMPREHENSIONS)]
    return any(stands_in(span, node) for node in made)


@lru_cache(maxsize=64)
def bindings(tree: ast.Module) -> dict[Span, str]:
    """The names that a program binds, by where the expression stands whose value they get."""
    found: dict[Span, str] = {}

    def bind(target: Any, value: Any) -> None:
        if isinstance(target, ast.Name):
            found[span_of(value)] = target.id
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            if len(target.elts) == len(value.elts):
                for pair in zip(target.elts, value.elts, strict=True):
                    bind(*pair)

    for node in nodes_of(tree):
        if isinstance(node, ast.Assign):
            bind(node.targets[0], node.value)
        elif isinstance(node, ast.NamedExpr):
            bind(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            bind(node.target, node)  # the whole of it computes
    return found


def calls_at(spot: Spot) -> list[ast.Call]:
    """The call at a spot; all those on its line if it cannot be told which."""
    node = expression_at(spot)
    if node is not None:
        return [node] if isinstance(node, ast.Call) else []
    line = line_of(spot)
    return [one for one in nodes_in(line.file, ast.Call) if covers(one, line.number)]


def called(call: ast.Call) -> str:
    """The last part of the name of what is called: ``relu`` for ``ad.nn.relu(x)``."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))
