"""MyGrad, which differentiates once only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mygrad as mg
import numpy as np

from benchmarks.libraries.base import Function, Library
from benchmarks.updates import Adam


class MyGrad(Library):
    """Leaves are tensors; gradients are left on them."""

    name = "mygrad"
    package = "mygrad"

    def __init__(self) -> None:
        self.sin, self.exp, self.log, self.tanh = mg.sin, mg.exp, mg.log, mg.tanh
        self.relu, self.matmul, self.where = mg.nnet.relu, mg.matmul, mg.where
        self.softmax = mg.nnet.softmax
        self.sum, self.mean, self.prod = mg.sum, mg.mean, mg.prod
        self.concat = mg.concatenate
        self.gather = lambda x, indices: x[indices]
        self.leaf = lambda value: mg.tensor(value)
        self.constant = lambda value: value

    def max(self, x: Any, axis: int) -> Any:
        return x.data.max(axis, keepdims=True)

    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x)

    def gradient(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        f(*leaves).backward()
        return [leaf.grad for leaf in leaves]

    def jacobian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        # A backward pass clears the graph, so each row needs a forward pass of its own.
        (x,), rows = leaves, []
        for seed in np.eye(x.shape[0], dtype=x.dtype):
            f(x).backward(seed)
            rows.append(x.grad)
        return [np.stack(rows)]

    def adam(self, f: Function, values: Sequence[Any], rate: float) -> Callable[[], Any]:
        weights = [mg.tensor(value) for value in values]
        adam = Adam([weight.data for weight in weights], rate)
        return lambda: adam.step(self.gradient(f, weights))
