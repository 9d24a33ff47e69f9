"""Exercises of notebook 07: None, zero, error or a gradient, and a soft count."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, a_tensor
from autodiff_kit.teaching.values import plain, quoted

OUTCOMES = {
    "round": "None",
    "sign": "zero",
    "abs": "a gradient",
    "x > 1": "None",
    "x * floor(x)": "a gradient",
}
_HINTS = {
    "round": "round is a staircase like floor, and is registered like it.",
    "sign": "sign is as flat as floor, but it was given a rule. What does that return?",
    "abs": "abs has a corner at 0, and a slope on both sides of it.",
    "x > 1": "a comparison answers yes or no. Can a yes move by a little?",
    "x * floor(x)": "nothing passes through floor. But is there another way from x to the product?",
}


def _outcomes(answer: Any) -> str | None:
    if not isinstance(answer, dict) or set(answer) != set(OUTCOMES):
        return "a dict with the five keys is asked for, as it stands above."
    given = {key: _word(value) for key, value in answer.items()}
    allowed = {"none", "zero", "error", "a gradient"}
    odd = [value for value in given.values() if value not in allowed]
    if odd:
        return 'write "None", "zero", "error" or "a gradient" for each.'
    wrong = [key for key, right in OUTCOMES.items() if given[key] != right.casefold()]
    return f"look at {wrong[0]} again: {_HINTS[wrong[0]]}" if wrong else None


def _word(value: Any) -> str:
    return "none" if value is None else str(value).strip().casefold()


def _soft_count(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    x = ad.Variable([-3.0, 0.0, 1.1, 2.0, 5.0])
    with ad.GradientTape() as tape:
        count = answer(x)
    wrong = a_tensor(count)
    if wrong:
        return wrong
    values = plain(count)
    if np.shape(values) == (5,):
        return "a soft yes or no for each element: good. The count is their sum."
    if np.shape(values) != ():
        return f"one number is asked for, and you return {quoted(count)}."
    slope = tape.gradient(count, x)
    return _about_the_count(answer, slope)


def _about_the_count(answer: Any, slope: Any) -> str | None:
    count = float(answer(ad.constant([-3.0, 0.0, 0.2, 2.0, 5.0])))
    if abs(count - 2.0) > 0.05 and slope is not None:
        if abs(count - 2.0) < 0.5:
            return f"near: for [-3, 0, 0.2, 2, 5] it is {count:.3g}, not 2. Make the step steeper."
        return f"for [-3, 0, 0.2, 2, 5] your count is {count:.3g}, and two of them are above 1."
    if slope is None:
        return (
            "the gradient is None: x does not reach the count by a way that has a gradient. A "
            "comparison, a rounding or .numpy() on the way would end it."
        )
    slopes = slope.numpy()
    if not np.all(np.isfinite(slopes)):
        return "the gradient is not finite. Which function is steep without end?"
    if not np.any(np.abs(slopes) > 1e-3):
        return "the gradient is zero, even near 1. A step that is flat everywhere teaches nothing."
    if np.any(slopes < -1e-3):
        return "the gradient is negative somewhere: more of x should never count as less."
    return None


def _right(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(10.0 * (x - 1.0)))


def _hard(x: Any) -> Any:
    return ad.reduce_sum(ad.cast(x > 1.0, ad.float32))


def _in_numpy(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(10.0 * (x.numpy() - 1.0)))


def _counted(x: Any) -> Any:
    return sum(1 for element in x if element > 1.0)


def _loop_over_numpy(x: Any) -> Any:
    return sum(ad.sigmoid(100.0 * (element - 1.0)) for element in x.numpy())


def _silent(x: Any) -> None:
    _right(x)


def _sign(x: Any) -> Any:
    return ad.reduce_sum((ad.sign(x - 1.0) + 1.0) / 2.0)


def _too_soft(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(x - 1.0))


def _below(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(-10.0 * (x - 3.0)))


def _each(x: Any) -> Any:
    return ad.sigmoid(10.0 * (x - 1.0))


def _threshold_forgotten(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(10.0 * x))


EXERCISES = {
    "07.1": Exercise(
        "None, zero, error or a gradient, for five expressions.",
        _outcomes,
        OUTCOMES,
        (
            ({**OUTCOMES, "sign": "None"}, "given a rule"),
            ({**OUTCOMES, "round": "zero"}, "staircase"),
            ({**OUTCOMES, "x > 1": "error"}, "by a little"),
            ({**OUTCOMES, "x * floor(x)": None}, "another way"),
            ({**OUTCOMES, "abs": "zero"}, "on both sides"),
            ({**OUTCOMES, "abs": 1.0}, "for each"),
            ("None", "a dict"),
        ),
        "None for steps and answers, zero where a rule says so, and a product has two ways.",
        dict.fromkeys(OUTCOMES, ...),
    ),
    "07.2": Exercise(
        "A soft count of the elements above 1, with a gradient.",
        _soft_count,
        _right,
        (
            (_hard, "comparison, a rounding or .numpy()"),
            (_in_numpy, "comparison, a rounding or .numpy()"),
            (_loop_over_numpy, "comparison, a rounding or .numpy()"),
            (_counted, "returns 3, which is no tensor"),
            (lambda x: np.sum(x.numpy() > 1.0), "returns 3, which is no tensor"),
            (_silent, "returns nothing"),
            (lambda x: len(x), "x.shape[0]"),
            (_sign, "flat everywhere"),
            (_too_soft, "steeper"),
            (_below, "two of them are above 1"),
            (_each, "their sum"),
            (_threshold_forgotten, "two of them are above 1"),
            (2.0, "a function"),
        ),
        "A soft step counts almost the same, and has a slope.",
    ),
}
