"""Layer 3: the numbers of pooling, one for each window, and how gradients come back to it.

One idea: the largest element of a window gets the whole gradient, the first one if several are equal;
of a mean each element gets its share. The largest in a box is the largest along one axis of those that
are the largest along the other, so every kernel goes from axis to axis.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from autodiff_kit.define import operation
from autodiff_kit.namespace import xp
from autodiff_kit.ops.windows import along, inside, padded, put_back
from autodiff_kit.tensor import Tensor


@lru_cache(1000)
def _steps(window: Any, strides: Any) -> tuple[tuple[int, int, int], ...]:
    """Axis, window and stride for each axis of the image, the last axis first."""
    return tuple(zip(range(1, len(window) + 1), window, strides, strict=True))[::-1]


def _maxima(x: Any, steps: Any, pads: Any) -> list[Any]:
    """The image with its margin, the maxima along its last axis, theirs along the one before, ..."""
    least = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    levels = [padded(x, pads, least)]
    for step in steps:
        levels.append(reduce(np.maximum, along(levels[-1], *step)))
    return levels


def _winners(x: Any, y: Any, *step: int) -> Iterator[Any]:
    """For each element of a window along one axis, where it is the first that equals the largest."""
    flat = y.reshape(-1)
    unknown = not flat.dot(flat) >= 0  # whether there is a nan, seen in a fifth of the time
    undecided: Any = None  # all of them
    *elements, _ = along(x, *step)
    for element in elements:
        won = element == y
        if unknown:
            won |= np.isnan(element)  # it is the largest to NumPy
        if undecided is None:
            undecided = ~won
        else:
            won &= undecided
            undecided ^= won
        yield won
    yield np.ones(y.shape, bool) if undecided is None else undecided


def _max_kernel(x: Any, window: Any, strides: Any, pads: Any) -> Any:
    return _maxima(x, _steps(window, strides), pads)[-1]


def _max_grad_kernel(dy: Any, x: Any, window: Any, strides: Any, pads: Any, y: Any = None) -> Any:
    steps = _steps(window, strides)
    if y is None:
        *levels, y = _maxima(x, steps, pads)
    else:
        levels = _maxima(x, steps[:-1], pads)
    flat = dy.reshape(-1)
    finite = bool(flat.dot(flat) < np.inf)
    for step in reversed(steps):
        level = levels.pop()
        dy, y = put_back(dy, _winners(level, y, *step), level.shape, *step, finite), level
    return inside(dy, pads)


def _max_pick_kernel(ddx: Any, x: Any, window: Any, strides: Any, pads: Any) -> Any:
    steps = _steps(window, strides)
    levels, picked = _maxima(x, steps, pads), padded(ddx, pads)
    for step, level, y in zip(steps, levels, levels[1:], strict=False):
        picked = np.select(list(_winners(level, y, *step)), along(picked, *step))
    return picked


def _sums(x: Any, window: Any, strides: Any) -> Any:
    for step in _steps(window, strides):
        x = reduce(np.add, along(x, *step))
    return x


def _counts(shape: Any, dtype: Any, window: Any, strides: Any, pads: Any) -> Any:
    """How many elements each window has that are not margin."""
    if not any(map(any, pads)):
        return dtype.type(math.prod(window))
    return _sums(padded(np.ones((1, *shape[1:-1], 1), dtype), pads), window, strides)


def _avg_kernel(x: Any, window: Any, strides: Any, pads: Any) -> Any:
    return _sums(padded(x, pads), window, strides) / _counts(
        x.shape, x.dtype, window, strides, pads
    )


def _avg_grad_kernel(dy: Any, shape: Any, window: Any, strides: Any, pads: Any) -> Any:
    dx = dy / _counts(shape, dy.dtype, window, strides, pads)
    margin = [n + sum(pad) for n, pad in zip(shape[1:-1], pads, strict=True)]
    for axis, k, stride in reversed(_steps(window, strides)):
        whole = (*dx.shape[:axis], margin[axis - 1], *dx.shape[axis + 1 :])
        dx = put_back(dx, [None] * k, whole, axis, k, stride)
    return inside(dx, pads)


# In each rule `how` is where the windows are: window, strides, pads.
def _max_rule(dy: Any, x: Any, y: Any, **how: Any) -> Any:
    if type(dy) is not Tensor:
        return _max_grad_kernel(dy, x, y=y, **how)  # here the largest are known already
    return xp.max_pool_grad(dy, x, **how)


largest_of = operation("MaxPool", "max_pool", _max_kernel, _max_rule)
operation(
    "MaxPoolGrad",
    "max_pool_grad",
    _max_grad_kernel,
    lambda ddx, _dy, x, _dx, **how: xp.max_pool_pick(ddx, x, **how),
    lambda _ddx, _dy, x, _dx, **how: xp.zeros_like(x),
)
operation(
    "MaxPoolGradGrad",
    "max_pool_pick",
    _max_pick_kernel,
    lambda dy, _ddx, x, _y, **how: xp.max_pool_grad(dy, x, **how),
    lambda _dy, _ddx, x, _y, **how: xp.zeros_like(x),
)
mean_of = operation(
    "AvgPool",
    "avg_pool",
    _avg_kernel,
    lambda dy, _x, _y, shapes, **how: xp.avg_pool_grad(dy, shape=shapes[0], **how),
)
operation(
    "AvgPoolGrad",
    "avg_pool_grad",
    _avg_grad_kernel,
    lambda ddx, _dy, _dx, shape, **how: xp.avg_pool(ddx, **how),
)
