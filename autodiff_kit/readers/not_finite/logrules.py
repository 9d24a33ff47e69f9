"""Layer 5: what the logarithm of each operation is.

One idea: a table from the operation to a rule that writes the logarithm of its result in the learner's
words, ``""`` where that would not be finite for certain.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.spoiling import is_finite
from autodiff_kit.readers.mending.reused import reused
from autodiff_kit.readers.not_finite.sigmoids import exp_of_sigmoid, squared_tanh
from autodiff_kit.readers.program.spelled import Spelled, bracketed

Rule = Callable[[Any, int, Spelled], str]  # the form, the place, how it is written


def _called(function: str, first: str, words: Spelled) -> str:
    """A call with the learner's other arguments."""
    return words.with_first(bare(first), without="name", function=function)


def _exp(form: Any, place: int, words: Spelled) -> str:
    return words.arguments[0] if form.finite_input(place) and words.arguments else ""


def _softmax(form: Any, place: int, words: Spelled) -> str:
    known = form.finite_input(place) and words.arguments
    return _called("ad.nn.log_softmax", words.arguments[0], words) if known else ""


def _sigmoid(form: Any, place: int, words: Spelled) -> str:
    known = form.finite_input(place) and len(words.arguments) == 1
    return f"ad.math.log_sigmoid({words.arguments[0]})" if known else ""


def _difference(form: Any, place: int, words: Spelled) -> str:
    """One minus a sigmoid, or one minus exp(x)."""
    case, one = form.case, input_value(form.case, place, 0)
    inner = case.operation(place).places[1]
    kind = case.kind(inner)
    by_hand = exp_of_sigmoid(case, inner) if inner >= 0 else -1
    if by_hand >= 0:
        argument = _only_argument(form, by_hand)
        form.kinds += ["Sigmoid"] * bool(argument)
        return f"ad.math.log_sigmoid({argument})" if argument else ""
    tanh = squared_tanh(case, inner) if inner >= 0 else -1
    if tanh >= 0:
        u = bracketed(_only_argument(form, tanh))
        return f"2.0 * ({math.log(2.0)} - {u} - ad.math.softplus(-2.0 * {u}))" if u else ""
    if kind not in ("Sigmoid", "Exp") or one is None or np.any(np.asarray(one) != 1):
        return ""
    argument = _only_argument(form, inner)
    if not argument:
        return ""
    form.kinds.append(kind)
    if kind == "Sigmoid":
        return f"ad.math.log_sigmoid({negative(argument)})"
    below = bool(np.all(np.asarray(input_value(case, inner, 0)) < 0))
    return f"ad.math.log(-ad.math.expm1({argument}))" if below else ""


def _only_argument(form: Any, place: int) -> str:
    """How the finite input of a function of one argument is written."""
    words = reused(form.case, place, form.log)
    known = words is not None and len(words.arguments) == 1 and form.finite_input(place)
    return words.arguments[0] if words is not None and known else ""


def negative(text: str) -> str:
    """An expression with the other sign.

    >>> negative("a"), negative("-a"), negative("a - b")
    ('-a', 'a', '-(a - b)')
    """
    plain = text.strip()
    if plain[0] == "-" and plain[1:].isidentifier():
        return plain[1:]
    return f"-{bracketed(text)}"


def _product(form: Any, place: int, words: Spelled) -> str:
    return _joined("+", [form.part(place, words, number) for number in (0, 1)])


def _sum_of_two(form: Any, place: int, words: Spelled) -> str:
    """The logarithm of a sum of two, of one shape: only so can they be stacked."""
    case = form.case
    inputs = [case.before(at, "Broadcast") for at in case.operation(place).places]
    shapes = {np.shape(case.values.get(at)) for at in inputs}
    if min(inputs) < 0 or shapes != {np.shape(case.values.get(place))}:
        return ""
    first, second = (form.part(place, words, number) for number in (0, 1))
    if not first or not second:
        return ""
    return f"ad.reduce_logsumexp(ad.stack([{bare(first)}, {bare(second)}]), axis=0)"


def _quotient(form: Any, place: int, words: Spelled) -> str:
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
        same = code[0] == "(" and ast.dump(ast.parse(inside)) == ast.dump(ast.parse(code))
    except SyntaxError:
        return code
    return inside if same else code


def _power(form: Any, place: int, words: Spelled) -> str:
    exponent, inner = input_value(form.case, place, 1), form.part(place, words, 0)
    known = exponent is not None and is_finite(exponent) and len(words.arguments) == 2
    return f"{bracketed(words.arguments[1])} * {bracketed(inner)}" if known and inner else ""


def _times(number: str) -> Rule:
    def rule(form: Any, place: int, words: Spelled) -> str:
        inner = form.part(place, words, 0)
        return f"{number} * {bracketed(inner)}" if inner else ""

    return rule


def _over(function: str) -> Rule:
    """The logarithm of a product along an axis."""

    def rule(form: Any, place: int, words: Spelled) -> str:
        inner = form.part(place, words, 0)
        return _called(function, inner, words) if inner else ""

    return rule


def _piece(form: Any, place: int, words: Spelled) -> str:
    inner = form.part(place, words, 0)
    return f"{bracketed(inner)}[{words.arguments[1]}]" if inner else ""


def _moved(form: Any, place: int, words: Spelled) -> str:
    known = words.function in ("gather", "reshape", "squeeze", "transpose")
    return _over(f"ad.{words.function}")(form, place, words) if known else ""


def _mean(form: Any, place: int, words: Spelled) -> str:
    total = _over("ad.reduce_logsumexp")(form, place, words)
    shape = np.shape(input_value(form.case, place, 0))
    count = math.prod(shape[axis] for axis in form.case.operation(place).attrs["axis"])
    digits = 9 if form.case.values[place].dtype == np.float32 else 17
    return f"({total} - {math.log(count):.{digits}g})" if total and count else ""


def _determinant(form: Any, place: int, words: Spelled) -> str:
    matrix = input_value(form.case, place, 0)
    if matrix is None or len(words.arguments) != 1:
        return ""
    sign, logarithm = np.linalg.slogdet(matrix)
    regular = np.all(np.linalg.matrix_rank(matrix) == np.shape(matrix)[-1])
    positive = bool(regular and np.all(sign > 0)) and is_finite(logarithm)
    return f"ad.linalg.slogdet({words.arguments[0]})[1]" if positive else ""


RULES: dict[str, Rule] = {
    "Exp": _exp, "Softmax": _softmax, "Sigmoid": _sigmoid, "Sub": _difference,
    "AddV2": _sum_of_two, "Mul": _product, "RealDiv": _quotient, "Pow": _power,
    "Square": _times("2.0"), "Sqrt": _times("0.5"),
    "Prod": _over("ad.reduce_sum"), "Cumprod": _over("ad.cumsum"),
    **dict.fromkeys(("GatherV2", "Reshape", "Squeeze", "Transpose"), _moved),
    "StridedSlice": _piece,
    "Sum": _over("ad.reduce_logsumexp"), "Mean": _mean, "MatrixDeterminant": _determinant,
}  # fmt: skip
