"""Layer 3: variance, standard deviation and norms.

One idea: all but the Euclidean norm are made of operations that have their rules already.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import operation
from autodiff_kit.namespace import xp
from autodiff_kit.ops.arithmetic import pow, square
from autodiff_kit.ops.largest import reduce_max
from autodiff_kit.ops.reduction import ADD, Axes, kept_shape, reduce_mean, reduce_sum, reducer
from autodiff_kit.ops.roots import abs, sqrt
from autodiff_kit.tensor import Tensor

__all__ = ["norm"]


def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean squared distance from the mean, along axes.

    Args:
      input_tensor: a floating tensor.
      axis: an axis or several; None for all.
      keepdims: whether reduced axes stay, with length 1.
      name: ignored.

    Returns:
      A tensor of the same dtype without the reduced axes.

    Raises:
      TypeError: for an integer tensor.
      InvalidArgumentError: for an axis that the tensor has not.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_variance

    >>> import autodiff_kit as ad
    >>> ad.math.reduce_variance([1.0, 3.0])
    <Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    x = as_tensor(input_tensor)
    means = reduce_mean(x, axis, keepdims=True)
    if x.dtype.is_integer:
        raise TypeError(
            f"Input must be either real or complex. Received integer type {x.dtype}; use ad.cast"
        )
    return reduce_mean(square(x - means), axis, keepdims)


def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The standard deviation along axes, the root of `reduce_variance`.

    Its gradient is NaN where all elements are equal.

    Arguments, result and errors are those of `ad.math.reduce_variance`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_std

    >>> import autodiff_kit as ad
    >>> ad.math.reduce_std([1.0, 3.0])
    <Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


def _norm(x: Any, axis: Axes, keepdims: bool) -> Any:
    values = x if x.dtype.kind == "f" else x.astype(np.float64)
    squares = values * values
    if axis:
        squares = ADD.reduce(squares, axis=axis, keepdims=keepdims)
    return np.sqrt(squares).astype(x.dtype, copy=False)[()]


def _norm_rule(dy: Any, x: Any, y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    kept = kept_shape(shapes[0], axis)
    return x / (xp.reshape(y, shape=kept) / xp.reshape(dy, shape=kept))


reduce_euclidean_norm = reducer(
    operation("EuclideanNorm", "reduce_euclidean_norm", _norm, _norm_rule),
    "reduce_euclidean_norm",
    "iuf",
    "The root of the sum of squares along axes; its gradient is NaN where all elements are 0.",
    "that of no elements is 0",
    """>>> ad.math.reduce_euclidean_norm([3.0, 4.0])
    <Tensor: shape=(), dtype=float32, numpy=5.0>""",
)


def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The norm of vectors or matrices. The gradient of the Euclidean one is NaN at 0.

    Args:
      tensor: a floating tensor.
      ord: ``"euclidean"``, 1, 2, ``inf`` or another positive number; ``"fro"``, 1 or ``inf`` for
        matrices.
      axis: None for the norm of all elements, an axis for vectors, a pair of axes for matrices.
      keepdims: whether reduced axes stay, with length 1.
      name: ignored.

    Returns:
      A tensor without the reduced axes.

    Raises:
      ValueError: for another ``ord`` or ``axis``.

    Source: https://www.tensorflow.org/api_docs/python/tf/norm

    >>> import autodiff_kit as ad
    >>> ad.norm([3.0, 4.0])
    <Tensor: shape=(), dtype=float32, numpy=5.0>
    """
    matrix = isinstance(axis, (list, tuple)) and len(axis) == 2
    _refuse_norm(ord, axis, matrix)
    axes = tuple(axis) if matrix else axis
    x, keep = as_tensor(tensor), bool(keepdims)
    if ord in ("fro", "euclidean", 2):
        return sqrt(reduce_sum(x * x, axes, keep))
    if not matrix:
        return _vector_norm(abs(x), ord, axes, keep)
    inner, outer = (axes[0], axes[1]) if ord == 1 else (axes[1], axes[0])
    sums = reduce_max(reduce_sum(abs(x), inner, keepdims=True), outer, keepdims=True)
    return sums if keep else reduce_sum(sums, axes)


def _vector_norm(x: Tensor, ord: Any, axis: Any, keep: bool) -> Tensor:
    if ord == 1:
        return reduce_sum(x, axis, keep)
    if ord == math.inf:
        return reduce_max(x, axis, keep)
    return pow(reduce_sum(pow(x, float(ord)), axis, keep), 1.0 / ord)


def _refuse_norm(ord: Any, axis: Any, matrix: bool) -> None:
    if matrix and (not all(isinstance(a, int) for a in axis) or axis[0] == axis[1]):
        raise ValueError(
            f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {tuple(axis)}"
        )
    if matrix and ord == 2:
        raise ValueError(
            "'ord' 2 of a matrix needs singular values, which the kit has not; see 'fro'"
        )
    if matrix and ord not in ("euclidean", "fro", 1, math.inf):
        raise ValueError(
            f"'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, inf], got {ord}"
        )
    if not matrix and axis is not None and not isinstance(axis, int):
        raise ValueError(
            f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}"
        )
    positive = isinstance(ord, (int, float)) and ord > 0
    if not matrix and not positive and ord != "euclidean":
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
