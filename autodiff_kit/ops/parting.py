"""Layer 3: one tensor taken apart into several.

One idea: the parts that the target did not use come back as zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import op_of, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.integers import integer, integer_array
from autodiff_kit.ops.joining import cuts
from autodiff_kit.parts import noted_parts
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["split", "unstack"]


def _zeros_for(dys: Any, shapes: Any) -> list[Any]:
    """The gradients of the parts, with zeros for those to which nothing came."""
    like = next(dy for dy in dys if dy is not None)
    dtype = (like._value if type(like) is Tensor else like).dtype
    made = []
    for dy, shape in zip(dys, shapes, strict=True):
        zeros = np.zeros(shape, dtype)[()] if dy is None else None
        made.append(dy if zeros is None else tensor_of(zeros) if type(like) is Tensor else zeros)
    return made


def _parts(x: Any, axis: int, sizes: tuple[int, ...]) -> Any:
    return tuple([x[key] for key in cuts(axis, sizes)])


def _part_shape(step: Any, dys: Any, size: int) -> tuple[int, ...]:
    shape = list(next(dy for dy in dys if dy is not None).shape)
    shape[step.attrs["axis"]] = size
    return tuple(shape)


def _split_back(step: Any, *dys: Any) -> list[Any]:
    attrs = step.attrs
    axis, sizes = attrs["axis"], attrs["sizes"]
    like = next(dy for dy in dys if dy is not None)
    missing = any(dy is None for dy in dys)
    if type(like) is not Tensor:
        if not missing:
            return [np.concatenate(dys, axis)]
        whole = np.zeros((*like.shape[:axis], sum(sizes), *like.shape[axis + 1 :]), like.dtype)
        for part, dy in zip(_parts(whole, axis, sizes), dys, strict=True):
            if dy is not None:
                part[...] = dy
        return [whole]
    if missing:
        dys = tuple(_zeros_for(dys, [_part_shape(step, dys, size) for size in sizes]))
    return [xp.concat_sized(*dys, axis=axis, sizes=sizes)]


_split = operation("Split", "split", _parts, pull=_split_back, keeps=False)
_SPLIT = op_of(_split)
_split_v = operation("SplitV", "split_v", _parts, pull=_split_back, keeps=False)
_SPLIT_V = op_of(_split_v)


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str | None = "split"
) -> list[Tensor]:
    """The parts of a tensor along an axis.

    Args:
      value: a tensor of at least one axis.
      num_or_size_splits: how many equal parts, or the length of each part, one of which may be -1
        and takes the rest.
      axis: the axis.
      num: how many lengths there are, to be checked.
      name: ignored.

    Returns:
      A list of tensors.

    Raises:
      InvalidArgumentError: if the parts do not fit the axis, or the axis is out of range.

    Source: https://www.tensorflow.org/api_docs/python/tf/split

    >>> import autodiff_kit as ad
    >>> [part.numpy().tolist() for part in ad.split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]
    """
    x, along = as_tensor(value), integer(axis)
    rank = x._value.ndim
    if type(num_or_size_splits) is int and 0 <= along < rank:
        return _equal_parts(x, num_or_size_splits, along, x._value.shape[along])
    if isinstance(num_or_size_splits, float):
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument "
            f"provided: {num_or_size_splits}"
        )
    wanted = integer_array(num_or_size_splits)
    op_type = "SplitV" if wanted.ndim else "Split"
    if not -rank <= along < rank:
        raise InvalidArgumentError(
            f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {along} [Op:{op_type}]"
        )
    along %= rank
    size = x._value.shape[along]
    if wanted.ndim == 0:
        return _equal_parts(x, int(wanted), along, size)
    if wanted.ndim != 1 or num not in (None, wanted.size):
        raise InvalidArgumentError(
            "size of the split_tensor must be 1-D and have the same elements as outputs got "
            f"{wanted.ndim} -D and {wanted.size} elements [Op:SplitV]"
        )
    sizes = _lengths(wanted.tolist(), size)
    parts = _parts(x._value, along, sizes)
    return list(noted_parts(_SPLIT_V, x, parts, {"axis": along, "sizes": sizes}))


def _equal_parts(x: Tensor, count: int, axis: int, size: int) -> list[Tensor]:
    if count <= 0:
        raise InvalidArgumentError(
            f"Value for attr 'num_split' of {count} must be at least minimum 1 [Op:Split]"
        )
    if size % count:
        raise InvalidArgumentError(
            "Number of ways to split should evenly divide the split dimension, but got split_dim "
            f"{axis} (size = {size}) and num_split {count} [Op:Split]"
        )
    sizes = (size // count,) * count
    parts = _parts(x._value, axis, sizes)
    return list(noted_parts(_SPLIT, x, parts, {"axis": axis, "sizes": sizes}))


def _lengths(sizes: list[int], total: int) -> tuple[int, ...]:
    """The lengths with the rest in place of -1."""
    if sizes.count(-1) > 1:
        raise InvalidArgumentError("There can only be one -1 in the input. [Op:SplitV]")
    for number, n in enumerate(sizes):
        if n < -1:
            raise InvalidArgumentError(
                f"Split size at index {number} must be >= 0. Got: {n} [Op:SplitV]"
            )
    known = sum(n for n in sizes if n >= 0)
    if known > total or (-1 not in sizes and known != total):
        raise InvalidArgumentError(
            "Determined shape must either match input shape along split_dim exactly if fully "
            "specified, or be less than the size of the input along split_dim if not fully "
            f"specified.  Got: {known} [Op:SplitV]"
        )
    return tuple(total - known if n == -1 else n for n in sizes)


def _rows(x: Any, axis: int) -> Any:
    before = (slice(None),) * axis
    return tuple([x[(*before, number)] for number in range(x.shape[axis])])


def _unstack_back(step: Any, *dys: Any) -> list[Any]:
    shape = next(dy for dy in dys if dy is not None).shape
    return [xp.stack(*_zeros_for(dys, [tuple(shape)] * len(dys)), axis=step.attrs["axis"])]


_unstack = operation("Unpack", "unstack", _rows, pull=_unstack_back, keeps=False)
_UNSTACK = op_of(_unstack)


def unstack(
    value: Any, num: Any = None, axis: int = 0, name: str | None = "unstack"
) -> list[Tensor]:
    """The slices of a tensor along an axis, which they no longer have.

    Args:
      value: a tensor of at least one axis.
      num: how many there are, to be checked.
      axis: the axis.
      name: ignored.

    Returns:
      A list of tensors.

    Raises:
      ValueError: for an axis out of range.
      InvalidArgumentError: if there are not ``num``.

    Source: https://www.tensorflow.org/api_docs/python/tf/unstack

    >>> import autodiff_kit as ad
    >>> ad.unstack([1, 2])
    [<Tensor: shape=(), dtype=int32, numpy=1>, <Tensor: shape=(), dtype=int32, numpy=2>]
    """
    x = as_tensor(value)
    shape, axis = x._value.shape, integer(axis)
    if not -len(shape) <= axis < len(shape):
        raise ValueError(f"Argument `axis` = {axis} not in range [{-len(shape)}, {len(shape)})")
    if num is not None and num != shape[axis]:
        listed = str(list(shape)).replace(" ", "")
        raise InvalidArgumentError(
            f"Input shape axis {axis % len(shape)} must equal {num}, got shape {listed} [Op:Unpack]"
        )
    if not shape[axis]:
        return []
    axis %= len(shape)
    return list(noted_parts(_UNSTACK, x, _rows(x._value, axis), {"axis": axis}))
