"""Exercises of notebook 04: what the tape keeps, how many gradients, and the variables of a layer."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_number, among
from autodiff_kit.exercises.of_a_layer import a_layer, gradients_of_a_layer
from autodiff_kit.teaching.values import plain, same

KEPT = {"sin": "input", "exp": "output", "+": "nothing"}


def _what_is_kept(answer: Any) -> str | None:
    given = plain(answer)
    if not isinstance(given, dict) or set(given) != set(KEPT):
        return "a dict with the keys sin, exp and + is asked for, as it stands above."
    given = {key: word.casefold() if isinstance(word, str) else word for key, word in given.items()}
    if not all(str(word) in {"input", "output", "nothing"} for word in given.values()):
        return 'write "input", "output" or "nothing" for each of the three.'
    if given["+"] != "nothing":
        return "the rule of an addition is: pass on what arrives. Which number does that need?"
    if given["sin"] == "output":
        return "the derivative of sin(x) is cos(x). Can you get it from sin(x) alone? Not its sign."
    if given["sin"] == "nothing" or given["exp"] == "nothing":
        return "the slopes of sin and exp differ from place to place: something must be kept."
    if given["exp"] == "input":
        return "the input would do, but exp would be computed twice. What is the derivative of e^x?"
    return None


def _how_many(answer: Any) -> str | None:
    given = plain(answer)
    if isinstance(given, np.ndarray) and given.ndim and same(given.sum(), 26):
        return "these are the right parts. One number is asked for: add them."
    return a_number(answer) or among(
        answer,
        26,
        {
            20: "these are the kernels. Which variables do the layers have besides?",
            6: "that is the number of outputs (or biases). A kernel has inputs times outputs.",
            4: "4 variables, yes, but each holds many numbers.",
            15: "that is the first kernel alone.",
            14: "the second layer gets 5 inputs, not 3.",
            24: "the second layer gets 5 inputs, not 3; and did you count all biases?",
            25: "there is a bias in the second layer too.",
            21: "there is a bias for each output of the first layer, five of them.",
        },
        "count inputs times outputs for each kernel, and one bias for each output.",
    )


def _right(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer(x) ** 2)
    return tape.gradient(loss, layer.trainable_variables)


def _asked_too_early(layer: Any, x: Any) -> Any:
    variables = list(layer.trainable_variables)
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer(x) ** 2)
    return tape.gradient(loss, variables)


def _called_outside(layer: Any, x: Any) -> Any:
    y = layer(x)
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(y**2)
    return tape.gradient(loss, layer.trainable_variables)


def _loss_of(f: Any) -> Any:
    def answer(layer: Any, x: Any) -> Any:
        with ad.GradientTape() as tape:
            loss = f(layer(x))
        return tape.gradient(loss, layer.trainable_variables)

    return answer


def _asked_for(sources: Any) -> Any:
    def answer(layer: Any, x: Any) -> Any:
        with ad.GradientTape() as tape:
            tape.watch(x)
            loss = ad.reduce_mean(layer(x) ** 2)
        return tape.gradient(loss, sources(layer, x))

    return answer


_not_squared = _loss_of(ad.reduce_mean)
_summed = _loss_of(lambda y: ad.reduce_sum(y**2))
_square_of_the_mean = _loss_of(lambda y: ad.reduce_mean(y) ** 2)
_half_of_the_sum = _loss_of(lambda y: ad.reduce_sum(y**2) / 2.0)
_for_x_too = _asked_for(lambda layer, x: [*layer.trainable_variables, x])
_for_x_alone = _asked_for(lambda layer, x: x)
_brackets_too_many = _asked_for(lambda layer, x: layer.trainable_variables())


def _loss_outside(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        y = layer(x)
    return tape.gradient(ad.reduce_mean(y**2), layer.trainable_variables)


def _paired(layer: Any, x: Any) -> Any:
    return list(zip(_right(layer, x), layer.trainable_variables, strict=True))


def _exchanged(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer(x) ** 2)
    return tape.gradient(layer.trainable_variables, loss)


def _by_name(layer: Any, x: Any) -> Any:
    layer(x)
    return {v.name: g for v, g in zip(layer.weights, _right(layer, x), strict=True)}


def _kernel_alone(layer: Any, x: Any) -> Any:
    return _right(layer, x)[0]


def _one_by_one(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer(x) ** 2)
    return [tape.gradient(loss, v) for v in layer.trainable_variables]


def _for_the_input(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer(x) ** 2)
    return tape.gradient(loss, x)


def _variables(layer: Any, x: Any) -> Any:
    layer(x)
    return layer.trainable_variables


def _explained(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer(x) ** 2)
    return ad.explain(tape, loss, layer.trainable_variables)


EXERCISES = {
    "04.1": Exercise(
        "What a tape keeps for sin, exp and an addition.",
        _what_is_kept,
        KEPT,
        (
            ({**KEPT, "+": "input"}, "pass on what arrives"),
            ({**KEPT, "sin": "output"}, "Not its sign"),
            ({**KEPT, "exp": "input"}, "computed twice"),
            ({**KEPT, "sin": "nothing"}, "from place to place"),
            ({"sin": "x", "exp": "y", "+": "nothing"}, 'write "input"'),
            ("output", "a dict"),
        ),
        "Sin keeps its input, exp its output, and a sum needs nothing.",
        {"sin": ..., "exp": ..., "+": ...},
    ),
    "04.2": Exercise(
        "How many numbers the gradients of Dense(5) and Dense(1) on three inputs hold.",
        _how_many,
        26,
        (
            (20, "besides"),
            (6, "inputs times outputs"),
            (4, "many numbers"),
            (25, "second layer too"),
            (14, "5 inputs"),
            ("many", "a number"),
            ([15, 5, 5, 1], "add them"),
            (1, "one bias for each output"),
        ),
        "15 + 5 + 5 + 1: a gradient has the shape of its variable.",
    ),
    "04.3": Exercise(
        "A function that returns the gradients of mean(layer(x)²) for the layer's variables.",
        gradients_of_a_layer,
        _right,
        (
            (_asked_too_early, "come into being"),
            (_called_outside, "inside the block"),
            (_not_squared, "their squares"),
            (_summed, "of their mean"),
            (_explained, "print what explain says"),
            (_kernel_alone, "a bias too"),
            (lambda layer, x: [_kernel_alone(layer, x)], "a bias too"),
            (_one_by_one, "the whole list of variables in one call"),
            (lambda layer, x: _right(layer, x)[::-1], "in another order"),
            (_for_the_input, "returns nothing, or None"),
            (_square_of_the_mean, "the squares of all outputs"),
            (_half_of_the_sum, "the squares of all outputs"),
            (lambda layer, x: _right(a_layer("own"), x), "use the layer"),
            (lambda layer, x: _right(layer, ad.constant([[1.0, 2.0]])), "the x that are given"),
            (_exchanged, "returns nothing, or None"),
            (_by_name, "returns a dictionary"),
            (_variables, "variables themselves"),
            (_loss_of(lambda y: ad.reduce_mean(y * 2)), "layer(x) * 2 is twice the outputs"),
            (_loss_of(lambda y: ad.reduce_sum(y * 2)), "the sum of twice the outputs"),
            (_loss_of(ad.reduce_sum), "outputs that are not squared"),
            (lambda layer, x: ad.reduce_mean(layer(x) ** 2), "Return its gradients"),
            (lambda layer, x: layer(x), "the outputs themselves"),
            (lambda layer, x: _right(layer, x)[1], "a kernel too"),
            (lambda layer, x: _right(layer, x)[1:], "a kernel too"),
            (lambda layer, x: (9.0, _right(layer, x)), "one of the things in it is right"),
            (lambda layer, x: [_right(layer, x)], "a list with one thing in it"),
            (_for_x_too, "the only sources asked for"),
            (_for_x_alone, "the gradient for x"),
            (_paired, "these are pairs"),
            (_loss_outside, "the loss inside the block"),
            (_brackets_too_many, "without brackets after it"),
            (_loss_of(lambda y: ad.reduce_mean(y**3)), "It should be"),
            (26, "a function"),
        ),
        "The layer is called inside the block, and asked for its variables afterwards.",
    ),
}
