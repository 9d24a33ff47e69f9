"""Layer 5: what to do about a logarithm of zero.

One idea: where rounding made the zero, the logarithm has a form that never makes it; only a zero that
is really one needs a bound.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.mending.reused import reused
from autodiff_kit.readers.not_finite.domains import POSITIVE
from autodiff_kit.readers.not_finite.halves import added_nothing
from autodiff_kit.readers.not_finite.logforms import taken_apart
from autodiff_kit.readers.not_finite.lostbounds import lost_bound
from autodiff_kit.readers.not_finite.mends import Mend, users
from autodiff_kit.readers.not_finite.normal import erf_at_its_end
from autodiff_kit.readers.not_finite.probabilities import READY, of_probabilities, surely_one
from autodiff_kit.readers.not_finite.spared import safe_where_left_out, spared
from autodiff_kit.readers.not_finite.underflow import lost_at, words_of
from autodiff_kit.readers.program.lines import assigned_name
from autodiff_kit.readers.program.spelled import Spelled, instead
from autodiff_kit.readers.zero.began import is_nought
from autodiff_kit.readers.zero.nought import nought


def mend_of_log(case: Case, place: int) -> Mend:
    """What to do about a logarithm that is -inf or NaN: a sentence, and code if it is right."""
    text, value = text_of(case, place), input_value(case, place, 0)
    argument = text.arguments[0] if text is not None and len(text.arguments) == 1 else None
    if value is not None and np.any(np.asarray(value) < 0):
        masked = _times_zero(case, place, text) or safe_where_left_out(case, place)
        if masked is not None:
            return masked
    if value is not None and np.any((np.asarray(value) < 0) & ~spared(case, place)):
        if case.kind(case.operation(place).places[0]) == "MatrixDeterminant":
            return _of_a_determinant(case, place, text)
        return (
            f"A negative number has no logarithm: look at why the argument is below 0. {POSITIVE}",
            "",
        )
    zero = "The logarithm of 0 is -inf"
    nothing = added_nothing(case, case.operation(place).places[0], zero)
    nothing = nothing or lost_bound(case, place, zero)
    if nothing is not None:
        return nothing
    for mend in (_taken_apart, _times_zero, of_probabilities, _rounded):
        found = mend(case, place, text)
        if found is not None:
            return found
    if is_nought(value):
        return _all_zero(case, place), ""
    if argument is None:
        return "The logarithm of 0 is -inf: keep the argument above 0.", ""
    return (
        "The logarithm of 0 is -inf. Keep the argument away from 0; below the bound the gradient "
        "is then 0.",
        instead(f"ad.math.log(ad.maximum({argument}, 1e-7))", text),
    )


def _of_a_determinant(case: Case, place: int, text: Spelled | None) -> Mend:
    """What to do about the logarithm of a determinant below 0."""
    inner = text_of(case, case.operation(place).places[0])
    plain = inner is not None and len(inner.arguments) == 1
    code = f"ad.linalg.slogdet({inner.arguments[0]})[1]" if inner is not None and plain else ""
    return (
        "A determinant below 0 has no logarithm. Where its size is meant, as for a change of "
        "variables, slogdet has the logarithm of that. A covariance has none below 0, but by rounding: "
        "then add a little to its diagonal.",
        instead(code, text) if code and text is not None else "",
    )


def _all_zero(case: Case, place: int) -> str:
    """What to say where a bound would leave nothing: the whole argument is 0."""
    began = nought(case, case.operation(place).places[0])
    erf = erf_at_its_end(case, case.operation(place).places[0])
    if erf and (began is None or began.kind == "difference"):
        return f"The logarithm of 0 is -inf, and with a bound its gradient would be 0. {erf}"
    sure = surely_one(case, began.place) if began is not None else ""
    if sure:
        return f"The logarithm of 0 is -inf, and with a bound its gradient would be 0. {sure}"
    why = f"That 0 began before: {began.words}." if began is not None else "Look at why it is 0."
    return f"The logarithm of 0 is -inf, and with a bound its gradient would be 0. {why}"


def _taken_apart(case: Case, place: int, _text: Spelled | None) -> Mend | None:
    """An argument that is above 0 and was rounded to 0: its logarithm has a form that is finite."""
    found = taken_apart(case, place)
    return (_why(case, place, found[0]), found[1]) if found is not None else None


def _why(case: Case, place: int, kinds: list[str]) -> str:
    """What was rounded to 0, and what the code does about it."""
    if kinds == ["Exp"]:
        return f"{_EXP} The logarithm of exp(x) is x."
    if kinds in (["Sum", "Exp"], ["Mean", "Exp"]):
        return f"{_EXP} The logarithm of a sum of exponentials has a form without that zero."
    if kinds[0] in READY:
        return " ".join(READY[kinds[0]])
    if kinds == ["Sub", "Sigmoid"]:
        return f"The sigmoid became 1, and the logarithm of 0 is -inf. {READY['Sigmoid'][1]}"
    return (
        f"The argument is above 0; only rounding in {np.asarray(case.values[place]).dtype} made it 0. "
        "Its logarithm is an ordinary number if it is computed without it:"
    )


def _times_zero(case: Case, place: int, _text: Spelled | None) -> Mend | None:
    """x log y with x = 0 wherever the logarithm is -inf, as in an entropy or a divergence."""
    product = users(case, place, "Mul")
    words = text_of(case, product) if product is not None else None
    if words is None or product is None or len(case.takers.get(place, ())) > 1:
        return None
    text = reused(case, place, product)
    if text is None or len(text.arguments) != 1 or len(words.arguments) != 2:
        return None
    names = (text.whole, assigned_name(case.line(place)))
    number = next((n for n, one in enumerate(words.arguments) if one in names), None)
    if number is None:
        return None
    factor, log = (input_value(case, product, n) for n in (1 - number, number))
    if factor is None or log is None or np.any(np.where(np.isfinite(log), 0, factor)):
        return None
    begin = of_probabilities(case, place, None)
    before = "The logarithm of 0 is -inf."
    if np.any(np.isnan(log)):
        before = (
            "The logarithm of 0 is -inf, that of a negative number NaN, and 0 times either is NaN."
        )
        begin = None
    if begin is not None and words.arguments[1 - number] != text.arguments[0]:
        before = f"{begin[0]} As it stands:"
    return (
        f"{before} xlogy is the product, and 0 where its first factor is 0.",
        instead(f"ad.math.xlogy({words.arguments[1 - number]}, {text.arguments[0]})", words),
    )


_EXP = "exp became 0, because its argument is so far below 0."


def _rounded(case: Case, place: int, _text: Spelled | None) -> Mend | None:
    """An argument that is above 0, but too small for its dtype, and no text is certain."""
    lost = lost_at(case, case.operation(place).places[0])
    if lost is None:
        return None
    loop = (
        " Where a loop multiplies, divide by the sum in each step, and add up the logarithms of these "
        "sums."
    )
    return (
        "The logarithm of 0 is -inf, but the argument is above 0 and was rounded: "
        f"{words_of(case, lost)} A bound would hide that, with 0 for a gradient. Compute the logarithm "
        "from the beginning: sums of logarithms instead of products, and ad.reduce_logsumexp instead "
        f"of the logarithm of a sum.{loop if lost.repeated else ''}",
        "",
    )
