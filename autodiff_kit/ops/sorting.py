"""Layer 3: numbers in order.

One idea: sorting only moves numbers, so each gradient goes back to where its number came from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import op_of, operation
from autodiff_kit.dtypes import as_dtype, int32
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.integers import integer, listed
from autodiff_kit.parts import noted_parts
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["argsort", "sort"]


class TopK(NamedTuple):
    """The largest elements and their positions."""

    values: Tensor
    indices: Tensor


_FEW = 8  # one element in so many is worth a look at all of them first,
_LONG = 2000  # if there are so many elements


def _order(x: Any, descending: bool) -> Any:
    """The positions along the last axis in order, equal elements as they stand, nan at the end."""
    if not descending:
        return x.argsort(-1, "stable")
    if x.dtype.kind == "f":
        return (-x).argsort(-1, "stable")
    return x.shape[-1] - 1 - x[..., ::-1].argsort(-1, "stable")[..., ::-1]


def _first_few(x: Any, k: int) -> Any:
    """The first ``k`` in descending order without sorting the others; None if ties are in the way."""
    negative = -x
    limit = np.partition(negative, k - 1)[..., k - 1 : k]
    inside = negative <= limit
    if np.any(np.count_nonzero(inside, axis=-1) != k):
        return None
    places = np.flatnonzero(inside).reshape(*x.shape[:-1], k) % x.shape[-1]
    order = np.take_along_axis(negative, places, -1).argsort(-1, "stable")
    return np.take_along_axis(places, order, -1)


def _largest(x: Any, k: int, index_type: str = "int32") -> Any:
    few = x.size >= _LONG and 0 < k * _FEW <= x.shape[-1] and x.dtype.kind == "f"
    chosen = _first_few(x, k) if few else None
    if chosen is None:
        chosen = _order(x, True)[..., :k]
    return _at(x, chosen), chosen.astype(index_type)


def _at(x: Any, places: Any) -> Any:
    """The elements at places along the last axis; those of one row NumPy takes in a short way."""
    return x.take(places) if x.ndim == 1 else np.take_along_axis(x, places, -1)


def _largest_back(step: Any, dy: Any, _dindices: Any) -> list[Any]:
    if dy is None:
        return [None]
    x, indices = step.inputs[0], step.outputs[1]
    if type(dy) is not Tensor and type(indices) is not Tensor:
        dx = np.zeros(x.shape, dy.dtype)
        if dx.ndim == 1:
            # No place twice, so that nothing is to be added up; NumPy is slow with other integers.
            dx[indices.astype(np.intp)] = dy
        else:
            np.put_along_axis(dx, indices, dy, -1)
        return [dx]
    shape = tuple(x.shape)
    last = len(shape) - 1
    return [xp.gather_grad(dy, indices, axis=last, batch_dims=last, shape=shape)]


_top_k = operation("TopKV2", "top_k", _largest, pull=_largest_back)
_TOP_K = op_of(_top_k)


def top_k(
    input: Any, k: Any = 1, sorted: bool = True, index_type: Any = int32, name: str | None = None
) -> TopK:
    """The largest elements along the last axis, and where they are.

    Args:
      input: a numeric tensor of at least one axis.
      k: how many.
      sorted, name: ignored; the result is always in descending order.
      index_type: the dtype of the positions: int16, int32 or int64.

    Returns:
      A named tuple: ``values`` and ``indices``; of equal elements the first comes first.

    Raises:
      InvalidArgumentError: for a scalar, a negative ``k``, one larger than the last axis, or another
        ``index_type``.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/top_k

    >>> import autodiff_kit as ad
    >>> ad.math.top_k([3.0, 1.0, 2.0], k=2).indices
    <Tensor: shape=(2,), dtype=int32, numpy=array([0, 2], dtype=int32)>
    """
    x, count = as_tensor(input), integer(k)
    shape = x._value.shape
    if x._value.dtype.kind == "b":
        refuse_kind("TopKV2", x._value, "fiu")
    if not shape:
        raise InvalidArgumentError("input must be >= 1-D, got shape [] [Op:TopKV2]")
    if count < 0:
        raise InvalidArgumentError(f"Need k >= 0, got {count} [Op:TopKV2]")
    if count > shape[-1]:
        raise InvalidArgumentError(
            f"input must have at least k columns. Had {shape[-1]}, needed {count} [Op:TopKV2]"
        )
    kind = as_dtype(index_type)
    if kind.name not in ("int16", "int32", "int64"):
        raise InvalidArgumentError(
            f"Value for attr 'index_type' of {kind.error_name} is not in the list of allowed values: "
            "int16, int32, int64 [Op:TopKV2]"
        )
    found = _largest(x._value, count, kind.name)
    return TopK(*noted_parts(_TOP_K, x, found, {"k": count, "index_type": kind.name}))


def _last(x: Tensor, axis: Any, direction: str) -> tuple[Tensor, int]:
    """The tensor with the axis to be sorted at the end, and the axis."""
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            "Argument `direction` should be one of ASCENDING, DESCENDING. "
            f"Received: direction={direction}"
        )
    if x._value.dtype.kind == "b":
        refuse_kind("Neg", x._value, "fi")
    rank, along = x._value.ndim, integer(axis)
    if not -rank <= along < rank:
        raise InvalidArgumentError(
            f"slice index {along} of dimension 0 out of bounds. [Op:StridedSlice]; a tensor of shape "
            f"{listed(x._value.shape)} has no axis {along} to sort along"
        )
    return _exchanged(x, along % rank), along % rank


def _exchanged(x: Tensor, axis: int) -> Tensor:
    rank = x._value.ndim
    if axis == rank - 1:
        return x
    perm = list(range(rank))
    perm[axis], perm[-1] = rank - 1, axis
    return xp.transpose(x, perm=tuple(perm))


def sort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """The elements along an axis in order.

    Args:
      values: a numeric tensor of at least one axis.
      axis: the axis.
      direction: ``"ASCENDING"`` or ``"DESCENDING"``.
      name: ignored.

    Returns:
      A tensor of the same shape; nan comes last.

    Raises:
      ValueError: for another direction.
      InvalidArgumentError: for an axis that the tensor has not, and for bools.

    Source: https://www.tensorflow.org/api_docs/python/tf/sort

    >>> import autodiff_kit as ad
    >>> ad.sort([3.0, 1.0, 2.0])
    <Tensor: shape=(3,), dtype=float32, numpy=array([1., 2., 3.], dtype=float32)>
    """
    x, along = _last(as_tensor(values), axis, direction)
    if not x.dtype.is_floating:
        ordered = np.sort(x._value, -1)
        flipped = ordered if direction == "ASCENDING" else ordered[..., ::-1]
        return _exchanged(tensor_of(flipped), along)
    k = x._value.shape[-1]
    turned = x if direction == "DESCENDING" else -x
    falling = noted_parts(_TOP_K, turned, _largest(turned._value, k), {"k": k})[0]
    return _exchanged(falling if direction == "DESCENDING" else -falling, along)


_argsort = operation(
    "ArgSort",
    "argsort",
    lambda x, descending: _order(x, descending).astype(np.int32),
    no_gradient,
)


def argsort(
    values: Any,
    axis: Any = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """The positions that put the elements along an axis in order. No gradient flows through it.

    Arguments and errors are those of `ad.sort`; equal elements always stay as they stand.

    Returns:
      An int32 tensor of the same shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/argsort

    >>> import autodiff_kit as ad
    >>> ad.argsort([3.0, 1.0, 2.0])
    <Tensor: shape=(3,), dtype=int32, numpy=array([1, 2, 0], dtype=int32)>
    """
    x, along = _last(as_tensor(values), axis, direction)
    return _exchanged(_argsort(x, descending=direction == "DESCENDING"), along)
