"""Layer 3: elements chosen by tensors of positions.

One idea: a position that was read twice gets two gradients, and they are added up.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import op_of, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted_two
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.integers import integer, refuse_attr
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["boolean_mask", "gather"]

_FEW = 64  # positions with which Python is faster than NumPy
_SOME = 100  # numbers up to which no preparation pays,
_MANY = 1000  # and from which on the longer preparation pays
_UNSIGNED = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def _by_batch(x: Any, axis: int, batch_dims: int) -> Any:
    """A view of `x` with the axes (batch, axis, all others), for positions that differ by batch."""
    shape = x.shape
    batch, between = int(np.prod(shape[:batch_dims])), int(np.prod(shape[batch_dims:axis]))
    return x.reshape(batch, between, shape[axis], -1 if x.size else 0).swapaxes(1, 2)


def _take(x: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    if batch_dims == 0 and indices.size:
        # NumPy itself refuses what is beyond the end; it finds a place faster than a minimum.
        try:
            if indices.item(indices.argmin()) >= 0:
                return x.take(indices, axis)
        except IndexError:
            pass
    _refuse_beyond(indices, x.shape[axis], axis)
    if batch_dims == 0:
        return x.take(indices, axis)
    shape = x.shape[:axis] + indices.shape[batch_dims:] + x.shape[axis + 1 :]
    if not x.size or not indices.size:
        return np.zeros(shape, x.dtype)
    rows = _by_batch(x, axis, batch_dims)
    flat = indices.reshape(len(rows), -1)
    return rows[np.arange(len(rows))[:, None], flat].swapaxes(1, 2).reshape(shape)


def _refuse_beyond(indices: Any, size: int, axis: int) -> None:
    """TensorFlow takes no position beyond the end, and no negative one either."""
    unsigned = indices.view(_UNSIGNED[indices.dtype.itemsize])  # there a negative one is very large
    if indices.size and unsigned.max() >= size:
        where = np.argwhere(np.atleast_1d((indices < 0) | (indices >= size)))[0][: indices.ndim]
        value = indices[tuple(where)]
        place = "indices" + (f"[{','.join(map(str, where))}]" if indices.ndim else "")
        raise InvalidArgumentError(f"{place} = {value} is not in [0, {size}) [Op:GatherV2]")


def _key(indices: Any, axis: int) -> Any:
    return (*(slice(None),) * axis, indices) if axis else indices


def _each_once(indices: Any, size: int) -> bool:
    """Whether no position is named twice."""
    if indices.size <= _FEW:
        return len(set(indices.ravel().tolist())) == indices.size
    named = np.zeros(size, bool)
    named[indices] = True
    return np.count_nonzero(named) == indices.size


def _numbered(shape: tuple[int, ...]) -> Any:
    """An array that has at each place the number of that place."""
    return np.arange(math.prod(shape)).reshape(shape)


_numbered_once = lru_cache(16)(_numbered)  # training looks into the same small table in each step


def add_at(array: Any, indices: Any, axis: int, values: Any) -> None:
    """Add values along an axis where a position may be named twice, one after the other.

    NumPy is five times faster at many single numbers than at whole rows, so each number is sent to
    its place in the array as if that were one long row.
    """
    flat = values.size > _SOME and array.flags.c_contiguous
    if flat and array.size <= 4 * values.size:
        numbered = _numbered_once if array.size <= _MANY else _numbered
        places = numbered(array.shape).take(indices, axis)
    elif flat and values.size >= _MANY:  # to number the whole array would take longer
        size, width = array.shape[axis], math.prod(array.shape[axis + 1 :])
        blocks = np.arange(0, array.size, size * width).reshape(-1, 1, 1)
        places = blocks + indices.astype(np.intp).reshape(-1, 1) * width + np.arange(width)
    else:
        np.add.at(array, _key(indices, axis), values)
        return
    np.add.at(array.ravel(), places.ravel(), values.ravel())


def _gather_rule(
    dy: Any, _x: Any, indices: Any, _y: Any, shapes: Any, axis: int = 0, batch_dims: int = 0
) -> Any:
    if type(dy) is not Tensor:
        return _put(dy, indices, axis, batch_dims, shapes[0])
    return xp.gather_grad(dy, indices, axis=axis, batch_dims=batch_dims, shape=shapes[0])


def _put(dy: Any, indices: Any, axis: int, batch_dims: int, shape: tuple[int, ...]) -> Any:
    """Zeros of the given shape, to which each part of `dy` is added where it was taken from."""
    zeros = np.zeros(shape, dy.dtype)
    if batch_dims:
        _add_parts(zeros, dy, indices, axis, batch_dims)
    elif _each_once(indices, shape[axis]):
        # A tenth of the time that adding takes; NumPy is slow with other integers.
        zeros[_key(indices.astype(np.intp, copy=False), axis)] = dy
    else:
        add_at(zeros, indices, axis, dy)
    return zeros


def _add_parts(total: Any, dy: Any, indices: Any, axis: int, batch_dims: int) -> None:
    if batch_dims == 0:
        add_at(total, indices, axis, dy)
    elif total.size and indices.size:
        rows = _by_batch(total, axis, batch_dims)
        batch, _, *rest = rows.shape
        flat = indices.reshape(batch, -1)
        parts = dy.reshape(batch, rest[0], flat.shape[1], rest[1]).swapaxes(1, 2)
        np.add.at(rows, (np.arange(batch)[:, None], flat), parts)


_gather = operation(
    "GatherV2",
    "gather",
    _take,
    _gather_rule,
    no_gradient,
    add_in=lambda total, dy, indices, attrs: _add_parts(
        total, dy, indices, attrs.get("axis", 0), attrs.get("batch_dims", 0)
    ),
)
_GATHER = op_of(_gather)


operation(
    "GatherGrad",
    "gather_grad",
    _put,
    lambda ddx, _dy, indices, _dx, axis, batch_dims, shape: xp.gather(
        ddx, indices, axis=axis, batch_dims=batch_dims
    ),
    no_gradient,
)


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The slices of ``params`` along an axis at the given positions.

    Args:
      params: any tensor.
      indices: an integer tensor of any shape with positions in ``[0, params.shape[axis])``.
      validate_indices, name: ignored.
      axis: the axis that the positions count along; ``batch_dims`` if not given.
      batch_dims: how many leading axes ``params`` and ``indices`` have in common.

    Returns:
      A tensor of shape ``params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis+1:]``.

    Raises:
      InvalidArgumentError: for a position that is negative or too large, positions that are not
        integers, or an axis that ``params`` has not.

    Source: https://www.tensorflow.org/api_docs/python/tf/gather

    >>> import autodiff_kit as ad
    >>> ad.gather([1.0, 2.0, 3.0], [2, 0, 2])
    <Tensor: shape=(3,), dtype=float32, numpy=array([3., 1., 3.], dtype=float32)>
    """
    x = params if type(params) is Tensor else as_tensor(params)
    i = indices if type(indices) is Tensor else as_tensor(indices)
    kind = i._value.dtype
    if kind.kind != "i" or kind.itemsize == 1:
        refuse_attr("GatherV2", "Tindices", i._value, "int16, int32, int64")
    if (axis is None or type(axis) is int) and type(batch_dims) is int and not batch_dims:
        rank, along = x._value.ndim, axis or 0
        if -rank <= along < rank:  # nearly every call: the axis alone has to be looked at
            attrs: dict[str, Any] = {"shapes": (x._value.shape, i._value.shape)}
            if along:
                along = attrs["axis"] = along % rank
            return noted_two(_GATHER, x, i, _take(x._value, i._value, along), attrs)
    batch = integer(batch_dims)
    batch = batch + i._value.ndim if batch < 0 else batch
    along = batch if axis is None else integer(axis)
    rank = x._value.ndim
    if rank == 0:
        raise InvalidArgumentError("params must be at least 1 dimensional [Op:GatherV2]")
    if not -rank <= along < rank or batch > min(rank, i._value.ndim):
        need = along + 1 if along >= 0 else -along
        raise InvalidArgumentError(
            f"Shape must be at least rank {max(need, batch)} but is rank {rank} [Op:GatherV2]"
        )
    along %= rank
    _check_batch(x._value.shape, i._value.shape, batch, along)
    if along == 0 and batch == 0:
        return _gather(x, i)
    return _gather(x, i, axis=along, batch_dims=batch)


