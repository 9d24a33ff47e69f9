"""Networks as learners write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.libraries.base import Library
from benchmarks.updates import Adam
from benchmarks.workloads.base import Workload, normal


# The five tensor_x cases begin like this: y = x @ w + b, loss = mean(y**2).
def seed_inputs(_size: int) -> Any:
    return [normal(4, 3), np.ones(3, np.float32)], [np.array([[1, 2, 3, 4]], np.float32)]


def seed_loss(lib: Library, _size: int) -> Any:
    return lambda w, b, x: lib.mean((lib.matmul(x, w) + b) ** 2)


def seed_by_hand(_size: int) -> Any:
    def by_hand(w: Any, b: Any, x: Any) -> Any:
        y = x @ w + b
        np.add.reduce(y * y, axis=None) / np.float32(y.size)
        dy = (y + y) / np.float32(y.size)
        return [x.T @ dy, np.add.reduce(dy, axis=0)]

    return by_hand


# 784-128-10 with softmax cross entropy.
def mlp_inputs(size: int) -> Any:
    leaves = [normal(784, 128, scale=0.05), np.zeros(128, np.float32)]
    leaves += [normal(128, 10, scale=0.1, seed=1), np.zeros(10, np.float32)]
    labels = np.eye(10, dtype=np.float32)[np.arange(size) % 10]
    return leaves, [normal(size, 784, seed=2), labels]


def mlp_loss(lib: Library, size: int) -> Any:
    def loss(w1: Any, b1: Any, w2: Any, b2: Any, x: Any, labels: Any) -> Any:
        logits = lib.matmul(lib.relu(lib.matmul(x, w1) + b1), w2) + b2
        return (lib.sum(lib.logsumexp(logits)) - lib.sum(logits * labels)) / size

    return loss


def mlp_by_hand(size: int) -> Any:
    def by_hand(w1: Any, b1: Any, w2: Any, b2: Any, x: Any, labels: Any) -> Any:
        z = x @ w1 + b1
        h = np.maximum(z, np.float32(0))
        logits = h @ w2 + b2
        top = np.maximum.reduce(logits, axis=1, keepdims=True)
        e = np.exp(logits - top)
        total = np.add.reduce(e, axis=1, keepdims=True)
        np.add.reduce(np.log(total) + top, axis=None) - np.add.reduce(logits * labels, axis=None)
        d = (e / total - labels) / np.float32(size)
        dz = (d @ w2.T) * (z > 0)
        return [x.T @ dz, np.add.reduce(dz, axis=0), h.T @ d, np.add.reduce(d, axis=0)]

    return by_hand


def mlp_adam_by_hand(size: int) -> Any:
    gradients, adam = mlp_by_hand(size), None

    def by_hand(*values: Any) -> Any:
        nonlocal adam
        adam = adam or Adam(values[:4], 1e-3)
        return adam.step(gradients(*values))

    return by_hand


# Two moons, 2-16-16-1, hinge loss and weight decay.
def moons_inputs(size: int) -> Any:
    t = np.linspace(0, np.pi, size // 2, dtype=np.float32)
    upper, lower = (
        np.stack([np.cos(t), np.sin(t)], 1),
        np.stack([1 - np.cos(t), 0.5 - np.sin(t)], 1),
    )
    x = np.concatenate([upper, lower]).astype(np.float32)
    labels = np.repeat(np.array([1, -1], np.float32), size // 2)[:, None]
    leaves = []
    for seed, (rows, columns) in enumerate([(2, 16), (16, 16), (16, 1)]):
        leaves += [
            normal(rows, columns, seed=seed, scale=rows**-0.5),
            np.zeros(columns, np.float32),
        ]
    return leaves, [x, labels]


def moons_loss(lib: Library, size: int) -> Any:
    matmul, relu = lib.matmul, lib.relu

    def loss(w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any, x: Any, labels: Any) -> Any:
        h = relu(matmul(relu(matmul(x, w1) + b1), w2) + b2)
        score = matmul(h, w3) + b3
        decay = lib.sum(w1 * w1) + lib.sum(w2 * w2) + lib.sum(w3 * w3)
        return lib.mean(relu(1.0 - score * labels)) + decay * 1e-4

    return loss


def moons_by_hand(size: int) -> Any:
    zero, one, decay, n = np.float32(0), np.float32(1), np.float32(1e-4), np.float32(size)

    def by_hand(w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any, x: Any, labels: Any) -> Any:
        z1 = x @ w1 + b1
        h1 = np.maximum(z1, zero)
        z2 = h1 @ w2 + b2
        h2 = np.maximum(z2, zero)
        margin = one - (h2 @ w3 + b3) * labels
        np.add.reduce(np.maximum(margin, zero), axis=None) / n
        for w in (w1, w2, w3):
            np.add.reduce(w * w, axis=None)
        d3 = -labels * (margin > zero) / n
        d2 = (d3 @ w3.T) * (z2 > zero)
        d1 = (d2 @ w2.T) * (z1 > zero)
        return [
            x.T @ d1 + (w1 + w1) * decay, np.add.reduce(d1, axis=0),
            h1.T @ d2 + (w2 + w2) * decay, np.add.reduce(d2, axis=0),
            h2.T @ d3 + (w3 + w3) * decay, np.add.reduce(d3, axis=0),
        ]  # fmt: skip

    return by_hand


# h = tanh(x @ w + h @ u + b), step by step.
def rnn_inputs(size: int) -> Any:
    leaves = [
        normal(16, 32, scale=0.2),
        normal(32, 32, scale=0.15, seed=1),
        np.zeros(32, np.float32),
    ]
    return leaves, [normal(8, 16, seed=2 + t) for t in range(size)]


def rnn_loss(lib: Library, size: int) -> Any:
    matmul, tanh, start = lib.matmul, lib.tanh, lib.constant(np.zeros((8, 32), np.float32))

    def loss(w: Any, u: Any, b: Any, *xs: Any) -> Any:
        h = start
        for x in xs:
            h = tanh(matmul(x, w) + matmul(h, u) + b)
        return lib.sum(h)

    return loss


def rnn_by_hand(size: int) -> Callable[..., Any]:
    def by_hand(w: Any, u: Any, b: Any, *xs: Any) -> Any:
        hs = [np.zeros((8, 32), np.float32)]
        for x in xs:
            hs.append(np.tanh(x @ w + hs[-1] @ u + b))
        dw, du, db, dh = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b), np.ones_like(hs[0])
        for t in range(len(xs) - 1, -1, -1):
            h = hs[t + 1]
            dz = dh * (np.float32(1) - h * h)
            dw += xs[t].T @ dz
            du += hs[t].T @ dz
            db += np.add.reduce(dz, axis=0)
            dh = dz @ u.T
        return [dw, du, db]

    return by_hand


WORKLOADS = [
    Workload("seed experiment", seed_inputs, seed_loss, seed_by_hand, 1, 1, parameters=True),
    Workload("MLP gradient", mlp_inputs, mlp_loss, mlp_by_hand, 64, 4, target=1.3, parameters=True),
    Workload("MLP Adam step", mlp_inputs, mlp_loss, mlp_adam_by_hand, 64, 4, "adam", target=1.25),
    Workload(
        "moons MLP", moons_inputs, moons_loss, moons_by_hand, 100, 6, target=3.2, parameters=True
    ),
    Workload(
        "RNN, 100 steps", rnn_inputs, rnn_loss, rnn_by_hand, 100, 3, target=1.9, parameters=True
    ),
]
