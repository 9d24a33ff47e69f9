"""Is it 1 / x above 0 and else 0, with a finite gradient? The check of exercise 05.3.

One idea: ask far from 0, near 0 and very near. Near 0 x is a power of two: 1 + x - 1 is x there,
and no answer is blamed for the last digits of float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.arriving import arriving
from autodiff_kit.exercises.hints import a_function, a_tensor, moved
from autodiff_kit.teaching.values import plain, quoted, same

FIRST = [-2.0, 0.0, 4.0]
GRAINS = [10.0**-size for size in range(1, 19)]  # what one adds against 0; 1 / x² is finite there
TINY = 2.0**-50
CHOOSE = "Where x > 0, divide by x itself: choose a safe number only for the others."


def safe_inverse(answer: Any) -> str | None:
    """A hint unless the answer is that function, and its values and gradients are right everywhere."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    x, y, slope = _asked(answer, FIRST)
    wrong = a_tensor(y) or moved(x, FIRST)
    if wrong:
        return wrong
    if not same(y, [0.0, 0.0, 0.25]):
        return _about_the_value(plain(y))
    if not same(slope, [0.0, 0.0, -0.0625]):
        return _about_the_slope(slope)
    return _elsewhere(answer) or _near_zero(answer) or _grains(answer) or _very_near(answer)


def _asked(answer: Any, at: Any, sent: Any = None) -> tuple[Any, Any, Any]:
    """The variable, the value there, and the gradient for what arrives."""
    x = ad.Variable(at, dtype=ad.float32)
    with ad.GradientTape() as tape:
        y = answer(x)
    if not ad.is_tensor(y):
        return x, y, None
    sent = None if sent is None else arriving(sent, y)
    return x, y, tape.gradient(y, x, output_gradients=sent)


def _about_the_value(values: Any) -> str:
    if np.shape(values) != (3,):
        return f"for three numbers, three are asked for, and you return {quoted(values)}."
    if not np.all(np.isfinite(values)):
        return f"at x = [-2, 0, 4] your values are {quoted(values)}: 1/0 is still in there."
    for mistake, hint in MISTAKES:
        if same(values, mistake):
            return hint
    return f"at x = [-2, 0, 4] the values should be [0, 0, 0.25], and you return {quoted(values)}."


BELOW = "at x = -2 the value should be 0, not -0.5: only x > 0 counts."
MISTAKES = (
    ([-0.5, 0.0, 0.25], BELOW),
    ([-0.5, 1.0, 0.25], BELOW),
    (
        [1.0, 1.0, 0.25],
        "the argument is safe now, but where x ≤ 0 the value should be 0: choose once more.",
    ),
    (
        [0.0, 0.0, 1.0],
        "at x = 4 you divide by the safe number, and it is meant for the others: "
        "ad.where(condition, a, b) takes a where the condition holds.",
    ),
    (
        [1.0, 1.0, 0.0],
        "just the other way round: ad.where(condition, a, b) takes a where the condition holds.",
    ),
    (
        [0.0, 0.0, 0.0],
        "at x = 4 the value should be 0.25, and all of yours are 0. Is one answer taken for all "
        "elements? ad.where chooses for each of them.",
    ),
)


def _about_the_slope(slope: Any) -> str:
    if slope is None:
        return (
            "the values are right, but the gradient is None. Does every step use ad's operations?"
        )
    if not np.all(np.isfinite(slope.numpy())):
        return (
            f"the values are right, but the gradient is {quoted(slope)}. Is the argument safe before 1 "
            "is divided by it, also where x is 0?"
        )
    return (
        f"the values are right, but the gradient at 4 should be -1/16, and you get {quoted(slope)}."
    )


def _elsewhere(answer: Any) -> str | None:
    """A hint unless an answer also holds near 0, and for gradients that arrive with other sizes."""
    _, y, slope = _asked(answer, [0.5, -1.0, 1 / 8192, 3.0], [2.0, 3.0, 1.0, -9.0])
    if not same(y, [2.0, 0.0, 8192.0, 1 / 3]):
        return (
            "right at x = [-2, 0, 4], but at x = [0.5, -1, 1/8192, 3] the values should be "
            f"[2, 0, 8192, 1/3], and you return {quoted(y)}."
        )
    if same(slope, [-8.0, 0.0, -(8192.0**2), 1.0], 1e-3):
        return None
    return (
        "right at x = [-2, 0, 4] if 1 arrives, but at x = [0.5, -1, 1/8192, 3] with [2, 3, 1, -9] "
        f"arriving the gradient should be [-8, 0, -8192², 1], and you get {quoted(slope)}."
    )


def _near_zero(answer: Any) -> str | None:
    """A hint if a small number was added to x, or put in its place, against the division by 0."""
    at = 2.0**-23
    _, y, slope = _asked(answer, [at, -at])
    if not same(y, [1.0 / at, 0.0], 1e-5):
        return (
            "right at a distance from 0, but at x = [2**-23, -2**-23] the values should be [2**23, 0], "
            f"and you return {quoted(y)}. {CHOOSE}"
        )
    if same(slope, [-1.0 / at**2, 0.0], 1e-3):
        return None
    return (
        "right at a distance from 0, but at x = [2**-23, -2**-23] the gradient should be [-2**46, 0], "
        f"and you get {quoted(slope)}."
    )


def _grains(answer: Any) -> str | None:
    """A hint about a small negative x which a number that was added makes 0."""
    _, y, slope = _asked(answer, [-grain for grain in GRAINS])
    bad = ~((plain(y) == 0.0) & (plain(slope) == 0.0))
    if not np.any(bad):
        return None
    i = int(np.argmax(bad))
    return (
        f"right but for one place: at x = -{GRAINS[i]:g} the value is {quoted(y[i])} and the gradient "
        f"{quoted(slope[i])}. What is added to x against the 0 makes one there. {CHOOSE}"
    )


def _very_near(answer: Any) -> str | None:
    """A hint about a value that is finite and wrong; an infinite one is x lost beside a 1."""
    _, y, slope = _asked(answer, [TINY])
    if same(y, [1.0 / TINY]) or not np.all(np.isfinite(plain(y))):
        return None
    return (
        f"right as long as x is not very small, but at x = 2**-50 the value should be 2**50, about "
        f"1.126e+15, and you return {quoted(y[0])}. {CHOOSE}"
    )
