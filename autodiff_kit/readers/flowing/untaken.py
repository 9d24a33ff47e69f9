"""Layer 5: rows of a table that nothing took.

One idea: who looks up some rows of a table gets a gradient for those, and zeros for the others. That is
right, and looks like a fault to who looks at such a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.tensor import Tensor


def untaken_words(case: Case) -> list[str]:
    """A sentence about the rows of the source that get zero because no index is theirs."""
    gradient = dense(case.gradient)
    if isinstance(gradient, dict) or np.ndim(gradient) < 2:
        return []
    taken = [_indices(case, place) for place in case.uses if place in case.above]
    if not taken or any(one is None for one in taken):
        return []
    rows = len(gradient)
    left = np.setdiff1d(np.arange(rows), np.concatenate(taken))
    if not left.size or np.any(gradient[left]):
        return []
    which = f"Row {left[0]} of its {rows} gets zero: it was"
    if left.size > 1:
        which = f"{left.size} of its {rows} rows get zero, row {left[0]} for example: they were"
    return [f"{which} not looked up, and a row that is not taken changes nothing that comes out."]


def _indices(case: Case, place: int) -> Any:
    """The numbers of the rows that an operation takes of the source; None if it does something else."""
    operation = case.operation(place)
    along = {operation.attrs.get(name, 0) for name in ("axis", "batch_dims")}
    if (
        operation.type != "GatherV2"
        or along != {0}
        or operation.places[0] not in case.source_places
    ):
        return None
    indices = [kept for at, kept in case.untracked(place) if isinstance(kept, Tensor)]
    return np.ravel(indices[0]._value) if len(indices) == 1 else None
