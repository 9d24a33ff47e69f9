"""Layer 3: which steps of each sequence are there, and a shape that is made sure of.

One idea: sequences of several lengths share a tensor of the longest; a mask says how far each goes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import operation
from autodiff_kit.dtypes import as_dtype
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.ops.integers import integer, integers, listed
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["ensure_shape", "sequence_mask"]


def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: Any = "bool", name: str | None = None
) -> Tensor:
    """For each length a row that is True as far as the length goes, and False after it.

    Args:
      lengths: a tensor of numbers.
      maxlen: how long the rows are; the largest length, if it is None.
      dtype: of the result; in a number type True is 1.
      name: ignored.

    Returns:
      A tensor of shape ``lengths.shape + [maxlen]``. No gradient flows back to the lengths.

    Raises:
      ValueError: for a ``maxlen`` that is not one number.
      InvalidArgumentError: for a negative ``maxlen``.

    Source: https://www.tensorflow.org/api_docs/python/tf/sequence_mask

    >>> import autodiff_kit as ad
    >>> ad.sequence_mask([1, 3], dtype=ad.int32)
    <Tensor: shape=(2, 3), dtype=int32, numpy=
    array([[1, 0, 0],
           [1, 1, 1]], dtype=int32)>
    """
    numbers = np.asarray(as_tensor(lengths)._value)
    longest = np.max(numbers, initial=0) if maxlen is None else as_tensor(maxlen)._value
    if np.ndim(longest):
        raise ValueError(
            f"Argument `maxlen` must be scalar for sequence_mask, received `maxlen` = {maxlen} with "
            f"shape '{np.shape(longest)}' instead"
        )
    if longest < 0:
        raise InvalidArgumentError(
            f"Requires start <= limit when delta > 0: 0/{longest} [Op:Range]"
        )
    steps = np.arange(int(np.ceil(longest)))
    mask = steps < numbers[..., None].astype(np.asarray(longest).dtype)
    return tensor_of(mask.astype(as_dtype(dtype).as_numpy_dtype))


_ensured = operation(
    "EnsureShape", "ensure_shape", lambda x, shape: x, lambda dy, _x, _y, shape: dy
)


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same value, if it has the shape that it is to have.

    Args:
      x: any tensor.
      shape: a shape, in which None fits any length; None alone fits all shapes.
      name: ignored.

    Returns:
      The value as a new tensor; the gradient passes unchanged.

    Raises:
      InvalidArgumentError: if the shape is another one.

    Source: https://www.tensorflow.org/api_docs/python/tf/ensure_shape

    >>> import autodiff_kit as ad
    >>> ad.ensure_shape([1.0, 2.0], [None])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    tensor, wanted = as_tensor(x), _partial(shape)
    if not tensor.shape.is_compatible_with(wanted):
        lengths = ["?" if length is None else length for length in wanted or ()]
        raise InvalidArgumentError(
            f"Shape of tensor input {listed(tensor._value.shape)} is not compatible with expected "
            f"shape {listed(lengths)}. [Op:EnsureShape]"
        )
    return _ensured(tensor, shape=wanted)


def _partial(shape: Any) -> tuple[int | None, ...] | None:
    """A shape that may have gaps, with Python's numbers."""
    if shape is None:
        return None
    lengths = shape if isinstance(shape, (list, tuple)) else integers(shape)
    return tuple([None if length is None else integer(length) for length in lengths])
