"""Layer 3: evenly spaced numbers.

One idea: each of them is a weighted mean of the two ends, and each end gets back what its weights say.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operand, refuse_dtypes, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.integers import integer
from autodiff_kit.tensor import Tensor

__all__ = ["linspace"]


def _spaced(start: Any, stop: Any, num: int, axis: int) -> Any:
    """``start + delta * i`` rounded after each step, and the end itself at the end, as TensorFlow."""
    start, stop = np.expand_dims(start, axis), np.expand_dims(stop, axis)
    delta = (stop - start) / start.dtype.type(max(num - 1, 1))
    inner = start + delta * _along(np.arange(1, max(num - 1, 1)), start, axis)
    return np.concatenate([start, inner, stop], axis).take(range(num), axis)


def _along(numbers: Any, like: Any, axis: int) -> Any:
    shape = [1] * like.ndim
    shape[axis] = -1
    return numbers.astype(like.dtype).reshape(shape)


def _weighted(dy: Any, num: int, axis: int, of_stop: bool) -> Any:
    shape = [1] * len(dy.shape)
    shape[axis] = num
    weight = (np.arange(num) / max(num - 1, 1)).reshape(shape)
    weight = weight if of_stop else 1.0 - weight
    kind = dy._value.dtype if type(dy) is Tensor else dy.dtype
    return xp.reduce_sum(dy * weight.astype(kind), axis=(axis,), keepdims=False)


_linspace = operation(
    "LinSpace",
    "linspace",
    _spaced,
    lambda dy, _a, _b, _y, num, axis: _weighted(dy, num, axis, of_stop=False),
    lambda dy, _a, _b, _y, num, axis: _weighted(dy, num, axis, of_stop=True),
)


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, both included.

    Args:
      start, stop: floating tensors that broadcast to one shape; if both are integers, they become
        float64, or float32 if they have 8 or 16 bits.
      num: how many numbers.
      name: ignored.
      axis: where the new axis goes.

    Returns:
      A tensor with one more axis, of length ``num``.

    Raises:
      InvalidArgumentError: for a negative ``num``, an axis that there is not, dtypes that differ.
      TypeError: if ``num`` is not an integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/linspace

    >>> import autodiff_kit as ad
    >>> ad.linspace(0.0, 1.0, 5)
    <Tensor: shape=(5,), dtype=float32, numpy=array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)>
    """
    a = as_tensor(start)
    b = operand(stop, a.dtype)
    if isinstance(start, (int, float)) and b._value.dtype.kind == "f":
        a = as_tensor(start, b.dtype)  # linspace(0, 1.0, 5)
    refuse_dtypes("LinSpace", [a._value, b._value])
    count = integer(num)
    if count < 0:
        raise InvalidArgumentError(
            "Requires start <= limit when delta > 0: 1/-1 [Op:Range]; num must not be negative, but is "
            f"{count}"
        )
    if a.dtype.is_bool:
        refuse_kind("LinSpace", a._value, "iuf")
    if a.dtype.is_integer:
        wide = "float32" if a.dtype.size < 4 else "float64"
        a, b = xp.cast(a, dtype=wide), xp.cast(b, dtype=wide)
    shape = np.broadcast_shapes(a._value.shape, b._value.shape)
    where = integer(axis)
    rank = len(shape)
    if not -rank - 1 <= where <= rank:
        raise InvalidArgumentError(
            f"Tried to expand dim index {where} for tensor with {rank} dimensions. [Op:ExpandDims]"
        )
    a, b = (t if t._value.shape == shape else xp.broadcast_to(t, shape=shape) for t in (a, b))
    return _linspace(a, b, num=count, axis=where % (rank + 1))
