"""HIPS autograd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import autograd
import autograd.numpy as anp
import numpy as np

from benchmarks.libraries.base import Function, Library
from benchmarks.updates import Adam


class Hips(Library):
    """Leaves are plain arrays: functions are differentiated, not values."""

    name = "autograd"
    package = "autograd"

    def __init__(self) -> None:
        self.sin, self.exp, self.log, self.tanh = anp.sin, anp.exp, anp.log, anp.tanh
        self.relu, self.matmul, self.where = lambda x: anp.maximum(x, 0.0), anp.matmul, anp.where
        self.sum, self.mean, self.prod = anp.sum, anp.mean, anp.prod
        self.concat = anp.concatenate
        self.gather = lambda x, indices: x[indices]
        self.leaf = self.constant = self.to_numpy = lambda value: value

    def max(self, x: Any, axis: int) -> Any:
        return anp.max(autograd.tracer.getval(x), axis, keepdims=True)

    def gradient(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return autograd.grad(f, tuple(range(len(leaves))))(*leaves)  # type: ignore[no-any-return]

    def jacobian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return [autograd.jacobian(f)(leaves[0])]

    def hessian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return [autograd.hessian(f)(leaves[0])]

    def hvp(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return [autograd.hessian_vector_product(f)(*leaves)]

    def third(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return [autograd.grad(autograd.grad(autograd.grad(f)))(leaves[0])]

    def adam(self, f: Function, values: Sequence[Any], rate: float) -> Callable[[], Any]:
        weights = [np.array(value) for value in values]
        adam, df = Adam(weights, rate), autograd.grad(f, tuple(range(len(weights))))
        return lambda: adam.step(df(*weights))

    def retained(self, f: Function, leaves: Sequence[Any]) -> Callable[[], Any]:
        vjp, y = autograd.make_vjp(f, 0)(*leaves)
        return lambda: [vjp(np.ones_like(y))]
