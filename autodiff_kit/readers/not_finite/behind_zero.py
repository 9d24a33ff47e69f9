"""Layer 5: a zero that an infinity made.

One idea: what is divided by infinity is 0, which is finite. So a logarithm of that 0 seems to be where
all begins, and the infinity before it is what is to be told.
"""

from __future__ import annotations

import re

import numpy as np

from autodiff_kit.readers.facts.births import began
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import Sick, input_value
from autodiff_kit.readers.facts.kinds import MOVES
from autodiff_kit.readers.facts.spoiling import is_finite


def infinity_behind(case: Case, born: Sick | None) -> Sick | None:
    """Where the infinity began that made the 0 of which the logarithm is taken; None if none did."""
    if born is None or born.kind != "operation" or case.operation(born.place).type != "Log":
        return None
    place = case.before(case.operation(born.place).places[0], *MOVES, "Neg")
    if case.kind(place) != "RealDiv":
        return None
    below, under = case.operation(place).places[1], input_value(case, place, 1)
    if below < 0 or under is None or is_finite(under) or np.any(np.isnan(under)):
        return None
    quotient = case.values.get(place)
    if quotient is None or not np.all(np.isinf(under) | (quotient != 0)):
        return None  # another zero may be that of the logarithm
    return began(case, [below])


_READY = re.compile(r"ad\.(?:nn\.)?(softmax|sigmoid)(\(.*\))    # instead of (.*)")
_LOGS = {"softmax": "ad.nn.log_softmax", "sigmoid": "ad.math.log_sigmoid"}


def with_logarithm(advice: str, code: str) -> tuple[str, str]:
    """What to do about an overflow, where the logarithm of the quotient is wanted."""
    found = _READY.fullmatch(code)
    if found is None:
        return advice, code
    name, arguments, whole = found.groups()
    return (
        f"exp overflows. The logarithm of a {name} has a form that cannot.",
        f"{_LOGS[name]}{arguments}    # instead of the logarithm of {whole}",
    )
