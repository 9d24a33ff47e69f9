"""Layer 5: what to do where a value became infinite or NaN.

One idea: a recipe is right only for what the value is used for, so the operations around it are looked
at. Where no recipe is right in general, words say what went wrong, and there is no code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value, input_values
from autodiff_kit.readers.facts.limits import dtype_at, overflow_of, overflow_of_exp
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.mending.reused import reused
from autodiff_kit.readers.not_finite.divisors import zero_inverted
from autodiff_kit.readers.not_finite.growth import is_one, quotient_over
from autodiff_kit.readers.not_finite.halves import cast_words
from autodiff_kit.readers.not_finite.logcosh import log_cosh
from autodiff_kit.readers.not_finite.logrules import negative
from autodiff_kit.readers.program.spelled import instead

Mend = tuple[str, str]  # a sentence, and code or nothing
OUTSIDE = {
    "Acos": "acos is defined from -1 to 1",
    "Asin": "asin is defined from -1 to 1",
    "Acosh": "acosh is defined from 1 upwards",
    "Atanh": "atanh is defined between -1 and 1, and infinite at both ends",
    "Erfinv": "erfinv is defined between -1 and 1, and infinite at both ends",
    "Log1p": "log1p is defined above -1, and infinite there",
    "Sqrt": "the square root of a negative number is NaN",
    "Rsqrt": "one divided by the square root is infinite at 0 and NaN below",
    "Reciprocal": "one divided by 0 is infinite",
    "Lgamma": "lgamma is infinite at 0 and at the negative whole numbers",
    "Digamma": "digamma is infinite at 0 and at the negative whole numbers",
}


def mend_of_value(case: Case, place: int) -> Mend:
    """What to do about the operation that made the first value which is not finite."""
    operation = case.operation(place)
    special = {"Exp": _exp, "Pow": _power, "Cast": _cast, "Cosh": log_cosh}.get(operation.type)
    if special is not None:
        return special(case, place)
    inverted = zero_inverted(case, place) if operation.type in ("Rsqrt", "Reciprocal") else None
    if inverted is not None:
        return inverted
    if operation.type in OUTSIDE:
        words = OUTSIDE[operation.type]
        return f"{words[0].upper()}{words[1:]}: keep the argument inside.", ""
    if operation.type == "CustomGradient":
        return "Look into the function: its value is not finite for this argument.", ""
    return overflow_of(dtype_at(case, place)), ""


def users(case: Case, place: int, *types: str) -> int | None:
    """The operation of one of some types that takes a value on the way to the target."""
    found = (user for user in case.takers.get(place, ()) if case.operation(user).type in types)
    return next(found, None)


def _through(case: Case, place: int, *types: str) -> int | None:
    """As `users`, and a broadcast in between does not matter."""
    found = users(case, place, *types)
    if found is None:
        stretched = users(case, place, "Broadcast")
        found = users(case, stretched, *types) if stretched is not None else None
    return found


def _exp(case: Case, place: int) -> Mend:
    text = text_of(case, place)
    argument = text.arguments[0] if text is not None and len(text.arguments) == 1 else None
    total = users(case, place, "Sum") or _sum_below(case, place)
    one = users(case, place, "AddV2")
    if argument and total is not None:
        found = sum_of_exps(case, place, total)
        if found is not None:
            return found
    log1p = users(case, place, "Log1p")
    if argument and log1p is not None:
        return _form(case, place, log1p, _ONE_AND_EXP, "ad.math.softplus", "")
    if argument and one is not None and is_one(case, one):
        found = _one_and_exp(case, place, one)
        if found is not None:
            return found
    below = quotient_over(case, place, argument) if argument else None
    if below is not None:
        return below
    return overflow_of_exp(dtype_at(case, place)), ""


def sum_of_exps(case: Case, place: int, total: int) -> Mend | None:
    """The form for a sum of exponentials, if its logarithm or a quotient is taken."""
    axes, keepdims = case.operation(total).attrs["axis"], case.operation(total).attrs["keepdims"]
    rank = len(case.operation(total).attrs["shapes"][0])
    log = users(case, total, "Log")
    if log is not None:
        more = "" if len(axes) == rank else f", axis={axis_text(axes)}"
        more += ", keepdims=True" if keepdims else ""
        say = "The logarithm of a sum of exponentials has a form that cannot overflow"
        return _form(case, place, log, say, "ad.reduce_logsumexp", more)
    quotient = _through(case, total, "RealDiv")
    if quotient is None or not _is_of_the_same(case, place, quotient) or len(axes) != 1:
        return None
    if not (keepdims or rank == 1 or axes[0] == 0):
        return None  # each number is divided by the sum of another row
    more = "" if axes[0] in (rank - 1, -1) else f", axis={axes[0]}"
    log = users(case, quotient, "Log")
    if log is not None:
        say = "exp overflows. The logarithm of a softmax has a form that cannot"
        return _form(case, place, log, say, "ad.nn.log_softmax", more)
    say = "exp overflows. A softmax has a form that cannot, for it subtracts the largest first"
    return _form(case, place, quotient, say, "ad.nn.softmax", more)


def _sum_below(case: Case, place: int) -> int | None:
    """The sum that an exponential is divided by, if it is that of the same exponentials again."""
    quotient = users(case, place, "RealDiv")
    below = case.operation(quotient).places[1] if quotient is not None else -1
    total = case.before(below, "Broadcast")
    if quotient is None or case.kind(total) != "Sum":
        return None
    again = case.operation(total).places[0]
    return total if again != place and _is_exp_of(case, again, place) else None


def _is_of_the_same(case: Case, place: int, quotient: int) -> bool:
    """Whether a quotient has an exponential, or the same once more, for its upper part."""
    return _is_exp_of(case, case.before(case.operation(quotient).places[0], "Broadcast"), place)


def _is_exp_of(case: Case, one: int, other: int) -> bool:
    """Whether both are the same, or exponentials of the same value."""
    return one == other or (
        case.kind(one) == "Exp" and case.operation(one).places == case.operation(other).places
    )


def _form(case: Case, place: int, at: int, say: str, function: str, more: str) -> Mend:
    """One function of what `exp` takes, in place of an operation further on; in words if what `exp`
    takes has no name there.
    """
    words, there = reused(case, place, at), text_of(case, at)
    if words is not None and len(words.arguments) == 1 and there is not None:
        return f"{say}.", instead(f"{function}({words.arguments[0]}{more})", there)
    what = "quotient" if case.operation(at).type == "RealDiv" else "logarithm"
    line = "on the same line" if case.line(at) == case.line(place) else f"at {case.line(at).where}"
    return f"{say}: {function} of what exp takes here, in place of the {what} {line}.", ""


_ONE_AND_EXP = "log(1 + exp(x)) has a form that cannot overflow"


def _one_and_exp(case: Case, place: int, one: int) -> Mend | None:
    log, quotient = users(case, one, "Log"), users(case, one, "RealDiv")
    if log is not None:
        return _form(case, place, log, _ONE_AND_EXP, "ad.math.softplus", "")
    text = text_of(case, quotient) if quotient is not None else None
    words = reused(case, place, quotient) if quotient is not None else None
    if words is None or text is None or len(words.arguments) != 1:
        return None
    if len(text.arguments) == 2 and text.arguments[0] in ("1", "1.0"):
        return (
            "exp overflows. 1 / (1 + exp(-x)) is the sigmoid, which has a form that cannot.",
            instead(f"ad.sigmoid({negative(words.arguments[0].strip())})", text),
        )
    return None


def axis_text(axes: Any) -> str:
    """An axis, or several, as they are written."""
    return str(axes[0]) if len(axes) == 1 else str(tuple(axes))


def _power(case: Case, place: int) -> Mend:
    base, exponent = input_values(case, place)
    if base is not None and exponent is not None:
        if np.any((np.asarray(base) < 0) & (np.asarray(exponent) % 1 != 0)):
            return (
                "A negative number to a power that is not whole is NaN: look at why it is below 0.",
                "",
            )
        if np.any((np.asarray(base) == 0) & (np.asarray(exponent) < 0)):
            return zero_inverted(case, place) or (
                "0 to a negative power is infinite: keep the base away from 0.",
                "",
            )
    return overflow_of(dtype_at(case, place)), ""


def _cast(case: Case, place: int) -> Mend:
    dtype = dtype_at(case, place)
    return cast_words(dtype, input_value(case, place, 0)), ""
