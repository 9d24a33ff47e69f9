"""Layer 3: the different elements of a vector.

One idea: TensorFlow has no gradient for this, and says so instead of giving None; so does the kit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.ops.creation import counting
from autodiff_kit.registry import missing
from autodiff_kit.tensor import Tensor

__all__ = ["unique", "unique_with_counts"]


class Unique(NamedTuple):
    """The different elements, and for each element which of them it is."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """As `Unique`, and how often each of them occurs."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # TensorFlow's name, which tuples have too


def _different(x: Any, dtype: str) -> Any:
    values, first, which, count = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return values[order], rank[which.reshape(-1)].astype(dtype), count[order].astype(dtype)


_unique = operation("Unique", "unique", lambda x, dtype: _different(x, dtype)[:2], pull=missing)
_unique_with_counts = operation("UniqueWithCounts", "unique_with_counts", _different, pull=missing)


def _vector(x: Any) -> Tensor:
    tensor = as_tensor(x)
    if tensor._value.ndim != 1:
        raise InvalidArgumentError("unique expects a 1D vector. [Op:Unique]")
    return tensor


def unique(x: Any, out_idx: Any = "int32", name: str | None = None) -> Unique:
    """The different elements of a vector, in the order in which they first occur.

    Args:
      x: a vector.
      out_idx: the dtype of the positions, int32 or int64.
      name: ignored.

    Returns:
      A named tuple: ``y``, the different elements, and ``idx``, for each element its place in ``y``.

    Raises:
      InvalidArgumentError: if ``x`` is not a vector.
      LookupError: when a gradient is asked for: there is no rule for it, unless you register one.

    Source: https://www.tensorflow.org/api_docs/python/tf/unique

    >>> import autodiff_kit as ad
    >>> ad.unique([3, 1, 3]).y
    <Tensor: shape=(2,), dtype=int32, numpy=array([3, 1], dtype=int32)>
    """
    return Unique(*_unique(_vector(x), dtype=counting("Unique", out_idx)))


def unique_with_counts(x: Any, out_idx: Any = "int32", name: str | None = None) -> UniqueWithCounts:
    """As `ad.unique`, with a third part, ``count``: how often each element occurs.

    Source: https://www.tensorflow.org/api_docs/python/tf/unique_with_counts

    >>> import autodiff_kit as ad
    >>> ad.unique_with_counts([3, 1, 3]).count
    <Tensor: shape=(2,), dtype=int32, numpy=array([2, 1], dtype=int32)>
    """
    dtype = counting("UniqueWithCounts", out_idx)
    return UniqueWithCounts(*_unique_with_counts(_vector(x), dtype=dtype))
