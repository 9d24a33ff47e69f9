"""Exercises of notebook 04: what the tape keeps, how many gradients, and the variables of a layer."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import UNSEEN, a_function, a_number, among, explained
from autodiff_kit.teaching.values import plain, quoted, same

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


def _layer(name: str, units: int = 2) -> Any:
    return ad.keras.layers.Dense(units, kernel_initializer="ones", name=name)


def _gradients_of_a_layer(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    x = ad.constant([[1.0, 2.0]])
    try:
        fresh = answer(_layer("fresh"), x)
    except RuntimeError as error:
        if "non-persistent" not in str(error):
            raise
        return "a plain tape answers once: hand it the whole list of variables in one call."
    used = _layer("used")
    used(x)
    again = answer(used, x)
    right = [[[3.0, 3.0], [6.0, 6.0]], [3.0, 3.0]]
    if same(fresh, right) and same(again, right):
        return _another_layer(answer)
    if same(again, right):
        return (
            "right for a layer that was called before, but not for a fresh one: when do its "
            "variables come into being?"
        )
    return _hint(again, right)


def _another_layer(answer: Any) -> str | None:
    """A hint unless an answer also holds for another number of units, other weights and a batch."""
    layer, x = _layer("another", 3), np.array([[1.0, 2.0], [-0.5, 3.0]], np.float32)
    layer(x)
    layer.kernel.assign([[0.5, -1.0, 2.0], [1.5, 0.25, -1.0]])
    layer.bias.assign([0.5, -2.0, 1.0])
    outputs = x @ layer.kernel.numpy() + layer.bias.numpy()
    slopes = 2.0 * outputs / outputs.size
    if same(answer(layer, ad.constant(x)), [x.T @ slopes, slopes.sum(axis=0)]):
        return None
    return (
        "right for a kernel of ones and x = [[1, 2]], but not for other layers and other inputs: use "
        "the layer and the x that are given, and take the mean of the squares of all outputs."
    )


def _hint(result: Any, right: Any) -> str:
    if result is None:
        return f"your function returns nothing, or None. {UNSEEN}"
    wrong = explained(result)
    if wrong:
        return wrong
    if isinstance(result, (list, tuple)) and any(part is None for part in result):
        return (
            "there is None among your gradients. Is the layer called inside the block, and is the loss "
            "asked for first, as in gradient(loss, variables)?"
        )
    if same(result, [*reversed(right)]):
        return "both are there, in another order than the layer's variables."
    if same(result, [[[0.5, 0.5], [1.0, 1.0]], [0.5, 0.5]]):
        return "these are the gradients of the mean of the outputs. Asked for is that of their squares."
    if same(result, [[[6.0, 6.0], [12.0, 12.0]], [6.0, 6.0]]):
        return "these are the gradients of the sum of the squares. Asked for is that of their mean."
    if isinstance(result, dict):
        return "a list is asked for, and your function returns a dictionary."
    if same(result, right[0]) or same(result, right[:1]):
        return "this is the gradient for the kernel. The layer has a bias too."
    if same(result, [[[1.0, 1.0], [1.0, 1.0]], [0.0, 0.0]]):
        return "these are the variables themselves. Return their gradients."
    return f"for a kernel of ones and x = [[1, 2]] you return {quoted(result)}."


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


def _not_squared(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer(x))
    return tape.gradient(loss, layer.trainable_variables)


def _summed(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum(layer(x) ** 2)
    return tape.gradient(loss, layer.trainable_variables)


def _square_of_the_mean(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer(x)) ** 2
    return tape.gradient(loss, layer.trainable_variables)


def _half_of_the_sum(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum(layer(x) ** 2) / 2.0
    return tape.gradient(loss, layer.trainable_variables)


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
        _gradients_of_a_layer,
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
            (lambda layer, x: _right(_layer("own"), x), "use the layer"),
            (lambda layer, x: _right(layer, ad.constant([[1.0, 2.0]])), "the x that are given"),
            (_exchanged, "returns nothing, or None"),
            (_by_name, "returns a dictionary"),
            (_variables, "variables themselves"),
            (26, "a function"),
        ),
        "The layer is called inside the block, and asked for its variables afterwards.",
    ),
}
