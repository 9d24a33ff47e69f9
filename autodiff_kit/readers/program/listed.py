"""Layer 5: whether a name is surely that of a list.

One idea: where every statement that binds it gives it a list, it is one, whatever was appended to it
since. What comes by a parameter may be anything.
"""

from __future__ import annotations

import ast

from autodiff_kit.readers.program.text import Text


def is_a_list(text: Text, statement: ast.stmt | None, node: ast.expr) -> bool:
    """Whether an expression in a statement is the name of a list."""
    if not isinstance(node, ast.Name) or statement not in text.read:
        return False
    own = text.owner(statement, node.id), node.id
    if own[0] is not None and node.id in [one.arg for one in ast.walk(own[0].args)
                                          if isinstance(one, ast.arg)]:  # fmt: skip
        return False
    binders = [s for s in text.binders(own) if s is not statement]
    binders = [s for s in binders if not isinstance(s, ast.Expr)]  # found.append(h) binds nothing
    return bool(binders) and all(map(_gives_a_list, binders))


def _gives_a_list(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    single = isinstance(statement, ast.Assign) and all(
        isinstance(one, ast.Name) for one in statement.targets
    )
    return single and isinstance(value, (ast.List, ast.ListComp))
