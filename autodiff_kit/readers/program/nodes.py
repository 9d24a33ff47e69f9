"""Layer 5: all parts of a learner's file, and the names in them.

One idea: many questions go through a whole file; it is walked through once.
"""

from __future__ import annotations

import ast
import copy
from functools import lru_cache


@lru_cache(maxsize=64)
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a file's tree, as `ast.walk` gives them: that takes seconds if a long file is asked
    about many times.
    """
    return tuple(ast.walk(tree))


def expression(text: str) -> ast.expr | None:
    """The tree of an expression that is written as a text; None if it is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None


def names_in(node: ast.AST | None) -> set[str]:
    """The plain names that stand in a piece of the text."""
    nodes = ast.walk(node) if node is not None else ()
    return {one.id for one in nodes if isinstance(one, ast.Name)}


def without_annotations(tree: ast.Module) -> ast.Module:
    """A tree in which ``w: T = f(x)`` is ``w = f(x)``, so that nobody has to think of both."""
    if not any(isinstance(node, ast.AnnAssign) and node.value for node in nodes_of(tree)):
        return tree
    plain = copy.deepcopy(tree)
    for node in ast.walk(plain):
        for row in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(row, list):
                row[:] = map(_plain, row)
    return plain


def _plain(statement: ast.stmt) -> ast.stmt:
    if not isinstance(statement, ast.AnnAssign) or statement.value is None:
        return statement
    return ast.copy_location(ast.Assign([statement.target], statement.value), statement)
