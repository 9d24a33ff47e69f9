"""JAX, run operation by operation (no jit), as a learner would at first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.libraries.base import Function, Library
from benchmarks.updates import Adam


class Jax(Library):
    """Leaves are arrays: functions are differentiated, not values."""

    name = "jax"
    package = "jax"

    def __init__(self) -> None:
        self.sin, self.exp, self.log, self.tanh = jnp.sin, jnp.exp, jnp.log, jnp.tanh
        self.relu, self.matmul, self.where = jax.nn.relu, jnp.matmul, jnp.where
        self.softmax = jax.nn.softmax
        self.logsumexp = lambda x: jax.nn.logsumexp(x, axis=-1)
        self.sum, self.mean, self.prod, self.concat = jnp.sum, jnp.mean, jnp.prod, jnp.concatenate
        self.gather = lambda x, indices: x[indices]
        self.leaf = self.constant = jnp.asarray

    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x)

    def gradient(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return self._done(jax.grad(f, tuple(range(len(leaves))))(*leaves))

    def jacobian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return self._done([jax.jacrev(f)(leaves[0])])

    def hessian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return self._done([jax.hessian(f)(leaves[0])])

    def hvp(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        x, v = leaves
        return self._done([jax.vjp(jax.grad(f), x)[1](v)[0]])

    def third(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return self._done([jax.grad(jax.grad(jax.grad(f)))(leaves[0])])

    def adam(self, f: Function, values: Sequence[Any], rate: float) -> Callable[[], Any]:
        weights = [np.array(value) for value in values]
        adam, df = Adam(weights, rate), jax.grad(f, tuple(range(len(weights))))
        return lambda: adam.step([np.asarray(g) for g in df(*weights)])

    def retained(self, f: Function, leaves: Sequence[Any]) -> Callable[[], Any]:
        y, vjp = jax.vjp(f, *leaves)
        return lambda: self._done(vjp(jnp.ones_like(y)))

    def _done(self, results: Any) -> Any:
        return jax.block_until_ready(results)  # JAX returns before it has computed
