"""Layer 3: copies of a tensor that differ at some coordinates.

One idea: a tensor never changes; what was overwritten gets no gradient, what was written gets it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operand, refuse_dtypes
from autodiff_kit.define import operation
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.scattering import add_to, check_updates, coordinates, positions
from autodiff_kit.tensor import Tensor

__all__ = ["tensor_scatter_nd_add", "tensor_scatter_nd_sub", "tensor_scatter_nd_update"]


def _written(x: Any, indices: Any, updates: Any) -> Any:
    written = np.array(x)
    written[coordinates(indices) if indices.shape[-1] else ...] = updates
    return written[()]


def _kept(dy: Any, _x: Any, indices: Any, _u: Any, _y: Any) -> Any:
    nothing = xp.zeros_like(xp.gather_nd(dy, indices))
    return xp.tensor_scatter_update(dy, indices, nothing)


def _picked(dy: Any, _x: Any, indices: Any, _u: Any, _y: Any) -> Any:
    return xp.gather_nd(dy, indices)


_update = operation(
    "TensorScatterUpdate", "tensor_scatter_update", _written, _kept, no_gradient, _picked
)
_add = operation(
    "TensorScatterAdd",
    "tensor_scatter_add",
    lambda x, indices, updates: add_to(np.array(x), indices, updates)[()],
    lambda dy, _x, _i, _u, _y: dy,
    no_gradient,
    _picked,
)
_sub = operation(
    "TensorScatterSub",
    "tensor_scatter_sub",
    lambda x, indices, updates: add_to(np.array(x), indices, -updates)[()],
    lambda dy, _x, _i, _u, _y: dy,
    no_gradient,
    lambda dy, _x, indices, _u, _y: -xp.gather_nd(dy, indices),
)


def _scatter_into(op: Any, op_type: str, tensor: Any, indices: Any, updates: Any) -> Tensor:
    x, places = as_tensor(tensor), positions(indices, op_type)
    values = operand(updates, x.dtype)
    if values._value.dtype is not x._value.dtype:
        refuse_dtypes(op_type, [x._value, places._value.astype(x._value.dtype), values._value])
    check_updates(places._value, values._value, x._value.shape, op_type)
    return op(x, places, values)


def tensor_scatter_nd_update(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of a tensor with other values at the given coordinates; the tensor itself never changes.

    Args:
      tensor: any tensor.
      indices: an integer tensor whose last axis holds coordinates in the leading axes of ``tensor``.
      updates: the new values, of shape ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
      name: ignored.

    Returns:
      A tensor of the same shape; of several values for the same coordinates the last one stays.

    Raises:
      InvalidArgumentError: for coordinates outside, updates of another shape or dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_update

    >>> import autodiff_kit as ad
    >>> ad.tensor_scatter_nd_update([1.0, 2.0, 3.0], [[0], [2]], [9.0, 8.0])
    <Tensor: shape=(3,), dtype=float32, numpy=array([9., 2., 8.], dtype=float32)>
    """
    return _scatter_into(_update, "TensorScatterUpdate", tensor, indices, updates)


def tensor_scatter_nd_add(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of a tensor with values added at the given coordinates.

    Arguments, result and errors are those of `ad.tensor_scatter_nd_update`; values for the same
    coordinates are added up.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_add

    >>> import autodiff_kit as ad
    >>> ad.tensor_scatter_nd_add([1.0, 2.0, 3.0], [[0], [0]], [10.0, 20.0])
    <Tensor: shape=(3,), dtype=float32, numpy=array([31.,  2.,  3.], dtype=float32)>
    """
    return _scatter_into(_add, "TensorScatterAdd", tensor, indices, updates)


def tensor_scatter_nd_sub(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of a tensor with values subtracted at the given coordinates.

    Arguments, result and errors are those of `ad.tensor_scatter_nd_add`.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_sub

    >>> import autodiff_kit as ad
    >>> ad.tensor_scatter_nd_sub([1.0, 2.0, 3.0], [[0], [0]], [10.0, 20.0])
    <Tensor: shape=(3,), dtype=float32, numpy=array([-29.,   2.,   3.], dtype=float32)>
    """
    return _scatter_into(_sub, "TensorScatterSub", tensor, indices, updates)
