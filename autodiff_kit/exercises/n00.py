"""Exercises of notebook 00: a first gradient, and a constant that is watched."""

from __future__ import annotations

from typing import Any

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, a_number, among
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
    x = ad.constant(5.0)
    result = answer(x)
    if result is None:
        return (
            "your function returns None. Does it return anything? And if it returns the gradient: "
            "a constant must be watched before it is used."
        )
    if same(result, x * x + 3.0 * x):
        return "this is the value of x² + 3x. Return tape.gradient(y, x)."
    if same(result, 10.0):
        return "this is the gradient of x² alone: 3x belongs to y too."
    if same(result, 13.0) and not same(answer(ad.constant(1.0)), 5.0):
        return "right at x = 5, but not elsewhere: compute with the x that is given."
    if isinstance(result, str):
        return f"your function returns {result!r}, a word. Return tape.gradient(y, x)."
    return None if same(result, 13.0) else "at x = 5 the gradient of x² + 3x is 2·5 + 3."


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


def _half(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x**2
    return tape.gradient(y, x)


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
            (_inside, "the x that is given"),
            (13.0, "a function"),
            (_caret, "power is **"),
            (_word, "10 + 3"),
            (_nothing, "returns None"),
        ),
        "It is 2x + 3 everywhere. A tape finds that for a constant too, if it is watched.",
    ),
}
