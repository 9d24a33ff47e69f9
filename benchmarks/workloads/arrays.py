"""Few operations on much data: here NumPy does the work, and copies are what an engine can waste."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.libraries.base import Library
from benchmarks.workloads.base import Workload, normal


def total(x: Any) -> Any:
    return np.add.reduce(x, axis=None)


def elementwise_loss(lib: Library, _size: int) -> Any:
    return lambda x: lib.sum(lib.tanh(lib.exp(lib.tanh(x))))


def elementwise_by_hand(_size: int) -> Any:
    one = np.float32(1)

    def by_hand(x: Any) -> Any:
        a = np.tanh(x)
        b = np.exp(a)
        c = np.tanh(b)
        total(c)
        np.multiply(c, c, out=c)
        np.subtract(one, c, out=c)
        np.multiply(c, b, out=c)
        np.multiply(a, a, out=a)
        np.subtract(one, a, out=a)
        return [np.multiply(c, a, out=c)]

    return by_hand


def products_loss(lib: Library, _size: int) -> Any:
    return lambda x, w: lib.sum(x * w * x)


def products_by_hand(_size: int) -> Any:
    def by_hand(x: Any, w: Any) -> Any:
        xw = x * w
        total(xw * x)
        return [xw + xw, x * x]

    return by_hand


def matmul_loss(lib: Library, _size: int) -> Any:
    return lambda a, b, c: lib.sum(lib.matmul(a, b) * c)


def matmul_by_hand(_size: int) -> Any:
    def by_hand(a: Any, b: Any, c: Any) -> Any:
        total((a @ b) * c)
        return [c @ b.T, a.T @ c]

    return by_hand


def where_loss(lib: Library, _size: int) -> Any:
    return lambda x, y: lib.sum(lib.where(x > 0.0, x * y, y))


def choose(mask: Any, a: Any, b: Any) -> Any:
    """``np.where`` in bits, which guesses no branch and takes a fraction of its time on random data."""
    bits = mask & (a.view(np.int32) ^ b.view(np.int32))
    bits ^= b.view(np.int32)
    return bits.view(np.float32)


def where_by_hand(_size: int) -> Any:
    zero, one = np.float32(0), np.float32(1)

    def by_hand(x: Any, y: Any) -> Any:
        mask = np.negative((x > zero).view(np.int8), dtype=np.int32)
        total(choose(mask, x * y, y))
        return [(mask & y.view(np.int32)).view(np.float32), choose(mask, x, one)]

    return by_hand


def softmax_loss(lib: Library, _size: int) -> Any:
    return lambda x, w: lib.sum(lib.softmax(x) * w)


def softmax_by_hand(_size: int) -> Any:
    def by_hand(x: Any, w: Any) -> Any:
        s = np.exp(x - np.maximum.reduce(x, axis=1, keepdims=True))
        s /= np.add.reduce(s, axis=1, keepdims=True)
        total(s * w)
        return [(w - np.add.reduce(w * s, axis=1, keepdims=True)) * s]

    return by_hand


def logsumexp_loss(lib: Library, _size: int) -> Any:
    return lambda x: lib.sum(lib.logsumexp(x))


def logsumexp_by_hand(_size: int) -> Any:
    def by_hand(x: Any) -> Any:
        top = np.maximum.reduce(x, axis=1, keepdims=True)
        e = np.exp(x - top)
        sums = np.add.reduce(e, axis=1, keepdims=True)
        total(np.log(sums) + top)
        return [e / sums]

    return by_hand


def flat(size: int) -> Any:
    return [normal(size)], []


def two_flat(size: int) -> Any:
    return [normal(size), normal(size, seed=1)], []


def squares(size: int) -> Any:
    return [normal(size, size), normal(size, size, seed=1)], [normal(size, size, seed=2)]


def two_tables(size: int) -> Any:
    return [normal(size, 1000), normal(size, 1000, seed=1)], []


def weighted_table(size: int) -> Any:
    return [normal(size, 1000)], [normal(size, 1000, seed=1)]


def table(size: int) -> Any:
    return [normal(size, 1000)], []


WORKLOADS = [
    Workload(
        "elementwise, 10^6", flat, elementwise_loss, elementwise_by_hand, 1_000_000, 20, target=2.1
    ),
    Workload(
        "multiply, 10^6", two_flat, products_loss, products_by_hand, 1_000_000, 20, target=1.5
    ),
    Workload("matmul 1000", squares, matmul_loss, matmul_by_hand, 1000, 5, target=1.1),
    Workload("where (256, 1000)", two_tables, where_loss, where_by_hand, 256, 2, target=2.5),
    Workload(
        "softmax (256, 1000)", weighted_table, softmax_loss, softmax_by_hand, 256, 2, target=2.2
    ),
    Workload("logsumexp (256, 1000)", table, logsumexp_loss, logsumexp_by_hand, 256, 2, target=1.7),
]
