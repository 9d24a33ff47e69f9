"""Layer 5: from an instruction to the very expression that it belongs to.

One idea: from Python 3.11 on a code object knows the columns of each instruction, so that of several
expressions on a line the right one is found. Before that nothing is said where it would be a guess.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.lines import covers, line_of, tree_of


def expression_at(code: Any, instruction: int) -> ast.expr | None:
    """The expression that an instruction computes, None if that cannot be told."""
    tree = tree_of(code.co_filename)
    if tree is None or not hasattr(code, "co_positions"):
        return None
    spots = list(code.co_positions())
    if not 0 <= instruction // 2 < len(spots):
        return None
    line, end, column, end_column = spots[instruction // 2]
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and node.lineno == line and node.end_lineno == end:
            if (node.col_offset, node.end_col_offset) == (column, end_column):
                return node
    return None


def calls_at(code: Any, instruction: int) -> list[ast.Call]:
    """The call at an instruction; all those on its line if it cannot be told which."""
    node = expression_at(code, instruction)
    if node is not None:
        return [node] if isinstance(node, ast.Call) else []
    line, tree = line_of(code, instruction), tree_of(code.co_filename)
    nodes = ast.walk(tree) if tree else ()
    return [n for n in nodes if isinstance(n, ast.Call) and covers(n, line.number)]


def called(call: ast.Call) -> str:
    """The last part of the name of what is called: ``relu`` for ``ad.nn.relu(x)``."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))
