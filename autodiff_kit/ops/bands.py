"""Layer 3: the part of a matrix around its main diagonal.

One idea: what is cut away there is cut away from the gradient too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.diagonals import diag_part, matrix_shape
from autodiff_kit.ops.integers import integer
from autodiff_kit.tensor import Tensor

__all__: list[str] = []


@lru_cache(maxsize=16)
def _band(rows: int, columns: int, lower: int, upper: int) -> Any:
    """Which elements of a matrix lie in the band."""
    right = np.arange(columns) - np.arange(rows)[:, None]  # how far right of the main diagonal
    inside = np.ones((rows, columns), bool)
    if lower >= 0:
        inside &= right >= -lower
    if upper >= 0:
        inside &= right <= upper
    inside.flags.writeable = False
    return inside


def _banded(x: Any, lower: int, upper: int) -> Any:
    return xp.where(_band(*x.shape[-2:], lower, upper), x, x.dtype.type(0))


_band_part = operation(
    "MatrixBandPart",
    "band_part",
    _banded,
    lambda dy, _x, _y, lower, upper: xp.band_part(dy, lower=lower, upper=upper),
)


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """A matrix with zeros outside a band around its main diagonal.

    Args:
      input: a tensor of shape ``(..., m, n)``.
      num_lower: how many diagonals stay below the main one; -1 for all.
      num_upper: how many stay above; -1 for all.
      name: ignored.

    Returns:
      A tensor of the same shape.

    Raises:
      InvalidArgumentError: if there are not as many diagonals, or the tensor is not a matrix.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/band_part

    >>> import autodiff_kit as ad
    >>> ad.linalg.band_part([[1.0, 2.0], [3.0, 4.0]], -1, 0).numpy().tolist()
    [[1.0, 0.0], [3.0, 4.0]]
    """
    x, lower, upper = as_tensor(input), integer(num_lower), integer(num_upper)
    shape = matrix_shape(x, "MatrixBandPart")
    for name_, given, side, most in (
        ("num_lower", lower, "rows", shape[-2]), ("num_upper", upper, "columns", shape[-1]),
    ):  # fmt: skip
        if given > most:
            raise InvalidArgumentError(
                f"{name_} must be negative or less or equal to number of {side} ({most}) got: {given} "
                "[Op:MatrixBandPart]"
            )
    return _band_part(x, lower=lower, upper=upper)


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the main diagonal, of a matrix or of each matrix in a stack.

    Args:
      x: a tensor of shape ``(..., m, n)``.
      name: ignored.

    Returns:
      A tensor of shape ``(...)``.

    Raises:
      InvalidArgumentError: if it is not a matrix, or of booleans.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/trace

    >>> import autodiff_kit as ad
    >>> ad.linalg.trace([[1.0, 2.0], [3.0, 4.0]])
    <Tensor: shape=(), dtype=float32, numpy=5.0>
    """
    part = diag_part(x)
    if part.dtype.is_bool:
        refuse_kind("Sum", part._value, "iuf")
    return xp.reduce_sum(part, axis=(part._value.ndim - 1,), keepdims=False)
