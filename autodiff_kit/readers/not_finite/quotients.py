"""Layer 5: what to do about a division by zero.

One idea: a quotient may be 0 there only if nothing is done with it that 0 is as bad for: no logarithm,
no root, no other division.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.account import inputs_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import finite
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import CONTRACTIONS, MOVES_ALL, TOTALS, ZERO_AT_ZERO
from autodiff_kit.readers.facts.limits import dtype_at, overflow_of
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.mending.lengths import length_at
from autodiff_kit.readers.not_finite.divisors import (
    everywhere_zero,
    no_real_zero,
    no_way_around,
    own_zero,
)
from autodiff_kit.readers.not_finite.emptybins import empty_on_both_sides
from autodiff_kit.readers.not_finite.halves import lost_number
from autodiff_kit.readers.not_finite.logforms import taken_apart
from autodiff_kit.readers.not_finite.mends import Mend, sum_of_exps, users
from autodiff_kit.readers.not_finite.shares import shares_of_nothing
from autodiff_kit.readers.not_finite.tiny import tiny_divisor
from autodiff_kit.readers.program.spelled import bracketed, instead

_KEEP_ZERO = MOVES_ALL | ZERO_AT_ZERO | {"Mul"}
_ADD_ZEROS = CONTRACTIONS | TOTALS  # 0 if all of them are
_AT_ZERO = {
    "Log": "a logarithm", "Sqrt": "a root", "Rsqrt": "a root",
    "RealDiv": "a denominator", "Reciprocal": "a denominator",
}  # fmt: skip


def mend_of_quotient(case: Case, place: int) -> Mend:
    """What to do about a quotient that is not finite: a sentence, and code if it is right."""
    text, below = text_of(case, place), input_value(case, place, 1)
    shares = shares_of_nothing(case, place)
    if shares:
        return shares, ""
    if below is None or np.all(np.asarray(below)):
        return tiny_divisor(case, place) or (overflow_of(dtype_at(case, place)), "")
    certain = no_real_zero(case, place) or own_zero(case, place)
    if certain:
        return _softmax_of_zeros(case, place) or _logarithm_of(case, place) or (certain, "")
    if text is None or len(text.arguments) != 2:
        return "Something was divided by 0: keep the denominator away from it.", ""
    for mend in (_length, lost_number, _root, empty_on_both_sides, _used_at_zero):
        found = mend(case, place)
        if found is not None:
            return found
    upper, lower = text.arguments
    if _is_taken_for_infinite(case, place):
        return (
            "Something was divided by 0, and what takes the quotient is finite for an infinite one: 0 "
            "in its place would make another value. Say with ad.where what comes out then, and divide "
            "by a safe number there.",
            "",
        )
    stopped = no_way_around(case, place)
    if stopped:
        return stopped, ""
    limit = " (it may have another limit: sin(x) / x has 1)" if _both_zero(case, place) else ""
    return (
        everywhere_zero(case, place)
        or f"Something was divided by 0. If the quotient may be 0 there{limit}:",
        instead(f"ad.math.divide_no_nan({upper}, {lower})", text),
    )


def _both_zero(case: Case, place: int) -> bool:
    """Whether it is 0 / 0, of two values that were computed from the source."""
    quotient, places = case.values.get(place), case.operation(place).places
    return (
        case.below.issuperset(places) and quotient is not None and bool(np.any(np.isnan(quotient)))
    )


def _is_taken_for_infinite(case: Case, place: int) -> bool:
    """Whether the quotient is infinite, not NaN, and the target finite all the same."""
    quotient = case.values.get(place)
    if quotient is None or np.any(np.isnan(quotient)):
        return False
    return finite(tensor_behind(case.target)._value)


def _logarithm_of(case: Case, place: int) -> Mend | None:
    """A quotient whose logarithm is taken, and is an ordinary number if it is a difference."""
    log = users(case, place, "Log")
    form = taken_apart(case, log) if log is not None else None
    if form is None or not form[1]:
        return None
    return (
        "The divisor is above 0 and was rounded to 0. The logarithm of a quotient is a difference of "
        "logarithms, and each of them is an ordinary number:",
        form[1],
    )


def _softmax_of_zeros(case: Case, place: int) -> Mend | None:
    """A softmax by hand whose exponentials all became 0."""
    upper, below = case.operation(place).places
    total = case.before(below, "Broadcast")
    text = text_of(case, upper) if case.kind(upper) == "Exp" else None
    if text is None or case.kind(total) != "Sum":
        return None
    if case.operation(total).places[0] != upper or len(text.arguments) != 1:
        return None
    found = sum_of_exps(case, upper, total)
    return found and (
        "All of the exponentials became 0. A softmax has a form without that.",
        found[1],
    )


def _length(case: Case, place: int) -> Mend | None:
    """The length of a vector of zeros."""
    length = length_at(case, case.before(case.operation(place).places[1], "Broadcast", "AddV2"))
    return ("Something was divided by 0, the " + length[0][4:], length[1]) if length else None


def _root(case: Case, place: int) -> Mend | None:
    """A root of 0 has an infinite slope too: the bound belongs under the root."""
    inner = case.before(case.operation(place).places[1], "Broadcast")
    text = text_of(case, inner) if case.kind(inner) == "Sqrt" else None
    if text is None or len(text.arguments) != 1:
        return None
    return (
        "Something was divided by 0, a square root, whose slope is infinite there as well: keep what "
        "is under the root above 0. Below the bound the gradient is then 0.",
        instead(f"{text.name}(ad.maximum({text.arguments[0]}, 1e-12))", text),
    )


def _used_at_zero(case: Case, place: int) -> Mend | None:
    """Where the quotient goes into something that 0 is as bad for."""
    text, below = text_of(case, place), np.asarray(input_value(case, place, 1))
    what = _goes_into(case, place, _KEEP_ZERO if np.any(below) else _KEEP_ZERO | _ADD_ZEROS)
    if text is None or not what:
        return None
    words = f"Something was divided by 0, and as the quotient goes into {what}, 0 is as bad there"
    upper, lower = text.arguments
    if np.any(below < 0):
        return f"{words}: keep the denominator away from 0.", ""
    return (
        f"{words}. Keep the denominator above 0; below the bound the gradient is then 0.",
        instead(f"{bracketed(upper)} / ad.maximum({lower}, 1e-7)", text),
    )


def _goes_into(case: Case, place: int, keeping: frozenset[str]) -> str:
    """What a quotient goes into that a 0 must not go into; "" if nothing on the way to the target.

    ``keeping`` are the operations that make 0 of its 0.
    """
    found = {place}
    for user in range(place + 1, len(case.records)):
        taken = found & set(inputs_of(case.records[user]))
        if not taken or user not in case.above:
            continue
        operation = case.operation(user)
        divided = operation.type == "RealDiv" and operation.places[1] not in taken
        if operation.type in _AT_ZERO and not divided:
            return _AT_ZERO[operation.type]
        if operation.type in keeping or divided:
            found.add(user)
    return ""
