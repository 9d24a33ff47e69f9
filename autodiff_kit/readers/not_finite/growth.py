"""Layer 5: quotients over an exponential, as in logistic growth and in Planck's law.

One idea: the quotient is an ordinary number however large the exponential is; written with exp(-z), it
never meets one that overflows.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import ADDITIONS
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.program.spelled import bracketed, instead

_GROWTH = "exp overflows. a / (1 + c * exp(z)) is a * sigmoid(-z - log(c)), which cannot."
_PLANCK = (
    "exp overflows. a / (exp(z) - 1) is a * exp(-z) / (1 - exp(-z)), which cannot where z > 0."
)


def quotient_over(case: Case, place: int, argument: str) -> tuple[str, str] | None:
    """A sentence and code for an exponential that only stands in a denominator like these."""
    scale, whole = _scaled(case, place)
    below = _only_user(case, whole)
    over = _only_user(case, below) if below >= 0 else -1
    text = text_of(case, over) if case.kind(over) == "RealDiv" else None
    if text is None or len(text.arguments) != 2 or case.operation(over).places[1] != below:
        return None
    upper, z = text.arguments[0], bracketed(argument.strip())
    kind = case.operation(below).type
    if "\n" in text.whole or not is_one(case, below, 1 if kind == "Sub" else -1):
        return None
    if kind == "AddV2" and scale is not None:
        log = f" - ad.math.log({scale})" if scale else ""
        return _GROWTH, instead(f"{bracketed(upper)} * ad.sigmoid(-{z}{log})", text)
    value = input_value(case, place, 0)
    if kind == "Sub" and scale == "" and value is not None and np.all(value > 0):
        code = f"{bracketed(upper)} * ad.exp(-{z}) / (1.0 - ad.exp(-{z}))"
        return _PLANCK, instead(code, text)
    return None


def _scaled(case: Case, place: int) -> tuple[str | None, int]:
    """What an exponential is multiplied by, "" for nothing, None if it may not be; and the product."""
    user = _only_user(case, place)
    if case.kind(user) != "Mul":
        return "", place
    number = 1 - case.operation(user).places.index(place)
    factor, text = input_value(case, user, number), text_of(case, user)
    if factor is None or not np.all(factor > 0) or text is None or len(text.arguments) != 2:
        return None, user
    return text.arguments[number], user


def _only_user(case: Case, place: int) -> int:
    """The only operation that takes a value on the way to the target; -1 if there are others."""
    users = set(case.takers.get(place, ()))
    return users.pop() if len(users) == 1 else -1


def is_one(case: Case, place: int, number: int = -1) -> bool:
    """Whether one input of a sum is 1, the given one or either."""
    if case.kind(place) not in ADDITIONS:
        return False
    numbers = (0, 1) if number < 0 else (number,)
    values = [input_value(case, place, n) for n in numbers if case.operation(place).places[n] < 0]
    text = text_of(case, place)
    if any(value is not None and np.all(np.asarray(value) == 1) for value in values):
        return True
    return text is not None and any(
        text.arguments[n] in ("1", "1.0") for n in numbers if n < len(text.arguments)
    )
