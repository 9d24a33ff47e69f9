"""Are these the gradients of a layer's variables? The check of exercise 04.3.

One idea: a layer of ones makes small whole numbers, by which a known mistake is told; other layers,
with other inputs, tell whether a right answer holds there too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.hints import UNSEEN, a_function, explained, in_company
from autodiff_kit.teaching.values import quoted, same

RIGHT = [[[3.0, 3.0], [6.0, 6.0]], [3.0, 3.0]]
OUTPUTS = [[3.0, 3.0]]
KNOWN = (
    ([*reversed(RIGHT)], "both are there, in another order than the layer's variables."),
    (
        [[[0.5, 0.5], [1.0, 1.0]], [0.5, 0.5]],
        "these are the gradients of the mean of the outputs. Asked for is that of their squares.",
    ),
    (
        [[[1.0, 1.0], [2.0, 2.0]], [1.0, 1.0]],
        "these are gradients of outputs that are not squared: layer(x) * 2 is twice the outputs, and "
        "layer(x) ** 2 their squares. Asked for is the mean of the squares.",
    ),
    (
        [[[2.0, 2.0], [4.0, 4.0]], [2.0, 2.0]],
        "these are the gradients of the sum of twice the outputs. Asked for is the mean of their "
        "squares, layer(x) ** 2.",
    ),
    (
        [[[6.0, 6.0], [12.0, 12.0]], [6.0, 6.0]],
        "these are the gradients of the sum of the squares. Asked for is that of their mean.",
    ),
    (9.0, "this is the mean of the squares itself. Return its gradients."),
    ([[6.0, 6.0]], "this is the gradient for x. Asked for are those for the layer's variables."),
    (
        [[[1.0, 1.0], [1.0, 1.0]], [0.0, 0.0]],
        "these are the variables themselves. Return their gradients.",
    ),
)


def a_layer(name: str, units: int = 2) -> Any:
    """A layer whose kernel is ones, and whose variables come with its first call."""
    return ad.keras.layers.Dense(units, kernel_initializer="ones", name=name)


def gradients_of_a_layer(answer: Any) -> str | None:
    """A hint unless the answer finds the gradients of any layer's variables, called before or not."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    x = ad.constant([[1.0, 2.0]])
    try:
        fresh = answer(a_layer("fresh"), x)
    except RuntimeError as error:
        if "non-persistent" not in str(error):
            raise
        return "a plain tape answers once: hand it the whole list of variables in one call."
    used = a_layer("used")
    used(x)
    again = answer(used, x)
    if same(fresh, RIGHT) and same(again, RIGHT):
        return _another_layer(answer)
    if same(again, RIGHT):
        return (
            "right for a layer that was called before, but not for a fresh one: when do its "
            "variables come into being?"
        )
    return _hint(again)


def _another_layer(answer: Any) -> str | None:
    """A hint unless an answer also holds for another number of units, other weights and a batch."""
    layer, x = a_layer("another", 3), np.array([[1.0, 2.0], [-0.5, 3.0]], np.float32)
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


def _hint(result: Any) -> str:
    if result is None:
        return f"your function returns nothing, or None. {UNSEEN}"
    wrong = explained(result) or in_company(result, RIGHT)
    if wrong:
        return wrong
    if isinstance(result, dict):
        return "a list is asked for, and your function returns a dictionary."
    known = next((hint for mistake, hint in KNOWN if same(result, mistake)), None)
    if known:
        return known
    if isinstance(result, (list, tuple)):
        return _about_the_parts(result)
    if same(result, OUTPUTS):
        return (
            "these are the outputs themselves. Return the gradients of the mean of their squares."
        )
    return _one_of_them(result) or _unknown(result)


def _about_the_parts(result: Any) -> str:
    """A hint about several things, some of which may be right."""
    if len(result) == 3 and (same(result[:2], RIGHT) or same(result[1:], RIGHT)):
        return "both are there, and more: the layer's variables are the only sources asked for."
    if any(part is None for part in result):
        return (
            "there is None among your gradients. Are the layer's call and the loss inside the block, "
            "and is the loss asked for first, as in gradient(loss, variables)?"
        )
    if [type(part) for part in result] == [tuple, tuple]:
        return "these are pairs. Return the gradients alone, in a list."
    return (_one_of_them(result[0]) if len(result) == 1 else None) or _unknown(result)


def _one_of_them(result: Any) -> str | None:
    if same(result, RIGHT[0]):
        return "this is the gradient for the kernel. The layer has a bias too."
    if same(result, RIGHT[1]):
        return "this is the gradient for the bias. The layer has a kernel too."
    return None


def _unknown(result: Any) -> str:
    text = f"for a kernel of ones and x = [[1, 2]] you return {quoted(result)}."
    return f"{text} It should be {quoted(RIGHT)}."
