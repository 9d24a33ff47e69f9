"""Layer 3: numbers moved, repeated and surrounded.

One idea: what was moved moves back, what was repeated comes back as a sum, what was added stays away.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.gathering import gather
from autodiff_kit.ops.integers import integer, integer_array, listed
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["repeat", "reverse", "roll", "tile"]


def _tile_rule(dy: Any, _x: Any, _y: Any, multiples: Any, shapes: Any) -> Any:
    """Each axis is taken apart into (copy, position), and the copies are added up."""
    apart = tuple(n for pair in zip(multiples, shapes[0], strict=True) for n in pair)
    copies = tuple(range(0, len(apart), 2))
    return xp.reduce_sum(xp.reshape(dy, shape=apart), axis=copies, keepdims=False)


_tile = operation("Tile", "tile", lambda x, multiples: np.tile(x, multiples)[()], _tile_rule)


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """Copies of a tensor side by side along each axis.

    Args:
      input: any tensor.
      multiples: for each axis how many copies.
      name: ignored.

    Returns:
      A tensor whose length along each axis is multiplied.

    Raises:
      InvalidArgumentError: if there is not one number for each axis, or one is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/tile

    >>> import autodiff_kit as ad
    >>> ad.tile([1, 2], [2])
    <Tensor: shape=(4,), dtype=int32, numpy=array([1, 2, 1, 2], dtype=int32)>
    """
    x = input if type(input) is Tensor else as_tensor(input)
    plain = type(multiples) in (list, tuple) and len(multiples) == x._value.ndim
    if plain and all(type(n) is int and n >= 0 for n in multiples):
        return _tile(x, multiples=tuple(multiples))
    counts = integer_array(multiples, "Tile", "Tmultiples")
    if counts.ndim != 1:
        raise InvalidArgumentError(
            f"Expected multiples to be 1-D, but got shape {listed(counts.shape)} [Op:Tile]; give one "
            f"number for each axis, as {[2] * x._value.ndim}"
        )
    if counts.size != x._value.ndim:
        raise InvalidArgumentError(
            f"Expected multiples argument to be a vector of length {x._value.ndim} but got length "
            f"{counts.size} [Op:Tile]"
        )
    for number, n in enumerate(counts):
        if n < 0:
            raise InvalidArgumentError(f"Expected multiples[{number}] >= 0, but got {n} [Op:Tile]")
    return _tile(x, multiples=tuple(counts.tolist()))


_reverse = operation(
    "ReverseV2",
    "reverse",
    lambda x, axis: np.flip(x, axis)[()],
    lambda dy, _x, _y, axis: xp.reverse(dy, axis=axis),
)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """The same numbers in opposite order along the given axes.

    Args:
      tensor: any tensor.
      axis: a list of axes.
      name: ignored.

    Returns:
      A tensor of the same shape.

    Raises:
      InvalidArgumentError: if ``axis`` is not a list, or an axis is out of range or named twice.

    Source: https://www.tensorflow.org/api_docs/python/tf/reverse

    >>> import autodiff_kit as ad
    >>> ad.reverse([1, 2, 3], [0])
    <Tensor: shape=(3,), dtype=int32, numpy=array([3, 2, 1], dtype=int32)>
    """
    x, axes = as_tensor(tensor), integer_array(axis, "ReverseV2", "Tidx")
    rank = x._value.ndim
    if axes.ndim != 1:
        raise InvalidArgumentError(f"'dims' must be 1-dimension, not {axes.ndim} [Op:ReverseV2]")
    chosen: list[int] = []
    for number, a in enumerate(axes.tolist()):
        if not -rank <= a < rank:
            raise InvalidArgumentError(
                f"'axis'[{number}] = {a} is out of valid range [0, {rank - 1}] [Op:ReverseV2]"
            )
        if a % rank in chosen:
            raise InvalidArgumentError(f"axis {a % rank} specified more than once. [Op:ReverseV2]")
        chosen.append(a % rank)
    return _reverse(x, axis=tuple(chosen))


_roll = operation(
    "Roll",
    "roll",
    lambda x, shift, axis: np.roll(x, shift, axis),
    lambda dy, _x, _y, shift, axis: xp.roll(dy, shift=tuple(-n for n in shift), axis=axis),
)


def _one_each(what: str, value: Any) -> tuple[int, ...]:
    found = integer_array(value)
    if found.ndim > 1:
        raise InvalidArgumentError(
            f"{what} must be a scalar or a 1-D vector. Found: {listed(found.shape)} [Op:Roll]"
        )
    return tuple(found.reshape(-1).tolist())


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """The same numbers moved along axes; what leaves at one end comes back at the other.

    Args:
      input: a tensor of at least one axis.
      shift: how many places, for each axis.
      axis: an axis or several; one that is named twice is rolled by the sum.
      name: ignored.

    Returns:
      A tensor of the same shape.

    Raises:
      InvalidArgumentError: for a scalar, an axis out of range, or not one shift for each axis.

    Source: https://www.tensorflow.org/api_docs/python/tf/roll

    >>> import autodiff_kit as ad
    >>> ad.roll([1, 2, 3], 1, 0)
    <Tensor: shape=(3,), dtype=int32, numpy=array([3, 1, 2], dtype=int32)>
    """
    x = as_tensor(input)
    rank = x._value.ndim
    if rank == 0:
        raise InvalidArgumentError("input must be 1-D or higher [Op:Roll]")
    shifts, axes = _one_each("shift", shift), _one_each("axis", axis)
    if len(shifts) != len(axes):
        raise InvalidArgumentError("shift and axis must have the same size [Op:Roll]")
    for a in axes:
        if not -rank <= a < rank:
            raise InvalidArgumentError(f"axis {a} is out of range [Op:Roll]")
    return _roll(x, shift=shifts, axis=tuple(a % rank for a in axes))


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Each element, or each slice along an axis, several times in a row.

    Args:
      input: any tensor.
      repeats: how often, for all or for each.
      axis: the axis; without one the tensor is made a vector first.
      name: ignored.

    Returns:
      A tensor of the same number of axes, or a vector.

    Raises:
      ValueError: for an axis out of range, or a number of repeats that does not fit.
      InvalidArgumentError: for negative repeats.

    Source: https://www.tensorflow.org/api_docs/python/tf/repeat

    >>> import autodiff_kit as ad
    >>> ad.repeat([5, 6], [1, 3])
    <Tensor: shape=(4,), dtype=int32, numpy=array([5, 6, 6, 6], dtype=int32)>
    """
    x, counts = as_tensor(input), integer_array(repeats).astype(np.int64)
    if axis is None or not x._value.ndim:
        x, axis = xp.reshape(x, shape=(x._value.size,)), 0 if axis is None else axis
    rank, along = x._value.ndim, integer(axis)
    if not -rank <= along < rank:
        raise ValueError(f"axis={along} out of bounds: expected {-rank}<=axis<{rank}")
    if counts.ndim > 1:
        raise ValueError(f"Shape {counts.shape} must have rank at most 1")
    size = x._value.shape[along]
    if counts.size not in (1, size):
        raise ValueError(f"Dimensions {size} and {counts.size} are not compatible")
    if (counts < 0).any():
        raise InvalidArgumentError(
            f"Expected multiples[{along % rank + 1}] >= 0, but got {counts.min()} [Op:Tile]"
        )
    positions = np.repeat(np.arange(size), np.broadcast_to(counts.reshape(-1), (size,)))
    return gather(x, tensor_of(positions), axis=along)
