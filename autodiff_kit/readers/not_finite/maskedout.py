"""Layer 5: masks that leave nothing.

One idea: -inf says that an element takes part no more, in a softmax or a logarithm of a sum of
exponentials. Where all of them are -inf, -inf is subtracted from -inf, and that is NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import Sick, input_value, input_values
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import SOFTMAXES
from autodiff_kit.readers.facts.limits import dtype_at, end_of, instead_of_infinity
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.not_finite.mends import Mend
from autodiff_kit.readers.not_finite.outside import suspects_before
from autodiff_kit.readers.program.literal import exchanged, number_in
from autodiff_kit.readers.program.spelled import instead

CHOOSE = SOFTMAXES | {"LogSumExp"}


def all_masked(case: Case, place: int, mask: int = -1) -> Mend | None:
    """What to do where everything that goes into a softmax is -inf, None if that is not so.

    Args:
      case, place: the softmax, or the logarithm of the sum of exponentials.
      mask: the operation that the -inf went into, if it is known.
    """
    if not np.any(_emptied(case, place)):
        return None
    dtype = dtype_at(case, place)
    large = instead_of_infinity(dtype)
    small = (
        f" ({end_of(dtype)}, and what is beyond is infinite there.)" if dtype == "float16" else ""
    )
    if case.operation(place).type == "LogSumExp":
        return (
            "The logarithm of a sum in which everything is exp(-inf) is -inf, and its slope 0 / 0: "
            f"begin with a large negative number such as {large} in place of -inf.{small}",
            _finite_mask(case, mask, large),
        )
    return (
        "Where everything that a softmax chooses from is -inf, nothing is left to choose, and the "
        "result is NaN: leave at least one place open, or mask with a large negative number such as "
        f"{large}.{small}",
        _finite_mask(case, mask, large),
    )


def emptied_words(case: Case, place: int) -> str:
    """Where everything that is chosen from is -inf, as a sentence; "" if it is so nowhere."""
    empty = _emptied(case, place)
    if not np.any(empty):
        return ""
    if not np.shape(empty):
        return " Everything that goes in is -inf."
    at = [int(k) for k in np.argwhere(empty)[0]]
    axis = case.operation(place).attrs["axis"]
    axes = axis if isinstance(axis, tuple) else (axis,)
    along = " and ".join(str(k % (len(at) + len(axes))) for k in axes)
    return f" At {at} everything along axis {along} is -inf."


def _emptied(case: Case, place: int) -> Any:
    """For each softmax whether all that goes in is -inf."""
    value = input_value(case, place, 0) if case.operation(place).type in CHOOSE else None
    if value is None:
        return np.False_
    return np.all(np.isneginf(value), axis=case.operation(place).attrs["axis"])


def _finite_mask(case: Case, mask: int, large: str) -> str:
    """The sum or the choice that puts -inf in, with a finite number; "" if it is not written there."""
    text = text_of(case, mask) if mask >= 0 else None
    if text is None or "\n" in text.whole:
        return ""
    file = case.line(mask).file
    for argument in text.arguments:
        number = number_in(argument, file)
        if number is not None and not number.shape and np.isneginf(number):
            code = exchanged(text.whole, argument, large)
            return instead(code, text) if code else ""
    return ""


def infinities_met(case: Case, place: int) -> Mend | None:
    """What to do about a sum or a difference of infinities; None if something else went wrong."""
    values = input_values(case, place)
    if any(value is None or np.any(np.isnan(value)) for value in values):
        return None
    if not np.any(np.isnan(case.values.get(place, 0.0))):
        return None
    large = instead_of_infinity(dtype_at(case, place))
    if not any(np.any(np.isneginf(value)) for value in values):
        return "inf - inf is NaN: look at where the infinities come from.", ""
    return (
        "Two infinities cancel to NaN, not to 0. Where -inf stands for what is left out, begin with a "
        f"large negative number such as {large} in its place.",
        "",
    )


def mask_words(case: Case, born: Sick) -> str:
    """Where NaN begins that a mask of -inf led to."""
    empty = emptied_words(case, born.place)
    what = "is that of a mask, put" if case.operation(born.place).type in _OF_MASKS else "was put"
    return (
        f"{empty} The -inf that goes in {what} in at {case.line(born.mask).where}, and does no harm "
        "before."
    )


_OF_MASKS = SOFTMAXES | {"Mul"}


def eliminated(case: Case, born: Sick, found: Finding) -> Finding:
    """A softmax is NaN, and nobody knows any more what was put in before."""
    found.cause, found.op = "value not finite", case.operation(born.place).type
    text = text_of(case, born.mask)
    written = text is not None and len(text.arguments) > born.number
    what = f"`{text.arguments[born.number]}`" if text and written else "the other"
    found.why = (
        "NaN begins here: a softmax makes it of NaN and inf, and where everything is -inf. What "
        f"{_TAKES[case.operation(born.mask).type]} at {case.line(born.mask).where} took from the tape "
        f"is finite, so it is {what} that holds such numbers."
    )
    large = instead_of_infinity(dtype_at(case, born.place))
    found.advice = (
        "Print it. If it is a mask of -inf, leave at least one place open in each row, or mask with a "
        f"large negative number such as {large}; if it holds NaN or inf, look for 0 * inf "
        "and the logarithm of 0 in what made it."
    )
    found.fix = _finite_mask(case, born.mask, large)
    birth = case.birth_of_input(born.mask, born.number)
    found.advice += suspects_before(birth) if birth.computed else ""
    return found


_TAKES = {"AddV2": "the sum", "SelectV2": "the choice"}
