"""Long chains of small operations: what recording and going back cost, and little else."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.libraries.base import Library
from benchmarks.workloads.base import Workload


# y = y * x + c, so that two operations are one step and `x` takes part in each product.
def chain_loss(_lib: Library, size: int) -> Any:
    def loss(x: Any, c: Any) -> Any:
        y = x
        for _ in range(size // 2):
            y = y * x + c
        return y

    return loss


def chain_by_hand(size: int) -> Any:
    def by_hand(x: Any, c: Any) -> Any:
        y, ys = x, []
        for _ in range(size // 2):
            ys.append(y)
            y = y * x + c
        dy, dx = x.dtype.type(1), x.dtype.type(0)
        for y in reversed(ys):
            dx = dx + dy * y
            dy = dy * x
        return [dx + dy]

    return by_hand


def scalars(_size: int) -> Any:
    return [np.float32(0.999)], [np.float32(0.001)]


def summed_chain_loss(lib: Library, size: int) -> Any:
    chain = chain_loss(lib, size)
    return lambda x, c: lib.sum(chain(x, c))


def summed_chain_by_hand(size: int) -> Any:
    return chain_by_hand(size)  # the gradient of a sum is the same, one for each element


def vectors(_size: int) -> Any:
    return [np.linspace(0.9, 1.0, 10, dtype=np.float32)], [np.full(10, 0.001, np.float32)]


# y = sin(y * 1.01 + x): a function that is a NumPy call even on scalars, and a Python number.
def sine_loss(lib: Library, size: int) -> Any:
    sin = lib.sin

    def loss(x: Any) -> Any:
        y = x
        for _ in range(size // 3):
            y = sin(y * 1.01 + x)
        return lib.sum(y)

    return loss


def sine_by_hand(size: int) -> Any:
    def by_hand(x: Any) -> Any:
        factor = x.dtype.type(1.01)
        y, arguments = x, []
        for _ in range(size // 3):
            z = y * factor + x
            arguments.append(z)
            y = np.sin(z)
        dy, dx = np.ones_like(x)[()], np.zeros_like(x)[()]
        for z in reversed(arguments):
            dz = dy * np.cos(z)
            dx = dx + dz
            dy = dz * factor
        return [dx + dy]

    return by_hand


def sine_scalars(_size: int) -> Any:
    return [np.float32(0.3)], []


def sine_vectors(_size: int) -> Any:
    return [np.linspace(-1.0, 1.0, 10, dtype=np.float32)], []


# Many operations depend on x, and only ten of them lead to the target.
def wide_loss(_lib: Library, size: int) -> Any:
    def loss(x: Any, c: Any) -> Any:
        y = x
        for _ in range(5):
            y = y * c
        side = y
        for _ in range(size):
            side = side * c
        for _ in range(5):
            y = y * c
        return y

    return loss


def wide_by_hand(size: int) -> Any:
    def by_hand(x: Any, c: Any) -> Any:
        wide_loss(None, size)(x, c)  # type: ignore[arg-type]  # the way there is the same
        dy = x.dtype.type(1)
        for _ in range(10):
            dy = dy * c
        return [dy]

    return by_hand


def wide_scalars(_size: int) -> Any:
    return [np.float32(0.999)], [np.float32(1.00001)]


def narrow_by_hand(_size: int) -> Any:
    return wide_by_hand(0)


WORKLOADS = [
    Workload("chain, 100 scalars", scalars, chain_loss, chain_by_hand, 100, 10),
    Workload("chain, 1000 scalars", scalars, chain_loss, chain_by_hand, 1000, 10, target=12),
    Workload(
        "chain, 1000 scalars, variable",
        scalars, chain_loss, chain_by_hand, 1000, 10, parameters=True,
    ),
    Workload(
        "chain, 100000 scalars",
        scalars, chain_loss, chain_by_hand, 100_000, 10, skip=("tensorflow", "jax"),
    ),
    Workload(
        "chain, 1000 vectors",
        vectors, summed_chain_loss, summed_chain_by_hand, 1000, 10, target=2.2,
    ),
    Workload(
        "chain, 100000 vectors",
        vectors, summed_chain_loss, summed_chain_by_hand, 100_000, 10, skip=("tensorflow", "jax"),
    ),
    Workload("sine chain, 1000 scalars", sine_scalars, sine_loss, sine_by_hand, 1000, 10),
    Workload("sine chain, 1000 vectors", sine_vectors, sine_loss, sine_by_hand, 1000, 10),
    Workload(
        "wide tape, 10 of 100000 matter",
        wide_scalars, wide_loss, wide_by_hand, 100_000, 10, skip=("tensorflow", "jax"),
    ),
    Workload(
        "wide tape, the way back only",
        wide_scalars, wide_loss, narrow_by_hand, 100_000, 10, ask="retained",
        skip=("mygrad", "tensorflow", "jax"),
    ),
]  # fmt: skip