def _check_batch(shape: Any, indices: Any, batch_dims: int, axis: int) -> None:
    if batch_dims > axis:
        raise InvalidArgumentError(
            f"batch_dims ({batch_dims}) must be less than or equal to axis ({axis}). [Op:GatherV2]"
        )
    for d in range(batch_dims):
        if shape[d] != indices[d]:
            raise InvalidArgumentError(
                f"params.shape[{d}]: {shape[d]} should be equal to indices.shape[{d}]: {indices[d]} "
                "[Op:GatherV2]"
            )


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """The elements, or the slices along leading axes, where the mask holds.

    Args:
      tensor: any tensor.
      mask: bools, or what is cast to bool; its shape equals that of ``tensor`` from ``axis`` on.
      axis: the first axis of ``tensor`` that the mask speaks of; 0 if not given.
      name: ignored.

    Returns:
      A tensor with the masked axes replaced by one, as long as the mask has true elements.

    Raises:
      ValueError: if the mask is a scalar, or its shape does not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/boolean_mask

    >>> import autodiff_kit as ad
    >>> x = ad.constant([1.0, -2.0, 3.0])
    >>> ad.boolean_mask(x, [True, False, True])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 3.], dtype=float32)>
    """
    x, noted = as_tensor(tensor), as_tensor(mask)
    chosen = np.asarray(noted._leave("boolean_mask")).astype(bool)
    shape, depth = x._value.shape, chosen.ndim
    if depth == 0:
        raise ValueError("mask cannot be scalar.")
    first = 0 if axis is None else integer(axis)
    first = first + len(shape) if first < 0 else first
    masked = shape[first : first + depth]
    if masked != chosen.shape:
        raise ValueError(f"Shapes {masked} and {chosen.shape} are incompatible")
    if depth > 1:
        flat = (*shape[:first], chosen.size, *shape[first + depth :])
        x = xp.reshape(x, shape=flat)
    positions = tensor_of(np.flatnonzero(chosen))
    return _gather(x, positions, axis=first, batch_dims=0)
