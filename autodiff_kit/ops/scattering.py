"""Layer 3: elements read and written by lists of coordinates.

One idea: reading at coordinates and adding at coordinates are each other's way back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.integers import integer, integers, listed, refuse_attr
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["gather_nd", "scatter_nd"]


def coordinates(indices: Any) -> tuple[Any, ...]:
    """The index that NumPy takes: an array for each leading axis."""
    return tuple(np.moveaxis(indices, -1, 0))


def _read(x: Any, indices: Any) -> Any:
    if indices.shape[-1] == 0:
        return np.broadcast_to(x, indices.shape[:-1] + x.shape)[()]
    return x[coordinates(indices)][()]


def _read_rule(dy: Any, _x: Any, indices: Any, _y: Any, shapes: Any) -> Any:
    return xp.scatter_nd(indices, dy, shape=shapes[0])


def _added(indices: Any, updates: Any, shape: tuple[int, ...]) -> Any:
    zeros = np.zeros(shape, updates.dtype)
    return add_to(zeros, indices, updates)[()]


def add_to(array: Any, indices: Any, updates: Any) -> Any:
    """Add in place, also what falls on the same coordinates twice."""
    if indices.shape[-1] == 0:
        array += np.add.reduce(updates, axis=tuple(range(indices.ndim - 1)))
    else:
        np.add.at(array, coordinates(indices), updates)
    return array


_gather_nd = operation(
    "GatherNd",
    "gather_nd",
    _read,
    _read_rule,
    no_gradient,
    add_in=lambda total, dy, indices, _attrs: add_to(total, indices, dy),
)
_scatter_nd = operation(
    "ScatterNd",
    "scatter_nd",
    _added,
    no_gradient,
    lambda dy, indices, _u, _y, shape: xp.gather_nd(dy, indices),
)


def positions(value: Any, op_type: str) -> Tensor:
    indices = as_tensor(value)
    if indices._value.dtype.name not in ("int16", "int32", "int64"):
        refuse_attr(op_type, "Tindices", indices._value, "int16, int32, int64")
    return indices


def _refuse_outside(indices: Any, shape: tuple[int, ...], where: str) -> None:
    depth = indices.shape[-1]
    outside = ((indices < 0) | (indices >= np.array(shape[:depth], np.int64))).any(-1)
    if outside.any():
        place = np.argwhere(np.atleast_1d(outside))[0][: outside.ndim]
        found = indices[tuple(place)].tolist()
        raise InvalidArgumentError(
            f"indices{listed(place) if len(place) else '[0]'} = {found} does not index into {where}"
        )


def gather_nd(
    params: Any, indices: Any, batch_dims: int = 0, name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:  # fmt: skip
    """The elements, or the slices, at the given coordinates.

    Args:
      params: any tensor.
      indices: an integer tensor whose last axis holds coordinates in the leading axes of ``params``.
      batch_dims: how many leading axes both have in common.
      name, bad_indices_policy: ignored.

    Returns:
      A tensor of shape ``indices.shape[:-1] + params.shape[indices.shape[-1]:]`` (without batches).

    Raises:
      InvalidArgumentError: for coordinates outside, or more of them than axes.
      ValueError: for a ``batch_dims`` that ``indices`` or ``params`` has not.

    Source: https://www.tensorflow.org/api_docs/python/tf/gather_nd

    >>> import autodiff_kit as ad
    >>> ad.gather_nd([[1.0, 2.0], [3.0, 4.0]], [[0, 1], [1, 0]])
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """
    x, places = as_tensor(params), positions(indices, "GatherNd")
    rank = places._value.ndim
    if rank == 0:
        raise InvalidArgumentError("indices must be at least a vector [Op:GatherNd]")
    batch = integer(batch_dims)
    if batch:
        places = _with_batch(places, batch, x._value.shape)
    i, shape = places._value, x._value.shape
    if i.shape[-1] > len(shape):
        raise InvalidArgumentError(
            "index innermost dimension length must be <= params rank; saw: "
            f"{i.shape[-1]} vs. {len(shape)} [Op:GatherNd]"
        )
    _refuse_outside(i, shape, f"param shape {listed(shape)} [Op:GatherNd]")
    return _gather_nd(x, places)


def _with_batch(indices: Tensor, batch_dims: int, shape: tuple[int, ...]) -> Tensor:
    """Coordinates within each batch become coordinates in the whole."""
    i = indices._value
    if not 0 < batch_dims < i.ndim:
        raise ValueError(
            f"Argument `batch_dims` = {batch_dims} must be less than rank(`indices`) = {i.ndim}"
        )
    if batch_dims >= len(shape):
        raise ValueError(
            f"Argument `batch_dims` = {batch_dims} must be less than rank(`params`) = {len(shape)}"
        )
    batch = i.shape[:batch_dims]
    if batch != shape[:batch_dims]:
        raise InvalidArgumentError(
            f"the first {batch_dims} dimensions of params {listed(shape)} and of indices "
            f"{listed(i.shape)} must be equal [Op:GatherNd]"
        )
    grid = np.indices(batch, i.dtype).reshape(batch_dims, *batch, *[1] * (i.ndim - 1 - batch_dims))
    own = [np.broadcast_to(g, i.shape[:-1]) for g in grid]
    return tensor_of(np.concatenate([np.stack(own, -1), i], -1))


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Zeros to which values are added at the given coordinates.

    Args:
      indices: an integer tensor whose last axis holds coordinates in the leading axes of the result.
      updates: what to add, of shape ``indices.shape[:-1] + shape[indices.shape[-1]:]``.
      shape: the shape of the result.
      name: ignored.

    Returns:
      The tensor; what falls on the same coordinates is added up.

    Raises:
      InvalidArgumentError: for coordinates outside, or updates of another shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/scatter_nd

    >>> import autodiff_kit as ad
    >>> ad.scatter_nd([[0], [2], [0]], [1.0, 2.0, 3.0], [4])
    <Tensor: shape=(4,), dtype=float32, numpy=array([4., 0., 2., 0.], dtype=float32)>
    """
    places, values, whole = positions(indices, "ScatterNd"), as_tensor(updates), integers(shape)
    check_updates(places._value, values._value, whole, "ScatterNd")
    return _scatter_nd(places, values, shape=whole)


