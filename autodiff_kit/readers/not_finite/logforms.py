"""Layer 5: the logarithm of an expression, taken apart.

One idea: the logarithm of a product is a sum of logarithms, that of exp(x) is x, and so on through the
learner's own expression, until each logarithm that is left is one of a number above 0.
"""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import TOTALS
from autodiff_kit.readers.facts.spoiling import is_finite
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.mending.here import here
from autodiff_kit.readers.mending.reused import reused
from autodiff_kit.readers.not_finite.logrules import RULES, bare
from autodiff_kit.readers.not_finite.mends import axis_text
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.spelled import Spelled


def taken_apart(case: Case, place: int) -> tuple[list[str], str] | None:
    """The types of the operations in a logarithm that is taken apart, and its code; None if it is not.

    The code is "" where it is not certain which expression it is to take the place of.
    """
    text, spot = text_of(case, place), here(case, place)
    if text is None or len(text.arguments) != 1:
        return None
    form = LogForm(case, place, text.arguments[0])
    if not form.code or not form.kinds:
        return None
    return form.kinds, spot.instead(bare(form.code)) if spot is not None else ""


class LogForm:
    """The logarithm of what one operation took, in the learner's words.

    code: the text, ``""`` if none is certain to be finite.
    kinds: the types of the operations that were taken apart.
    """

    def __init__(self, case: Case, log: int, text: str) -> None:
        self.case, self.log = case, log
        self.kinds: list[str] = []
        self.code = self._of(case.operation(log).places[0], text)

    def _of(self, place: int, text: str) -> str:
        """The logarithm of the value at a place, which is written as ``text``."""
        value = self.case.values.get(place)
        if value is not None and is_above_zero(value):
            return f"ad.math.log({text})" if text else ""
        place = self.case.before(place, "Broadcast")
        kind = self.case.kind(place)
        rule = RULES.get(kind)
        if rule is None:
            return ""
        words = reused(self.case, place, self.log) or _from_attrs(self.case, place, kind)
        if words is None:
            return ""
        self.kinds.append(kind)
        return rule(self, place, words)

    def part(self, place: int, words: Spelled, number: int) -> str:
        """The logarithm of an input."""
        at = self.case.operation(place).places[number]
        if len(words.arguments) <= number:
            return ""
        if at >= 0:
            return self._of(at, words.arguments[number])
        value = input_value(self.case, place, number)
        return _constant(self.case, words.arguments[number], value)

    def finite_input(self, place: int) -> bool:
        """Whether what an operation took is known, and finite everywhere."""
        value = input_value(self.case, place, 0)
        return value is not None and is_finite(value)


def _from_attrs(case: Case, place: int, kind: str) -> Spelled | None:
    """A sum or a mean that cannot be told from another one on its line: its axes are known."""
    if kind not in TOTALS:
        return None
    attrs, words = case.operation(place).attrs, {}
    if len(attrs["axis"]) < len(attrs["shapes"][0]):
        words["axis"] = axis_text(attrs["axis"])
    if attrs["keepdims"]:
        words["keepdims"] = "True"
    return Spelled("", ("",), words, kind)


def is_above_zero(value: Any) -> bool:
    """Whether every element has a logarithm whose value and slope are finite."""
    with np.errstate(all="ignore"):
        slope = 1 / np.asarray(value)
        return bool(np.all(np.asarray(value) > 0)) and is_finite(value) and is_finite(slope)


def _constant(case: Case, text: str, value: Any) -> str:
    """The logarithm of a number above 0, in the dtype that it takes on there."""
    if value is None or not is_above_zero(value):
        return ""
    dtype = np.asarray(value).dtype.name
    number = number_in(text)
    if number is not None:
        plain = dtype == "float32" and "." in text
        return f"ad.math.log({text})" if plain else f"{math.log(number):.17g}"
    if is_reference(text) and is_tensor(led_to(text, case.names.frame)):
        return f"ad.math.log({text})"
    return f"ad.math.log(ad.convert_to_tensor({text}, ad.{dtype}))"


def number_in(text: str) -> float | None:
    """The number that is written there, None if it is none."""
    try:
        return float(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError):
        return None
