"""Exercises of notebook 10: a replaced rule, and a rule for sign that looks at the input."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, a_number, among, said
from autodiff_kit.exercises.points import by_rule
from autodiff_kit.registry import GRADIENTS

NAME = "exercise 10.2"


def _replaced(answer: Any) -> str | None:
    return a_number(answer) or among(
        answer,
        11.0,
        {
            36.0: "a rule replaces the derivative. It is not multiplied with it.",
            60.0: "x * x is not a Square, and a rule is not multiplied with the derivative.",
            10.0: "x * x has the same value as a square, but its type is Mul.",
            12.0: "that is the gradient without the map. Is there a Square inside the block?",
            5.0: "that is the part of square(x). What does x * x add?",
            6.0: "that is the part of x * x. What does square(x) add?",
            18.0: "that is y itself.",
        },
        "look at the two terms one by one: which of them is a Square, and what is its rule now?",
    )


POINTS = [
    {"x": np.array(x, np.float32), "grad": np.array(grad, np.float32)}
    for x, grad in (
        ([-2.0, -0.5, 0.25, 3.0], [10.0, 20.0, -30.0, 40.0]),
        ([-1.1, 0.9, 1.2, -0.8, 0.4], [-0.5, 7.0, 0.25, 0.75, -3.0]),
    )
]


def _for_sign(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    GRADIENTS[NAME] = answer
    try:
        if _sent_on(**POINTS[0]) is None:
            return "your rule returns None: no gradient flows. Is there a return?"
    except (TypeError, ValueError, AttributeError) as error:
        return _stopped(error)
    return by_rule(_sent_on, lambda x, grad: np.where(np.abs(x) < 1, grad, 0), POINTS, MISTAKES)


def _stopped(error: Exception) -> str:
    """The hint for a rule that takes the operation, or all its inputs, for the input."""
    if re.search("Operation('| object)", str(error)):
        return "op is the operation, and no tensor. Its input is op.inputs[0]."
    if "calculated input gradient" in str(error):
        return (
            "what your rule returns has not the shape of the input. op.inputs holds all inputs, and "
            "op.inputs[0] is the first of them."
        )
    return f"your answer stopped with {said(error)}"


def _sent_on(x: Any, grad: Any) -> Any:
    """What goes on to x by the learner's rule for sign, if grad arrives."""
    source = ad.Variable(x, name="x")
    with ad.GradientTape() as tape, ad.gradient_override_map({"Sign": NAME}):
        y = ad.sign(source)
    return tape.gradient(y, source, output_gradients=ad.constant(grad))


MISTAKES = (
    (
        lambda x, grad: grad,
        "all of it comes through. Look at the input, op.inputs[0]: is your condition ever false?",
    ),
    (
        lambda x, grad: np.clip(grad, -1, 1),
        "what arrives is clipped by its own size. Whether it goes through, the input decides.",
    ),
    (
        lambda x, grad: np.clip(x, -1, 1),
        "this is the input, clipped. What goes on is what arrives (grad), or 0.",
    ),
    (
        lambda x, grad: x * (np.abs(x) < 1),
        "the right places, but the input goes through there. It should be what arrives (grad).",
    ),
    (
        lambda x, grad: 1.0 * (np.abs(x) < 1),
        "the right places, but what arrives (grad) must go through there.",
    ),
    (
        lambda x, grad: grad * (np.abs(x) > 1),
        "just the other way round: 0 where the input is far from 0.",
    ),
    (
        lambda x, grad: grad * (np.abs(x) < 1) * (x > 0),
        "the input may also be negative: between -1 and 1.",
    ),
    (
        lambda x, grad: grad * (np.abs(grad) < 1),
        "you look at the size of what arrives. Compare the input, not the gradient.",
    ),
    (lambda x, grad: 0.0 * x, "nothing comes through. Is your condition ever true?"),
    (lambda x, grad: grad * (x < 1), "-2 does not lie between -1 and 1."),
)


