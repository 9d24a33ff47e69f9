"""Layer 5: all parts of a learner's file, and the names in them.

One idea: many questions go through a whole file; it is walked through once.
"""

from __future__ import annotations

import ast
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
