"""Exercises of notebook 14: the norm of a Hessian, a product with it, and its trace."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, a_number, among, boxed
from autodiff_kit.exercises.probe import by_the_way
from autodiff_kit.exercises.tracing import trace
from autodiff_kit.teaching.values import quoted, same

NEAR = 2e-3  # 4.69 for the root of 22


def _norm(answer: Any) -> str | None:
    if same(answer, [[2.0, 3.0], [3.0, 0.0]]):
        return "this is the Hessian. Its norm is one number: square each entry, add, and take the root."
    wrong = a_number(answer)
    if wrong or same(answer, 22**0.5, NEAR):
        return wrong
    return among(
        answer,
        4.69,
        {
            22.0: "that is the sum of the squares. The norm is its root.",
            13**0.5: "the mixed derivative stands twice in the Hessian: it is symmetric.",
            3.61: "the mixed derivative stands twice in the Hessian: it is symmetric.",
            3.606: "the mixed derivative stands twice in the Hessian: it is symmetric.",
            13.0: "the mixed derivative stands twice in the Hessian, and the norm is a root.",
            8.0: "that is the sum of the entries. Square them, add, and take the root.",
            2.0: "that is the diagonal alone. What is the derivative of the first slope by x1?",
            4.24: "the two mixed entries are there. What is the second derivative of x0²?",
            4.243: "the two mixed entries are there. What is the second derivative of x0²?",
            18**0.5: "the two mixed entries are there. What is the second derivative of x0²?",
            4.7: "nearly: one digit more, please.",
            5.0: "all four entries count; the mixed derivative stands there twice.",
        },
        "the first slope is 2·x0 + 3·x1, the second 3·x0. Each has two derivatives: square, add, root.",
    )


def _cubic(x: Any) -> Any:
    return x[0] ** 3 + x[0] * x[1] ** 2


def _product(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    at, step = [1.0, 2.0], [1.0, -1.0]  # H = [[6, 4], [4, 2]]
    try:
        result = answer(_cubic, ad.constant(at, ad.float64), ad.constant(step, ad.float64))
    except ValueError as error:
        if "output gradient has shape" not in str(error):
            raise
        return (
            "d has a number for each of x, and f only one: the way back that begins with d is the "
            "outer one, from the gradient."
        )
    if boxed(result):
        return boxed(result)
    if not same(result, [2.0, 2.0], 0.05):
        return _no_product(result)
    return by_the_way(answer) or (None if same(result, [2.0, 2.0]) else _no_product(result))


def _no_product(result: Any) -> str | None:
    if result is None:
        return (
            "None. Is there a return? Is x watched on both tapes, and is the inner gradient taken "
            "inside the outer block?"
        )
    return among(
        result,
        [2.0, 2.0],
        {
            (7.0, 4.0): "this is the gradient. The outer tape has to differentiate it once more.",
            (10.0, 6.0): "the way back began with ones: give it d, as output_gradients.",
            (10.0, -6.0): "the result is multiplied by d. Begin the way back with d instead.",
            ((6.0, 4.0), (4.0, 2.0)): "this is the whole Hessian. Asked for is its product with d.",
            ((6.0, -4.0), (4.0, -2.0)): (
                "these are the entries of H times d: add up each row, but without making H."
            ),
            (3.0,): "this is one number; H d has as many as x.",
        },
        f"for f = x0³ + x0·x1², x = [1, 2], d = [1, -1] it should be [2, 2], and is {quoted(result)}.",
    )


def _exact(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape() as outer:
        outer.watch(x)
        gradient = _gradient(f, x, d)
    return outer.gradient(gradient, x, output_gradients=d)


def _taken_outside(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape() as outer:
        outer.watch(x)
        with ad.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
    return outer.gradient(inner.gradient(y, x), x, output_gradients=d)


def _ones(f: Any, x: Any, d: Any) -> Any:
    return _exact(f, x, None)


def _times_d(f: Any, x: Any, d: Any) -> Any:
    return _exact(f, x, None) * d


def _d_inside(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape() as outer:
        outer.watch(x)
        with ad.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        gradient = inner.gradient(y, x, output_gradients=d)
    return outer.gradient(gradient, x)


def _watched_inside_only(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape() as outer:
        gradient = _gradient(f, x, d)
    return outer.gradient(gradient, x, output_gradients=d)


def _gradient(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def _whole(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape() as outer:
        outer.watch(x)
        gradient = _gradient(f, x, d)
    return outer.jacobian(gradient, x)


def _whole_times_d(f: Any, x: Any, d: Any) -> Any:
    return ad.linalg.matvec(_whole(f, x, d), d)


def _hessian_times_d(f: Any, x: Any, d: Any) -> Any:
    return ad.linalg.matvec(ad.hessian(f, x), d)


def _rows(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape(persistent=True) as outer:
        outer.watch(x)
        slopes = ad.unstack(_gradient(f, x, d))
    return ad.stack([ad.reduce_sum(outer.gradient(slope, x) * d) for slope in slopes])


def _columns(f: Any, x: Any, d: Any) -> Any:
    units = np.eye(int(x.shape[0]))
    columns = [_exact(f, x, ad.constant(unit)) for unit in units]
    return ad.linalg.matvec(ad.stack(columns, axis=1), d)


def _moved(f: Any, x: Any, d: Any) -> Any:
    return (_gradient(f, x + 0.01 * d, d) - _gradient(f, x - 0.01 * d, d)) / 0.02


def _moved_forward(f: Any, x: Any, d: Any) -> Any:
    return (_gradient(f, x + 1e-3 * d, d) - _gradient(f, x, d)) / 1e-3


def _only_for_two(f: Any, x: Any, d: Any) -> Any:
    return ad.stack([6.0 * d[0] + 4.0 * d[1], 4.0 * d[0] + 2.0 * d[1]])


def _mean_of_rows(steps: Any, moved: Any) -> Any:
    return ad.reduce_mean(ad.reduce_sum(steps * moved, axis=1))


EXERCISES = {
    "14.1": Exercise(
        "The Frobenius norm of the Hessian of x0² + 3·x0·x1.",
        _norm,
        22**0.5,
        (
            (22, "its root"),
            (13**0.5, "symmetric"),
            (8, "sum of the entries"),
            (2.0, "diagonal alone"),
            (4.7, "one digit more"),
            (3.61, "symmetric"),
            ("root of 22", "a number"),
            (6, "Each has two"),
            ([[2, 3], [3, 0]], "this is the Hessian"),
            (4.24, "the second derivative of x0²"),
            (18**0.5, "the second derivative of x0²"),
        ),
        "The root of 4 + 9 + 9.",
    ),
    "14.2": Exercise(
        "A function of f, x and d that returns the Hessian times d, exactly.",
        _product,
        _exact,
        (
            (_taken_outside, "inside the outer block"),
            (_ones, "began with ones"),
            (_times_d, "multiplied by d"),
            (_gradient, "once more"),
            (_whole, "whole Hessian"),
            (_whole_times_d, "as many runs"),
            (lambda f, x, d: _whole(f, x, d) * d, "add up each row"),
            (_d_inside, "the outer one, from the gradient"),
            (_watched_inside_only, "watched on both tapes"),
            (_hessian_times_d, "as many runs"),
            (_rows, "as many runs"),
            (_columns, "as many runs"),
            (_moved, "there is a step in it"),
            (_moved_forward, "there is a step in it"),
            (_only_for_two, "not for every f"),
            (lambda f, x, d: f(x), "should be [2, 2]"),
            ([2.0, 2.0], "a function"),
        ),
        "No step was taken, and no Hessian was ever built.",
    ),
    "14.3": Exercise(
        "The trace of the Hessian, estimated from steps and their products with it.",
        trace,
        _mean_of_rows,
        (
            (lambda s, h: ad.reduce_mean(s * h), "Add those of a row"),
            (lambda s, h: ad.reduce_sum(s * h), "over all steps"),
            (lambda s, h: ad.reduce_sum(s * h, axis=1), "Take their mean"),
            (lambda s, h: ad.reduce_mean(s * h, axis=0), "averages each column"),
            (lambda s, h: s * h, "add up each row"),
            (lambda s, h: ad.reduce_mean(h), "multiply step and H step"),
            (lambda s, h: ad.reduce_mean(s + h), "it should be 6.16667, not"),
            (lambda s, h: ad.reduce_sum(s * h) / 3.0, "right for steps = "),
            (lambda s, h: ad.reduce_mean(s * h) * 2.0, "right for steps = "),
            (lambda s, h: 14.5 / 3, "the same everywhere"),
            (lambda s, h: ad.reduce_mean(ad.reduce_sum(h / s, axis=1)), "not divided"),
            (lambda s, h: [_mean_of_rows(s, h)], "a list with one thing in it"),
            (9.0, "a function"),
        ),
        "Here dividing by nothing is the point: this mean exists.",
    ),
}
