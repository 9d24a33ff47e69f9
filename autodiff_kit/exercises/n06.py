"""Exercises of notebook 06: where a gradient is zero, running sums, and slopes at many places."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, boxed, unseen
from autodiff_kit.teaching.values import plain, quoted, same


def _where_it_is_flat(answer: Any) -> str | None:
    given = plain(sorted(answer) if isinstance(answer, set) else answer)
    if not isinstance(given, np.ndarray) or given.shape != (2,):
        return "a list of two numbers is asked for."
    if same(sorted(given.tolist()), [-2.0, 2.0]):
        return None
    if 0.0 in given:
        return "at 0 the function itself is zero. Where is its gradient, 3x² - 12?"
    if np.allclose(np.abs(given), np.sqrt(12), rtol=0.01):
        return "there the function itself is zero. Where is its gradient, 3x² - 12?"
    if same(given, [2.0, 2.0]):
        return "one of them. A square is 4 for two numbers."
    if same(np.abs(given), [4.0, 4.0]):
        return "x² is 4 there. And x?"
    return "take the derivative of x³ and of -12x, and see where they cancel."


def _running_sums(answer: Any) -> str | None:
    known = (
        ([1.0, 1.0, 1.0], "that would be so if each y had its own x only. In how many sums is x₁?"),
        ([1.0, 2.0, 3.0], "the other way round? In how many sums is x₁, and in how many x₃?"),
        ([1.0, 3.0, 6.0], "these are the running sums themselves."),
        (
            [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]],
            "this is the Jacobian, a row for each sum. gradient adds up each of its columns.",
        ),
        (None, "cumsum has a gradient. In how many of the three sums is each x?"),
        (6.0, "the source has three elements, so the gradient has three."),
    )
    if same(answer, [3.0, 2.0, 1.0]):
        return None
    for mistake, hint in known:
        if same(answer, mistake):
            return hint
    return "the gradient is that of the sum of all three y. In how many of them is each x?"


def _many_slopes(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    x = np.array([1.0, 2.0, 3.0], np.float32)
    result = answer(lambda t: t**3, x)
    if same(result, [3.0, 12.0, 27.0]):
        return _other_functions(answer)
    if result is None:
        return f"your function returns None. Is the tensor watched? {unseen(answer)}"
    wrong = boxed(result)
    if wrong:
        return wrong
    if same(result, [1.0, 8.0, 27.0]):
        return "these are the values of f. Return their gradient."
    if same(result, 42.0):
        return "this is the sum of the slopes: one slope for each element is asked for."
    if same(result, [1.0, 4.0, 9.0]):
        return "these are the slopes divided by three: of a mean, not of each f."
    if np.shape(plain(result)) == (3, 3):
        return "this is the whole jacobian. Each f has its own x only: the gradient is enough."
    return f"for x³ at 1, 2, 3 you return {quoted(result)}, and the slopes are 3, 12, 27."


def _other_functions(answer: Any) -> str | None:
    """A hint unless an answer holds for another f, which also notes at which places it is asked."""
    x = np.array([0.5, -1.0, 0.0, 2.5], np.float32)
    slopes = np.cos(x)  # before the answer has x, which it might change
    places: list[Any] = []

    def noting(t: Any) -> Any:
        places.extend(np.ravel(plain(t)))
        return ad.sin(t)

    if not same(answer(noting, x.copy()), slopes):
        return "right for x³, but not for sin: use the f and the x that are given."
    if not np.all(np.isin(places, x)):
        return (
            "f is also asked at other places than x, so there is a step in it. A tape needs none."
        )
    return None


def _right(f: Any, x: Any) -> Any:
    x = ad.constant(x)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def _not_watched(f: Any, x: Any) -> Any:
    x = ad.constant(x)
    with ad.GradientTape() as tape:
        y = f(x)
    return tape.gradient(y, x)


def _an_array(f: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def _after_the_block(f: Any, x: Any) -> Any:
    x = ad.constant(x)
    with ad.GradientTape() as tape:
        tape.watch(x)
    return tape.gradient(f(x), x)


def _quotient(f: Any, x: Any) -> Any:
    return (plain(f(ad.constant(x + 0.01))) - plain(f(ad.constant(x - 0.01)))) / 0.02


def _fine_quotient(f: Any, x: Any) -> Any:
    above, below = (ad.constant(x + step, ad.float64) for step in (1e-5, -1e-5))
    return (f(above) - f(below)) / (above - below)


def _changes_x(f: Any, x: Any) -> Any:
    x[:] = 0.0
    return [3.0, 12.0, 27.0] if len(x) == 3 else [1.0, 1.0, 1.0, 1.0]


def _mean(f: Any, x: Any) -> Any:
    return _right(lambda t: ad.reduce_mean(f(t)), x)


def _jacobian(f: Any, x: Any) -> Any:
    x = ad.constant(x)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.jacobian(y, x)


def _explained(f: Any, x: Any) -> Any:
    x = ad.constant(x)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return ad.explain(tape, y, x)


EXERCISES = {
    "06.1": Exercise(
        "Where the gradient of x³ - 12x is zero.",
        _where_it_is_flat,
        [-2.0, 2.0],
        (
            ([0.0, 3.46], "itself is zero. Where"),
            ([-3.464, 3.464], "there the function"),
            ([2.0, 2.0], "two numbers"),
            ([-4.0, 4.0], "And x?"),
            (2.0, "a list of two"),
            ([1.0, 12.0], "cancel"),
        ),
        "3x² is 12 there.",
        [..., ...],
    ),
    "06.2": Exercise(
        "The gradient of cumsum at [1, 2, 3].",
        _running_sums,
        [3.0, 2.0, 1.0],
        (
            ([1, 1, 1], "its own x only"),
            ([1, 2, 3], "other way round"),
            ([1, 3, 6], "themselves"),
            (6.0, "three elements"),
            ([[1, 0, 0], [1, 1, 0], [1, 1, 1]], "adds up each of its columns"),
            (None, "has a gradient"),
            ([0, 0, 0], "In how many of them"),
        ),
        "Each x counts once for every sum that it is in.",
        [..., ..., ...],
    ),
    "06.3": Exercise(
        "A function that returns the slope of f at each element of an array.",
        _many_slopes,
        _right,
        (
            (_not_watched, "watched"),
            (_an_array, "ad.constant"),
            (_mean, "of a mean"),
            (_jacobian, "whole jacobian"),
            (lambda f, x: ad.reduce_sum(_right(f, x)), "one slope for each element"),
            (lambda f, x: np.gradient(plain(f(ad.constant(x))), x), "the slopes are 3, 12, 27"),
            (lambda f, x: _right(lambda t: f, x), "should be a list or nested structure"),
            (lambda f, x: f(x), "the values of f"),
            (lambda f, x: 3.0 * x**2, "use the f"),
            (lambda f, x: 3.0 * x**2 if len(x) == 3 else ad.sin(x), "use the f"),
            (_after_the_block, "inside the block"),
            (_changes_x, "use the f and the x"),
            (_explained, "print what explain says"),
            (_quotient, "there is a step in it"),
            (_fine_quotient, "there is a step in it"),
            (lambda f, x: [_right(f, x)], "a list with one thing in it"),
            (27.0, "a function"),
        ),
        "One call, a slope for each element.",
    ),
}
