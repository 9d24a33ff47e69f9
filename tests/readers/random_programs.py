"""Random programs with every cause of a missing gradient mixed in."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import autodiff_kit as ad


class Program:
    """Runs a random program under a tape; afterwards `tape`, `values` and `sources` are there."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.variables = [
            ad.Variable(self.rng.uniform(0.5, 2.0), trainable=self.rng.random() < 0.8)
            for _ in range(3)
        ]
        self.constants = [ad.constant(self.rng.uniform(0.5, 2.0)) for _ in range(3)]
        self.whole = ad.Variable(3)
        self.values: list[Any] = [*self.variables, *self.constants]
        self.sources = [*self.values, self.whole]
        self.tape = ad.GradientTape(
            persistent=True, watch_accessed_variables=self.rng.random() < 0.8
        )
        for _ in range(self.rng.randrange(2)):
            self.step()
        with self.tape:
            for _ in range(self.rng.randrange(2, 14)):
                self.step()
        for _ in range(self.rng.randrange(2)):
            self.step()

    def pick(self) -> Any:
        return self.rng.choice(self.values)

    def step(self) -> None:
        action = self.rng.choice(ACTIONS)
        made = action(self)
        if made is not None:
            self.values.append(made)
            if self.rng.random() < 0.3:
                self.sources.append(made)


def _watch(p: Program) -> None:
    p.tape.watch(p.pick())


def _assign(p: Program) -> None:
    p.rng.choice(p.variables).assign(ad.convert_to_tensor(p.pick()))


def _numpy(p: Program) -> Any:
    return ad.constant(np.float32(np.sin(p.pick().numpy())))


def _stopped(p: Program) -> Any:
    if not p.tape._recording:
        return None
    with p.tape.stop_recording():
        return p.pick() * 2.0


def _branch(p: Program) -> Any:
    a, b = p.pick(), p.pick()
    return a * 2.0 if p.pick() > 1.0 else b + 1.0


def _reset(p: Program) -> None:
    if p.tape._recording and p.rng.random() < 0.2:
        p.tape.reset()


def _through_int(p: Program) -> Any:
    return ad.cast(ad.cast(p.pick(), ad.int32), ad.float32)


def _other_tape(p: Program) -> Any:
    x = ad.convert_to_tensor(p.pick())
    with ad.GradientTape() as inner:
        inner.watch(x)
        y = x * x * x
    return inner.gradient(y, x)


ACTIONS: list[Any] = [
    lambda p: p.pick() + p.pick(),
    lambda p: p.pick() * p.pick(),
    lambda p: p.pick() - 1.5,
    lambda p: ad.sin(p.pick()),
    lambda p: ad.nn.relu(p.pick() - 1.0),
    lambda p: ad.where(p.pick() > 1.0, p.pick(), p.pick()),
    lambda p: ad.floor(p.pick()),
    lambda p: ad.stop_gradient(p.pick()),
    lambda p: ad.reduce_sum(ad.stack([ad.convert_to_tensor(p.pick()), ad.constant(1.0)])),
    lambda p: ad.constant(1.25),
    lambda p: ad.math.log(p.pick() - 1.0),
    lambda p: ad.ones_like(p.pick()) * p.pick(),
    _watch, _assign, _numpy, _stopped, _branch, _reset, _through_int, _other_tape,
]  # fmt: skip
