"""Layer 5: masks of -inf that something is multiplied by.

One idea: what a softmax is to leave out may be -inf, but only put in, not multiplied in: the rule of a
product multiplies what comes back by its factor too, and 0 * -inf is NaN. 0 in the place of -inf would
let in what was to be left out.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import Sick, input_value
from autodiff_kit.readers.facts.limits import dtype_at, instead_of_infinity
from autodiff_kit.readers.facts.spoiling import may_be_a_mask
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.mending.safe import new_names
from autodiff_kit.readers.not_finite.maskedout import CHOOSE
from autodiff_kit.readers.not_finite.mends import Mend
from autodiff_kit.readers.program.literal import exchanged
from autodiff_kit.readers.program.spelled import instead

_WORDS = (
    "If this is a mask, -inf is no factor: the way back multiplies by it too, and 0 * -inf is NaN; and "
    "0 in its place would leave nothing out. Multiply by a finite number there, and put a large "
    "negative number in with ad.where afterwards"
)


def mask_multiplied(case: Case, born: Sick) -> Mend | None:
    """What to do about -inf that is a factor of what a softmax takes; None if it is not that."""
    value = input_value(case, born.place, born.number)
    if case.operation(born.place).type != "Mul" or value is None or not np.any(np.isneginf(value)):
        return None
    made_of_it = depending_on(case.records, [born.place]) & case.above
    left_out = any(case.operation(place).type in (*CHOOSE, "Exp") for place in made_of_it)
    if not left_out or not may_be_a_mask(value):
        return None
    code = _code(case, born)
    return (f"{_WORDS}:", code) if code else (f"{_WORDS}.", "")


def _code(case: Case, born: Sick) -> str:
    """The product with a safe mask, "" if it does not stand there plainly."""
    text = text_of(case, born.place)
    if text is None or "\n" in text.whole or len(text.arguments) != 2:
        return ""
    mask = text.arguments[born.number]
    ok, safe = new_names(case, born.place, mask)
    product = exchanged(text.whole, mask, safe)
    if not product:
        return ""
    large = instead_of_infinity(dtype_at(case, born.place))
    return (
        f"{ok} = ad.math.is_finite({mask})\n"
        f"{safe} = ad.where({ok}, {mask}, 0.0)    # no -inf on the way back\n"
        + instead(f"ad.where({ok}, {product}, {large})", text)
    )
