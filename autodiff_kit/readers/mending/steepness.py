"""Layer 5: how steep a soft comparison may be.

One idea: a sigmoid of ten times a difference has no slope left where that difference is 10, so where
all values are far from the boundary it is made less steep.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_values
from autodiff_kit.readers.facts.kinds import COMPARISONS
from autodiff_kit.readers.program.literal import number_in

USUAL = "10.0"


def steepness(case: Case, operation: Operation, written: Sequence[str], file: str) -> str:
    """The factor for the difference of what is compared.

    Args:
      operation: the comparison.
      written: its two sides as they are written, for a number that the tape does not keep.
      file: where.
    """
    if operation.type not in COMPARISONS:
        return USUAL
    sides = input_values(case, operation.place)
    for number, text in enumerate(written[:2]):
        sides[number] = number_in(text, file) if sides[number] is None else sides[number]
    if any(side is None or not np.size(side) for side in sides):
        return USUAL
    return factor_at(float(np.min(np.abs(np.subtract(*sides)))))


def factor_at(distance: float) -> str:
    """The factor where the nearest value is that far from the boundary."""
    return str(float(f"{5 / distance:.1g}")) if 1.0 < distance < np.inf else USUAL
