"""Layer 5: the logarithm of an expression, taken apart.

One idea: the logarithm of a product is a sum of logarithms, that of exp(x) is x, and so on through the
learner's own expression, until each logarithm that is left is one of a number above 0.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.asked import is_reference, led_to
from autodiff_kit.readers.births import input_value
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.reused import reused
from autodiff_kit.readers.spelled import Spelled, bracketed
from autodiff_kit.readers.spoiling import is_finite


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
        while place >= 0 and self.case.operation(place).definition is BROADCAST:
            place = self.case.operation(place).places[0]
        rule = _RULES.get(self.case.operation(place).type) if place >= 0 else None
        kind = self.case.operation(place).type if rule is not None else ""
        words = reused(self.case, place, self.log) or _from_attrs(self.case, place, kind)
        if rule is None or words is None:
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
    if kind not in ("Sum", "Mean"):
        return None
    attrs, words = case.operation(place).attrs, {}
    if len(attrs["axis"]) < len(attrs["shapes"][0]):
        words["axis"] = str(attrs["axis"][0] if len(attrs["axis"]) == 1 else attrs["axis"])
    if attrs["keepdims"]:
        words["keepdims"] = "True"
    return Spelled("", ("",), words, kind)


def is_above_zero(value: Any) -> bool:
    """Whether every element has a logarithm that is finite."""
    return bool(np.all(np.asarray(value) > 0)) and is_finite(value)


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


def _called(function: str, first: str, words: Spelled) -> str:
    """A call with the learner's other arguments."""
    named = [f"{key}={value}" for key, value in words.keywords.items() if key != "name"]
    return f"{function}({', '.join([bare(first), *words.arguments[1:], *named])})"


def _exp(form: LogForm, place: int, words: Spelled) -> str:
    return words.arguments[0] if form.finite_input(place) and words.arguments else ""


def _softmax(form: LogForm, place: int, words: Spelled) -> str:
    known = form.finite_input(place) and words.arguments
    return _called("ad.nn.log_softmax", words.arguments[0], words) if known else ""


def _sigmoid(form: LogForm, place: int, words: Spelled) -> str:
    known = form.finite_input(place) and len(words.arguments) == 1
    return f"ad.math.log_sigmoid({words.arguments[0]})" if known else ""


def _difference(form: LogForm, place: int, words: Spelled) -> str:
    """One minus a sigmoid, or one minus exp(x)."""
    case, one = form.case, input_value(form.case, place, 0)
    inner = case.operation(place).places[1]
    kind = case.operation(inner).type if inner >= 0 else ""
    if kind not in ("Sigmoid", "Exp") or one is None or np.any(np.asarray(one) != 1):
        return ""
    argument = reused(case, inner, form.log)
    if argument is None or len(argument.arguments) != 1 or not form.finite_input(inner):
        return ""
    form.kinds.append(kind)
    if kind == "Sigmoid":
        return f"ad.math.log_sigmoid({negative(argument.arguments[0])})"
    below = bool(np.all(np.asarray(input_value(case, inner, 0)) < 0))
    return f"ad.math.log(-ad.math.expm1({argument.arguments[0]}))" if below else ""


def negative(text: str) -> str:
    """An expression with the other sign.

    >>> negative("a"), negative("-a"), negative("a - b")
    ('-a', 'a', '-(a - b)')
    """
    turned = text.strip()[1:]
    return (
        turned if text.strip() == f"-{turned}" and turned.isidentifier() else f"-{bracketed(text)}"
    )


def _product(form: LogForm, place: int, words: Spelled) -> str:
    return _joined("+", [form.part(place, words, number) for number in (0, 1)])


def _quotient(form: LogForm, place: int, words: Spelled) -> str:
    return _joined("-", [form.part(place, words, number) for number in (0, 1)])


def _joined(sign: str, parts: list[str]) -> str:
    first, second = parts
    if not first or not second:
        return ""
    tight = sign == "-" or second.startswith("-")
    return f"({_term(first)} {sign} {bracketed(second) if tight else _term(second)})"


def _term(text: str) -> str:
    """An expression that a plus may stand beside."""
    node = ast.parse(text, mode="eval").body
    loose = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor))
    plain = isinstance(node, (ast.BinOp, ast.UnaryOp)) and not loose
    return text if plain else bracketed(text)


def bare(code: str) -> str:
    """An expression without brackets around all of it.

    >>> bare("(a + b)"), bare("(a) + (b)"), bare("a")
    ('a + b', '(a) + (b)', 'a')
    """
    inside = code[1:-1]
    try:
        return (
            inside
            if code[0] == "(" and ast.dump(ast.parse(inside)) == ast.dump(ast.parse(code))
            else code
        )
    except SyntaxError:
        return code


def _power(form: LogForm, place: int, words: Spelled) -> str:
    exponent, inner = input_value(form.case, place, 1), form.part(place, words, 0)
    known = exponent is not None and is_finite(exponent) and len(words.arguments) == 2
    return f"{bracketed(words.arguments[1])} * {bracketed(inner)}" if known and inner else ""


def _times(number: str) -> Rule:
    def rule(form: LogForm, place: int, words: Spelled) -> str:
        inner = form.part(place, words, 0)
        return f"{number} * {bracketed(inner)}" if inner else ""

    return rule


def _over(function: str) -> Rule:
    """The logarithm of a product along an axis."""

    def rule(form: LogForm, place: int, words: Spelled) -> str:
        inner = form.part(place, words, 0)
        return _called(function, inner, words) if inner else ""

    return rule


def _piece(form: LogForm, place: int, words: Spelled) -> str:
    inner = form.part(place, words, 0)
    return f"{bracketed(inner)}[{words.arguments[1]}]" if inner else ""


def _moved(form: LogForm, place: int, words: Spelled) -> str:
    return _over(f"ad.{words.function}")(form, place, words)


def _mean(form: LogForm, place: int, words: Spelled) -> str:
    total = _over("ad.reduce_logsumexp")(form, place, words)
    shape = np.shape(input_value(form.case, place, 0))
    count = math.prod(shape[axis] for axis in form.case.operation(place).attrs["axis"])
    return f"({total} - {math.log(count):.7g})" if total and count else ""


def _determinant(form: LogForm, place: int, words: Spelled) -> str:
    matrix = input_value(form.case, place, 0)
    if matrix is None or len(words.arguments) != 1:
        return ""
    sign, logarithm = np.linalg.slogdet(matrix)
    regular = np.all(np.linalg.matrix_rank(matrix) == np.shape(matrix)[-1])
    positive = bool(regular and np.all(sign > 0)) and is_finite(logarithm)
    return f"ad.linalg.slogdet({words.arguments[0]})[1]" if positive else ""


Rule = Callable[[LogForm, int, Spelled], str]
_RULES: dict[str, Rule] = {
    "Exp": _exp, "Softmax": _softmax, "Sigmoid": _sigmoid, "Sub": _difference,
    "Mul": _product, "RealDiv": _quotient, "Pow": _power,
    "Square": _times("2.0"), "Sqrt": _times("0.5"),
    "Prod": _over("ad.reduce_sum"), "Cumprod": _over("ad.cumsum"),
    **dict.fromkeys(("GatherV2", "Reshape", "Squeeze", "ExpandDims", "Transpose"), _moved),
    "StridedSlice": _piece,
    "Sum": _over("ad.reduce_logsumexp"), "Mean": _mean, "MatrixDeterminant": _determinant,
}  # fmt: skip
