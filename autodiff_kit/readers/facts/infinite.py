"""Layer 5: constants that the learner's own expression made infinite or NaN.

One idea: 0 * inf, the logarithm of 0 and a division by 0 happen outside the tape too; the expression
that made the constant still stands in the program.
"""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.written import argument_of
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.spelled import (
    Spelled,
    instead,
    is_written,
    node_of,
    read,
    spelled,
)
from autodiff_kit.readers.program.words import root_of

_INFINITE = re.compile(
    r"""-?\s*(float\(\s*["']-?inf(inity)?["']\s*\)|(\w+\.)?inf)\s*""", re.IGNORECASE
)


def made_of(case: Case, place: int, number: int) -> Spelled | None:
    """The operation that made an input which is not tracked, as it is written; None if unknown."""
    birth = case.birth_of_input(place, number)
    if not birth.computed:
        return _outside(case, place, number)
    text = spelled(birth.type, birth.spot)
    return text if is_written(text, birth.type) and text and "\n" not in text.whole else None


def _outside(case: Case, place: int, number: int) -> Spelled | None:
    """A product of NumPy's with infinity that stands where an input is put in."""
    operation = case.operation(place)
    node = node_of(operation.type, case.spot(place))
    if operation.places[number] != -1 or not isinstance(node, ast.BinOp):
        return None  # what the kit made has an origin
    made = read(case.spot(place).code.co_filename, node.right if number else node.left)
    infinite_too = made is not None and any(map(_INFINITE.fullmatch, made.arguments))
    return made if made is not None and made.function == "Mul" and infinite_too else None


def is_infinite(case: Case, place: int, number: int) -> bool:
    """Whether an input that the tape does not keep is certainly not finite.

    A product with inf is nowhere finite: it is inf, or NaN where the other factor is 0. An array is
    what its name leads to.
    """
    made = made_of(case, place, number)
    if made is not None:
        return made.function == "Mul" and any(map(_INFINITE.fullmatch, made.arguments))
    held = held_array(case, place, number)
    if held is None or held.dtype.kind != "f":
        return False
    return bool(np.any(np.isnan(held) | np.isposinf(held)))  # -inf alone may be a mask


def held_array(case: Case, place: int, number: int) -> Any:
    """The array that an input is written as, if its name leads to one; None if it does not."""
    name, code, frame = argument_of(case, place, number), case.spot(place).code, case.names.frame
    own = (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
    if not is_reference(name) or code is not frame.f_code and root_of(name) in own:
        return None  # of a function that has come back, the names lead nowhere
    held = led_to(name, frame)
    return held if isinstance(held, np.ndarray) else None


def infinite(made: Spelled, name: str | None) -> tuple[str, str] | None:
    """What to do about such a constant: a sentence, and code; None if no reason can be read there."""
    if len(made.arguments) == 2 and made.function in ("Mul", "multiply"):
        return _product(made, name)
    if made.function == "log" and len(made.arguments) == 1:
        (argument,) = made.arguments
        return (
            f"The logarithm of 0 is -inf, that of a negative number NaN: keep `{argument}` above 0.",
            _code(f"ad.math.log(ad.maximum({argument}, 1e-7))", made, name),
        )
    if len(made.arguments) == 2 and made.function in ("RealDiv", "divide", "truediv"):
        upper, lower = made.arguments
        return (
            f"Something was divided by 0: `{lower}`. If the quotient may be 0 there:",
            _code(f"ad.math.divide_no_nan({upper}, {lower})", made, name),
        )
    return None


def _product(made: Spelled, name: str | None) -> tuple[str, str] | None:
    """A mask times infinity."""
    number = next((n for n, text in enumerate(made.arguments) if _INFINITE.fullmatch(text)), None)
    if number is None:
        return None
    infinity, other = made.arguments[number], made.arguments[1 - number]
    return (
        f"Where `{other}` is 0, 0 * inf is NaN. multiply_no_nan is 0 where its second factor is:",
        _code(f"ad.math.multiply_no_nan({infinity}, {other})", made, name),
    )


def _code(code: str, made: Spelled, name: str | None) -> str:
    return f"{name} = {code}" if name else instead(code, made)
