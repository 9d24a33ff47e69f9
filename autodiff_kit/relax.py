"""Layer 4: `ad.relax`, floor and what can stand in its place where a gradient is needed.

One idea: floor is flat almost everywhere, so no gradient flows through it. Each function here gives up
something: the steps are not quite steps (`piecewise_linear`, `sigmoid_sum`, `sigmoid_nearest`,
`fourier`, `filtered`), or the gradient is not that of the value (`straight_through`), or nothing is
gained at all (`detour`). Where the gradient is a true derivative, the docstring says so.

Source: https://arxiv.org/abs/1308.3432 (straight-through and its relatives)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit import lazy
from autodiff_kit.convert import as_tensor
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.ops.activation import relu
from autodiff_kit.ops.comparison import equal
from autodiff_kit.ops.exponential import sigmoid
from autodiff_kit.ops.identity import stop_gradient
from autodiff_kit.ops.joining import concat
from autodiff_kit.ops.reduction import reduce_sum
from autodiff_kit.ops.rounding import floor, round
from autodiff_kit.ops.select import where
from autodiff_kit.ops.shape import reshape, transpose
from autodiff_kit.ops.trigonometry import sin
from autodiff_kit.tensor import Tensor

__all__ = [
    "detour", "filtered", "floor", "fourier", "piecewise_linear", "sigmoid_nearest", "sigmoid_sum",
    "straight_through",
]  # fmt: skip
__dir__ = lazy.shown(globals())


def detour(x: Any) -> Tensor:
    """``x - (x - floor(x))``: the value of floor, and a gradient that is 0 instead of None.

    The two ways that x takes cancel: 1 - 1 = 0. It is the true derivative between the steps, and
    useless for training.

    Args:
      x: a floating tensor.

    Returns:
      A tensor of the same shape and dtype.

    >>> import autodiff_kit as ad
    >>> x = ad.Variable([0.5, 2.7])
    >>> with ad.GradientTape() as tape:
    ...     y = ad.relax.detour(x)
    >>> y.numpy(), tape.gradient(y, x).numpy()
    (array([0., 2.], dtype=float32), array([0., 0.], dtype=float32))
    """
    x = _floating(x)
    return x - (x - floor(x))


def straight_through(x: Any, like: Callable[[Tensor], Tensor] | None = None) -> Tensor:
    """Exactly floor on the way there; on the way back as if it had been ``like``, at first x itself.

    ``stop_gradient(floor(x)) + (like(x) - stop_gradient(like(x)))``. The gradient is that of ``like``,
    which is not the derivative of the value: it says in which direction to move, not how far.

    Args:
      x: a floating tensor.
      like: a function whose gradient is used, for example another relaxation of floor, with its own
        smoothness; the identity, with gradient 1, if not given.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      TypeError: if ``like`` is no function but what one returned.

    Source: https://arxiv.org/abs/1308.3432

    >>> import autodiff_kit as ad
    >>> x = ad.Variable([0.5, 2.7])
    >>> with ad.GradientTape() as tape:
    ...     y = ad.relax.straight_through(x)
    >>> y.numpy(), tape.gradient(y, x).numpy()
    (array([0., 2.], dtype=float32), array([1., 1.], dtype=float32))
    """
    x = _floating(x)
    if like is not None and not callable(like):
        raise TypeError(f"like must be a function, got {like!r}; write its name without brackets")
    smooth = x if like is None else like(x)
    return stop_gradient(floor(x)) + (smooth - stop_gradient(smooth))


def piecewise_linear(x: Any, width: float = 0.1) -> Tensor:
    """A staircase whose steps are ramps: ``floor(x) + max(0, (x - floor(x) - (1 - width)) / width)``.

    Before each integer it climbs along a ramp, and is exactly floor elsewhere. The gradient is the true
    derivative: ``1 / width`` on a ramp and 0 on a step; at the corners 0.

    Args:
      x: a floating tensor.
      width: the part of each step that is a ramp, above 0 and at most 1; at 1 it is x itself.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: for another width.

    >>> import autodiff_kit as ad
    >>> x = ad.Variable([0.5, 0.75, 1.0])
    >>> with ad.GradientTape() as tape:
    ...     y = ad.relax.piecewise_linear(x, width=0.5)
    >>> y.numpy(), tape.gradient(y, x).numpy()
    (array([0. , 0.5, 1. ], dtype=float32), array([0., 2., 0.], dtype=float32))
    """
    x = _floating(x)
    if not 0 < width <= 1:
        raise ValueError(f"width must be above 0 and at most 1, got {width}")
    steps = floor(x)
    return steps + relu((x - steps - (1.0 - width)) / width)


def sigmoid_nearest(x: Any, sharpness: float = 20.0) -> Tensor:
    """A staircase with one sigmoid at the nearest integer: ``n - 1 + sigmoid(k (x - n))``, n =
    round(x).

    Its middle is at the integer, where it is half a step below floor. The gradient is the true
    derivative, ``k s (1 - s)``, except half-way between integers, where the value jumps by
    ``1 - 2 sigmoid(k / 2)``, next to nothing for a large k.

    Args:
      x: a floating tensor.
      sharpness: k, above 0; the larger, the steeper.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: for another sharpness.

    >>> import autodiff_kit as ad
    >>> x = ad.Variable([0.0, 1.0])
    >>> with ad.GradientTape() as tape:
    ...     y = ad.relax.sigmoid_nearest(x)
    >>> y.numpy(), tape.gradient(y, x).numpy()
    (array([-0.5,  0.5], dtype=float32), array([5., 5.], dtype=float32))
    """
    x = _floating(x)
    _positive("sharpness", sharpness)
    nearest = round(x)
    return nearest - 1.0 + sigmoid(sharpness * (x - nearest))


def sigmoid_sum(x: Any, sharpness: float = 20.0) -> Tensor:
    """A staircase that is a sum of sigmoids, one at each integer: ``sum_n sigmoid(k (x - n))``.

    The sum over all n is taken relative to 0, so that the middle of the step at n lies at ``n - 1/2``;
    only the integers near x are computed, those beyond add less than the smallest digit. The gradient
    is the true derivative, ``sum_n k s_n (1 - s_n)``, everywhere.

    Args:
      x: a floating tensor.
      sharpness: k, above 0; the larger, the steeper. For small k it becomes ``x - 1/2``.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: for another sharpness.

    >>> import autodiff_kit as ad
    >>> ad.relax.sigmoid_sum([0.0, 0.5, 1.0]).numpy()
    array([-0.5,  0. ,  0.5], dtype=float32)
    """
    x = _floating(x)
    _positive("sharpness", sharpness)
    reach = max(1, math.ceil(37 / sharpness))  # exp(-37) is below the last digit of a float64
    nearest = stop_gradient(round(x))
    near = np.arange(-reach, reach + 1).astype(x.dtype.as_numpy_dtype)
    each = sigmoid(sharpness * (reshape(x - nearest, (*x.shape, 1)) - near))
    return nearest - (reach + 1.0) + reduce_sum(each, axis=-1)


def fourier(x: Any, terms: int = 8) -> Tensor:
    """The first terms of floor's Fourier series: ``x - 1/2 + sum_n sin(2 pi n x) / (pi n)``.

    Floor as a low-pass filter lets it through: no corners, but ripples, and a steepness of
    ``1 + 2 terms`` at each integer, where the value is half-way. The gradient is the true derivative,
    ``1 + 2 sum_n cos(2 pi n x)``, which is negative on the ripples.

    Args:
      x: a floating tensor.
      terms: how many sines, at least 0; the more, the steeper.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: for a negative number of terms.

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(1.0)
    >>> with ad.GradientTape() as tape:
    ...     y = ad.relax.fourier(x)
    >>> print(tape.gradient(y, x).numpy())
    17.0
    """
    x = _floating(x)
    if terms < 0:
        raise ValueError(f"terms must not be negative, got {terms}")
    y = x - 0.5
    for n in range(1, terms + 1):
        y = y + sin((2.0 * math.pi * n) * x) / (math.pi * n)
    return y


def filtered(x: Any, width: int = 2, axis: int = -1) -> Tensor:
    """Floor of a time series, averaged over time: what a filter would make of it.

    Between two samples the series is taken to go straight from one to the other, and floor is averaged
    over that time: ``(F(b) - F(a)) / (b - a)`` with ``F(x) = n (x - (n + 1) / 2)``, ``n = floor(x)``,
    the integral of floor. Each output is the mean of ``width`` such intervals, as many before as after
    its time; beyond its ends the series stays what it is there. The gradient is the true derivative: it
    is not 0 where the series crosses an integer on its way.

    Args:
      x: a floating tensor, a time series along ``axis``.
      width: how many intervals to average, even and at least 2; the more, the smoother.
      axis: the axis of time.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: for another width, or if x has no such axis.

    Source: Parker, Zavalishin and Le Bivic, Reducing the Aliasing of Nonlinear Waveshaping Using
    Continuous-Time Convolution, DAFx 2016 (averaging a function between samples by its integral)

    >>> import autodiff_kit as ad
    >>> ad.relax.filtered([0.0, 0.5, 1.0, 1.5, 2.0]).numpy()
    array([0. , 0. , 0.5, 1. , 1.5], dtype=float32)
    """
    x = _floating(x)
    rank = len(x.shape)
    if width < 2 or width % 2:
        raise ValueError(f"width must be even and at least 2, got {width}")
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is not one of a series with shape {x.shape}")
    order = [a for a in range(rank) if a != axis % rank] + [axis % rank]
    series = transpose(x, order)
    half, length = width // 2, series.shape[-1]
    padded = concat([series[..., :1]] * half + [series] + [series[..., -1:]] * half, axis=-1)
    means = mean_between(padded[..., :-1], padded[..., 1:])
    total = means[..., :length]
    for shift in range(1, width):
        total = total + means[..., shift : shift + length]
    return transpose(total / float(width), np.argsort(order).tolist())


def mean_between(a: Tensor, b: Tensor) -> Tensor:
    """The mean of floor over the straight way from ``a`` to ``b``; floor(a) if they are equal."""
    base = stop_gradient(floor(where(a < b, a, b)))  # counted from here nothing large cancels

    def integral(x: Tensor) -> Tensor:
        steps = floor(x)
        return steps * (x - (steps + 1.0) / 2.0)

    way = b - a
    safe = where(equal(way, 0.0), _ones(way), way)
    return base + (integral(b - base) - integral(a - base)) / safe


def _ones(x: Tensor) -> Tensor:
    return as_tensor(np.ones_like(x._value))


def _floating(x: Any) -> Tensor:
    tensor = as_tensor(x)
    if not tensor.dtype.is_floating:
        raise InvalidArgumentError(
            f"A relaxation of floor takes floating tensors, got {tensor.dtype.name}; use ad.cast"
        )
    return tensor


def _positive(what: str, value: float) -> None:
    if not value > 0:
        raise ValueError(f"{what} must be above 0, got {value}")
