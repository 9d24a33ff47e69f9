"""Exercises of notebook 08: what the checker says, and rounding with a gradient of one."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.custom import CUSTOM
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.arriving import arriving
from autodiff_kit.exercises.hints import a_function, a_tensor, moved
from autodiff_kit.teaching.values import plain, quoted, same


def _errors(answer: Any) -> str | None:
    given = plain(answer)
    if not isinstance(given, np.ndarray) or given.shape != (3,):
        return "a list of three numbers is asked for."
    if same(given, [500.0, 499.0, 1.0]):
        return None
    detour, crossing, quiet = given.tolist()
    if detour < 1:
        return "0.9995 and a step of 0.001: does the detour jump there?"
    if detour == 1000.0:
        return "it is moved by 0.001 to either side: the jump of 1 is divided by 0.002."
    if not same(detour, 500.0):
        return "the detour's gradient is 0, and the differences say: a jump of 1, divided by 0.002."
    if same(crossing, 500.0):
        return "the tape says 1 for the override, the differences say 500. What is the difference?"
    if same(crossing, 501.0):
        return "the difference of 500 and 1, not their sum."
    if not same(crossing, 499.0):
        return "the override at 0.9995 crosses a jump too."
    if quiet == 0.0:
        return "at 0.2 and 0.7 the differences say 0. And what does the override's rule say?"
    return "at 0.2 and 0.7 nothing jumps: the differences say 0, and the rule says 1."


def _rounding(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    x = ad.Variable([0.3, 1.7, -2.6])
    with ad.GradientTape(persistent=True) as tape:
        y = answer(x)
    wrong = a_tensor(y) or moved(x, [0.3, 1.7, -2.6])
    if wrong:
        return wrong
    slope = tape.gradient(y, x)
    if not _near(y, [0.0, 2.0, -3.0]):
        return _about_the_values(y)
    halves = answer(ad.constant([0.5, 1.5, 2.5]))
    if not _near(halves, [0.0, 2.0, 2.0]):
        return (
            "right for [0.3, 1.7, -2.6], but of 0.5, 1.5 and 2.5 ad.round makes 0, 2 and 2: halves go "
            f"to the even neighbour. You return {quoted(halves)}."
        )
    if slope is None:
        return "the values are right, but the gradient is None: no way from y to x is open."
    if same(slope, [1.0, 1.0, 1.0]):
        return _overridden(tape) or _what_arrives(answer)
    if same(slope, [0.0, 0.0, 0.0]):
        return "the values are right, but the gradient is 0: two ways cancel. Close one of them."
    if same(slope, [-1.0, -1.0, -1.0]):
        return "the values are right, but the gradient is -1: you closed the other way."
    return f"the values are right, but the gradient is {quoted(slope)}, not 1."


def _near(values: Any, goal: Any) -> bool:
    values = plain(values)
    same_shape = np.shape(values) == np.shape(goal)
    return same_shape and np.allclose(values, goal, rtol=0, atol=1e-5)


def _what_arrives(answer: Any) -> str | None:
    """A hint unless an answer holds for other numbers, and passes on other gradients than 1."""
    x, sent = ad.Variable([4.4, -1.2, 7.9, 0.6]), [2.0, -3.0, 0.5, 40.0]
    with ad.GradientTape() as tape:
        y = answer(x)
    if not _near(y, [4.0, -1.0, 8.0, 1.0]):
        return f"right for [0.3, 1.7, -2.6], but for [4.4, -1.2, 7.9, 0.6] you return {quoted(y)}."
    found = tape.gradient(y, x, output_gradients=arriving(sent, y))
    if same(found, sent):
        return None
    return f"right if 1 arrives. But {quoted(sent)} arriving, {quoted(found)} goes on: pass it on."


def _overridden(tape: Any) -> str | None:
    """A hint if an operation on the tape has another rule than its own."""
    if all(op.rule_name in (None, CUSTOM.rule_name) for op, *_ in tape.records):
        return None
    return (
        "the values and the gradient are right, and they come from an override. There is a way without "
        "one: the detour, with one of its ways closed."
    )


def _about_the_values(y: Any) -> str:
    if np.shape(plain(y)) != (3,):
        return f"for three numbers, three are asked for, and you return {quoted(y)}."
    if same(y, [0.3, 1.7, -2.6]):
        return "this is x itself: the gradient is 1, but nothing is rounded."
    if same(y, [0.0, 1.0, -3.0]):
        return "these are the values of floor. Asked for is round."
    return f"for [0.3, 1.7, -2.6] the values should be [0, 2, -3], and you return {quoted(y)}."


def _right(x: Any) -> Any:
    return x - ad.stop_gradient(x - ad.round(x))


def _plain_round(x: Any) -> Any:
    return ad.round(x)


def _detour(x: Any) -> Any:
    return x - (x - ad.round(x))


def _doubled(x: Any) -> Any:
    return x + ad.stop_gradient(ad.round(x))


def _closed_the_first(x: Any) -> Any:
    return ad.stop_gradient(x) - (x - ad.round(x))


def _nothing_rounded(x: Any) -> Any:
    return x + ad.stop_gradient(x - x)


def _floor_of_a_half_more(x: Any) -> Any:
    return ad.relax.straight_through(x + 0.5)


def _with_override(x: Any) -> Any:
    with ad.gradient_override_map({"Round": "Identity"}):
        return ad.round(x)


@ad.custom_gradient
def _always_one(x: Any) -> Any:
    return ad.round(x), lambda upstream: ad.ones_like(upstream)


def _changes_x(x: Any) -> Any:
    if isinstance(x, ad.Variable):
        x.assign(ad.round(x))
        return ad.identity(x)
    return ad.round(x)


def _closed_round(x: Any) -> Any:
    return ad.round(ad.stop_gradient(x))


def _like_floor(x: Any) -> Any:
    return ad.relax.straight_through(x)


EXERCISES = {
    "08.1": Exercise(
        "What the checker says of the detour and the override at given starting points.",
        _errors,
        [500.0, 499.0, 1.0],
        (
            ([0, 499, 1], "does the detour jump"),
            ([500, 500, 1], "What is the difference"),
            ([500, 501, 1], "not their sum"),
            ([500, 499, 0], "what does the override's rule say"),
            ([1000, 999, 1], "either side"),
            (500, "three numbers"),
            ([500, 1, 1], "crosses a jump too"),
        ),
        "A jump of 1 in 0.002 is 500, less what the tape says.",
        [..., ..., ...],
    ),
    "08.2": Exercise(
        "A function with the values of round and a gradient of 1.",
        _rounding,
        _right,
        (
            (_plain_round, "no way from y to x"),
            (_detour, "two ways cancel"),
            (_closed_the_first, "the other way"),
            (_nothing_rounded, "nothing is rounded"),
            (_like_floor, "values of floor"),
            (_floor_of_a_half_more, "halves go to the even neighbour. You return [1.0, 2.0, 3.0]"),
            (_with_override, "they come from an override"),
            (_changes_x, "changes x itself"),
            (_closed_round, "no way from y to x"),
            (_always_one, "right if 1 arrives"),
            (lambda x: [_right(x)], "a tensor is asked for"),
            (lambda x: 2.0 * x - ad.stop_gradient(2.0 * x - ad.round(x)), "not 1"),
            (lambda x: np.round(x), "which is no tensor"),
            (_doubled, "should be [0, 2, -3]"),
            (1.0, "a function"),
        ),
        "Rounded on the way there, and on the way back as if nothing had been.",
    ),
}
