"""Layer 3: axes of length 1, put in and taken out.

One idea: the numbers stay where they are, so the way back is the old shape.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.ops.integers import integers
from autodiff_kit.ops.shape import reshaped_back
from autodiff_kit.tensor import Tensor

__all__ = ["expand_dims", "squeeze"]


_expand_dims = operation(
    "ExpandDims", "expand_dims", lambda x, axis: x[(slice(None),) * axis + (None,)], reshaped_back
)
_squeeze = operation("Squeeze", "squeeze", lambda x, axis: x.squeeze(axis)[()], reshaped_back)


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """The same numbers with a new axis of length 1.

    Args:
      input: any tensor.
      axis: where the new axis is in the result; negative counts from the end.
      name: ignored.

    Returns:
      A tensor of one more axis.

    Raises:
      InvalidArgumentError: for an axis out of range.

    Source: https://www.tensorflow.org/api_docs/python/tf/expand_dims

    >>> import autodiff_kit as ad
    >>> ad.expand_dims([1.0, 2.0], 0)
    <Tensor: shape=(1, 2), dtype=float32, numpy=array([[1., 2.]], dtype=float32)>
    """
    x = input if type(input) is Tensor else as_tensor(input)
    axes = integers(axis)
    if len(axes) != 1:
        raise InvalidArgumentError("'dim' must be a tensor with a single value [Op:ExpandDims]")
    where, rank = axes[0], x._value.ndim
    if not -rank - 1 <= where <= rank:
        raise InvalidArgumentError(
            f"Tried to expand dim index {where} for tensor with {rank} dimensions. [Op:ExpandDims]"
        )
    return _expand_dims(x, axis=where % (rank + 1))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """The same numbers without axes of length 1.

    Args:
      input: any tensor.
      axis: one or several axes to take out; all of length 1 if not given.
      name: ignored.

    Returns:
      A tensor of fewer axes.

    Raises:
      InvalidArgumentError: for an axis out of range, or one whose length is not 1.

    Source: https://www.tensorflow.org/api_docs/python/tf/squeeze

    >>> import autodiff_kit as ad
    >>> ad.squeeze([[1.0, 2.0]])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    x = input if type(input) is Tensor else as_tensor(input)
    shape = x._value.shape
    axes = () if axis is None else integers(axis)
    for a in axes:
        if not -len(shape) <= a < len(shape):
            raise InvalidArgumentError(
                f"Tried to squeeze dim index {a} for tensor with {len(shape)} dimensions. [Op:Squeeze]"
            )
        if shape[a] != 1:
            raise InvalidArgumentError(
                f"Can not squeeze dim[{a % len(shape)}], expected a dimension of 1, got {shape[a]} "
                "[Op:Squeeze]"
            )
    if axes:
        chosen = sorted({a % len(shape) for a in axes})
    else:
        chosen = [a for a, n in enumerate(shape) if n == 1]
    return _squeeze(x, axis=tuple(chosen))
