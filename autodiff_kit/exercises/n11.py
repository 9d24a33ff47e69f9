"""Exercises of notebook 11: a gradient that is clipped, and a length that is safe at zero."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.own_rule import back, custom, length
from autodiff_kit.teaching.values import quoted, same


def _gentle(answer: Any) -> str | None:
    wrong = custom(answer)
    if wrong:
        return wrong
    return _clipping(answer, [5.0, -7.0, 0.5, 2.0], [3.0, -20.0, 0.25, -0.5]) or _clipping(
        answer, [0.25, 3.0, -4.5], [-0.75, 0.9, -1.5]
    )


def _clipping(answer: Any, at: Any, sent: Any) -> str | None:
    y, gradient = back(answer, at, sent)
    if same(y, np.clip(at, -1, 1)):
        return "the values are clipped. They should go through as they are; clip the gradient."
    if not same(y, at):
        return f"the values should go through as they are: for {quoted(at)} you return {quoted(y)}."
    known: tuple[tuple[Any, str], ...] = (
        (sent, "the gradient goes through as it is. Clip what arrives."),
        ([1.0, 1.0, 1.0, 1.0], "your gradient is 1, whatever arrives. Use the argument of grad."),
        (np.clip(at, -1, 1), "you clip x. Clip the gradient that arrives."),
        ([1.0, 0.0, 0.25, 0.0], "negative gradients are cut off: between -1 and 1."),
    )
    if gradient is None:
        return "no gradient comes through. What does your grad return?"
    right = np.clip(sent, -1, 1)
    hint = next((hint for values, hint in known if same(gradient, values)), None)
    if same(gradient, right):
        return None
    return hint or (
        f"for {quoted(sent)} arriving, {quoted(right)} should go on, and yours is "
        f"{quoted(gradient)}."
    )


@ad.custom_gradient
def _clipped(x: Any) -> Any:
    return ad.identity(x), lambda upstream: ad.clip_by_value(upstream, -1.0, 1.0)


@ad.custom_gradient
def _values_clipped(x: Any) -> Any:
    return ad.clip_by_value(x, -1.0, 1.0), lambda upstream: upstream


@ad.custom_gradient
def _nothing_clipped(x: Any) -> Any:
    return ad.identity(x), lambda upstream: upstream


@ad.custom_gradient
def _always_one(x: Any) -> Any:
    return ad.identity(x), lambda upstream: ad.ones_like(upstream)


@ad.custom_gradient
def _clips_x(x: Any) -> Any:
    return ad.identity(x), lambda upstream: ad.clip_by_value(x, -1.0, 1.0)


@ad.custom_gradient
def _four_numbers(x: Any) -> Any:
    return ad.identity(x), lambda upstream: ad.constant([1.0, -1.0, 0.25, -0.5])


@ad.custom_gradient
def _sign(x: Any) -> Any:
    return ad.identity(x), lambda upstream: ad.sign(upstream)


@ad.custom_gradient
def _none(x: Any) -> Any:
    return ad.identity(x), lambda upstream: None


@ad.custom_gradient
def _only_value(x: Any) -> Any:
    return ad.identity(x)


def _no_decorator(x: Any) -> Any:
    return ad.identity(x), lambda upstream: ad.clip_by_value(upstream, -1.0, 1.0)


def _size(v: Any) -> Any:
    return ad.sqrt(ad.reduce_sum(v * v))


@ad.custom_gradient
def _safe_length(v: Any) -> Any:
    size = _size(v)
    return size, lambda upstream: upstream * ad.math.divide_no_nan(v, size)


@ad.custom_gradient
def _naive_length(v: Any) -> Any:
    size = _size(v)
    return size, lambda upstream: upstream * v / size


@ad.custom_gradient
def _forgets_upstream(v: Any) -> Any:
    size = _size(v)
    return size, lambda upstream: ad.math.divide_no_nan(v, size)


@ad.custom_gradient
def _not_divided(v: Any) -> Any:
    return _size(v), lambda upstream: upstream * v


@ad.custom_gradient
def _shifted(v: Any) -> Any:
    size = ad.sqrt(ad.reduce_sum(v * v) + 1e-4)
    return size, lambda upstream: upstream * v / size


@ad.custom_gradient
def _by_five(v: Any) -> Any:
    return _size(v), lambda upstream: upstream * v / 5.0


@ad.custom_gradient
def _square_by_five(v: Any) -> Any:
    return _size(
        v
    ), lambda upstream: upstream * v * ad.math.divide_no_nan(5.0, ad.reduce_sum(v * v))


@ad.custom_gradient
def _ten_arrives(v: Any) -> Any:
    size = _size(v)
    return size, lambda upstream: ad.math.divide_no_nan(10.0 * v, size)


@ad.custom_gradient
def _only_for_two(v: Any) -> Any:
    size = ad.sqrt(v[0] ** 2 + v[1] ** 2)
    return size, lambda upstream: upstream * ad.math.divide_no_nan(v, size)


@ad.custom_gradient
def _all_but_five(v: Any) -> Any:
    return 5.0 * ad.sign(_size(v)), lambda upstream: upstream * v / 5.0


@ad.custom_gradient
def _each_length(v: Any) -> Any:
    return ad.sqrt(v * v), lambda upstream: upstream * ad.sign(v)


@ad.custom_gradient
def _one_over_length(v: Any) -> Any:
    size = _size(v)
    return size, lambda upstream: ad.math.divide_no_nan(upstream, size)


@ad.custom_gradient
def _one_zero(v: Any) -> Any:
    size = _size(v)
    return size, lambda upstream: upstream * v / size if size > 0.0 else 0.0


@ad.custom_gradient
def _upside_down(v: Any) -> Any:
    size = _size(v)
    return size, lambda upstream: upstream * ad.math.divide_no_nan(size, v)


@ad.custom_gradient
def _square(v: Any) -> Any:
    return ad.reduce_sum(v * v), lambda upstream: upstream * 2.0 * v


@ad.custom_gradient
def _dots(x: Any) -> Any:
    return ...


EXERCISES = {
    "11.1": Exercise(
        "A function that returns x, and clips the gradient that comes back to between -1 and 1.",
        _gentle,
        _clipped,
        (
            (_values_clipped, "the values are clipped"),
            (_nothing_clipped, "goes through as it is"),
            (_always_one, "whatever arrives"),
            (_clips_x, "you clip x"),
            (_four_numbers, "Incompatible shapes"),
            (_sign, "should go on, and yours is"),
            (_none, "no gradient comes through"),
            (_only_value, "return y, grad_fn"),
            (_no_decorator, "no @ad.custom_gradient"),
        ),
        "Forward nothing, backward a limit.",
        _dots,
    ),
    "11.2": Exercise(
        "The length of a vector, with the gradient 0 at the zero vector.",
        length,
        _safe_length,
        (
            (_naive_length, "0/0"),
            (_forgets_upstream, "Multiply by what arrives"),
            (_not_divided, "Divide by the length"),
            (_square, "is 5"),
            (_by_five, "right for (3, -4), but"),
            (_square_by_five, "right for (3, -4), but"),
            (_ten_arrives, "right for (3, -4), but"),
            (_only_for_two, "the length of [2.0, -3.0, 6.0] is 7"),
            (_all_but_five, "the length of [2.0, -3.0, 6.0] is 7"),
            (_shifted, "the zero vector is 0"),
            (_each_length, "yours has the shape (2,)"),
            (_one_over_length, "has not the shape of v"),
            (_one_zero, "at v = [0.0, 0.0], what your grad returns has not the shape of v"),
            (_upside_down, "(6, -8) should go on"),
            (_size, "no @ad.custom_gradient"),
        ),
        "A rule that is right everywhere.",
        _dots,
    ),
}
