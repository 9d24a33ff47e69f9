"""Layer 5: what becomes infinite or 0 in float16.

One idea: 1e6 is inf in float16, and 1e-8 is 0. So a cast may make infinities of finite data, and what
was added to keep a denominator from 0 may add nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import Sick
from autodiff_kit.readers.facts.limits import dtype_at, end_of, wider
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.program.cells import at_hand
from autodiff_kit.readers.program.literal import exchanged, number_in
from autodiff_kit.readers.program.spelled import Spelled

_THROUGH = ("Broadcast", "Sqrt")


def cast_words(dtype: str, value: Any) -> str:
    """What to do about a cast that made infinities; ``value`` is what was cast, if it is known."""
    size = (
        f", and the largest number here is {np.max(np.abs(value)):.4g}" if value is not None else ""
    )
    return (
        f"{end_of(dtype)}{size}: the cast makes infinities of what is larger. Make the numbers smaller "
        f"before the cast, or stay in ad.{wider(dtype)} here."
    )


def cast_of_data(case: Case, born: Sick, made: Spelled | None) -> tuple[str, str] | None:
    """What a cast made infinite, as the end of a sentence, and what to do; None if none did.

    Only if what was cast is known and finite, or if float16 is what it was cast to: then it may have
    been finite.
    """
    birth = case.birth_of_input(born.place, born.number)
    kept = case.operation(born.place).inputs[born.number]
    dtype = getattr(getattr(kept, "_value", None), "dtype", np.dtype("float32")).name
    if birth.type != "Cast" or dtype == "float64":
        return None
    text = made.arguments[0] if made is not None and made.arguments else ""
    value = _held(case, birth, text)
    if value is not None and np.all(np.isfinite(value)):
        return f"`{text}` is finite, and the cast to {dtype} made it so.", cast_words(dtype, value)
    if value is None and dtype == "float16":
        return "It was cast to float16, and may have been finite before.", cast_words(dtype, None)
    return None


def _held(case: Case, birth: Birth, text: str) -> Any:
    """The numbers that a name stands for, or that are written; None if that is not certain."""
    line = birth.line
    number = number_in(text, line.file) if text and line is not None else None
    if number is not None:
        return number
    held = at_hand(text, birth.code, case.names.frame)
    value = getattr(held, "_value", held)
    return value if isinstance(value, np.ndarray) and value.dtype.kind in "fi" else None


def lost_number(case: Case, place: int) -> tuple[str, str] | None:
    """What to do about a denominator that is 0 in float16, None if it is of another dtype."""
    if dtype_at(case, place) != "float16":
        return None
    return (
        added_nothing(case, case.operation(place).places[1], "Something was divided by 0") or _BELOW
    )


def added_nothing(case: Case, place: int, what: str) -> tuple[str, str] | None:
    """What to do if a number was added that is 0 in float16; None if none was.

    ``what`` is the beginning of the sentence: what went wrong.
    """
    if place < 0 or dtype_at(case, place) != "float16":
        return None
    place = case.before(place, *_THROUGH)
    text = text_of(case, place) if case.kind(place) == "AddV2" else None
    if text is None:
        return None
    for number in text.arguments:
        value = number_in(number, case.line(place).file)
        if value is not None and np.any(value) and not np.any(np.float16(value)):
            return (
                f"{what}: {number.strip()} is 0 in float16, which has nothing between 0 and 6e-8. Add "
                "more, or compute this in ad.float32.",
                _more(text, number),
            )
    return None


_BELOW = (
    "Something was divided by 0. In float16 everything below 6e-8 is 0, also a 1e-8 that is added: "
    "compute the denominator in ad.float32, or keep it above 1e-4.",
    "",
)


def _more(text: Spelled, number: str) -> str:
    """The sum with a number that is not 0 in float16, "" if it cannot be written."""
    code = exchanged(text.whole, number, "1e-4")
    return f"{code}    # instead of {text.whole}" if code and "\n" not in code else ""
