"""Layer 5: the length of a vector, and the deviation of numbers, that are 0.

One idea: the learner wrote no root, so the whole call is replaced, by a root with something small
under it.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.program.spelled import Spelled, bracketed, instead, spelled

_ORDER = {  # the arguments in their order
    "norm": ("tensor", "ord", "axis", "keepdims", "name"),
    "reduce_euclidean_norm": ("input_tensor", "axis", "keepdims", "name"),
    "reduce_std": ("input_tensor", "axis", "keepdims", "name"),
}
_EUCLIDEAN = ("'euclidean'", '"euclidean"', "2", "2.0")
_DEVIATION = "The deviation of values that are all equal is 0, where its slope is infinite."
_LENGTH = "The length of a vector of zeros is 0, and it has no direction there: the slope is 0 / 0."


def length_at(case: Any, place: int) -> tuple[str, str] | None:
    """What to do about a place that is the root in a norm or a deviation, None if it is not."""
    if case.kind(place) != "Sqrt":
        return None
    text = spelled("Sqrt", case.spot(place))
    if text is None or text.function not in _ORDER:
        return None
    return _deviation(text) if text.function == "reduce_std" else _length(text)


def _given(text: Spelled) -> tuple[str, str, str]:
    """The first argument, the order of a norm, and where it is taken along, as keywords."""
    given = {**dict(zip(_ORDER[text.function], text.arguments, strict=False)), **text.keywords}
    more = "".join(f", {key}={given[key]}" for key in ("axis", "keepdims") if key in given)
    return given.get(_ORDER[text.function][0], ""), given.get("ord", "2"), more


def _deviation(text: Spelled) -> tuple[str, str]:
    argument, _, more = _given(text)
    if not argument:
        return f"{_DEVIATION} Add a little to the variance.", ""
    return (
        f"{_DEVIATION} Add a little to the variance; the result is off by 1e-6 at most.",
        instead(f"ad.sqrt(ad.math.reduce_variance({argument}{more}) + 1e-12)", text),
    )


def _length(text: Spelled) -> tuple[str, str]:
    argument, order, more = _given(text)
    if not argument or order.strip() not in _EUCLIDEAN:
        return f"{_LENGTH} Add a little under the root, or keep the vector away from 0.", ""
    square = bracketed(argument)
    return (
        f"{_LENGTH} Add a little under the root; the length is off by 1e-6 at most.",
        instead(f"ad.sqrt(ad.reduce_sum({square} * {square}{more}) + 1e-12)", text),
    )
