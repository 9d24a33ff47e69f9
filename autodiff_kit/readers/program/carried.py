"""Layer 5: what becomes of a number that left the tensors.

One idea: follow it through the names of the learner's own text, each in the function that it belongs
to. A number that is only printed or kept in a history goes nowhere.
"""

from __future__ import annotations

import ast

from autodiff_kit.readers.program.text import text_in


def carried(begin: ast.stmt | None, ends: list[ast.stmt | None], files: set[str]) -> bool:
    """Whether a value that one statement of the learner's computes may come to one of others."""
    if begin is None:
        return True  # there is no text to tell otherwise
    if begin in ends and not _goes_nowhere(begin):
        return True
    text = text_in(files)
    names = text.made_of(set(text.receivers(begin)))
    if any(text.is_called_unseen(name) for _, name in names):
        return True
    return any(text.mentions(end, names) for end in ends if end in text.read)


def _goes_nowhere(statement: ast.stmt) -> bool:
    """Whether a statement keeps nothing: ``print(float(loss))``."""
    call = getattr(statement, "value", None)
    plain = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    return isinstance(statement, ast.Expr) and plain
