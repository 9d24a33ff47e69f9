"""Layer 3: where the largest or smallest element is, and questions about all elements.

One idea: a position, a count or a truth jumps, so no gradient flows back through it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit import dtypes
from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.define import op_of, operation
from autodiff_kit.dtypes import as_dtype
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.reduction import Axes, axes_of, reduce_mean, reduce_sum
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["argmax", "argmin", "reduce_all", "reduce_any"]

_POSITIONS = ("int16", "uint16", "int32", "int64")


def _first(find: Callable[..., Any], worst: float) -> Callable[..., Any]:
    """A kernel that passes over NaN, as TensorFlow's does."""

    def kernel(x: Any, axis: int, output_type: str) -> Any:
        if x.dtype.kind == "f":
            unknown = np.isnan(x)
            if unknown.any():
                x = np.where(unknown, x.dtype.type(worst), x)
        return find(x, axis=axis).astype(output_type)[()]

    return kernel


_argmax = operation("ArgMax", "argmax", _first(np.argmax, -np.inf), no_gradient)
_argmin = operation("ArgMin", "argmin", _first(np.argmin, np.inf), no_gradient)


def _position(op: Callable[..., Tensor], word: str, found: int) -> Callable[..., Tensor]:
    op_type, name = op_of(op).type, op.__name__

    def position(
        input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
    ) -> Tensor:
        x, wanted = as_tensor(input), as_dtype(output_type)
        if wanted.name not in _POSITIONS:
            raise InvalidArgumentError(
                f"Value for attr 'output_type' of {wanted.error_name} is not in the list of allowed "
                f"values: {', '.join(_POSITIONS)} [Op:{op_type}]"
            )
        return op(x, axis=_one_axis(op_type, axis, x._value.shape), output_type=wanted.name)

    position.__name__ = position.__qualname__ = name
    position.__doc__ = f"""Where the {word} element along one axis is; the first of several.

    No gradient flows through it.

    Args:
      input: a tensor.
      axis: the axis; None is axis 0, not all of them.
      output_type: the dtype of the positions: int16, uint16, int32 or int64.
      name: ignored.

    Returns:
      A tensor of positions without that axis.

    Raises:
      InvalidArgumentError: for an axis that the tensor has not or that is empty.
      TypeError: if ``axis`` is not an integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    >>> ad.{name}([2.0, 5.0, 1.0])
    <Tensor: shape=(), dtype=int64, numpy={found}>
    """
    return position


def _one_axis(op_type: str, axis: Any, shape: tuple[int, ...]) -> int:
    axis, rank = 0 if axis is None else axis, len(shape)
    if not hasattr(axis, "__index__"):
        raise TypeError("axis must be int or Tensor with integer datatype")
    axis = int(axis)
    if not -rank <= axis < rank:
        raise InvalidArgumentError(
            f"Expected dimension in the range [{-rank}, {rank}), but got {axis} [Op:{op_type}]"
        )
    if not shape[axis]:
        raise InvalidArgumentError(
            f"Reduction axis {axis % rank} is empty in shape {list(shape)} [Op:{op_type}]"
        )
    return axis % rank


argmax = _position(_argmax, "largest", 1)
argmin = _position(_argmin, "smallest", 2)


def _truth(op_type: str, name: str, ufunc: Any, word: str, found: bool) -> Callable[..., Tensor]:
    def kernel(x: Any, axis: Axes, keepdims: bool) -> Any:
        return ufunc.reduce(x, axis=axis, keepdims=keepdims)[()] if axis else x

    op = operation(op_type, name, kernel, no_gradient)

    def reduce(
        input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
    ) -> Tensor:
        known = is_tensor(input_tensor) or hasattr(input_tensor, "dtype")
        x = as_tensor(input_tensor, None if known else dtypes.bool)
        if not x.dtype.is_bool:
            raise InvalidArgumentError(
                f"cannot compute {op_type} as input #0(zero-based) was expected to be a bool tensor "
                f"but is a {x.dtype.error_name} tensor [Op:{op_type}]; compare first, for example "
                "x != 0"
            )
        axes = axes_of(op_type, axis, x._value.shape)
        return op(x, axis=axes, keepdims=bool(keepdims))

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = f"""Whether {word} of the elements along axes are true. No gradient flows.

    Args:
      input_tensor: a bool tensor.
      axis: an axis or several; None for all.
      keepdims: whether reduced axes stay, with length 1.
      name: ignored.

    Returns:
      A bool tensor without the reduced axes.

    Raises:
      InvalidArgumentError: if the tensor is not bool, or for an axis that it has not.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    >>> ad.{name}([True, False])
    <Tensor: shape=(), dtype=bool, numpy={found}>
    """
    return reduce


reduce_all = _truth("All", "reduce_all", np.logical_and, "all", False)
reduce_any = _truth("Any", "reduce_any", np.logical_or, "any", True)


def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """How many elements along axes are not zero. No gradient flows through it.

    Args:
      input: a numeric or bool tensor.
      axis: an axis or several; None for all.
      keepdims: whether reduced axes stay, with length 1.
      dtype: the dtype of the count.
      name: ignored.

    Returns:
      A tensor without the reduced axes.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/count_nonzero

    >>> import autodiff_kit as ad
    >>> ad.math.count_nonzero([0.0, 2.0, 3.0])
    <Tensor: shape=(), dtype=int64, numpy=2>
    """
    x = as_tensor(input)
    found = x if x.dtype.is_bool else xp.not_equal(x, tensor_of(x._value.dtype.type(0)))
    counted = reduce_sum(xp.cast(found, dtype="int64"), axis, bool(keepdims))
    return xp.cast(counted, dtype=as_dtype(dtype).name)


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """Which part of the elements is zero. No gradient flows through it.

    Args:
      value: a numeric tensor.
      name: ignored.

    Returns:
      A float32 number from 0 to 1; NaN for a tensor without elements.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/zero_fraction

    >>> import autodiff_kit as ad
    >>> ad.math.zero_fraction([0.0, 2.0])
    <Tensor: shape=(), dtype=float32, numpy=0.5>
    """
    x = as_tensor(value)
    is_zero = xp.equal(x, tensor_of(x._value.dtype.type(0)))
    return reduce_mean(xp.cast(is_zero, dtype="float32"))