def check_updates(indices: Any, updates: Any, shape: tuple[int, ...], op_type: str) -> None:
    if indices.ndim == 0:
        raise InvalidArgumentError(
            f"Indices shape must have rank at least one. Found:[] [Op:{op_type}]"
        )
    if updates.ndim == 0:
        raise InvalidArgumentError(
            f"Updates shape must have rank at least one. Found:[] [Op:{op_type}]"
        )
    depth, outer = indices.shape[-1], indices.ndim - 1
    if indices.shape[:-1] != updates.shape[:outer]:
        _refuse_outer(indices.shape, updates.shape, op_type)
    if depth > len(shape) or shape[depth:] != updates.shape[outer:]:
        _refuse_inner(indices.shape, updates.shape, shape, op_type)
    if 0 in shape and (indices.size or updates.size):
        raise InvalidArgumentError(
            f"Indices and updates specified for empty output shape [Op:{op_type}]: {listed(shape)}"
        )
    _refuse_outside(indices, shape, f"shape {listed(shape)} [Op:{op_type}]")


# TensorFlow has other words for ScatterNd than for the operations that change a copy.
def _refuse_outer(indices: Any, updates: Any, op_type: str) -> None:
    if op_type == "ScatterNd":
        axes = f"[0,{len(indices) - 1})"
        raise InvalidArgumentError(
            f"Dimensions {axes} of indices[shape={listed(indices)}] must match dimensions {axes} of "
            f"updates[shape={listed(updates)}] [Op:ScatterNd]"
        )
    raise InvalidArgumentError(
        "Outer dimensions of indices and update must match. Indices shape: "
        f"{listed(indices)}, updates shape:{listed(updates)} [Op:{op_type}]"
    )


def _refuse_inner(indices: Any, updates: Any, shape: Any, op_type: str) -> None:
    if op_type == "ScatterNd":
        raise InvalidArgumentError(
            f"Dimensions [{indices[-1]},{len(shape)}) of input[shape={listed(shape)}] must match "
            f"dimensions [{len(indices) - 1},{len(updates)}) of updates[shape={listed(updates)}] "
            "[Op:ScatterNd]"
        )
    raise InvalidArgumentError(
        "Inner dimensions of output shape must match inner dimensions of updates shape. Output: "
        f"{listed(shape)} updates: {listed(updates)} [Op:{op_type}]"
    )
