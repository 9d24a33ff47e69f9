"""Record what TensorFlow's optimizers and losses compute, for tests/keras to compare with.

Run it with a Python that has TensorFlow: `python tools/record_keras.py`.
It writes tests/data/keras.json: three steps of each optimizer, and losses with their gradients.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

# Not imported by name: the project's own environments do not have it.
tf: Any = import_module("tensorflow")

TARGET = Path(__file__).resolve().parent.parent / "tests" / "data" / "keras.json"

START = [1.0, -2.0, 0.5]
GRADIENTS = [[0.5, -1.0, 0.0], [0.25, 3.0, -2.0], [0.0, 0.0, 1.5]]
KERAS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"learning_rate": 0.1}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
    ("RMSprop", {"learning_rate": 0.1}),
    ("RMSprop", {"learning_rate": 0.1, "rho": 0.8, "momentum": 0.5, "centered": True}),
    ("Adagrad", {"learning_rate": 0.1}),
    ("Adagrad", {"learning_rate": 0.1, "initial_accumulator_value": 0.0, "epsilon": 0.01}),
    ("Adam", {"learning_rate": 0.1}),
    ("Adam", {"learning_rate": 0.1, "beta_1": 0.8, "beta_2": 0.5, "epsilon": 0.1}),
    ("Adam", {"learning_rate": 0.1, "amsgrad": True, "beta_2": 0.5}),
]
V1: list[tuple[str, dict[str, Any]]] = [
    ("GradientDescentOptimizer", {"learning_rate": 0.1}),
    ("MomentumOptimizer", {"learning_rate": 0.1, "momentum": 0.9}),
    ("MomentumOptimizer", {"learning_rate": 0.1, "momentum": 0.9, "use_nesterov": True}),
    ("RMSPropOptimizer", {"learning_rate": 0.1}),
    ("RMSPropOptimizer", {"learning_rate": 0.1, "momentum": 0.5, "centered": True}),
    ("AdagradOptimizer", {"learning_rate": 0.1}),
    ("AdamOptimizer", {"learning_rate": 0.1}),
    ("AdamOptimizer", {"learning_rate": 0.1, "beta1": 0.8, "beta2": 0.5, "epsilon": 0.1}),
]
PROBABILITIES = [[0.7, 0.2, 0.1], [0.0, 1.0, 0.0]]
LOGITS = [[2.0, -1.0, 0.5], [-30.0, 40.0, 1.0]]
ONE_HOT = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
NUMBERS = [[1.0, -2.0, 0.5], [3.0, 0.0, -0.25]]
LOSSES: list[tuple[str, dict[str, Any], Any, Any, Any]] = [
    ("MeanSquaredError", {}, ONE_HOT, NUMBERS, None),
    ("MeanSquaredError", {"reduction": "sum"}, ONE_HOT, NUMBERS, None),
    ("MeanSquaredError", {"reduction": "none"}, ONE_HOT, NUMBERS, None),
    ("MeanSquaredError", {}, ONE_HOT, NUMBERS, [1.0, 3.0]),
    ("MeanSquaredError", {}, [1.0, 2.0], [[1.5], [1.0]], None),
    ("MeanSquaredError", {}, [[1.0], [2.0]], [1.5, 1.0], None),
    ("MeanAbsoluteError", {}, ONE_HOT, NUMBERS, None),
    ("Huber", {}, ONE_HOT, NUMBERS, None),
    ("Huber", {"delta": 2.0}, ONE_HOT, NUMBERS, None),
    ("BinaryCrossentropy", {}, ONE_HOT, PROBABILITIES, None),
    ("BinaryCrossentropy", {"from_logits": True}, ONE_HOT, LOGITS, None),
    ("BinaryCrossentropy", {"label_smoothing": 0.2}, ONE_HOT, PROBABILITIES, None),
    ("CategoricalCrossentropy", {}, ONE_HOT, PROBABILITIES, None),
    ("CategoricalCrossentropy", {"from_logits": True}, ONE_HOT, LOGITS, None),
    ("CategoricalCrossentropy", {"label_smoothing": 0.3}, ONE_HOT, PROBABILITIES, None),
    ("SparseCategoricalCrossentropy", {}, [0, 2], PROBABILITIES, None),
    ("SparseCategoricalCrossentropy", {"from_logits": True}, [0, 2], LOGITS, None),
    ("SparseCategoricalCrossentropy", {"from_logits": True}, [[0], [2]], LOGITS, None),
]
ACTIVATIONS = [
    "elu", "exponential", "gelu", "leaky_relu", "linear", "log_softmax", "relu", "relu6", "selu",
    "sigmoid", "silu", "softmax", "softplus", "softsign", "tanh",
]  # fmt: skip


def floats(tensor: Any) -> Any:
    """The exact values as JSON numbers."""
    return tensor.numpy().astype(float).tolist()


def steps(optimizer: Any, dtype: str) -> Any:
    """The variable after each step."""
    variable = tf.Variable(START, dtype=dtype)
    values = []
    for gradient in GRADIENTS:
        optimizer.apply_gradients([(tf.constant(gradient, dtype), variable)])
        values.append(floats(variable))
    return values


def optimizers(module: Any, table: Any) -> list[Any]:
    """Each optimizer's steps in each dtype."""
    return [
        {"name": n, "options": o, "dtype": d, "values": steps(getattr(module, n)(**o), d)}
        for n, o in table
        for d in ("float32", "float64")
    ]


def loss(name: str, options: Any, truth: Any, prediction: Any, weight: Any) -> Any:
    """A loss and its gradient with respect to the prediction."""
    x = tf.constant(prediction)
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = getattr(tf.keras.losses, name)(**options)(tf.constant(truth), x, weight)
    return {
        "name": name, "options": options, "truth": truth, "prediction": prediction,
        "weight": weight, "value": floats(value), "gradient": floats(tape.gradient(value, x)),
    }  # fmt: skip


def activation(name: str) -> Any:
    """An activation's values."""
    return {
        "name": name,
        "value": floats(getattr(tf.keras.activations, name)(tf.constant(NUMBERS))),
    }


def main() -> None:
    """Write the file."""
    record = {
        "tensorflow": tf.__version__,
        "start": START,
        "gradients": GRADIENTS,
        "numbers": NUMBERS,
        "keras": optimizers(tf.keras.optimizers, KERAS),
        "v1": optimizers(tf.compat.v1.train, V1),
        "losses": [loss(*row) for row in LOSSES],
        "activations": [activation(name) for name in ACTIVATIONS],
    }
    TARGET.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
