"""Layer 3: parts of a tensor, given by where they begin and how large they are.

One idea: whatever the two functions are told, it becomes a key as in ``x[1:3, ::2]``, and one operation
takes the part.
"""

from __future__ import annotations

import builtins
from typing import Any

from autodiff_kit.convert import as_tensor
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.integers import integers
from autodiff_kit.tensor import Tensor

__all__ = ["slice", "strided_slice"]


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The part of a tensor that begins at a place and has a size.

    Args:
      input_: any tensor.
      begin: for each axis where the part begins.
      size: for each axis how long it is; -1 for all that is left.
      name: ignored.

    Returns:
      A tensor of shape ``size``.

    Raises:
      InvalidArgumentError: if the part does not lie in the tensor.

    Source: https://www.tensorflow.org/api_docs/python/tf/slice

    >>> import autodiff_kit as ad
    >>> ad.slice([1, 2, 3, 4], [1], [2])
    <Tensor: shape=(2,), dtype=int32, numpy=array([2, 3], dtype=int32)>
    """
    x, first, lengths = as_tensor(input_), integers(begin), integers(size)
    shape = x._value.shape
    if not len(first) == len(lengths) == len(shape):
        raise InvalidArgumentError(
            f"Expected begin and size arguments to be 1-D tensors of size {len(shape)}, but got shapes "
            f"[{len(first)}] and [{len(lengths)}] instead. [Op:Slice]"
        )
    key = []
    for axis, (start, length, n) in enumerate(zip(first, lengths, shape, strict=True)):
        if not 0 <= start <= n:
            raise InvalidArgumentError(
                f"Expected begin[{axis}] in [0, {n}], but got {start} [Op:Slice]"
            )
        if not -1 <= length <= n - start:
            raise InvalidArgumentError(
                f"Expected size[{axis}] in [0, {n - start}], but got {length} [Op:Slice]"
            )
        key.append(builtins.slice(start, n if length == -1 else start + length))
    return xp.strided_slice(x, key=tuple(key))


def strided_slice(
    input_: Any, begin: Any, end: Any, strides: Any = None, name: str | None = None
) -> Tensor:
    """What ``input_[begin[0]:end[0]:strides[0], ...]`` is.

    Args:
      input_: any tensor.
      begin, end: for each of the first axes where the part begins, and where it has ended.
      strides: the steps; 1 if not given.
      name: ignored.

    Returns:
      The part, with as many axes.

    Raises:
      InvalidArgumentError: for more positions than axes, lists of different length, a step of 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/strided_slice

    >>> import autodiff_kit as ad
    >>> ad.strided_slice([1, 2, 3, 4], [0], [4], [2])
    <Tensor: shape=(2,), dtype=int32, numpy=array([1, 3], dtype=int32)>
    """
    first, last = integers(begin), integers(end)
    steps = (1,) * len(first) if strides is None else integers(strides)
    if not len(first) == len(last) == len(steps):
        raise InvalidArgumentError(
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"[{len(first)}], [{len(last)}], and [{len(steps)}] instead. [Op:StridedSlice]"
        )
    key = tuple(builtins.slice(*part) for part in zip(first, last, steps, strict=True))
    return xp.strided_slice(as_tensor(input_), key=key)
