"""Layer 5: the shape of what was put into a difference, told by the numbers that came out.

One idea: where a column of n numbers meets a row, each row of the table is the first one with one
number added to all of it. So nothing has to be known of where the data came from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.readers.facts.case import Case

_ADDING = ("Sub", "AddV2")
_DIGITS = 1e-3  # of the largest number: what float32 leaves of a difference of large ones


def shape_by_value(case: Case, place: int, number: int) -> tuple[int, ...] | None:
    """The shape of an input that is not on the tape, where the other one is (n, 1) or (n,) and was
    spread to a table; None if the numbers do not tell.
    """
    operation, table = case.operation(place), case.values.get(place)
    other = operation.places[1 - number]
    if operation.type not in _ADDING or other < 0 or case.records[other][0] is not BROADCAST:
        return None
    if table is None or np.ndim(table) != 2 or len(set(np.shape(table))) != 1:
        return None
    n, spread = len(table), tuple(case.operation(other).attrs["shape"])
    if spread == (n, 1) and _is_row_and_column(table):
        return (n,)
    return (n, 1) if spread == (n,) and _is_row_and_column(np.transpose(table)) else None


def _is_row_and_column(table: Any) -> bool:
    """Whether all rows are the first one, each with one number added, and that is not all the same."""
    numbers = np.asarray(table, np.float64)
    if not np.all(np.isfinite(numbers)) or not np.ptp(numbers[0]):
        return False
    apart = (numbers - numbers[:, :1]) - (numbers[:1] - numbers[:1, :1])
    return bool(np.max(np.abs(apart)) <= _DIGITS * np.ptp(numbers[0]))
