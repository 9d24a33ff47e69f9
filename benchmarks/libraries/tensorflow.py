"""TensorFlow's eager mode, on one thread of the CPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from benchmarks.libraries.base import Function, Library


class TensorFlow(Library):
    """Leaves are watched constants, parameters are variables."""

    name = "tensorflow"
    package = "tensorflow"

    def __init__(self) -> None:
        try:
            tf.config.threading.set_intra_op_parallelism_threads(1)
            tf.config.threading.set_inter_op_parallelism_threads(1)
        except RuntimeError:
            pass  # already started by another library object, with the same setting
        self.sin, self.exp, self.log, self.tanh = tf.sin, tf.exp, tf.math.log, tf.tanh
        self.relu, self.matmul, self.where = tf.nn.relu, tf.matmul, tf.where
        self.softmax, self.logsumexp = tf.nn.softmax, lambda x: tf.reduce_logsumexp(x, axis=-1)
        self.sum, self.mean, self.prod = tf.reduce_sum, tf.reduce_mean, tf.reduce_prod
        self.gather, self.concat = tf.gather, lambda parts: tf.concat(parts, 0)
        self.leaf = self.constant = tf.constant
        self.parameter = tf.Variable

    def to_numpy(self, x: Any) -> Any:
        return tf.convert_to_tensor(x).numpy()

    def gradient(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        with tf.GradientTape() as tape:
            tape.watch(leaves)
            y = f(*leaves)
        return tape.gradient(y, leaves)  # type: ignore[no-any-return]

    def jacobian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(leaves)
            y = f(*leaves)
        return tape.jacobian(y, leaves, experimental_use_pfor=False)  # type: ignore[no-any-return]

    def hessian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(leaves)
            (dx,) = self.gradient(f, leaves)
        return outer.jacobian(dx, leaves, experimental_use_pfor=False)  # type: ignore[no-any-return]

    def hvp(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        x, v = leaves
        with tf.GradientTape() as outer:
            outer.watch(x)
            (dx,) = self.gradient(f, [x])
        return outer.gradient(dx, [x], output_gradients=[v])  # type: ignore[no-any-return]

    def third(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        with tf.GradientTape() as outer:
            outer.watch(leaves)
            with tf.GradientTape() as middle:
                middle.watch(leaves)
                (dx,) = self.gradient(f, leaves)
            (ddx,) = middle.gradient(dx, leaves)
        return outer.gradient(ddx, leaves)  # type: ignore[no-any-return]

    def adam(self, f: Function, values: Sequence[Any], rate: float) -> Callable[[], Any]:
        weights = [tf.Variable(value) for value in values]
        optimizer = tf.keras.optimizers.Adam(rate)

        def step() -> Any:
            with tf.GradientTape() as tape:
                y = f(*weights)
            optimizer.apply_gradients(zip(tape.gradient(y, weights), weights, strict=True))
            return weights

        return step

    def retained(self, f: Function, leaves: Sequence[Any]) -> Callable[[], Any]:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(leaves)
            y = f(*leaves)
        return lambda: tape.gradient(y, leaves)
