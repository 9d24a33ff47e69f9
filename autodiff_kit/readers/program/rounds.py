"""Layer 5: sums and lists that grow from one round of a loop to the next.

One idea: where each round has a block of its own, a tape knows the last round alone, and what was there
before is a number for it. That a value grows so, the learner's text tells.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.program.listed import is_a_list
from autodiff_kit.readers.program.text import Text

_LOOPS = (ast.For, ast.While)


def loop_around(text: Text, block: Any, statement: Any = None) -> Any:
    """The innermost loop around a block, and around a statement too if one is given; None if none."""
    if block not in text.within or (statement is not None and statement not in text.within):
        return None
    loops = [one for one in text.within[block] if isinstance(one, _LOOPS)]
    if statement is not None:
        loops = [one for one in loops if any(one is other for other in text.within[statement])]
    return loops[-1] if loops else None


def sum_of_rounds(text: Text, statement: Any, loop: Any) -> str:
    """The name to which a statement adds in each round of a loop, and which keeps its value from one to
    the next; "" if it is not so.
    """
    names = list(text.receivers(statement)) if statement in text.read else []
    if loop is None or len(names) != 1 or not names[0][1].isidentifier():
        return ""
    adds = isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add)
    value = getattr(statement, "value", None)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        adds = adds or names[0][1] in (ast.unparse(value.left), ast.unparse(value.right))
    others = [s for s in text.binders(names[0]) if s is not statement]
    inside = [s for s in others if any(one is loop for one in text.within[s])]
    return names[0][1] if adds and others and not inside else ""


def list_of_rounds(text: Text, statement: Any, loop: Any) -> str:
    """The list that a loop appends to and that a statement reads after it; "" if there is none."""
    if loop is None or statement not in text.read or any(s is loop for s in text.within[statement]):
        return ""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and is_a_list(text, statement, node):
            users = text.binders((text.owner(statement, node.id), node.id))
            inside = [s for s in users if any(one is loop for one in text.within[s])]
            if inside and all(isinstance(s, ast.Expr) for s in inside):  # not begun anew in each
                return node.id
    return ""
