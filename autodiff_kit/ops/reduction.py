"""Layer 3: sums, means and extremes along axes.

One idea: what many elements share on the way there, each of them gets on the way back.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.operation import xp
from autodiff_kit.tensor import Tensor

__all__ = ["reduce_mean", "reduce_sum"]

Axes = tuple[int, ...]


def axes_of(op_type: str, axis: Any, shape: tuple[int, ...]) -> Axes:
    """The axes to reduce as a sorted tuple of non-negative numbers; None means all of them."""
    rank = len(shape)
    if axis is None:
        return tuple(range(rank))
    axes = [int(a) for a in np.ravel(np.asarray(axis))]
    for a in axes:
        if not -rank <= a < rank:
            raise InvalidArgumentError(
                f"Invalid reduction dimension ({a} for input with {rank} dimension(s) [Op:{op_type}]"
            )
    axes = sorted(a % rank for a in axes)
    for a, b in pairwise(axes):
        if a == b:
            raise InvalidArgumentError(
                "Invalid reduction arguments: Axes contains duplicate dimension: "
                f"{a} [Op:{op_type}]"
            )
    return tuple(axes)


def kept_shape(shape: tuple[int, ...], axes: Axes) -> tuple[int, ...]:
    """The shape with ones in place of the reduced axes."""
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


def _sum(x: Any, axis: Axes, keepdims: bool) -> Any:
    return np.add.reduce(x, axis=axis, keepdims=keepdims)[()] if axis else x


def _sum_rule(dy: Any, _x: Any, _y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    if not axis:
        return dy
    return xp.broadcast_to(xp.reshape(dy, shape=kept_shape(shapes[0], axis)), shape=shapes[0])


_reduce_sum = operation("Sum", "reduce_sum", _sum, _sum_rule)


def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The sum of the elements along axes.

    Args:
      input_tensor: a numeric tensor.
      axis: an axis or several; None for all.
      keepdims: whether reduced axes stay, with length 1.
      name: ignored.

    Returns:
      The tensor of sums; the sum of no elements is 0.

    Raises:
      InvalidArgumentError: for an axis that the tensor has not.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_sum

    >>> import autodiff_kit as ad
    >>> ad.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([4., 6.], dtype=float32)>
    """
    x = as_tensor(input_tensor)
    axes = axes_of("Sum", axis, x._value.shape)
    return _reduce_sum(x, axis=axes, keepdims=keepdims)  # type: ignore[no-any-return]


def count(shape: tuple[int, ...], axes: Axes) -> int:
    """How many elements go into each one of the result."""
    return math.prod([shape[a] for a in axes])


def _mean(x: Any, axis: Axes, keepdims: bool) -> Any:
    if not axis:
        return x
    n = count(x.shape, axis)
    if x.dtype.kind == "f":
        return np.add.reduce(x, axis=axis, keepdims=keepdims)[()] / x.dtype.type(n)
    total = np.asarray(np.add.reduce(x, axis=axis, keepdims=keepdims))
    quotient = total // max(n, 1)
    quotient += (total < 0) & (quotient * n != total)  # integers round towards zero
    return quotient.astype(x.dtype)[()]


def _mean_rule(dy: Any, _x: Any, _y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    if not axis:
        return dy
    # Before it is spread out, and before any other rule: TensorFlow's order, to the last bit.
    share = xp.reshape(dy / float(count(shapes[0], axis) or 1), shape=kept_shape(shapes[0], axis))
    return xp.broadcast_to(share, shape=shapes[0])


_reduce_mean = operation("Mean", "reduce_mean", _mean, _mean_rule)


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean of the elements along axes.

    Args:
      input_tensor: a numeric tensor; the mean of integers is an integer, rounded towards zero.
      axis: an axis or several; None for all.
      keepdims: whether reduced axes stay, with length 1.
      name: ignored.

    Returns:
      The tensor of means; the mean of no elements is NaN.

    Raises:
      InvalidArgumentError: for an axis that the tensor has not.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_mean

    >>> import autodiff_kit as ad
    >>> ad.reduce_mean([[1.0, 2.0], [3.0, 4.0]], axis=0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """
    x = as_tensor(input_tensor)
    axes = axes_of("Mean", axis, x._value.shape)
    return _reduce_mean(x, axis=axes, keepdims=keepdims)  # type: ignore[no-any-return]
