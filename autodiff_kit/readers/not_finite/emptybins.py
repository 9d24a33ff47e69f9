"""Layer 5: a divergence of two distributions of which some bins are empty in both.

One idea: ``p * log(p / q)`` is 0 where `p` is, but 0 / 0 is NaN, and a bound on the denominator leaves
the logarithm of 0. The product as a whole has a form that is 0 there.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value, input_values
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.not_finite.mends import Mend, users
from autodiff_kit.readers.program.spelled import bracketed, instead


def empty_on_both_sides(case: Case, place: int) -> Mend | None:
    """What to do about 0 / 0 in a logarithm that a 0 is multiplied with; None if it is not that."""
    log = users(case, place, "Log")
    product = users(case, log, "Mul") if log is not None else None
    if product is None or log is None:
        return None
    texts = text_of(case, place), text_of(case, log), text_of(case, product)
    if any(text is None for text in texts) or not _all_empty(case, place, product, log):
        return None
    quotient, logarithm, whole = (text for text in texts if text is not None)
    if len(whole.arguments) != 2 or logarithm.whole not in whole.arguments:
        return None
    factor = whole.arguments[1 - whole.arguments.index(logarithm.whole)]
    upper, lower = quotient.arguments
    code = f"ad.math.xlogy({factor}, {bracketed(upper)} / ad.maximum({lower}, 1e-7))"
    return (
        "0 was divided by 0, and a bound alone would leave the logarithm of 0. The product is 0 there: "
        "xlogy is 0 where its first factor is. Below the bound the gradient is 0.",
        instead(code, whole),
    )


def _all_empty(case: Case, place: int, product: int, log: int) -> bool:
    """Whether the numerator and the factor are 0 wherever the denominator is, which is nowhere less."""
    upper, lower = input_values(case, place)
    places = case.operation(product).places
    factor = input_value(case, product, 1 - places.index(log)) if log in places else None
    if upper is None or lower is None or factor is None or np.any(np.asarray(lower) < 0):
        return False
    empty, *others = np.broadcast_arrays(np.asarray(lower) == 0, upper, factor)
    return bool(np.any(empty)) and not any(np.any(one[empty]) for one in others)
