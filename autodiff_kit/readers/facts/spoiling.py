"""Layer 5: values that are not known any more, and are certainly not finite.

One idea: NaN goes through sums, products and most functions, whatever the other numbers are. So where
it went in, it also came out, even if the tape keeps nothing of what came out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.kinds import KEEP_INFINITE, KEEP_NAN
from autodiff_kit.readers.facts.stops import cast_to

Check = Callable[[Any], bool]


def is_finite(value: Any) -> bool:
    """Whether all of a value is finite; what is no number is."""
    kind = getattr(np.asarray(value).dtype, "kind", "")
    return kind not in "fc" or bool(np.all(np.isfinite(value)))


def may_be_a_mask(value: Any) -> bool:
    """Whether all of a value is finite or -inf, which says that something takes part no more."""
    return bool(np.all(np.isneginf(value) | np.isfinite(value)))


def is_number(value: Any) -> bool:
    """Whether nothing in a value is NaN; it may be infinite."""
    kind = getattr(np.asarray(value).dtype, "kind", "")
    return kind not in "fc" or not np.any(np.isnan(value))


def certainly_spoilt(records: list[Any], values: dict[int, Any], well: Check) -> set[int]:
    """The places whose value is not known and certainly not well.

    Args:
      records: the tape's.
      values: what is known, by place.
      well: `is_finite` or `is_number`.
    """
    found: set[int] = set()
    nan = {p for p, value in values.items() if not is_number(value)}
    bad = {p for p, value in values.items() if not well(value)}
    for place in range(len(records)):
        if place in values:
            continue
        operation = Operation(records, place)
        kind = _kind(operation)
        inputs = {p for p in operation.places if p >= 0}
        if kind in KEEP_NAN and (inputs & nan or _takes_nan(operation)):
            nan.add(place)
            found.add(place)
        upper = {*operation.places[:1]} if kind == "RealDiv" else inputs
        if kind in KEEP_INFINITE and upper & bad:
            bad.add(place)
            found.add(place)
    return found


def _kind(operation: Operation) -> str:
    """The type of an operation; a cast to another floating dtype changes nothing here."""
    return "Identity" if cast_to(operation) == "f" else operation.type


def _takes_nan(operation: Operation) -> bool:
    """Whether an operation took NaN from outside the tape, as far as that is kept."""
    sides = zip(operation.places, operation.inputs, strict=False)
    values = [getattr(kept, "_value", None) for at, kept in sides if at < 0]
    return any(value is not None and not is_number(value) for value in values)
