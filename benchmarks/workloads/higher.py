"""Derivatives of derivatives, and many rows at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.libraries.base import Library
from benchmarks.workloads.base import Workload, normal


def rosenbrock_loss(lib: Library, _size: int) -> Any:
    def loss(x: Any) -> Any:
        here, following = x[:-1], x[1:]
        return lib.sum(100.0 * (following - here**2) ** 2 + (1.0 - here) ** 2)

    return loss


def rosenbrock_bands(x: Any) -> Any:
    """The diagonal of the Hessian and the one beside it."""
    here = x[:-1]
    diagonal = np.full_like(x, 200)
    diagonal[:-1] += np.float32(1200) * here * here - np.float32(400) * x[1:] + np.float32(2)
    diagonal[-1], diagonal[0] = 200, diagonal[0] - 200
    return diagonal, np.float32(-400) * here


def hessian_by_hand(_size: int) -> Any:
    def by_hand(x: Any) -> Any:
        diagonal, beside = rosenbrock_bands(x)
        n = x.size
        h = np.zeros((n, n), x.dtype)
        flat = h.ravel()
        flat[:: n + 1] = diagonal
        flat[1 :: n + 1] = beside
        flat[n :: n + 1] = beside
        return [h]

    return by_hand


def hvp_by_hand(_size: int) -> Any:
    def by_hand(x: Any, v: Any) -> Any:
        diagonal, beside = rosenbrock_bands(x)
        product = diagonal * v
        product[:-1] += beside * v[1:]
        product[1:] += beside * v[:-1]
        return [product]

    return by_hand


def jacobian_loss(lib: Library, _size: int) -> Any:
    return lambda x, w: lib.tanh(lib.matmul(w, x[:, None]))[:, 0]


def jacobian_by_hand(_size: int) -> Any:
    def by_hand(x: Any, w: Any) -> Any:
        y = np.tanh(w @ x)
        return [(np.float32(1) - y * y)[:, None] * w]

    return by_hand


def cubic_loss(lib: Library, _size: int) -> Any:
    return lambda x: lib.sin(x) * x * x


def third_by_hand(_size: int) -> Any:
    six = np.float32(6)

    def by_hand(x: Any) -> Any:
        s, c = np.sin(x), np.cos(x)
        return [six * c - six * x * s - x * x * c]

    return by_hand


def point(size: int) -> Any:
    return [normal(size, scale=0.5)], []


def point_and_direction(size: int) -> Any:
    return [normal(size, scale=0.5), normal(size, seed=1)], []


def point_and_matrix(size: int) -> Any:
    return [normal(size)], [normal(size, size, seed=1, scale=0.1)]


def number(_size: int) -> Any:
    return [np.float32(0.7)], []


WORKLOADS = [
    Workload(
        "Rosenbrock Hessian (50)", point, rosenbrock_loss, hessian_by_hand, 50, 4,
        "hessian", target=150, skip=("mygrad",),
    ),
    Workload(
        "Rosenbrock hvp (50)", point_and_direction, rosenbrock_loss, hvp_by_hand, 50, 4,
        "hvp", target=15, skip=("mygrad",),
    ),
    Workload(
        "jacobian 64x64", point_and_matrix, jacobian_loss, jacobian_by_hand, 64, 3,
        "jacobian", target=65,
    ),
    Workload(
        "third derivative", number, cubic_loss, third_by_hand, 1, 1,
        "third", target=75, skip=("mygrad",),
    ),
]  # fmt: skip
