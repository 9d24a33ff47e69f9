"""Exercises of notebook 00: a first gradient, and a constant that is watched."""

from __future__ import annotations

from typing import Any

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, a_number, among, boxed, unseen
from autodiff_kit.exercises.points import by_rule
from autodiff_kit.exercises.recorded import by_hand
from autodiff_kit.teaching.values import same


def _slope_of_a_cube_and_a_line(answer: Any) -> str | None:
    return a_number(answer) or among(
        answer,
        13.0,
        {
            10.0: "10 is y itself. How fast does y change with x?",
            12.0: "the x³ is right, but the x that is added changes too.",
            8.0: "8 is the value of x³. Its derivative is 3x².",
            14.0: "x itself changes with the slope 1, wherever it is.",
            7.0: "that is how many? The derivative of x³ is 3x², and x is squared there.",
        },
        "take the derivative of x³, add that of x, and put 2 in.",
    )


def _slope_of_a_constant(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    result = answer(ad.constant(5.0))
    if result is None:
        return _why_none(answer)
    if isinstance(result, str):
        return f"your function returns {result!r}, a word. Return tape.gradient(y, x)."
    return boxed(result) or _elsewhere(answer) or by_hand(answer, ad.constant(5.0))


def _elsewhere(answer: Any) -> str | None:
    return by_rule(
        answer,
        lambda x: 2.0 * x + 3.0,
        [{"x": ad.constant(x)} for x in (5.0, 1.0, -2.5)],
        (
            (
                lambda x: x * x + 3.0 * x,
                "this is the value of x² + 3x. Return tape.gradient(y, x).",
            ),
            (lambda x: 2.0 * x, "this is the gradient of x² alone: 3x belongs to y too."),
            (lambda x: 5.0, "5 is the slope of 2x + 3x: a power is x**2."),
        ),
    )


def _why_none(answer: Any) -> str:
    """A variable is watched by itself: if it has a gradient, only the watching is wrong."""
    if same(answer(ad.Variable(5.0)), 13.0):
        return (
            "your function returns None for a constant, and the gradient for a variable: a constant "
            "must be watched before it is used."
        )
    return f"your function returns None, for a variable too. {unseen(answer)}"


def _right(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x**2 + 3.0 * x
    return tape.gradient(y, x)


def _not_watched(x: Any) -> Any:
    with ad.GradientTape() as tape:
        y = x**2 + 3.0 * x
    return tape.gradient(y, x)


def _watched_late(x: Any) -> Any:
    with ad.GradientTape() as tape:
        y = x**2 + 3.0 * x
        tape.watch(x)
    return tape.gradient(y, x)


def _value(x: Any) -> Any:
    return x**2 + 3.0 * x


def _exchanged(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x**2 + 3.0 * x
    return tape.gradient(x, y)


def _after_the_block(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
    y = x**2 + 3.0 * x
    return tape.gradient(y, x)


def _half(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x**2
    return tape.gradient(y, x)


def _doubled(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x * 2 + 3 * x
    return tape.gradient(y, x)


def _without_ad(x: Any) -> Any:
    with GradientTape() as tape:  # type: ignore[name-defined]  # noqa: F821
        tape.watch(x)
    return tape.gradient(x, x)


def _half_by_hand(x: Any) -> Any:
    return _half(x) + 3.0


def _averaged_by_hand(x: Any) -> Any:
    return _half(x) * 0.5 + x + 3.0


def _caret(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x ^ 2
    return tape.gradient(y, x)


def _word(x: Any) -> Any:
    return "10 + 3"


def _nothing(x: Any) -> Any:
    return None


def _inside(x: Any) -> Any:
    return _right(ad.constant(5.0))


def _explained(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x**2 + 3.0 * x
    return ad.explain(tape, y, x)


def _asked_for_nothing(x: Any) -> Any:
    _right(x)
    return 2.0 * x + 3.0


EXERCISES = {
    "00.1": Exercise(
        "The gradient of x * x * x + x at x = 2.",
        _slope_of_a_cube_and_a_line,
        13.0,
        (
            (10, "10 is y itself"),
            (12.0, "is added changes too"),
            (8, "the value of x³"),
            (14, "slope 1"),
            ("3x² + 1", "a number"),
            ("13", "this is '13'"),
            (5, "put 2 in"),
        ),
        "3x² + 1 is 13 at 2.",
    ),
    "00.2": Exercise(
        "A function that returns the gradient of x² + 3x at a constant x.",
        _slope_of_a_constant,
        _right,
        (
            (_not_watched, "must be watched"),
            (_watched_late, "before it is used"),
            (_value, "the value of x² + 3x"),
            (_half, "x² alone"),
            (_doubled, "a power is x**2"),
            (_without_ad, "It is ad.GradientTape."),
            (lambda x: 2.0 * x + 3.0, "no tape found them"),
            (_explained, "print what explain says"),
            (_asked_for_nothing, "no tape found them"),
            (_half_by_hand, "only a part of it"),
            (_averaged_by_hand, "only a part of it"),
            (_inside, "compute with what is given"),
            (_exchanged, "is the target asked for first"),
            (_after_the_block, "inside the block"),
            (lambda x: [_right(x)], "a list with one thing in it"),
            (13.0, "a function"),
            (_caret, "power is **"),
            (_word, "10 + 3"),
            (_nothing, "returns None"),
        ),
        "It is 2x + 3 everywhere, and a tape finds that for a constant too.",
    ),
}
