"""Layer 5: products with a factor that is zero, by whatever name they are called.

One idea: what comes back to one factor is multiplied by the others. Which of them is zero is looked up,
everywhere or where a gradient arrives, and a zero that began before is followed to its beginning.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import input_name
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import input_value, input_values
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import PRODUCTS
from autodiff_kit.readers.zero.began import is_nought, made_at
from autodiff_kit.readers.zero.beginning import ADVICE, BOTH, STATE, with_beginning
from autodiff_kit.readers.zero.nought import nought
from autodiff_kit.readers.zero.rounded import rounded_to_zero
from autodiff_kit.readers.zero.squares import SQUARED, by_itself, minimum

_EACH = ("Mul", "MulNoNan", "RealDiv", "DivNoNan")  # element by element
_SUMS = "what comes in is multiplied by the other factor, and the sums of these products are zero"


def product(case: Case, step: Step, found: Finding) -> Finding | None:
    """If the slope of a product or a quotient is zero: which factor is zero, and since when."""
    operation = step.operation
    if operation.type not in PRODUCTS and operation.type not in _EACH:
        return None
    number = _zero_factor(case, step)
    if number is None:
        return None if operation.type in _EACH else _sums(case, step, found)
    other, which = operation.places[number], _which(case, step, number)
    start = nought(case, other) if other >= 0 else None
    if _is_both(case, step) and by_itself(case, step):
        if start is None or start.kind in ("difference", "leaf"):
            return minimum(case, step, found)
        return with_beginning(case, step, start, SQUARED, found)
    if start is not None:
        return with_beginning(case, step, start, which, found)
    return _directly(case, step, number, which, found)


def is_constant_zero(case: Case, step: Step) -> bool:
    """Whether a product is zero because of a factor that was not computed on the tape."""
    operation = step.operation
    if operation.type not in PRODUCTS and operation.type not in _EACH:
        return False
    number = _zero_factor(case, step)
    return number is not None and operation.places[number] < 0


def _zero_factor(case: Case, step: Step) -> int | None:
    """The number of the input that is the zero factor, None if there is none."""
    operation = step.operation
    own = [n for n, place in enumerate(operation.places) if place in case.leads]
    others = [n for n in range(len(operation.places)) if [n] != own]
    if operation.type == "RealDiv":
        others = [0] if own == [1] else []
    elif operation.type == "DivNoNan":
        others = [0, 1] if own == [1] else [1]
    return next((n for n in others if _is_zero_there(case, step, n)), None)


def _is_zero_there(case: Case, step: Step, number: int) -> bool:
    """Whether an input is zero everywhere, or wherever a gradient arrives."""
    value = input_value(case, step.operation.place, number)
    return is_nought(value) or (value is not None and is_nought(_met(step, value)))


def _met(step: Step, value: Any) -> Any:
    """The elements of an input that meet a gradient which is not zero, None if it is no such input."""
    dy = dense(step.dy)
    if step.operation.type not in _EACH or isinstance(step.dy, dict):
        return None
    return np.broadcast_to(value, np.shape(dy))[np.asarray(dy) != 0]


def _is_both(case: Case, step: Step) -> bool:
    values = input_values(case, step.operation.place)
    return step.operation.type == "Mul" and all(map(is_nought, values))


def _which(case: Case, step: Step, number: int) -> str:
    operation = step.operation
    both = _is_both(case, step) and operation.places[1 - number] in case.leads
    if both and min(operation.places) >= 0:
        return BOTH
    value = input_value(case, operation.place, number)
    there = "wherever a gradient arrives" if not is_nought(value) else "everywhere"
    there = "" if np.ndim(value) == 0 else f" {there}"
    if "Div" in operation.type:
        return f"what is divided is 0{there}" if number == 0 else f"the divisor is 0{there}"
    return f"the other factor is 0{there}"


def _directly(case: Case, step: Step, number: int, which: str, found: Finding) -> Finding:
    """The zero factor is itself what is to be named."""
    operation = step.operation
    name, made = input_name(case, operation.place, number), None
    if operation.places[number] < 0:
        made = made_at(case, operation.place, number)
    called = (
        f": `{name}`" * (name not in ("0", "0.0"))
        if name
        else " (a mask, for example)" * (operation.type == "Mul")
    )
    since = f", made at {made.where}" if made is not None else ""
    found.op, found.line = operation.type, case.line(operation.place)
    found.why = f"At {operation.type} the gradient became zero: {which}{called}{since}."
    found.advice = ADVICE["factor"] if operation.type in _EACH else STATE
    if "Div" in operation.type:
        found.advice = "Look at why it is 0 there."
    rounded = rounded_to_zero(case, operation.place, name) if name else None
    if rounded is not None:
        found.why, found.advice = f"{found.why[:-1]}.{rounded[0]}.", rounded[1]
    return found


def _sums(case: Case, step: Step, found: Finding) -> Finding:
    """No factor is zero; the products add up to zero."""
    operation = step.operation
    found.op, found.line = operation.type, case.line(operation.place)
    found.why = f"At {operation.type} the gradient became zero: {_SUMS}."
    found.advice = "Look at the values at this line."
    found.fix = case.replay
    return found
