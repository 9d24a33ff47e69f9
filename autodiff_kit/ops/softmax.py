"""Layer 3: softmax and its logarithm.

One idea: the logarithm of a softmax is computed in one piece, because the two apart overflow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import op_of, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted
from autodiff_kit.ops.integers import integer
from autodiff_kit.ops.largest import largest_along
from autodiff_kit.ops.reduction import ADD
from autodiff_kit.tensor import Tensor

__all__ = ["log_softmax", "softmax"]


def shifted(x: Any, axis: int) -> Any:
    """The logits less their maximum, in an array of our own: exp of it cannot overflow."""
    return x - largest_along(x, (axis,), True)


def softmax_kernel(x: Any, axis: int) -> Any:
    y = shifted(x, axis)
    np.exp(y, out=y)
    y /= ADD.reduce(y, axis, None, None, True)
    return y


def log_softmax_kernel(x: Any, axis: int) -> Any:
    y = shifted(x, axis)
    y -= np.log(ADD.reduce(np.exp(y), axis, None, None, True))
    return y


def _softmax_rule(dy: Any, _x: Any, y: Any, axis: int) -> Any:
    return (dy - xp.reduce_sum(dy * y, axis=(axis,), keepdims=True)) * y


def _log_softmax_rule(dy: Any, _x: Any, y: Any, axis: int) -> Any:
    return dy - xp.reduce_sum(dy, axis=(axis,), keepdims=True) * xp.exp(y)


_softmax = operation("Softmax", "softmax", softmax_kernel, _softmax_rule)
_SOFTMAX = op_of(_softmax)
_log_softmax = operation("LogSoftmax", "log_softmax", log_softmax_kernel, _log_softmax_rule)


def prepared(op_type: str, logits: Any, axis: Any) -> tuple[Tensor, int]:
    x = as_tensor(logits)
    if x._value.dtype.kind != "f":
        refuse_kind(op_type, x._value, "f")
    rank = x._value.ndim
    if rank == 0:
        raise InvalidArgumentError(f"logits must have >= 1 dimension, got [] [Op:{op_type}]")
    axis = -1 if axis is None else integer(axis)
    if not -rank <= axis < rank:
        raise InvalidArgumentError(
            f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of dimensions "
            f"in the input. Received: dim={axis}"
        )
    return x, axis % rank


def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """``exp(x) / reduce_sum(exp(x), axis)``: positive numbers whose sum along an axis is one.

    Args:
      logits: a floating tensor with at least one axis.
      axis: the axis; the last one if not given.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      InvalidArgumentError: for integers, a single number, or an axis that there is not.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/softmax

    >>> import autodiff_kit as ad
    >>> ad.nn.softmax([0.0, 0.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([0.5, 0.5], dtype=float32)>
    """
    x, axis = prepared("Softmax", logits, axis)
    return noted(_SOFTMAX, x, softmax_kernel(x._value, axis), {"axis": axis})


def log_softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """The logarithm of `softmax`, computed so that it does not overflow.

    Arguments, result and errors are those of `ad.nn.softmax`.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/log_softmax

    >>> import autodiff_kit as ad
    >>> ad.nn.log_softmax([1000.0, 0.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([    0., -1000.], dtype=float32)>
    """
    x, axis = prepared("LogSoftmax", logits, axis)
    return _log_softmax(x, axis=axis)
