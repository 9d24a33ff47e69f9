"""Is it a soft count? The check of exercise 07.2.

One idea: a step has a place (1), a height (1) and a slope, and each of them is asked for by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.hints import a_function, a_tensor
from autodiff_kit.teaching.values import plain, quoted

FAR_FROM_1 = (
    ([-3.0, 0.0, 0.2, 2.0, 5.0], 2, "two"),
    ([4.0, 0.1, 1.9, -2.0, 3.0, 8.0, -0.5], 4, "four"),
)
TEACHES = 1e-3  # a smaller slope moves nothing


def soft_count(answer: Any) -> str | None:
    """A hint unless the answer counts the elements above 1, softly."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    count = answer(ad.Variable(FAR_FROM_1[0][0]))
    wrong = a_tensor(count)
    if wrong:
        return wrong
    if np.shape(plain(count)) == (5,):
        hint = _about_the_count(lambda x: ad.reduce_sum(answer(x)))
        if hint is None:
            return "a soft yes or no for each element: good. The count is their sum."
        return f"one number is asked for: the sum over all elements. And {hint}"
    if np.shape(plain(count)) != ():
        return f"one number is asked for, and you return {quoted(count)}."
    return _about_the_count(answer)


def _about_the_count(count: Any) -> str | None:
    around = 1.0 + np.linspace(-0.5, 0.5, 51)
    slopes = _slopes(count, around)
    if slopes is None:
        return (
            "the gradient is None: x does not reach the count by a way that has a gradient. A "
            "comparison, a rounding or .numpy() on the way would end it."
        )
    return _off(count) or _about_the_slopes(around, slopes) or _about_the_place(count)


def _slopes(count: Any, at: Any) -> Any:
    x = ad.Variable(at, dtype=ad.float32)
    with ad.GradientTape() as tape:
        y = count(x)
    slopes = tape.gradient(y, x)
    return None if slopes is None else slopes.numpy()


def _counted(count: Any, elements: list[float]) -> float:
    return float(count(ad.constant(elements)))


def _off(count: Any) -> str | None:
    far = _counted(count, [-90.0, 95.0])
    if 0.05 < abs(far - 1.0) < 0.5:
        return (
            f"for [-90, 95], both far from 1, your count is {far:.3g}, and one of them is above 1: no "
            "step is soft there any more. Is something added, or multiplied with it?"
        )
    for elements, right, word in FAR_FROM_1:
        found = _counted(count, elements)
        where = "[" + ", ".join(f"{element:g}" for element in elements) + "]"
        if abs(found - right) > 0.5 or not np.isfinite(found):
            return f"for {where} your count is {found:.3g}, and {word} of them are above 1."
        if abs(found - right) > 0.05:
            return f"near: for {where} it is {found:.3g}, not {right}. Make the step steeper."
    return None


def _about_the_slopes(around: Any, slopes: Any) -> str | None:
    if not np.all(np.isfinite(slopes)):
        return "the gradient is not finite. Which function is steep without end?"
    if np.any(slopes < -TEACHES):
        return "the gradient is negative somewhere: more of x should never count as less."
    if not np.any(slopes > TEACHES):
        return "the gradient is zero, even near 1. A step that is flat everywhere teaches nothing."
    below, above = (
        slopes[np.argmin(np.abs(around - 0.92))],
        slopes[np.argmin(np.abs(around - 1.08))],
    )
    if min(below, above) < TEACHES < max(below, above):
        side, other = ("below", "above") if below < above else ("above", "below")
        return (
            f"a gradient comes back from elements just {other} 1, and from those just {side} it none "
            "does, though they are as near to it. Is the step cut off by a hard one? Let both sides be "
            "soft."
        )
    if max(below, above) < TEACHES:
        return (
            f"the step is so steep that at 0.92 and at 1.08 its slope is {below:.2g} and {above:.2g}: "
            "only elements even nearer to 1 would learn. Take a smaller multiple."
        )
    return None


def _about_the_place(count: Any) -> str | None:
    """An element just below 1 and one just above it should count as one together."""
    below, above = _counted(count, [0.7]), _counted(count, [1.3])
    if abs(below + above - 1.0) < 0.1:
        return None
    return (
        f"an element of 0.7 counts {below:.3g}, and one of 1.3 counts {above:.3g}. Both lie equally "
        "far from 1: at 1 is where your step belongs."
    )
