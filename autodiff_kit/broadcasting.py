"""Layer 1: broadcasting, recorded as a step of its own.

One idea: what is spread out to many places comes back as a sum. Since the tape does this, the rules
of all operations may take it that their inputs have equal shapes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.namespace import xp
from autodiff_kit.opdef import OpDef
from autodiff_kit.tensor import NOTHING, Tensor


def spread(records: list[Any], place: int, attrs: Any, frame: Any) -> int:
    """Record broadcasting as a step of its own, so that no other rule has to undo it; its place."""
    records.append(
        (BROADCAST, place, -1, NOTHING, NOTHING, NOTHING, attrs, frame.f_code, frame.f_lasti)
    )
    return len(records) - 1


def spread_two(records: list[Any], i: int, j: int, how: Any, frame: Any) -> tuple[int, int]:
    """The places of two inputs, with a step of its own for each that is spread out and tracked."""
    how_i, how_j = how
    if how_i is not None and i >= 0:
        i = spread(records, i, how_i, frame)
    if how_j is not None and j >= 0:
        j = spread(records, j, how_j, frame)
    return i, j


def spread_all(records: list[Any], places: Any, inputs: Any, to: Any, frame: Any) -> Any:
    """The places of inputs that all have the output's shape; where one has not, it is spread out."""
    return tuple(
        [
            spread(records, place, {"shape": x._value.shape, "to": to}, frame)
            if place >= 0 and x._value.shape != to
            else place
            for place, x in zip(places, inputs, strict=True)
        ]
    )


@lru_cache(1000)
def axes_between(shape: tuple[int, ...], to: tuple[int, ...]) -> tuple[int, ...]:
    """The axes along which broadcasting repeats."""
    missing = len(to) - len(shape)
    return tuple(
        [axis for axis in range(len(to)) if axis < missing or shape[axis - missing] != to[axis]]
    )


def sum_to(dy: Any, _x: Any, _y: Any, shape: Any, to: Any) -> Any:
    """The rule of broadcasting: what went to many places comes back as a sum."""
    axes = axes_between(shape, to)
    if type(dy) is not Tensor:
        return np.add.reduce(dy, axis=axes).reshape(shape)[()]
    dx = xp.reduce_sum(dy, axis=axes, keepdims=False)
    return dx if len(axes) == len(to) - len(shape) else xp.reshape(dx, shape=shape)


def _stack_sum_to(dy: Any, _x: Any, _y: Any, shape: Any, to: Any) -> Any:
    ones = (1,) * (len(to) - len(shape)) + tuple(shape)
    axes = tuple([axis + 1 for axis in range(len(to)) if ones[axis] != to[axis]])
    return np.add.reduce(dy, axis=axes).reshape(len(dy), *shape)


BROADCAST = OpDef(
    "Broadcast", lambda x, shape, to: np.broadcast_to(x, to), (sum_to,), stacked=(_stack_sum_to,)
)
