"""Layer 5: statements that only look at a value, to show it or to stop the program.

One idea: what computes nothing that is kept cannot be why a gradient is missing.
"""

from __future__ import annotations

import ast
import builtins
from typing import Any

SHOWING = ("print", "display", "repr", "str", "type", "id")


def is_check(statement: Any) -> bool:
    """Whether a condition decides nothing but whether something is shown or the program stops."""
    if isinstance(statement, ast.Assert):
        return True
    if not isinstance(statement, ast.If):
        return False
    return all(only_shows(part) for part in (*statement.body, *statement.orelse))


def only_shows(part: Any) -> bool:
    """Whether a statement keeps nothing: ``print(w)``, ``raise ValueError(w)``, ``assert w > 0``."""
    if isinstance(part, (ast.Raise, ast.Assert, ast.Pass)):
        return True
    if isinstance(part, ast.If):
        return is_check(part)
    call = getattr(part, "value", None)
    if not isinstance(part, ast.Expr) or not isinstance(call, ast.Call):
        return False
    name = getattr(call.func, "id", "")
    return name in SHOWING and (hasattr(builtins, name) or name == "display")
