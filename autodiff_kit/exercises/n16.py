"""Exercises of notebook 16: the rules of a division and of tanh, and broadcasting undone."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, boxed
from autodiff_kit.exercises.points import by_rule
from autodiff_kit.teaching.values import plain, quoted, same


def _division(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    result = answer(*DIVISIONS[0].values())
    if isinstance(result, (str, dict)) or np.shape(plain(result)) != (2,):
        return "two gradients are asked for, to a and to b: return them with a comma between."
    return by_rule(answer, lambda dy, a, b: (dy / b, -dy * a / b**2), DIVISIONS, WRONG_DIVISIONS)


DIVISIONS = (
    {"dy": 3.0, "a": 10.0, "b": 4.0},
    {"dy": -2.0, "a": 7.0, "b": 2.0},
    {"dy": 0.5, "a": -3.0, "b": -1.5},
)
WRONG_DIVISIONS = (
    (
        lambda dy, a, b: (dy / b, dy * a / b**2),
        "the sign: when a and b are positive and b grows, a / b shrinks.",
    ),
    (
        lambda dy, a, b: (1.0 / b, -a / b**2),
        "these are the slopes. Multiply them by what arrives, dy.",
    ),
    (lambda dy, a, b: (dy / b, -a / b**2), "to b: multiply by what arrives, dy, there too."),
    (lambda dy, a, b: (1.0 / b, -dy * a / b**2), "to a: multiply by what arrives, dy, there too."),
    (
        lambda dy, a, b: (-dy * a / b**2, dy / b),
        "both are there, in the other order: a's gradient comes first.",
    ),
    (
        lambda dy, a, b: (dy / b, -dy * a / b),
        "to b: the derivative of 1/b is -1/b², with a square.",
    ),
    (lambda dy, a, b: (dy / b, -dy * a / (2 * b)), "to b: b² is b times b, and not 2 times b."),
    (lambda dy, a, b: (dy / b, -dy / b**2), "to b: a is missing, since y = a · (1/b)."),
    (
        lambda dy, a, b: (dy / b, dy * a),
        "that would be the rule of a product. What is the derivative of 1/b?",
    ),
    (lambda dy, a, b: (dy * b, dy * a), "these are the rules of a product."),
)


def _tanh(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    return boxed(answer(*TANHS[0].values())) or by_rule(
        answer, lambda dy, y: dy * (1 - y**2), TANHS, WRONG_TANHS
    )


TANHS = ({"dy": 2.0, "y": 0.5}, {"dy": -3.0, "y": 0.2}, {"dy": 0.7, "y": -0.8})
WRONG_TANHS = (
    (lambda dy, y: 1 - y**2, "this is the slope. Multiply it by what arrives, dy."),
    (
        lambda dy, y: dy * (1 - np.tanh(y) ** 2),
        "y is the result already: no tanh any more, and no cosh.",
    ),
    (
        lambda dy, y: dy * (1 - y),
        "the derivative of tanh is 1 minus the square of the result. Is it squared?",
    ),
    (lambda dy, y: dy * (1 - 2 * y), "the square of y is y times y, and not 2 times y."),
    (
        lambda dy, y: dy * y * (1 - y),
        "the derivative of the logistic curve is y (1 - y). That of tanh is another one.",
    ),
    (lambda dy, y: dy * (1 + y**2), "the square is taken away, not added."),
    (lambda dy, y: dy * (y**2 - 1), "the sign: tanh rises everywhere."),
    (lambda dy, y: dy - y**2, "both parts of the slope are multiplied by dy: mind the brackets."),
)


def _fit(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    dy = np.arange(6.0).reshape(2, 3)
    row = answer(dy.copy(), (3,))
    if same(row, dy):
        return "for the shape (3,) nothing is added up: a (2, 3) comes back as it came."
    if same(row, dy.mean(axis=0)):
        return "the mean is taken. Each use sends back its own gradient: add them."
    if same(row, dy[0]):
        return "the first row is chosen, and the other forgotten. Each use counts: add them."
    if not same(row, dy.sum(axis=0)):
        return f"a (2, 3) that is fitted to (3,) has the column sums [3, 5, 7], not {quoted(row)}."
    for shape, right in (
        ((2, 3), dy),
        ((), dy.sum()),
        ((1, 3), dy.sum(axis=0, keepdims=True)),
        ((2, 1), dy.sum(axis=1, keepdims=True)),
        ((1, 1), dy.sum(keepdims=True)),
    ):
        result = answer(dy.copy(), shape)
        if not same(result, right):
            return _misfit(shape, result)
    deep = np.arange(24.0).reshape(4, 2, 3)
    if not same(answer(deep.copy(), (3,)), deep.sum(axis=(0, 1))):
        return "right for (2, 3), but from (4, 2, 3) to (3,) two axes have to go."
    shapes: tuple[tuple[int, ...], ...] = ((2, 3), (1, 3), (2, 1), (4, 1, 3), ())
    for goal in shapes:
        result = answer(deep.copy(), goal)
        if not same(result, _right_fit(deep, goal)):
            return (
                f"right for (2, 3), but not from (4, 2, 3) to {goal}: axes in front go, a 1 was "
                f"stretched. What comes back has the shape {np.shape(result)}."
            )
    return None


def _misfit(shape: tuple[int, ...], result: Any) -> str:
    if np.shape(result) == shape:
        return f"the shape {shape} is right, but the numbers are {quoted(result)}."
    what = {
        (2, 3): "nothing was stretched here, so nothing is to be added up",
        (): "a single number was used everywhere: add up everything",
    }.get(shape, "a length of 1 was stretched: add up along it, and keep the axis (keepdims)")
    return f"for the shape {shape}: {what}. What comes back has the shape {np.shape(result)}."


def _right_fit(dy: Any, shape: Any) -> Any:
    dy = dy.sum(axis=tuple(range(dy.ndim - len(shape))))
    stretched = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return np.sum(dy, axis=stretched, keepdims=True)


def _leading_only(dy: Any, shape: Any) -> Any:
    return dy.sum(axis=tuple(range(dy.ndim - len(shape))))


def _for_two_axes(dy: Any, shape: Any) -> Any:
    if len(shape) < dy.ndim:
        return _leading_only(dy, shape)
    return _right_fit(dy, shape)


def _from_the_end(dy: Any, shape: Any) -> Any:
    while dy.ndim > len(shape):
        dy = dy.sum(axis=-1)
    return dy


def _one_axis(dy: Any, shape: Any) -> Any:
    return _right_fit(dy, shape) if dy.ndim < 3 else dy.sum(axis=0)


EXERCISES = {
    "16.1": Exercise(
        "The two rules of a division, as a function of dy, a and b.",
        _division,
        lambda dy, a, b: (dy / b, -dy * a / (b * b)),
        (
            (lambda dy, a, b: (dy / b, dy * a / b**2), "the sign"),
            (lambda dy, a, b: (1 / b, -a / b**2), "what arrives"),
            (lambda dy, a, b: (-dy * a / b**2, dy / b), "other order"),
            (lambda dy, a, b: (dy / b, -dy * a / b), "with a square"),
            (lambda dy, a, b: (dy * b, dy * a), "rules of a product"),
            (lambda dy, a, b: dy / b, "two gradients"),
            (lambda dy, a, b: (dy / b, -dy * a / (2 * b)), "not 2 times b"),
            (lambda dy, a, b: (0.75, -1.875), "the same everywhere"),
            (lambda dy, a, b: (dy / b, -a / b**2), "to b: multiply"),
            (lambda dy, a, b: (1 / b, -dy * a / b**2), "to a: multiply"),
            (lambda dy, a, b: (dy / b, -dy / b**2), "a is missing"),
            (lambda dy, a, b: (3 / b, -3 * a / b**2), "right for dy = 3.0, a = 10.0, b = 4.0, but"),
            (lambda dy, a, b: (dy / b, -dy * 10 / b**2), "but for dy = -2.0, a = 7.0, b = 2.0"),
            (lambda dy, a, b: (dy / 4, -dy * a / 16), "right for dy = 3.0"),
            (lambda dy, a, b: dy / b - dy * a / b**2, "two gradients"),
            (lambda dy, a, b: {"a": dy / b, "b": -dy * a / b**2}, "two gradients"),
            (lambda dy, a, b: (a, b), "should be [0.75, -1.875], not"),
            (1.5, "a function"),
        ),
        "With a rule for each input, division is part of the engine.",
    ),
    "16.2": Exercise(
        "The rule of tanh, as a function of dy and the result y.",
        _tanh,
        lambda dy, y: dy * (1 - y * y),
        (
            (lambda dy, y: 1 - y * y, "what arrives"),
            (lambda dy, y: dy * (1 - np.tanh(y) ** 2), "no tanh any more"),
            (lambda dy, y: dy * (y * y - 1), "the sign"),
            (lambda dy, y: dy * (1 - y), "Is it squared"),
            (lambda dy, y: dy * y * (1 - y), "logistic curve"),
            (lambda dy, y: dy * (1 + y * y), "taken away"),
            (lambda dy, y: dy * y * y * 3, "right for dy = 2.0, y = 0.5, but"),
            (lambda dy, y: dy - y, "right for dy = 2.0, y = 0.5, but"),
            (lambda dy, y: dy * (1 - y / 2), "right for dy = 2.0, y = 0.5, but"),
            (lambda dy, y: dy * (1 - abs(y) / 2), "right for dy = 2.0, y = 0.5, but"),
            (lambda dy, y: 2 * (1 - y * y), "right for dy = 2.0, y = 0.5, but"),
            (lambda dy, y: dy * 0.75, "right for dy = 2.0, y = 0.5, but"),
            (lambda dy, y: 1.5, "the same everywhere"),
            (lambda dy, y: dy - y * y, "mind the brackets"),
            (lambda dy, y: dy * (1 - 2 * y), "not 2 times y"),
            (lambda dy, y: dy / np.cosh(y) ** 2, "and no cosh"),
            (lambda dy, y: (dy * (1 - y * y),), "with one thing in it"),
            (1.5, "a function"),
        ),
        "The tape need not keep the input.",
    ),
    "16.3": Exercise(
        "A function of dy and a shape that undoes broadcasting.",
        _fit,
        _right_fit,
        (
            (lambda dy, shape: dy, "nothing is added up"),
            (lambda dy, shape: dy.mean(axis=0), "mean is taken"),
            (lambda dy, shape: dy[0], "Each use counts"),
            (lambda dy, shape: dy.sum(), "column sums"),
            (lambda dy, shape: dy.sum(axis=0), "nothing was stretched"),
            (_leading_only, "keepdims"),
            (_one_axis, "two axes"),
            (_for_two_axes, "not from (4, 2, 3) to (1, 3)"),
            (_from_the_end, "column sums"),
            ((3,), "a function"),
        ),
        "This is what unbroadcasting means, in every engine.",
    ),
}
