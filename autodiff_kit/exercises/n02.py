"""Exercises of notebook 02: which x gets a gradient, and the variable behind a computed x."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, boxed, in_company, unseen
from autodiff_kit.exercises.points import by_rule
from autodiff_kit.exercises.recorded import by_hand, without_a_tape
from autodiff_kit.teaching.values import plain, quoted, same

_KINDS = {
    "ad.Variable(2)": None,
    "ad.Variable(2.0)": "value",
    "ad.constant(2.0)": None,
    "ad.Variable(2.0) * 1.0": None,
    "ad.Variable(ad.constant(2.0))": "value",
}
_WHY = {
    "ad.Variable(2)": "look at the number: is there a decimal point?",
    "ad.Variable(2.0)": "this is case 1: a trainable variable of floats.",
    "ad.constant(2.0)": "this is case 4, and nobody calls watch.",
    "ad.Variable(2.0) * 1.0": "this is case 5: what does an operation return?",
    "ad.Variable(ad.constant(2.0))": "what counts is what x is, not what it was filled with.",
}


def _which_are_there(answer: Any) -> str | None:
    if not isinstance(answer, dict) or answer.keys() != _KINDS.keys():
        return 'keep the five lines, and write "value" or None after each colon.'
    for line, right in _KINDS.items():
        given = plain(answer[line])
        if not (given is None or same(given, "value")):
            return f'for {line} write "value" or None, not {quoted(given)}.'
        if not same(given, right):
            return f"not {quoted(given)} for {line}: {_WHY[line]}"
    return None


def _behind(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    result = answer(ad.Variable([1.0, 3.0]))
    if result is None:
        return f"None: the tape does not see the way from v to the mean. {unseen(answer)}"
    return (
        boxed(result)
        or in_company(result, [12.0, 30.0])
        or _at_points(answer)
        or by_hand(answer, ad.Variable([1.0, 3.0]))
    )


def _at_points(answer: Any) -> str | None:
    return by_rule(
        answer,
        lambda v: 6.0 * (3.0 * v + 1.0) / v.size,
        [{"v": ad.Variable(v)} for v in ([1.0, 3.0], [0.0], [-2.0, 0.5, 4.0])],
        (
            (
                lambda v: 2.0 * (3.0 * v + 1.0) / v.size,
                "this is the gradient for x. The source asked for is v.",
            ),
            (
                lambda v: 6.0 * (3.0 * v + 1.0),
                "this is the gradient of the sum of the squares: take their mean.",
            ),
            (
                lambda v: np.mean((3.0 * v + 1.0) ** 2),
                "this is the mean itself. Return its gradient.",
            ),
            (
                lambda v: np.full(v.shape, 6.0 * np.mean(3.0 * v + 1.0) / v.size),
                "this is the gradient of the square of the mean: square first, then take the mean.",
            ),
            (
                lambda v: np.full(v.shape, 3.0 / v.size),
                "this is the gradient of the mean of x: the squares are missing.",
            ),
            (
                lambda v: np.full(v.shape, 6.0 / v.size),
                "this is the gradient of the mean of twice x: x * 2 is no square, x**2 is one.",
            ),
            (
                lambda v: np.full(v.shape, 6.0),
                "this is the gradient of twice x: take the mean of x**2.",
            ),
            (
                lambda v: np.full(v.shape, 3.0),
                "this is the gradient of x itself: the target is the mean of x**2.",
            ),
            (
                lambda v: 2.0 * v / v.size,
                "this is the gradient of the mean of v²: asked for is that of x², with x = 3v + 1.",
            ),
            (
                lambda v: np.mean(6.0 * (3.0 * v + 1.0) / v.size),
                "this is one number, and a gradient has the shape of its source: return it as it is.",
            ),
        ),
        lambda answer: without_a_tape(answer, ad.Variable([1.0, 3.0])),
    )


def _right(v: Any) -> Any:
    with ad.GradientTape() as tape:
        x = 3.0 * v + 1.0
        target = ad.reduce_mean(x**2)
    return tape.gradient(target, v)


def _with_the_target(v: Any) -> Any:
    with ad.GradientTape() as tape:
        x = 3.0 * v + 1.0
        target = ad.reduce_mean(x**2)
    return target, tape.gradient(target, v)


def _of_v_alone(v: Any) -> Any:
    with ad.GradientTape() as tape:
        target = ad.reduce_mean(v**2)
    return tape.gradient(target, v)


def _assigned(v: Any) -> Any:
    with ad.GradientTape() as tape:
        x = v.assign(3.0 * v + 1.0)
        target = ad.reduce_mean(x**2)
    return tape.gradient(target, v)


def _before_the_block(v: Any) -> Any:
    x = 3.0 * v + 1.0
    with ad.GradientTape() as tape:
        target = ad.reduce_mean(x**2)
    return tape.gradient(target, v)


def _a_new_variable(v: Any) -> Any:
    with ad.GradientTape() as tape:
        x = ad.Variable(3.0 * v + 1.0)
        target = ad.reduce_mean(x**2)
    return tape.gradient(target, v)


def _exchanged(v: Any) -> Any:
    with ad.GradientTape() as tape:
        target = ad.reduce_mean((3.0 * v + 1.0) ** 2)
    return tape.gradient(v, target)


def _asked_of(f: Any, sources: Any = lambda _x, v: v) -> Any:
    def answer(v: Any) -> Any:
        with ad.GradientTape() as tape:
            x = 3.0 * v + 1.0
            target = f(x)
        return tape.gradient(target, sources(x, v))

    return answer


_square_of_the_mean = _asked_of(lambda x: ad.reduce_mean(x) ** 2)
_not_squared = _asked_of(ad.reduce_mean)
_of_the_squares = _asked_of(ad.square)
_twice_x = _asked_of(lambda x: ad.reduce_mean(x * 2))
_twice_x_without_a_mean = _asked_of(lambda x: x * 2)
_for_both = _asked_of(lambda x: ad.reduce_mean(x**2), lambda x, v: [x, v])


def _in_numpy(v: Any) -> Any:
    with ad.GradientTape() as tape:
        x = 3.0 * v.numpy() + 1.0
        target = ad.reduce_mean(ad.constant(x) ** 2)
    return tape.gradient(target, v)


def _to_x(v: Any) -> Any:
    x = 3.0 * v + 1.0
    with ad.GradientTape() as tape:
        tape.watch(x)
        target = ad.reduce_mean(x**2)
    return tape.gradient(target, x)


def _sum(v: Any) -> Any:
    with ad.GradientTape() as tape:
        x = 3.0 * v + 1.0
        target = ad.reduce_sum(x**2)
    return tape.gradient(target, v)


def _value(v: Any) -> Any:
    x = 3.0 * v + 1.0
    return ad.reduce_mean(x**2)


def _changes_v(v: Any) -> Any:
    v.assign(ad.zeros_like(v))
    return np.full(v.shape[0], 6.0 / v.shape[0])


def _explained(v: Any) -> Any:
    with ad.GradientTape() as tape:
        target = ad.reduce_mean((3.0 * v + 1.0) ** 2)
    return ad.explain(tape, target, v)


EXERCISES = {
    "02.1": Exercise(
        "For five kinds of x: is the gradient of x² a value or None?",
        _which_are_there,
        _KINDS,
        (
            (_KINDS | {"ad.Variable(2)": "value"}, "decimal point"),
            (_KINDS | {"ad.Variable(2.0)": None}, "case 1"),
            (_KINDS | {"ad.constant(2.0)": "value"}, "case 4"),
            (_KINDS | {"ad.Variable(2.0) * 1.0": "value"}, "case 5"),
            (_KINDS | {"ad.Variable(ad.constant(2.0))": None}, "what x is"),
            (_KINDS | {"ad.constant(2.0)": 0}, 'write "value" or None'),
            ("None", "keep the five lines"),
        ),
        "Watched and floating: both are needed.",
        dict.fromkeys(_KINDS, ...),
    ),
    "02.2": Exercise(
        "A function that returns the gradient of mean((3v + 1)²) for the variable v.",
        _behind,
        _right,
        (
            (_before_the_block, "does not see the way"),
            (_a_new_variable, "the way begins there"),
            (_to_x, "the gradient for x"),
            (_exchanged, "is the target asked for first"),
            (lambda v: 6.0 * (3.0 * v + 1.0) / float(v.shape[0]), "no tape found them"),
            (_square_of_the_mean, "the square of the mean"),
            (_not_squared, "the squares are missing"),
            (_in_numpy, "does not see the way"),
            (_of_the_squares, "take their mean"),
            (lambda v: [_right(v)], "a list with one thing in it"),
            (lambda v: 9.0 * v + 3.0, "right for v = [1.0, 3.0], but"),
            (_explained, "print what explain says"),
            (_sum, "take their mean"),
            (_changes_v, "changes v itself"),
            (_value, "the mean itself"),
            (_twice_x, "twice x"),
            (_twice_x_without_a_mean, "take the mean of x**2"),
            (_asked_of(lambda x: x), "the gradient of x itself"),
            (lambda v: v * 2, "no tape found these numbers"),
            (lambda v: (3.0 * v + 1.0) * 2, "no tape found these numbers"),
            (_for_both, "one of the things in it is right"),
            (_with_the_target, "one of the things in it is right"),
            (_of_v_alone, "the gradient of the mean of v²"),
            (_assigned, "changes v itself"),
            (lambda v: ad.reduce_mean(_right(v)), "the shape of its source"),
            (12.0, "a function"),
        ),
        "The whole way from v to the target is on the tape.",
    ),
}
