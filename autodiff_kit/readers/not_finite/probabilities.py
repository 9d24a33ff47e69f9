"""Layer 5: logarithms of probabilities that were rounded to 0 or to 1.

One idea: the logits are ordinary numbers, and the logarithm of a probability has a form that takes
them; a bound would only hide that nothing is learnt from what is rounded.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import input_name
from autodiff_kit.readers.facts.entering import input_value, input_values
from autodiff_kit.readers.facts.spoiling import is_finite
from autodiff_kit.readers.not_finite.mends import Mend
from autodiff_kit.readers.not_finite.sigmoids import exp_of_sigmoid
from autodiff_kit.readers.program.spelled import Spelled

READY = {  # what to say of a logarithm of it that can be computed in one
    "Softmax": (
        "The softmax became 0, and the logarithm of 0 is -inf.",
        "log_softmax does both in one, from the logits (and "
        "ad.nn.softmax_cross_entropy_with_logits a whole cross entropy):",
    ),
    "Sigmoid": (
        "The sigmoid became 0, and the logarithm of 0 is -inf.",
        "log_sigmoid does both in one, from the logits (and "
        "ad.nn.sigmoid_cross_entropy_with_logits a whole cross entropy):",
    ),
}


def of_probabilities(case: Case, place: int, _text: Spelled | None) -> Mend | None:
    """The logarithm of a softmax or a sigmoid whose argument cannot be written here."""
    inner = case.operation(place).places[0]
    less = _less_than_one(case, inner)
    kind, inner = _kind_of(case, inner if less < 0 else less)
    argument = input_value(case, inner, 0) if kind in READY else None
    masked = argument is not None and not is_finite(argument)
    if kind not in READY or masked:
        return None
    name = kind.lower()
    if less >= 0:
        return (
            f"The {name} became 1, and the logarithm of 0 is -inf. Begin with the logits, from before "
            f"the {name}: {_REST[kind]}, and ad.nn.{name}_cross_entropy_with_logits is a whole cross "
            "entropy.",
            "",
        )
    return (
        f"{READY[kind][0]} Begin with the logits, from before the {name}: {_LOGS[kind]} does both in "
        f"one, and ad.nn.{name}_cross_entropy_with_logits a whole cross entropy.",
        "",
    )


def _less_than_one(case: Case, place: int) -> int:
    """What is taken from 1, -1 if that is not what an operation does."""
    operation = case.operation(place) if place >= 0 else None
    if operation is None or operation.type != "Sub":
        return -1
    one = input_value(case, place, 0)
    return operation.places[1] if one is not None and np.all(np.equal(one, 1)) else -1


def _kind_of(case: Case, place: int) -> tuple[str, int]:
    """Which function made a value, and where it took its logits; a sigmoid by hand is one, too."""
    exp = exp_of_sigmoid(case, place) if place >= 0 else -1
    return ("Sigmoid", exp) if exp >= 0 else (case.kind(place), place)


_REST = {
    "Sigmoid": "ad.math.log_sigmoid of the negative logits is this logarithm",
    "Softmax": "ad.reduce_logsumexp of the others less that of all is this logarithm",
}
_LOGS = {"Softmax": "ad.nn.log_softmax", "Sigmoid": "ad.math.log_sigmoid"}


def surely_one(case: Case, place: int) -> str:
    """What to say of 1 minus something that is 1; "" if it is another difference."""
    if case.operation(place).type != "Sub" or case.operation(place).places[1] < 0:
        return ""
    values = input_values(case, place)
    if any(value is None or not np.all(np.equal(value, 1)) for value in values):
        return ""
    what = f"`{input_name(case, place, 1) or 'what is subtracted'}`"
    return (
        f"{what} is 1 to the last digit. If it is a probability, it was rounded to that: compute the "
        "logarithm from what it was made of instead (ad.nn.log_softmax or ad.math.log_sigmoid of the "
        "logits; for all but one class, ad.reduce_logsumexp of the others less that of all), or begin "
        "with smaller logits."
    )
