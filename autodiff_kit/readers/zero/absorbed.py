"""Layer 5: numbers that were lost in a sum.

One idea: float32 has about seven digits, so a small number changes nothing where it is added to a large
one. A value that is 0 for that alone is no minimum; the same steps in float64 tell the two apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import Step, leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import input_name
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import ADDITIONS, ONE_AT_ZERO
from autodiff_kit.readers.facts.limits import wider
from autodiff_kit.readers.facts.values import run_again
from autodiff_kit.readers.zero.began import is_nought

# Flat where their value is 0, and nowhere near it.
_FLAT_AT_0 = frozenset("Abs Mul Pow Relu Square SquaredDifference".split())
_FORMS = {
    "Log": "ad.math.log1p(x) is log(1 + x) without that rounding.",
    "Exp": "ad.math.expm1(x) is exp(x) - 1 without that rounding.",
    "Cos": "2.0 * ad.sin(x / 2.0) ** 2 is 1 - cos(x) without that rounding.",
    "Cosh": "2.0 * ad.sinh(x / 2.0) ** 2 is cosh(x) - 1 without that rounding.",
}
_BEFORE = (
    "Take the large number away before the small one is added, not after: what counts is the "
    "difference"
)


def absorbed(case: Case, step: Step, found: Finding) -> Finding | None:
    """If a value is 0 only because a number on the way to it was too small beside another."""
    last = step.operation.place
    if step.operation.type not in _FLAT_AT_0 or not is_nought(case.values.get(last)):
        return None
    way = sorted(leading_to(case.records, [last]) & case.below)
    for place in way:
        words = _lost_at(case, place)
        if words and _is_not_zero_in_double(case, way):
            return _finding(case, step, place, words, found)
    return None


def _finding(case: Case, step: Step, place: int, words: str, found: Finding) -> Finding:
    found.op, found.line = case.operation(place).type, case.line(place)
    where = case.line(step.operation.place).where
    found.why = (
        f"At {step.operation.type} at {where} the gradient became zero: the value "
        f"there is 0, but only because it was rounded: {words}."
    )
    dtype = np.asarray(case.values[place]).dtype.name
    after = [p for p in case.path if place in case.operation(p).places]
    kinds = [case.operation(place).type, *(case.operation(p).type for p in after)]
    form = next((_FORMS[kind] for kind in kinds if kind in _FORMS), None)
    more = f"ompute in ad.{wider(dtype)}" if wider(dtype) else ""
    found.advice = f"{form} Or c{more}." if form else f"{_BEFORE}. Or c{more}."
    return found


def _lost_at(case: Case, place: int) -> str:
    """What an operation lost of what depends on the source, in words; "" if it lost nothing."""
    operation, value = case.operation(place), case.values.get(place)
    own = [n for n, p in enumerate(operation.places) if p in case.below]
    if value is None or len(own) != 1:
        return ""
    if operation.type in ADDITIONS:
        return _lost_beside(case, place, own[0])
    argument = input_value(case, place, own[0]) if operation.type in ONE_AT_ZERO else None
    if argument is None or not np.any(argument) or not np.all(np.asarray(value) == 1.0):
        return ""
    what = _called(case, place, own[0], argument)
    return f"the {operation.type} of {what} at {case.line(place).where} is 1 to the last digit"


def lost_step(case: Case) -> str:
    """A step that was too small for a difference, in words: x + step is x; "" if there is none."""
    for place in case.path:
        places = case.operation(place).places
        own = [n for n, p in enumerate(places) if p in case.below]
        is_used_without = len(own) == 1 and len(case.takers.get(places[own[0]], ())) > 1
        words = _lost_beside(case, place, 1 - own[0]) if is_used_without else ""
        if words:
            return f" And {words}, so that this sum is what it was without."
    return ""


def _lost_beside(case: Case, place: int, number: int) -> str:
    """If a sum is what it was without one of its two numbers, that in words."""
    operation, value = case.operation(place), case.values.get(place)
    if operation.type not in ADDITIONS or value is None or np.asarray(value).dtype.kind != "f":
        return ""
    small, large = (input_value(case, place, n) for n in (number, 1 - number))
    if small is None or large is None or not np.any(small) or not np.all(large):
        return ""
    alone = np.negative(large) if operation.type == "Sub" and number == 0 else large
    if not np.all(value == alone):
        return ""
    apart = float(np.min(np.spacing(np.abs(value))))
    return (
        f"{_called(case, place, number, small)} is lost beside {_size(large)} at "
        f"{case.line(place).where}, where the numbers of {np.asarray(value).dtype.name} are "
        f"{apart:.2g} apart"
    )


def _called(case: Case, place: int, number: int, value: Any) -> str:
    """What the learner calls an input, with its size."""
    name = input_name(case, place, number)
    return f"`{name}`, which is {_size(value)}," if name else _size(value)


def _size(value: Any) -> str:
    """A number, or the largest of several."""
    largest = f"{float(np.max(np.abs(value))):.3g}"
    return largest if np.ndim(value) == 0 else f"at most {largest}"


def _is_not_zero_in_double(case: Case, way: list[int]) -> bool:
    """Whether the last value of a way is nowhere 0 if its operations run again in float64."""
    wide: dict[int, Any] = {}
    for place in way:
        operation = case.operation(place)
        if operation.definition is LEAF:
            continue
        inputs = [
            wide[p] if p in wide else _in_double(input_value(case, place, n))
            for n, p in enumerate(operation.places)
        ]
        if operation.many or any(one is None for one in inputs):
            return False
        wide[place] = run_again(operation, inputs)
        if wide[place] is None:
            return False
    return bool(np.any(wide[way[-1]]))


def _in_double(value: Any) -> Any:
    if value is None or np.asarray(value).dtype.kind != "f":
        return value
    return np.asarray(value, np.float64)[()]
