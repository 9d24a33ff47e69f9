"""A function with a gradient of its own: what it returns and sends back. The check of exercise 11.2.

One idea: a length is asked for at vectors of several sizes, and at the zero vector by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.arriving import arriving
from autodiff_kit.exercises.hints import a_function
from autodiff_kit.exercises.stubs import is_stub
from autodiff_kit.teaching.values import quoted, same

DOTS = "replace the dots ... with your answer, and run this cell again."


def back(f: Callable[..., Any], at: Any, sent: Any) -> tuple[Any, Any]:
    """The value of f, and its gradient for what arrives at it."""
    x = ad.constant(at)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x, output_gradients=arriving(sent, y))


def custom(answer: Any) -> str | None:
    """A hint unless the answer is a function with a gradient of its own, and has been written."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    inside = getattr(answer, "f", None)
    if inside is None:
        return "there is no @ad.custom_gradient above your function."
    return DOTS if _returns_dots(inside) else None


def _returns_dots(f: Any) -> bool:
    return is_stub(f)


def length(answer: Any) -> str | None:
    """A hint unless the answer is a vector's length, with the gradient 0 at the zero vector."""
    wrong = custom(answer)
    if wrong:
        return wrong
    y = answer(ad.constant([3.0, -4.0]))
    if np.shape(y):
        return f"one number is asked for, the length, and yours has the shape {np.shape(y)}."
    try:
        y, gradient = back(answer, [3.0, -4.0], 10.0)
    except ValueError as error:
        return _shape_of_the_rule(error, "(3, -4)")
    if not same(y, 5.0):
        return f"the length of (3, -4) is 5, and you return {quoted(y)}."
    if same(gradient, [0.6, -0.8]):
        return "right if 1 arrives. Multiply by what arrives."
    if same(gradient, [6.0, 8.0]):
        return "the sign of v is lost in your gradient."
    if same(gradient, [30.0, -40.0]):
        return "that is v. Divide by the length."
    if not same(gradient, [6.0, -8.0]):
        return f"for v = (3, -4), 10 arriving, (6, -8) should go on; yours is {quoted(gradient)}."
    return _at_zero(answer, [0.0, 0.0]) or _at_zero(answer, [0.0, 0.0, 0.0]) or _elsewhere(answer)


def _elsewhere(answer: Any) -> str | None:
    """A hint unless an answer holds for more numbers, for zeros among them, and for small ones."""
    for at, size in (
        ([2.0, -3.0, 6.0], 7.0),
        ([0.0, 8.0, 0.0, -6.0], 10.0),
        ([3e-3, 4e-3], 5e-3),
    ):
        y, gradient = back(answer, at, -2.0)
        if not same(y, size):
            return f"right for (3, -4), but the length of {at} is {size:g}, not {quoted(y)}."
        goal = -2.0 * np.array(at) / size
        if not same(gradient, goal):
            return (
                f"right for (3, -4), but for v = {at}, -2 arriving, {quoted(goal)} should go on; "
                f"yours is {quoted(gradient)}."
            )
    return None


def _shape_of_the_rule(error: ValueError, at: str) -> str:
    """The hint for a rule that sends on one number where v has several."""
    if "calculated input gradient" not in str(error):
        raise error
    return (
        f"at v = {at}, what your grad returns has not the shape of v: a number for each of its "
        "elements is asked for, as in upstream * v / length, or ad.zeros_like(v)."
    )


def _at_zero(answer: Any, zero: Any) -> str | None:
    try:
        y, gradient = back(answer, zero, 1.0)
    except ValueError as error:
        return _shape_of_the_rule(error, str(zero))
    if not same(y, 0.0):
        return f"the length of the zero vector is 0, and you return {quoted(y)}."
    if not np.all(np.isfinite(gradient)):
        return "at the zero vector your gradient is 0/0, which is NaN."
    if not same(gradient, zero):
        return "at the zero vector the gradient should be 0."
    return None
