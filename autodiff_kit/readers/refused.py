"""Layer 5: a rule that refuses to compute, so that asking for the gradient raises an error.

One idea: the error has the rule's words and no line; the line is that of the operation whose rule it
is, and its input says why.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import input_name
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.ownrule import own_rule_failed

_INVERTS = ("MatrixDeterminant", "LogMatrixDeterminant")


def why_refused(case: Case, error: Exception) -> Finding:
    """Where the way back ends in an error, and what the rule cannot take."""
    place = case.account.stuck or 0
    operation = case.operation(place)
    if operation.definition.rule_name is not None:
        return own_rule_failed(case, operation, error)
    found = Finding(case.source_name, "error", "refused", op=operation.type, line=case.line(place))
    found.why = f"The rule of {operation.type} stops with an error: {error}"
    found.advice = "Look at the values that go into this line."
    if found.op == "Svd":
        found.advice = (
            "Without full_matrices the singular values stay what they are, and so do the vectors that "
            "belong to them."
        )
    matrix = input_value(case, place, 0) if operation.type in _INVERTS else None
    if matrix is not None and np.ndim(matrix) >= 2:
        _singular(case, place, np.asarray(matrix), found)
    return found


def _singular(case: Case, place: int, matrix: Any, found: Finding) -> None:
    """Which matrix has no inverse, and how far it is from having one."""
    size, what = matrix.shape[-1], input_name(case, place, 0)
    ranks = np.linalg.matrix_rank(matrix)
    guilty = np.argwhere(ranks < size)
    named = f"`{what}`" if what else "this matrix"
    if matrix.ndim > 2 and len(guilty):
        named = f"the matrix at {[int(k) for k in guilty[0]]} of {named}"
    rank = int(np.min(ranks))
    has = (
        f"it has rank {rank} instead of {size}"
        if rank < size
        else "it is singular as it is rounded"
    )
    found.cause = "singular"
    found.why = (
        f"The rule of {found.op} needs the inverse, and {named} has none: {has}, so some rows are "
        "made of the others. `gradient` raises an error here."
    )
    found.advice = (
        "Keep the matrix away from singular ones: add a little to its diagonal (a small multiple of "
        f"ad.eye({size})), or look at why its rows depend on each other."
    )
