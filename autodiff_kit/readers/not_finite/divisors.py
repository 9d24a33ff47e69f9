"""Layer 5: divisors for which a quotient of 0 would be no answer.

One idea: divide_no_nan is for a 0 that may be there, such as an empty count. A parameter that begins at
0, or a number that was rounded to 0, is to be mended where the 0 came from.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import input_name
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.mending.inlined import inlined
from autodiff_kit.readers.mending.safe import dangerous, new_names, renamed
from autodiff_kit.readers.not_finite.underflow import lost_at, words_of
from autodiff_kit.readers.program.spelled import on_a_side
from autodiff_kit.readers.zero.began import Nought, is_nought, made_at
from autodiff_kit.readers.zero.nought import nought


def own_zero(case: Case, place: int) -> str:
    """What to say of a divisor that is 0 because a parameter is, ``""`` if it is not that."""
    below = case.operation(place).places[1]
    began = nought(case, below) if is_nought(input_value(case, place, 1)) else None
    if began is None or began.kind != "leaf":
        return ""
    return (
        f"Something was divided by 0: {began.words}. Let it begin with another number. (With "
        "divide_no_nan the quotient would be 0, and no gradient would come through it. If it may be 0, "
        "say with ad.where what the value is then, and divide by a safe number there.)"
    )


def no_way_around(case: Case, place: int) -> str:
    """What to say of a divisor of zeros if every way on is divided by one, ``""`` if not."""

    def stops(at: int) -> bool:
        return case.kind(at) == "RealDiv" and is_nought(input_value(case, at, 1))

    if not is_nought(input_value(case, place, 1)) or case.leads_around(stops):
        return ""
    began, name = _zeros(case, place)
    why = began.words if began is not None else f"`{name}` is 0" if name else "the divisor is 0"
    return (
        f"Something was divided by 0: {why}. With divide_no_nan the quotient would be 0, and no "
        "gradient would come through it. Keep the divisor away from 0; or if the quotient has a limit "
        "there, say with ad.where that it is this limit, and divide by a safe number there."
    )


def _zeros(case: Case, place: int) -> tuple[Nought | None, str | None]:
    """Where a divisor of zeros began to be 0, as far as the tape saw it, and what it is called."""
    below = case.operation(place).places[1]
    return nought(case, below) if below >= 0 else None, input_name(case, place, 1)


def everywhere_zero(case: Case, place: int) -> str:
    """What to say of a divisor that is 0 in all places: then divide_no_nan lets nothing through."""
    if not is_nought(input_value(case, place, 1)):
        return ""
    began, name = _zeros(case, place)
    made = made_at(case, place, 1) if name and not began else None
    what = f": {began.words}" if began else f", which is `{name}`" if name else ""
    since = f" (made at {made.where})" if made is not None else ""
    return (
        f"Something was divided by 0{what}{since}. Look at why it is 0. If the quotient may be 0 "
        "there, so that no gradient comes through it:"
    )


def zero_inverted(case: Case, place: int) -> tuple[str, str] | None:
    """What to do about 0 to a negative power, a sentence and code; None if it is not only that."""
    operation, base = case.operation(place), input_value(case, place, 0)
    if base is None or not np.any(base == 0) or np.any(base < 0) or not np.all(np.isfinite(base)):
        return None
    words = "0 to a negative power is infinite"
    began = nought(case, operation.places[0]) if is_nought(base) else None
    if began is not None and began.kind == "leaf":
        return f"{words}: {began.words}. Let it begin with another number.", ""
    argument, call = dangerous(case, operation)
    if argument is None or call is None or "\n" in call:
        return f"{words}: keep the base away from 0.", ""
    ok, new = new_names(case, place, argument)
    code = (
        f"{ok} = {on_a_side(argument)} > 0\n"
        f"{new} = ad.where({ok}, {argument}, 1.0)    # safe before the dangerous function\n"
        f"ad.where({ok}, {renamed(call, argument, new)}, 0.0)    # instead of {call}"
    )
    return f"{words}. If the result may be 0 there:", inlined(case, place, code)


def no_real_zero(case: Case, place: int) -> str:
    """What to say of a divisor that is above 0 and was rounded to 0, ``""`` if it was not."""
    below = case.operation(place).places[1]
    lost = lost_at(case, below) if below >= 0 else None
    if lost is None:
        return ""
    return (
        f"The divisor is above 0 and was rounded to 0: {words_of(case, lost)} Keep the numbers larger, "
        "or compute with logarithms: a difference instead of the quotient, and ad.reduce_logsumexp "
        "instead of a sum of exponentials."
    )
