"""Random programs over arrays: broadcasting, indexing, several outputs, dead ends."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from hypothesis import strategies as st

import autodiff_kit as ad

SHAPES = [(), (3,), (1, 3), (2, 3), (2, 1)]


class ArrayProgram:
    """Runs a program under a tape; afterwards `tape`, `target` and `sources` are there."""

    def __init__(self, draw: Any) -> None:
        self.choose = draw
        self.dtype = draw(st.sampled_from(["float32", "float64"]))
        shapes = draw(st.lists(st.sampled_from(SHAPES), min_size=2, max_size=4))
        rng = np.random.default_rng(draw(st.integers(0, 99)))
        self.sources: list[Any] = []
        for number, shape in enumerate(shapes):
            value = rng.uniform(-1.5, 1.5, shape).astype(self.dtype)
            variable = draw(st.booleans())
            made = ad.Variable(value, name=f"s{number}") if variable else ad.constant(value)
            self.sources.append(made)
        self.values = list(self.sources)
        self.tape = ad.GradientTape(persistent=True)
        with self.tape, warnings.catch_warnings():
            warnings.simplefilter("ignore", ad.GradientWarning)
            self.tape.watch([s for s in self.sources if draw(st.booleans())])
            for _ in range(draw(st.integers(1, 12))):
                self._step(draw(st.sampled_from(STEPS)))
            self.target = self.values[-1]

    def _step(self, step: Any) -> None:
        try:
            made = step(self)
        except ad.errors.InvalidArgumentError:  # shapes that do not fit: the learner goes on
            return
        self.values += [made] if ad.is_tensor(made) else list(made or [])

    def pick(self) -> Any:
        return self.choose(st.sampled_from(self.values))

    def matrix(self) -> Any:
        return ad.broadcast_to(self.pick(), [2, 3])

    def vector(self) -> Any:
        return ad.reshape(self.pick(), [-1])


def _indexed(p: ArrayProgram) -> Any:
    x = p.vector()
    k = p.choose(st.integers(0, x._value.size - 1))
    return x[k] if p.choose(st.booleans()) else x[: k + 1] * x[k]


def _gathered(p: ArrayProgram) -> Any:
    x = p.vector()
    places = st.lists(st.integers(0, x._value.size - 1), min_size=1, max_size=4)
    return ad.reduce_sum(ad.gather(x, p.choose(places)))


def _split(p: ArrayProgram) -> Any:
    x = ad.broadcast_to(p.pick(), [2, 3])
    parts = ad.unstack(x, axis=p.choose(st.integers(0, 1)))
    return [part for part in parts if p.choose(st.booleans())]


def _inner_gradient(p: ArrayProgram) -> Any:
    x = ad.convert_to_tensor(p.pick())
    with ad.GradientTape() as inner:
        inner.watch(x)
        y = ad.reduce_sum(ad.sin(x) * x)
    return inner.gradient(y, x)


def _custom(p: ArrayProgram) -> Any:
    @ad.custom_gradient
    def half(x: Any) -> Any:
        return ad.sin(x), lambda dy: dy * 0.5

    return half(p.pick())


def _cast(p: ArrayProgram) -> Any:
    middle = p.choose(st.sampled_from([ad.int32, ad.float64]))
    return ad.cast(ad.cast(p.pick(), middle), p.dtype)


STEPS: list[Any] = [
    lambda p: p.pick() + p.pick(),
    lambda p: p.pick() * p.pick(),
    lambda p: p.pick() - 0.5,
    lambda p: ad.sin(p.pick()),
    lambda p: ad.tanh(p.pick()) * 2.0,
    lambda p: ad.nn.relu(p.pick()),
    lambda p: ad.where(p.pick() > 0.0, p.pick(), p.pick()),
    lambda p: ad.stop_gradient(p.pick()),
    lambda p: ad.floor(p.pick()),
    lambda p: ad.reduce_sum(p.pick()),
    lambda p: ad.reduce_mean(ad.reshape(p.pick(), [1, -1]), axis=-1, keepdims=True),
    lambda p: ad.maximum(p.pick(), p.pick()),
    lambda p: ad.matmul(p.matrix(), p.matrix(), transpose_b=True)[0, 1],
    lambda p: ad.concat([p.vector(), p.vector()], 0)[0],
    _indexed, _gathered, _split, _inner_gradient, _custom, _cast,
]  # fmt: skip


@st.composite
def array_programs(draw: Any) -> ArrayProgram:
    """Array programs that run."""
    return ArrayProgram(draw)
