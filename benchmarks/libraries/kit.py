"""The kit itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import autodiff_kit as ad
from benchmarks.libraries.base import Function, Library


class Kit(Library):
    """autodiff_kit. Leaves are watched constants, parameters are variables."""

    name = "kit"
    package = "autodiff_kit"

    def __init__(self) -> None:
        self.sin, self.exp, self.log, self.tanh = ad.sin, ad.exp, ad.math.log, ad.tanh
        self.relu, self.matmul, self.where = ad.nn.relu, ad.matmul, ad.where
        self.softmax, self.logsumexp = ad.nn.softmax, lambda x: ad.reduce_logsumexp(x, axis=-1)
        self.sum, self.mean, self.prod = ad.reduce_sum, ad.reduce_mean, ad.reduce_prod
        self.gather, self.concat = ad.gather, lambda parts: ad.concat(parts, 0)
        self.leaf = self.constant = ad.constant
        self.parameter = ad.Variable

    def to_numpy(self, x: Any) -> Any:
        return x.numpy()

    def gradient(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        with ad.GradientTape() as tape:
            tape.watch(leaves)
            y = f(*leaves)
        return tape.gradient(y, leaves)

    def jacobian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        with ad.GradientTape() as tape:
            tape.watch(leaves)
            y = f(*leaves)
        return tape.jacobian(y, leaves)

    def hessian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        with ad.GradientTape() as outer:
            outer.watch(leaves)
            (dx,) = self.gradient(f, leaves)
        return outer.jacobian(dx, leaves)

    def hvp(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        x, v = leaves
        with ad.GradientTape() as outer:
            outer.watch(x)
            (dx,) = self.gradient(f, [x])
        return outer.gradient(dx, [x], output_gradients=[v])

    def third(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        with ad.GradientTape() as outer:
            outer.watch(leaves)
            with ad.GradientTape() as middle:
                middle.watch(leaves)
                (dx,) = self.gradient(f, leaves)
            (ddx,) = middle.gradient(dx, leaves)
        return outer.gradient(ddx, leaves)

    def adam(self, f: Function, values: Sequence[Any], rate: float) -> Callable[[], Any]:
        weights = [ad.Variable(value) for value in values]
        optimizer = ad.keras.optimizers.Adam(rate)

        def step() -> Any:
            with ad.GradientTape() as tape:
                y = f(*weights)
            optimizer.apply_gradients(zip(tape.gradient(y, weights), weights, strict=True))
            return weights

        return step

    def retained(self, f: Function, leaves: Sequence[Any]) -> Callable[[], Any]:
        with ad.GradientTape(persistent=True) as tape:
            tape.watch(leaves)
            y = f(*leaves)
        return lambda: tape.gradient(y, leaves)
