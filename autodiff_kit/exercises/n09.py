"""Exercises of notebook 09: a training that does not move, and a step that trains like a sigmoid."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.arriving import arriving
from autodiff_kit.exercises.hints import a_function, a_tensor, moved
from autodiff_kit.exercises.stuck import moves, narrow_ramp
from autodiff_kit.teaching.values import quoted, same

POINTS = np.array([-1.0, -0.25, -0.05, 0.0, 0.1, 0.5], np.float32)
VALUES = [2.0, 2.0, 2.0, 5.0, 5.0, 5.0]
MORE = np.array([0.2, -0.4, 3.0], np.float32)


def _soft(c: Any) -> Any:
    return 2.0 + 3.0 * ad.sigmoid(4.0 * c)


def _hard(c: Any) -> Any:
    return ad.where(c >= 0.0, 5.0, 2.0)


def _gradient(f: Any, points: Any = POINTS, sent: Any = 1.0) -> tuple[Any, Any]:
    c = ad.Variable(points, name="c")
    with ad.GradientTape() as tape:
        y = f(c)
    if not ad.is_tensor(y):
        return y, None
    return y, tape.gradient(y, c, output_gradients=arriving(np.full(y.shape, sent), y))


def _step(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    y, gradient = _gradient(answer)
    wrong = a_tensor(y, "c") or _moves_c(answer)
    if wrong:
        return wrong
    soft, slope = _gradient(_soft)
    if not same(y, VALUES):
        return _values(y, soft)
    if gradient is None:
        return "the values are right, and the gradient is None: nothing soft lets it through."
    if same(gradient, np.ones(6)):
        return "the values are right; the gradient is that of c itself. Use the soft version's."
    if same(gradient, np.zeros(6)):
        return "the values are right; the gradient of the soft version is cancelled, and is 0."
    if same(gradient, np.full(6, 3.0)):
        return (
            "the values are right; the gradient is 3 everywhere, and the soft version has that at "
            "c = 0 only. Put the soft version where the gradient comes from."
        )
    if not same(gradient, slope):
        return _off(gradient, slope)
    return _elsewhere(answer)


def _moves_c(answer: Any) -> str | None:
    c = ad.Variable(POINTS)
    answer(c)
    return moved(c, POINTS, "c")


def _elsewhere(answer: Any) -> str | None:
    """A hint unless an answer holds for other places, and for what arrives."""
    y, gradient = _gradient(answer, MORE, -2.0)
    right = _gradient(_soft, MORE, -2.0)[1]
    if not same(y, [5.0, 2.0, 5.0]):
        return f"right for these six, but for c = 0.2, -0.4, 3 you return {quoted(y)}."
    # at c = 3 next to nothing is left of the slope, and float32 has few digits of it
    if gradient is not None and same(1.0 + gradient, 1.0 + right):
        return None
    return "the gradient is right if 1 arrives, but not if -2 does: multiply by what arrives."


def _off(gradient: Any, slope: Any) -> str:
    """The place where a gradient is furthest from what it should be."""
    found, right = np.asarray(gradient), np.asarray(slope)
    worst = int(np.argmax(np.abs(found - right)))
    return (
        f"the values are right, but the gradient at c = {POINTS[worst]:g} should be "
        f"{right[worst]:.3g}, and yours is {found[worst]:.3g}."
    )


def _values(y: Any, soft: Any) -> str:
    if same(y, soft):
        return "this is the soft version. The values should be exactly 2.0 or 5.0."
    if same(y, [2.0, 2.0, 2.0, 2.0, 5.0, 5.0]):
        return "at c = 0 it should be 5.0: compare with >=."
    if same(y, soft + VALUES):
        return (
            "the soft version is there for its gradient, and its value is added too: take that away "
            "again, behind stop_gradient."
        )
    if same(y, np.zeros(6)):
        return (
            "the values are all 0: the part for the gradient is there, the one for the value not."
        )
    return (
        f"for c = -1, -0.25, -0.05, 0, 0.1, 0.5 the values should be {quoted(VALUES)}; yours are "
        f"{quoted(y)}."
    )


def _like(f: Any, *args: Any) -> Any:
    return lambda x: ad.relax.straight_through(x, like=lambda t: f(t, *args))


def _right(c: Any) -> Any:
    return _soft(c) + ad.stop_gradient(_hard(c) - _soft(c))


def _through_c(c: Any) -> Any:
    return ad.stop_gradient(_hard(c)) + (c - ad.stop_gradient(c))


def _cancelled(c: Any) -> Any:
    return _hard(c) + _soft(c) - _soft(c)


def _value_added(c: Any) -> Any:
    return ad.stop_gradient(_hard(c)) + _soft(c)


def _value_missing(c: Any) -> Any:
    return _soft(c) - ad.stop_gradient(_soft(c))


def _floored(c: Any) -> Any:
    return 2.0 + 3.0 * ad.relax.straight_through(c + 1.0)


def _right_up_to_one(c: Any) -> Any:
    return ad.stop_gradient(2.0 + 3.0 * ad.floor(c + 1.0) - _soft(c)) + _soft(c)


def _too_steep(c: Any) -> Any:
    steep = 2.0 + 3.0 * ad.sigmoid(8.0 * c)
    return steep + ad.stop_gradient(_hard(c) - steep)


@ad.custom_gradient
def _forgets_what_arrives(c: Any) -> Any:
    step = ad.sigmoid(4.0 * c)
    return _hard(c), lambda upstream: 12.0 * step * (1.0 - step)


def _other_threshold(c: Any) -> Any:
    return _soft(c) + ad.stop_gradient(ad.where(c >= -0.1, 5.0, 2.0) - _soft(c))


def _if(c: Any) -> Any:
    return 5.0 if c >= 0 else 2.0


def _above(c: Any) -> Any:
    return ad.where(c > 0.0, 5.0, 2.0) + (_soft(c) - ad.stop_gradient(_soft(c)))


def _changes_c(c: Any) -> Any:
    c.assign(_hard(c))
    return ad.identity(c)


EXERCISES = {
    "09.1": Exercise(
        "A stand-in with floor's values with which the training of the kernel moves.",
        moves,
        _like(ad.relax.sigmoid_sum, 8.0),
        (
            (_like(narrow_ramp), "flat at all ten"),
            (narrow_ramp, "flat at all ten"),
            (_like(ad.relax.piecewise_linear, 0.5), "at 1.04 and 1.05"),
            (ad.relax.detour, "flat at all ten"),
            (ad.floor, "the gradient is None"),
            (ad.relax.sigmoid_sum, "values are not floor's any more: at 0.89 it is"),
            (lambda x: ad.relax.piecewise_linear(x, 0.5), "values are not floor's any more"),
            (lambda x: 1.0 * x, "values are not floor's any more: at 0.89 it is 0.89"),
            (_like(ad.relax.filtered), "only 9 of the ten"),
            (ad.relax.filtered, "values are not floor's any more"),
            (_like(ad.relax.sigmoid_sum, 32.0), "only 9 of the ten"),
            (lambda x: -ad.relax.straight_through(x), "values are not floor's"),
            (lambda x: _like(ad.identity)(-x) * -1.0, "values are not floor's any more"),
            (lambda x: ad.stop_gradient(ad.floor(x) + x) - x, "only 0 of the ten"),
            (ad.reduce_sum, "as many values as it gets"),
            (lambda x: x.numpy() // 1, "which is no tensor"),
            (lambda x: [ad.relax.straight_through(x)], "a tensor is asked for"),
            (lambda x: ad.relax.straight_through, "call it, with what it works on"),
            (lambda x: ad.relax.straight_through(x, like=ad.floor), "the gradient is None"),
            (8.0, "a function"),
        ),
        "A gradient must flow from where the outputs are wrong.",
    ),
    "09.2": Exercise(
        "A function that is 5 where c >= 0, else 2, with the gradient of 2 + 3 sigmoid(4 c).",
        _step,
        _right,
        (
            (_hard, "None"),
            (_soft, "exactly 2.0 or 5.0"),
            (_through_c, "that of c itself"),
            (_cancelled, "cancelled"),
            (_value_missing, "all 0"),
            (_value_added, "its value is added too"),
            (_above, ">="),
            (_floored, "3 everywhere"),
            (_too_steep, "at c = 0 should be 3, and yours is 6"),
            (_right_up_to_one, "for c = 0.2, -0.4, 3 you return [5.0, 2.0, 14.0]"),
            (_forgets_what_arrives, "multiply by what arrives"),
            (_other_threshold, "should be [2.0, 2.0, 2.0, 5.0, 5.0, 5.0]"),
            (lambda c: ad.constant(VALUES) + _soft(c) - ad.stop_gradient(_soft(c)), "[6]"),
            (lambda c: [_right(c)], "a tensor is asked for"),
            (_changes_c, "changes c itself"),
            (_if, "ad.where(condition, a, b)"),
            (lambda c: 5.0, "Compute it from c with"),
            (5.0, "a function"),
        ),
        "Hard for the machine, soft for the training.",
    ),
}
