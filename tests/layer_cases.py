"""Layers, what they are called with, and what comes out: the same program for TensorFlow and the kit.

`tools/record_layers.py` writes TensorFlow's answers into tests/data/layers.json. In a program `n` makes
numbers of a shape, always the same, and `ids` whole ones.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# layer, inputs, what else the call gets
CASES: list[tuple[str, str, str]] = [
    ("Conv1D(3, 2)", "n(2, 5, 3)", ""),
    ("Conv1D(2, 3, 2, 'same', activation='tanh')", "n(2, 6, 2)", ""),
    ("Conv1D(2, 3, padding='causal', dilation_rate=2, use_bias=False)", "n(1, 6, 2)", ""),
    ("Conv2D(3, 2)", "n(2, 4, 5, 3)", ""),
    ("Conv2D(2, (3, 2), strides=(2, 1), padding='SAME', activation='relu')", "n(2, 5, 4, 1)", ""),
    ("Conv2D(2, 2, dilation_rate=(1, 2), bias_initializer='ones')", "n(1, 4, 5, 2)", ""),
    ("MaxPooling1D()", "n(2, 5, 3)", ""),
    ("MaxPool1D(3, 1, 'same')", "ties(2, 5, 3)", ""),
    ("MaxPooling2D()", "n(2, 5, 4, 2)", ""),
    ("MaxPool2D((2, 3), strides=1, padding='same')", "ties(1, 4, 5, 2)", ""),
    ("AveragePooling1D(2)", "n(2, 5, 3)", ""),
    ("AvgPool1D(3, 2, 'same')", "n(2, 6, 2)", ""),
    ("AveragePooling2D(2)", "n(2, 4, 4, 1)", ""),
    ("AvgPool2D((3, 2), (1, 2), 'same')", "n(1, 4, 5, 2)", ""),
    ("GlobalAveragePooling1D()", "n(2, 5, 3)", ""),
    ("GlobalAveragePooling1D(keepdims=True)", "n(2, 3, 3)", ""),
    ("GlobalAveragePooling1D()", "n(2, 3, 2)", "mask=mask([[1, 1, 0], [0, 1, 1]])"),
    ("GlobalAveragePooling2D()", "n(2, 3, 4, 2)", ""),
    ("GlobalMaxPooling1D()", "ties(2, 5, 3)", ""),
    ("GlobalMaxPooling2D(keepdims=True)", "n(2, 3, 4, 2)", ""),
    ("Embedding(5, 3)", "ids([[1, 4, 1], [0, 0, 0]])", ""),
    ("Embedding(4, 2, 'ones')", "n(3)", ""),
    ("BatchNormalization()", "n(4, 3)", ""),
    ("BatchNormalization()", "n(4, 3)", "training=True"),
    ("BatchNormalization(momentum=0.8, epsilon=0.1)", "n(2, 3, 3, 2)", "training=True"),
    ("BatchNormalization(1, scale=False)", "n(2, 3, 4)", "training=True"),
    ("BatchNormalization(1, center=False)", "n(2, 3, 4)", "training=False"),
    ("BatchNormalization(scale=False, center=False)", "n(4, 2)", "training=True"),
    ("BatchNormalization(trainable=False)", "n(4, 2)", "training=True"),
    ("LayerNormalization()", "n(3, 4)", ""),
    ("LayerNormalization(axis=1, epsilon=0.1)", "n(2, 3, 4)", ""),
    ("LayerNormalization(axis=[1, 2], center=False)", "n(2, 3, 4)", ""),
    ("LayerNormalization(axis=[1, 2])", "n(2, 3, 2, 2)", ""),
    ("LayerNormalization(scale=False)", "n(3, 4)", ""),
    ("Reshape((3, 2))", "n(2, 6)", ""),
    ("Reshape((-1, 2))", "n(2, 2, 3)", ""),
    ("ReLU()", "n(2, 4)", ""),
    ("ReLU(max_value=0.5)", "n(2, 4)", ""),
    ("ReLU(6.0)", "n(2, 4) * 9.0", ""),
    ("ReLU(negative_slope=0.25)", "n(2, 4)", ""),
    ("ReLU(0.5, 0.25, 0.125)", "n(2, 6)", ""),
    ("ReLU(threshold=0.25)", "n(2, 6)", ""),
    ("LeakyReLU()", "n(2, 4)", ""),
    ("LeakyReLU(0.125)", "n(2, 4)", ""),
    ("Softmax()", "n(2, 4)", ""),
    ("Softmax(axis=1)", "n(2, 3, 2)", ""),
    ("Softmax(axis=(1, 2))", "n(2, 3, 2)", ""),
    ("Softmax()", "n(2, 3)", "mask=mask([[1, 0, 1], [0, 0, 0]])"),
    ("Add()", "[n(2, 3), n(2, 3) * 2.0, n(1, 3)[:1] + n(2, 3)]", ""),
    ("Add()", "[n(2, 3, 4), n(2, 4)]", ""),
    ("Subtract()", "[n(2, 3), n(2, 1)]", ""),
    ("Multiply()", "[n(2, 3), n(2, 3) + 1.0, n(2, 1)]", ""),
    ("Average()", "[n(2, 3), n(2, 3) + 1.0, n(2, 1)]", ""),
    ("Maximum()", "[n(2, 3), n(2, 1)]", ""),
    ("Minimum()", "[n(2, 3), n(2, 1)]", ""),
    ("Concatenate()", "[n(2, 3), n(2, 1)]", ""),
    ("Concatenate(axis=1)", "[n(2, 3, 2), n(2, 1, 2), n(2, 2, 2)]", ""),
    ("SimpleRNN(3)", "n(2, 4, 2)", ""),
    ("SimpleRNN(2, 'relu', False, return_sequences=True)", "n(2, 3, 3)", ""),
    ("SimpleRNN(2, return_state=True)", "n(2, 3, 1)", "initial_state=n(2, 2)"),
    ("LSTM(3)", "n(2, 4, 2)", ""),
    ("LSTM(2, return_sequences=True, return_state=True)", "n(2, 3, 3)", ""),
    ("LSTM(2, 'relu', 'sigmoid', use_bias=False)", "n(1, 3, 2)", "initial_state=[n(1, 2), n(1, 2)]"),
    ("LSTM(2, return_sequences=True)", "n(2, 3, 2)", "mask=mask([[1, 1, 0], [0, 1, 1]])"),
    ("GRU(3)", "n(2, 4, 2)", ""),
    ("GRU(2, reset_after=False, return_sequences=True)", "n(2, 3, 3)", ""),
    ("GRU(2, use_bias=False, return_state=True)", "n(2, 3, 1)", ""),
    ("GRU(2, bias_initializer='ones')", "n(2, 3, 2)", "mask=mask([[1, 1, 0], [0, 1, 1]])"),
]  # fmt: skip

# what is refused, and words that the error has in common
REFUSED: list[tuple[str, str, str]] = [
    ("Conv2D(0, 3)", "", "Invalid value for argument `filters`. Expected a strictly positive value."),
    ("Conv2D(2, (3, 3, 3))", "", "The `kernel_size` argument must be a tuple of 2 integers. Received "),
    ("Conv1D(2, 0)", "", "The `kernel_size` argument must be a tuple of 1 integers. Received "),
    ("Conv2D(2, 3, strides=-1)", "", "that do not satisfy `value > 0`"),
    ("Conv2D(2, 3, padding='causal')", "", "The `padding` argument must be "),
    ("Conv2D(2, 3, strides=2, dilation_rate=2)", "", "`strides > 1` not supported in conjunction with "
     "`dilation_rate > 1`. Received: strides=(2, 2) and dilation_rate=(2, 2)"),
    ("Conv2D(2, 3)", "n(4, 5, 1)", "expected min_ndim=4, found ndim=3. Full shape received: (4, 5, 1)"),
    ("Conv2D(2, 3)", "n(1, 4, 5, 5, 1)", "Kernel shape must have the same length as input, but "
     "received kernel of shape (3, 3, 1, 2) and input of shape (1, 4, 5, 5, 1)."),
    ("Conv2D(2, 3)", "n(1, 2, 5, 1)", "Computed output size would be zero or negative. Received "
     "`inputs shape=(1, 2, 5, 1)`"),
    ("MaxPooling2D()", "n(4, 5, 1)", "expected ndim=4, found ndim=3. Full shape received: (4, 5, 1)"),
    ("MaxPooling1D(0)", "", "The `pool_size` argument must be a tuple of 1 integers. Received "),
    ("AveragePooling1D()", "", "missing 1 required positional argument: 'pool_size'"),
    ("AveragePooling2D()", "", "missing 1 required positional argument: 'pool_size'"),
    ("GlobalMaxPooling1D()", "n(2, 3)", "expected ndim=3, found ndim=2. Full shape received: (2, 3)"),
    ("Embedding(0, 2)", "", "`input_dim` must be a positive integer. Received: input_dim=0 (of "),
    ("Embedding(2, 1.5)", "", "`output_dim` must be a positive integer. Received: output_dim=1.5 (of "),
    ("LayerNormalization(axis='last')", "", "Expected an int or a list/tuple of ints for the argument "
     "'axis', but received: 'last'"),
    ("Reshape((4,))", "n(2, 6)", "The total size of the tensor must be unchanged. Received: "
     "input_shape=(6,), target_shape=(4,)"),
    ("Reshape((-1, -1))", "", "There must be at most one unknown dimension (-1) in `target_shape`. "
     "Received: target_shape=(-1, -1)."),
    ("Reshape((-2,))", "", "Each dimension in `target_shape` must be a non-negative integer, or `-1` "
     "for a single unknown dimension. Received: target_shape=(-2,)."),
    ("ReLU(-1.0)", "", "max_value of a ReLU layer cannot be a negative value. Received: "
     "max_value=-1.0"),
    ("ReLU(threshold=-1.0)", "", "threshold of a ReLU layer cannot be None or a negative value. "
     "Received: threshold=-1.0"),
    ("LeakyReLU(-1.0)", "", "cannot be None or "),
    ("Add()", "n(2, 3)", "A merge layer should be called on a list of inputs. Received: "
     "input_shape=(2, 3) (not a list of shapes)"),
    ("Add()", "[n(2, 3), n(2, 4)]", "Inputs have incompatible shapes. Received shapes (3,) and (4,)"),
    ("Add()", "[n(2, 3), n(3, 3)]", "Cannot merge tensors with different batch sizes. Received tensors "
     "with shapes [(2, 3), (3, 3)]"),
    ("Concatenate()", "[n(2, 3), n(3, 3)]", "A `Concatenate` layer requires inputs with matching "
     "shapes except for the concatenation axis. Received: input_shape=[(2, 3), (3, 3)]"),
    ("LSTM(0)", "", "Received an invalid value for "),
    ("GRU(2)", "n(2, 3)", "expected ndim=3, found ndim=2. Full shape received: (2, 3)"),
]  # fmt: skip


def name_of(case: tuple[str, str, str]) -> str:
    """What a case is kept under."""
    return " ".join(filter(None, case))


def numbers(*shape: int) -> Any:
    """Numbers between -1 and 1, none of them twice in a short row."""
    count = np.arange(math.prod(shape), dtype=np.float64)
    return np.sin(count * 1.7 + len(shape)).reshape(shape).astype(np.float32)


def words(library: Any) -> dict[str, Any]:
    """What the programs' words mean in a library."""
    return {
        **{name: getattr(library.keras.layers, name) for name in dir(library.keras.layers)},
        "n": lambda *shape: library.constant(numbers(*shape)),
        "ties": lambda *shape: library.constant(np.round(numbers(*shape) * 2.0)),
        "ids": lambda rows: library.constant(rows),
        "mask": lambda rows: library.constant(np.array(rows, bool)),
        "dict": dict,
    }


