"""Layer 5: what may keep a statement from running, though the loop around it runs.

One idea: a round that comes to a statement has passed every `if` around it, and every `if` before it
that leaves: with continue, break or return.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

_LEAVING = {ast.Continue: "continue", ast.Break: "break", ast.Return: "return", ast.Raise: "raise"}


def guards_of(body: list[Any], statement: ast.AST) -> list[str]:
    """Where the conditions and loops stand that are passed from the first of a body to a statement.

    >>> body = ast.parse("if a: continue\\nif b:\\n    f()").body
    >>> guards_of(body, body[1].body[0])
    ['behind the if at line 1 (continue)', 'in the if at line 2']
    """
    return [*_guards(body, statement)]


def ways_out(body: list[Any]) -> list[str]:
    """Where a loop with this body may be left before it has gone through everything.

    >>> ways_out(ast.parse("for x in xs:\\n    if x: break\\nfor y in ys:\\n    f(y)").body[0].body)
    ['break at line 2']
    """
    return [*_ways_out(body, ("break", "return"))]


def _ways_out(body: list[Any], words: tuple[str, ...]) -> Iterator[str]:
    for part in body:
        word = _LEAVING.get(type(part), "")
        if word in words:
            yield f"{word} at line {part.lineno}"
        inner = ("return",) if isinstance(part, (ast.For, ast.AsyncFor, ast.While)) else words
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in ("body", "orelse", "finalbody"):
                inside = getattr(part, name, [])
                yield from _ways_out(inside if isinstance(inside, list) else [], inner)


def _guards(body: list[Any], statement: ast.AST) -> Iterator[str]:
    for part in body:
        if part is statement:
            return
        if not any(node is statement for node in ast.walk(part)):
            leaves = _leaves(part)
            if leaves:
                yield f"behind the if at line {part.lineno} ({leaves})"
            continue
        if isinstance(part, ast.If):
            in_else = any(node is statement for one in part.orelse for node in ast.walk(one))
            yield f"in the {'else of the ' * in_else}if at line {part.lineno}"
        elif isinstance(part, (ast.For, ast.AsyncFor, ast.While)):
            word = "while" if isinstance(part, ast.While) else "loop"
            yield f"in the {word} at line {part.lineno}"
        for inner in ("body", "orelse", "finalbody"):
            inside = getattr(part, inner, [])
            if isinstance(inside, list) and any(
                node is statement for one in inside for node in ast.walk(one)
            ):
                yield from _guards(inside, statement)
        return


def _leaves(part: Any) -> str:
    """How a branch of an `if` ends the round, the loop or the function; "" if none does."""
    ends = [part.body[-1], *part.orelse[-1:]] if isinstance(part, ast.If) else []
    return next((_LEAVING[type(one)] for one in ends if type(one) in _LEAVING), "")