def _right(op: Any, grad: Any) -> Any:
    return ad.where(ad.abs(op.inputs[0]) <= 1.0, grad, 0.0)


def _by_output(op: Any, grad: Any) -> Any:
    return ad.where(ad.abs(op.outputs[0]) <= 1.0, grad, 0.0)


def _ones(op: Any, grad: Any) -> Any:
    return ad.where(ad.abs(op.inputs[0]) <= 1.0, 1.0, 0.0)


def _swapped(op: Any, grad: Any) -> Any:
    return ad.where(ad.abs(op.inputs[0]) <= 1.0, 0.0, grad)


def _positive(op: Any, grad: Any) -> Any:
    x = op.inputs[0]
    return ad.where(ad.logical_and(x >= 0.0, x <= 1.0), grad, 0.0)


def _no_abs(op: Any, grad: Any) -> Any:
    return ad.where(op.inputs[0] <= 1.0, grad, 0.0)


def _either(op: Any, grad: Any) -> Any:
    x = op.inputs[0]
    return ad.where(ad.logical_or(x > -1.0, x < 1.0), grad, 0.0)


def _forgets_return(op: Any, grad: Any) -> None:
    _right(op, grad)


def _if(op: Any, grad: Any) -> Any:
    return grad if -1 < op.inputs[0] < 1 else 0.0


def _narrow(op: Any, grad: Any) -> Any:
    return ad.where(ad.abs(op.inputs[0]) <= 0.5, grad, 0.0)


def _wide(op: Any, grad: Any) -> Any:
    return ad.where(op.inputs[0] ** 2 <= 2.0, grad, 0.0)


def _by_gradient(op: Any, grad: Any) -> Any:
    return ad.where(ad.abs(grad) <= 1.0, grad, 0.0)


EXERCISES = {
    "10.1": Exercise(
        "The gradient of square(x) + x * x at x = 3, with five times the gradient as Square's rule.",
        _replaced,
        11.0,
        (
            (36, "not multiplied with it"),
            (60.0, "is not a Square"),
            (10, "its type is Mul"),
            (12, "without the map"),
            (5, "What does x * x add"),
            (7, "one by one"),
        ),
        "5 for the square, whose rule is replaced, and 6 for the product, whose rule is its own.",
    ),
    "10.2": Exercise(
        "A rule for sign that lets the gradient through where the input is between -1 and 1.",
        _for_sign,
        _right,
        (
            (_by_output, "op.inputs[0]"),
            (_ones, "what arrives"),
            (_swapped, "the other way round"),
            (_positive, "also be negative"),
            (_no_abs, "-2 does not lie"),
            (_by_gradient, "not the gradient"),
            (lambda op, grad: ad.clip_by_value(grad, -1.0, 1.0), "clipped by its own size"),
            (lambda op, grad: ad.clip_by_value(op.inputs[0], -1.0, 1.0), "the input, clipped"),
            (lambda op, grad: _right(op, op.inputs[0]), "It should be what arrives"),
            (lambda op, grad: _right(op.input, grad), "Its input is op.inputs[0]"),
            (_either, "is your condition ever false"),
            (
                _narrow,
                "right for x = [-2.0, -0.5, 0.25, 3.0], grad = [10.0, 20.0, -30.0, 40.0], but",
            ),
            (_wide, "but for x = [-1.1"),
            (lambda op, grad: ad.constant([0.0, 20.0, -30.0, 0.0]), "Incompatible shapes"),
            (lambda op, grad: -_right(op, grad), "it should be [0.0, 20.0, -30.0, 0.0], not"),
            (_forgets_return, "Is there a return"),
            (_if, "ad.logical_and"),
            (lambda op, grad: ad.where(ad.abs(op) <= 1.0, grad, 0.0), "op is the operation"),
            (lambda op, grad: grad * ad.cast(op <= 1.0, grad.dtype), "op is the operation"),
            (lambda op, grad: ad.where(ad.abs(op.inputs) <= 1.0, grad, 0.0), "the first of them"),
        ),
        "A gradient that is not the derivative, and trains.",
    ),
}