def made(library: Any, layer: str, inputs: str) -> tuple[Any, Any]:
    """A layer that was called once, and its inputs."""
    known = words(library)
    one, x = eval(layer.replace("(", "(name='one', ", 1) if layer.endswith("()") else
                  f"{layer[:-1]}, name='one')", known), eval(inputs, known)  # fmt: skip
    one(x)
    return one, x


def answer(library: Any, case: tuple[str, str, str]) -> dict[str, Any]:
    """What a layer has at first, and what it gives with weights that are set."""
    layer, x = made(library, *case[:2])
    found: dict[str, Any] = {
        "names": [getattr(w, "path", w.name).removesuffix(":0") for w in layer.weights],
        "shapes": [list(w.shape) for w in layer.weights],
        "trained": [w.trainable for w in layer.weights],
        "first": [listed(w) if steady(w) else None for w in layer.weights],
    }
    layer.set_weights([
        numbers(*w.shape) + 1.5 * ("variance" in w.name) for w in layer.weights
    ])  # fmt: skip
    xs = x if isinstance(x, list) else [x]
    with library.GradientTape() as tape:
        tape.watch([one for one in xs if one.dtype == "float32"])
        ys = layer(x, **eval(f"dict({case[2]})", words(library)))
        ys = list(ys) if isinstance(ys, (list, tuple)) else [ys]
        total = sum(library.reduce_sum(y * numbers(*y.shape)) for y in ys)
    gradients = tape.gradient(total, [*xs, *layer.trainable_variables])
    found["outputs"] = [listed(y) for y in ys]
    found["gradients"] = [
        None if g is None else listed(library.convert_to_tensor(g)) for g in gradients
    ]
    found["after"] = [listed(w) for w in layer.weights if not w.trainable]
    return found


def steady(weight: Any) -> bool:
    """Whether a weight begins with the same numbers each time."""
    return len(weight.shape) == 1 or "kernel" not in weight.name and "embed" not in weight.name


def listed(value: Any) -> Any:
    """Numbers with their dtype, as JSON can hold them."""
    array = np.asarray(value.numpy())
    return {"dtype": array.dtype.name, "shape": list(array.shape), "values": array.ravel().tolist()}


def refusal(library: Any, case: tuple[str, str, str]) -> str:
    """How a library refuses something: the error's type and its words."""
    try:
        if case[1]:
            made(library, *case[:2])
        else:
            eval(case[0], words(library))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"
