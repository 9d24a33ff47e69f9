"""Layer 5: bounds that rounding moved onto what they were to keep away from.

One idea: 1 - 1e-10 is 1 in float32, so a clip to it lets 1 through, and the logarithm of what is left
is -inf in spite of the clip.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import ADDITIONS, BOUNDS, CUTS, SAME_NUMBERS
from autodiff_kit.readers.facts.limits import dtype_at
from autodiff_kit.readers.not_finite.mends import Mend
from autodiff_kit.readers.program.literal import exchanged, number_in
from autodiff_kit.readers.program.spelled import instead, spelled

_BOUNDS = ("clip_by_value", "maximum", "minimum")
_THROUGH = SAME_NUMBERS | CUTS | ADDITIONS | BOUNDS | {"Neg"}
_HAIR = {"float16": "1e-3", "float64": "1e-12"}  # what is not lost beside 1; of float32 it is 1e-6


def lost_bound(case: Case, place: int, what: str) -> Mend | None:
    """What to do if a bound before an operation was rounded away, None if none was.

    ``what`` is the beginning of the sentence: what went wrong.
    """
    todo, sick = [p for p in case.operation(place).places if p >= 0], _sick(case, place)
    while todo:
        at = todo.pop()
        operation = case.operation(at)
        found = _lost_at(case, at, sick) if operation.type in BOUNDS else None
        if found is not None:
            return f"{what}: {found[0]}", found[1]
        if operation.type in _THROUGH:
            todo += [p for p in operation.places if p >= 0]
    return None


def _sick(case: Case, place: int) -> Any:
    """Where a value is not finite; everywhere if only its slope is not."""
    sick = ~np.isfinite(case.values.get(place, 0.0))
    return sick if np.any(sick) else np.True_


def _lost_at(case: Case, place: int, sick: Any) -> Mend | None:
    """The bound of one clip, if it is another number in the dtype that it is computed in."""
    text = spelled(case.operation(place).type, case.spot(place))
    value, dtype = case.values.get(place), dtype_at(case, place)
    if text is None or text.function not in _BOUNDS or value is None:
        return None
    for number in text.arguments:
        end = _end_of(number_in(number, case.line(place).file), dtype)
        if end is None:
            continue
        there = np.equal(value, end)
        if not np.any(there & sick if np.shape(sick) == np.shape(there) else there):
            continue
        bound = number.strip()
        code = exchanged(text.whole, bound, _further(end, dtype))
        return (
            f"`{bound}` is {end:g} in {dtype}, which has no number between {_gap(end, dtype)}, so the "
            f"bound at {case.line(place).where} keeps nothing away from there. Beyond a bound that "
            "holds the gradient is 0.",
            instead(code, text) if code else "",
        )
    return None


def _end_of(value: Any, dtype: str) -> float | None:
    """The whole number that a bound is rounded to, None if it is not rounded to one."""
    if value is None or np.ndim(value) or not np.isfinite(value) or abs(value) > 2:
        return None
    end = float(np.round(value))
    return end if value != end and value.astype(dtype) == end else None


def _gap(end: float, dtype: str) -> str:
    """The end and the next number of a dtype, for example ``0 and 6e-08``."""
    following = np.nextafter(*np.asarray([end, 0.0 if end else 1.0], dtype))
    if not end:
        return f"0 and {following:.1g}"
    return " and ".join(f"{number:.8g}" for number in sorted([float(following), end]))


def _further(end: float, dtype: str) -> str:
    """A bound that the dtype can tell from the end."""
    hair = _HAIR.get(dtype, "1e-6")
    if not end:
        return "1e-4" if dtype == "float16" else "1e-7"
    return f"{end} {'-' if end > 0 else '+'} {hair}"
