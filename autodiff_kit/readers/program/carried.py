"""Layer 5: what becomes of a number that left the tensors.

One idea: follow it through the names of the learner's own text, each in the function that it belongs
to. A number that is only printed or kept in a history goes nowhere.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.program.flow import once
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.text import text_in


def carried(case: Any, begin: ast.stmt, file: str) -> bool:
    """Whether a value that a statement in a file computes may come to the target, or to an operation
    that leads to it.
    """
    computed = [place for place in case.above if case.operation(place).definition is not LEAF]
    spots = once([case.spot(place) for place in computed])
    spots += [birth.spot for birth in case.births]
    ends = [statement_of(spot) for spot in spots]
    if begin in ends and not _goes_nowhere(begin):
        return True
    text = text_in({file, *(code.co_filename for code, _ in spots)})
    names = text.made_by(begin)
    if any(text.is_called_unseen(name) for _, name in names):
        return True
    return any(text.mentions(end, names) for end in ends if end in text.read)


def _goes_nowhere(statement: ast.stmt) -> bool:
    """Whether a statement keeps nothing: ``print(float(loss))``."""
    call = getattr(statement, "value", None)
    plain = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    return isinstance(statement, ast.Expr) and plain
