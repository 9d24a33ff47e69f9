"""Layer 5: the safe form of an expression inside `where`.

One idea: replace the argument before the dangerous function sees it, not the result afterwards.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.entering import input_values
from autodiff_kit.readers.mending.inlined import inlined
from autodiff_kit.readers.mending.lengths import length_at
from autodiff_kit.readers.program.lines import nodes_in
from autodiff_kit.readers.program.spelled import bracketed, instead, on_a_side, spelled
from autodiff_kit.readers.program.spots import called
from autodiff_kit.readers.program.words import replaced

# For each operation the function's names in a program, a value that is safe for its argument, and a
# condition under which the argument is dangerous no more.
DANGER = {
    "Log": ("log", "1.0", "{x} > 0"),
    "Log1p": ("log1p", "0.0", "{x} > -1"),
    "Sqrt": ("sqrt", "1.0", "{x} > 0"),
    "Rsqrt": ("rsqrt", "1.0", "{x} > 0"),
    "Reciprocal": ("reciprocal", "1.0", "ad.not_equal({x}, 0)"),
    "RealDiv": ("truediv divide", "1.0", "ad.not_equal({x}, 0)"),
    "Pow": ("pow", "1.0", "{x} > 0"),
    "Exp": ("exp", "0.0", "{x} < 80"),
    "Expm1": ("expm1", "0.0", "{x} < 80"),
    "Sinh": ("sinh", "0.0", "ad.abs({x}) < 80"),
    "Cosh": ("cosh", "0.0", "ad.abs({x}) < 80"),
    "Asin": ("asin", "0.0", "ad.abs({x}) < 1"),
    "Acos": ("acos", "0.0", "ad.abs({x}) < 1"),
    "Acosh": ("acosh", "2.0", "{x} > 1"),
    "Atanh": ("atanh", "0.0", "ad.abs({x}) < 1"),
}


def passes(test: str, x: Any) -> Any:
    """For which elements a condition of `DANGER` holds.

    >>> passes("{x} > 0", np.array([-1.0, 1.0]))
    array([False,  True])
    """
    return eval(test.format(x="x"), {"ad": np, "x": np.asarray(x)})  # a text of the table above


# Where the slope is infinite and the value is not: what is right at that place.
CLIPPED = ("Acos", "Asin")
_INFINITE = "The function has an infinite slope at this value: keep the argument away from it."


def mend_of_slope(case: Any, operation: Operation) -> tuple[str, str]:
    """What to do where a slope is infinite and the value finite: a sentence, and code if right."""
    length = length_at(case, operation.place)
    if length is not None:
        return length
    if operation.type == "Atan2":
        return _direction(case, operation)
    argument, call = dangerous(case, operation)
    if operation.type in CLIPPED:
        return _inside(argument, call)
    known = operation.type in DANGER and _zero_there(case, operation)
    if argument is None or call is None or not known:
        return _INFINITE, ""
    _, safe, test = DANGER[operation.type]
    ok, new = new_names(case, operation.place, argument)
    code = (
        f"{ok} = {test.format(x=on_a_side(argument))}\n"
        f"{new} = ad.where({ok}, {argument}, {safe})    # safe before the dangerous function\n"
        f"ad.where({ok}, {renamed(call, argument, new)}, 0.0)"
    )
    words = "Make the argument safe before the function sees it:"
    return words, inlined(case, operation.place, code)


def _inside(argument: str | None, call: str | None) -> tuple[str, str]:
    """What to do about an arc sine or cosine at an end of its interval."""
    if argument is None or call is None:
        return "The slope is infinite at -1 and 1: keep the argument a hair inside.", ""
    bounded = f"ad.clip_by_value({_unclipped(argument)}, -1.0 + 1e-6, 1.0 - 1e-6)"
    return (
        "The slope is infinite at -1 and 1. Stay a hair inside; the value there is then off by "
        "about 0.001, and the gradient 0.",
        f"{call[: call.index('(')]}({bounded})",
    )


def _unclipped(argument: str) -> str:
    """What is clipped to -1 and 1 already, as its bounds are moved; anything else as it is.

    >>> _unclipped("ad.clip_by_value(c, -1.0, 1.0)"), _unclipped("ad.clip_by_value(c, 0.0, 1.0)")
    ('c', 'ad.clip_by_value(c, 0.0, 1.0)')
    """
    node = ast.parse(argument.strip(), mode="eval").body
    if not isinstance(node, ast.Call) or len(node.args) != 3 or called(node) != "clip_by_value":
        return argument
    bounds = [ast.unparse(one) for one in node.args[1:]]
    inside = ast.get_source_segment(argument.strip(), node.args[0]) or ""
    return inside if inside and bounds in (["-1.0", "1.0"], ["-1", "1"]) else argument


def _direction(case: Any, operation: Operation) -> tuple[str, str]:
    """What to do about atan2 at the origin."""
    words = "The origin has no direction: keep away from it"
    if not at_origin(case, operation):
        return "The slope of atan2 is not finite so near the origin: keep away from it.", ""
    text = spelled("Atan2", case.spot(operation.place))
    if text is None or text.function != "atan2" or len(text.arguments) != 2 or text.keywords:
        return f"{words}, or choose other arguments there with ad.where before atan2 sees them.", ""
    y, x = text.arguments
    ok, _ = new_names(case, operation.place, y)
    either = f"ad.logical_or(ad.not_equal({y}, 0.0), ad.not_equal({x}, 0.0))"
    chosen = f"{text.name}(ad.where({ok}, {y}, 0.0), ad.where({ok}, {x}, 1.0))"
    return (
        f"{words}, or give it one there, which is then a constant:",
        f"{ok} = {either if x != y else f'ad.not_equal({x}, 0.0)'}\n{instead(chosen, text)}",
    )


def at_origin(case: Any, operation: Operation) -> bool:
    """Whether atan2 was asked at the origin itself, and its slope is finite everywhere else."""
    y, x = input_values(case, operation.place)
    if y is None or x is None:
        return False
    origin = np.logical_and(np.equal(y, 0), np.equal(x, 0))
    return bool(np.any(origin)) and np.array_equal(origin, np.equal(y * y + x * x, 0))


def new_names(case: Any, place: int, argument: str) -> tuple[str, str]:
    """A name for the condition and one for the safe argument that the program does not use yet.

    Of a notebook only the cell counts: what was taken over from an earlier advice, further down, must
    not change the answer when this cell runs again.
    """
    frame = case.names.frame
    used = {node.id for node in nodes_in(case.line(place).file, ast.Name)}
    if frame.f_locals is not frame.f_globals or not used:
        used |= {*frame.f_locals}
    safe = f"safe_{argument}" if argument.isidentifier() else "safe"
    return _unused("ok", used), _unused(safe, used)


def _unused(name: str, used: set[str]) -> str:
    numbered = (f"{name}{number}" for number in range(2, 1000))
    return name if name not in used else next(one for one in numbered if one not in used)


def _zero_there(case: Any, operation: Operation) -> bool:
    """Whether the value is 0 wherever the slope is infinite, so that 0 may stand for it."""
    edge = {"Sqrt": 0.0, "Pow": 0.0, "Acosh": 1.0}.get(operation.type)
    x, y = case.values.get(operation.places[0]), case.values.get(operation.place)
    if edge is None or x is None or y is None:
        return False
    x, y = np.asarray(x), np.asarray(y)
    return x.shape == y.shape and bool(np.all(x >= edge)) and not np.any(y[x == edge])


def dangerous(case: Any, operation: Operation) -> tuple[str | None, str | None]:
    """The argument and the whole of the dangerous call or quotient; None where it is not certain."""
    text = spelled(operation.type, case.spot(operation.place))
    names = DANGER.get(operation.type, ("", "", ""))[0].split()
    if text is None or text.function not in (*names, operation.type):
        return None, None
    number = 1 if operation.type == "RealDiv" else 0
    return (text.arguments[number], text.whole) if len(text.arguments) > number else (None, None)


_FACTORS = (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.MatMult, ast.Pow)


def renamed(call: str, argument: str, new: str) -> str:
    """The call with another argument; the x of ``exp`` is no argument.

    >>> renamed("ad.exp(x)", "x", "safe_x"), renamed("(a - b) ** 0.5", "a - b", "safe")
    ('ad.exp(safe_x)', '(safe) ** 0.5')
    """
    return replaced(argument, new, call, count=1)


def quotient(call: str, new: str) -> str:
    """The quotient with another denominator.

    >>> quotient("(a + b) / c", "new"), quotient("2 * a / c", "new"), quotient("ad.divide(a, c)", "new")
    ('(a + b) / new', '2 * a / new', 'a / new')
    """
    node: Any = ast.parse(call, mode="eval").body
    upper = node.left if isinstance(node, ast.BinOp) else node.args[0]
    text = ast.get_source_segment(call, upper) or ""
    tight = isinstance(upper, ast.UnaryOp) or isinstance(getattr(upper, "op", None), _FACTORS)
    return f"{text if tight else bracketed(text)} / {new}"
