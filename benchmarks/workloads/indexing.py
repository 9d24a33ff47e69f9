"""Taking elements out and putting parts together."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.libraries.base import Library
from benchmarks.workloads.base import Workload, normal


def getitem_loss(_lib: Library, size: int) -> Any:
    def loss(x: Any) -> Any:
        y = x[0]
        for i in range(1, size):
            y = y + x[i]
        return y

    return loss


def getitem_by_hand(size: int) -> Any:
    def by_hand(x: Any) -> Any:
        y = x[0]
        for i in range(1, size):
            y = y + x[i]
        dx, dy = np.zeros_like(x), np.float32(1)
        for i in range(size):
            dx[i] += dy
        return [dx]

    return by_hand


def prod_loss(lib: Library, _size: int) -> Any:
    return lambda x: lib.sum(lib.prod(x, 1))


def prod_by_hand(_size: int) -> Any:
    def by_hand(x: Any) -> Any:
        # From the left and from the right, so that zeros do no harm.
        ones = np.ones((len(x), 1), x.dtype)
        left = np.multiply.accumulate(np.concatenate([ones, x[:, :-1]], 1), axis=1)
        right = np.multiply.accumulate(np.concatenate([ones, x[:, :0:-1]], 1), axis=1)
        np.add.reduce(left[:, -1] * x[:, -1])
        return [left * right[:, ::-1]]

    return by_hand


def gather_loss(lib: Library, _size: int) -> Any:
    gather, concat = lib.gather, lib.concat
    return lambda x, y, indices, w: lib.sum(concat([gather(x, indices), y]) * w)


def gather_by_hand(_size: int) -> Any:
    def by_hand(x: Any, y: Any, indices: Any, w: Any) -> Any:
        np.add.reduce(np.concatenate([x[indices], y]) * w, axis=None)
        dx = np.zeros_like(x)
        np.add.at(dx, indices, w[: len(indices)])
        return [dx, w[len(indices) :].copy()]

    return by_hand


def vector(size: int) -> Any:
    return [normal(size)], []


def rows_of_ten(size: int) -> Any:
    return [normal(size, 10) + np.float32(2)], []


def rows_to_choose(size: int) -> Any:
    indices = np.random.default_rng(0).integers(0, size, size)
    return [normal(size, 8), normal(size, 8, seed=1)], [indices, normal(2 * size, 8, seed=2)]


WORKLOADS = [
    Workload("200 x getitem", vector, getitem_loss, getitem_by_hand, 200, 5, target=8),
    Workload("prod (20, 10)", rows_of_ten, prod_loss, prod_by_hand, 20, 2, target=2.5),
    Workload("gather + concat", rows_to_choose, gather_loss, gather_by_hand, 20, 3, target=3.3),
]
