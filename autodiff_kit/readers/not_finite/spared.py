"""Layer 5: elements that are left out further on, by a mask of zeros or by `where`.

One idea: what is multiplied by 0 afterwards, or not chosen, was not meant to count. On the way back it
counts all the same, since 0 * inf is NaN; so it needs an argument that does no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.mending.safe import DANGER, dangerous, passes, renamed
from autodiff_kit.readers.not_finite.mends import Mend
from autodiff_kit.readers.program.spelled import bracketed

_LEFT_OUT = (
    "0 * inf and 0 * NaN are NaN: a factor of 0 afterwards takes nothing away, neither in the value "
    "nor on the way back. Where the factor is 0, give the function an argument that does no harm"
)
_KINDS = ("Log", "Log1p", "Sqrt", "Rsqrt", "Pow", "Acosh", "Atanh", "Asin", "Acos")


def spared(case: Case, place: int) -> Any:
    """Which elements of a value a product with 0 or a `where` leaves out further on: an array of its
    shape, with False where nobody can tell.
    """
    value = case.values.get(place)
    shape = np.shape(value) if value is not None else ()
    out = np.zeros(shape, bool)
    while value is not None:
        takers = case.takers.get(place, [])
        operation = case.operation(takers[0]) if len(takers) == 1 else None
        if operation is None or not (
            operation.definition.elementwise or operation.type == "SelectV2"
        ):
            return out
        out = out | _left_out(case, operation, place, shape)
        place, value = operation.place, case.values.get(operation.place)
        if value is None or np.shape(value) != shape:
            return out
    return out


def _left_out(case: Case, operation: Any, place: int, shape: Any) -> Any:
    """The elements that one operation leaves out."""
    number = operation.places.index(place)
    if operation.type == "SelectV2" and number:
        condition = input_value(case, operation.place, 0)
        left = None if condition is None else condition if number == 2 else ~condition  # noqa: PLR2004
    elif operation.type == "Mul" and operation.places[0] != operation.places[1]:
        factor = input_value(case, operation.place, 1 - number)
        left = None if factor is None else np.equal(factor, 0)
    else:
        left = None
    if left is None or np.broadcast_shapes(np.shape(left), shape) != shape:
        return np.zeros(shape, bool)
    return np.broadcast_to(left, shape)


def safe_where_left_out(case: Case, place: int) -> Mend | None:
    """The function with an argument that does no harm where it is left out; None if that is not all."""
    operation, value = case.operation(place), input_value(case, place, 0)
    result = case.values.get(place)
    if operation.type not in _KINDS or value is None or result is None:
        return None
    _, safe, test = DANGER[operation.type]
    left, sick = spared(case, place), ~np.isfinite(result)
    if not np.all(left | passes(test, value)) or not np.any(sick & left) or np.any(sick & ~left):
        return None
    argument, call = dangerous(case, operation)
    if argument is None or call is None or "\n" in call:
        return f"{_LEFT_OUT}.", ""
    chosen = f"ad.where({test.format(x=bracketed(argument))}, {argument}, {safe})"
    return f"{_LEFT_OUT}:", f"{renamed(call, argument, chosen)}    # instead of {call}"
