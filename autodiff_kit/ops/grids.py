"""Layer 3: unit vectors, unit matrices and grids, and how shapes broadcast.

One idea: these are all made of zeros, ones and copies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operand, refuse_dtypes
from autodiff_kit.define import operation
from autodiff_kit.dtypes import as_dtype, float32
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.creation import new_shape
from autodiff_kit.ops.integers import integer, integers, listed, refuse_attr
from autodiff_kit.shapes import TensorShape
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["broadcast_dynamic_shape", "broadcast_static_shape", "eye", "meshgrid", "one_hot"]


_POSITIONS = frozenset(map(np.dtype, ("uint8", "int8", "int32", "int64")))


def _marked(indices: Any, on: Any, off: Any, depth: int, axis: int) -> Any:
    after = indices.ndim - axis
    hit = indices.reshape(*indices.shape[:axis], 1, *indices.shape[axis:]) == np.arange(
        depth
    ).reshape(depth, *[1] * after)
    return np.where(hit, on, off)


_one_hot = operation("OneHot", "one_hot", _marked, no_gradient, no_gradient, no_gradient)


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """For each position a vector that is 1 there and 0 elsewhere. No gradient flows through it.

    Args:
      indices: an integer tensor; a position outside ``[0, depth)`` gives zeros only.
      depth: the length of the vectors.
      on_value, off_value: what to use instead of 1 and 0.
      axis: where the new axis goes; the end if not given.
      dtype: the dtype; that of the values, or float32, if not given.
      name: ignored.

    Returns:
      A tensor of one more axis.

    Raises:
      InvalidArgumentError: for a negative depth, positions that are not integers, or an axis out of
        range.
      TypeError: if the dtypes of the values and ``dtype`` differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/one_hot

    >>> import autodiff_kit as ad
    >>> ad.one_hot([0, 2], 3).numpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    i, count = as_tensor(indices), integer(depth)
    if i._value.dtype not in _POSITIONS:
        refuse_attr("OneHot", "TI", i._value, "uint8, int8, int32, int64")
    if count < 0:
        raise InvalidArgumentError(f"depth must be non-negative, got: {count} [Op:OneHot]")
    rank, where = i._value.ndim, -1 if axis is None else integer(axis)
    if not -1 <= where <= rank:
        raise InvalidArgumentError(
            f"Expected axis to be -1 or between [0, {rank + 1}).  But received: {where} [Op:OneHot]"
        )
    on, off = _on_and_off(on_value, off_value, None if dtype is None else as_dtype(dtype))
    return _one_hot(i, on, off, depth=count, axis=where % (rank + 1))


def _on_and_off(on: Any, off: Any, dtype: Any) -> tuple[Tensor, Tensor]:
    if on is None and off is None:
        kind = (dtype or float32).as_numpy_dtype
        return tensor_of(kind(1)), tensor_of(kind(0))
    given = {
        name: as_tensor(value) if dtype is None else operand(value, dtype)
        for name, value in (("on_value", on), ("off_value", off))
        if value is not None
    }
    dtypes = [tensor.dtype for tensor in given.values()]
    for name, tensor in given.items():
        if dtype is not None and tensor.dtype != dtype:
            raise TypeError(
                f"dtype {tensor.dtype} of {name} does not match dtype parameter {dtype}"
            )
    if len(dtypes) == 2 and dtypes[0] != dtypes[1]:
        raise TypeError(
            f"dtype {dtypes[0]} of on_value does not match dtype {dtypes[1]} of off_value"
        )
    kind = (dtypes[0] if dtypes else dtype or float32).as_numpy_dtype
    return given.get("on_value", tensor_of(kind(1))), given.get("off_value", tensor_of(kind(0)))


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = float32,
    name: str | None = None,
) -> Tensor:
    """The unit matrix.

    Args:
      num_rows: how many rows.
      num_columns: how many columns; as many if not given.
      batch_shape: the shape of a stack of them.
      dtype: the dtype.
      name: ignored.

    Returns:
      A tensor of shape ``(*batch_shape, num_rows, num_columns)``.

    Raises:
      TypeError: if the numbers are not integers.
      InvalidArgumentError: if one is negative.

    Source: https://www.tensorflow.org/api_docs/python/tf/eye

    >>> import autodiff_kit as ad
    >>> ad.eye(2).numpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    columns = num_rows if num_columns is None else num_columns
    if isinstance(num_rows, float) or isinstance(columns, float):
        raise TypeError(
            "Arguments `num_rows` and `num_columns` must be positive integer values. Received: "
            f"num_rows={num_rows}, num_columns={columns}"
        )
    m, n = new_shape((integer(num_rows), integer(columns)))
    batch = () if batch_shape is None else new_shape(batch_shape)
    one = np.eye(m, n, dtype=as_dtype(dtype).as_numpy_dtype)
    return tensor_of(np.broadcast_to(one, (*batch, m, n)), origin("Eye", user_frame()))


def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """Vectors copied along each other's directions, so that together they name all grid points.

    Args:
      args: vectors of one dtype.
      indexing: ``"xy"``: the second axis belongs to the first vector, as in a picture; ``"ij"``: the
        first axis does, as in a matrix.
      name: ignored.

    Returns:
      A list with one tensor for each vector, all of the same shape.

    Raises:
      ValueError: for another ``indexing``.
      InvalidArgumentError: if the dtypes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/meshgrid

    >>> import autodiff_kit as ad
    >>> [grid.numpy().tolist() for grid in ad.meshgrid([1, 2], [3, 4])]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got {indexing!r}"
        )
    vectors = [as_tensor(v) for v in args]
    if vectors:
        refuse_dtypes("Mul", [v._value for v in reversed(vectors)])
    sizes = [v._value.size for v in vectors]
    places = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        places[:2], sizes[:2] = (1, 0), sizes[1::-1]
    grids = []
    for vector, place in zip(vectors, places, strict=True):
        own = tuple(vector._value.size if a == place else 1 for a in range(len(vectors)))
        grids.append(xp.broadcast_to(xp.reshape(vector, shape=own), shape=tuple(sizes)))
    return grids


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two shapes broadcast to.

    Args:
      shape_x, shape_y: shapes.

    Returns:
      A `TensorShape`.

    Raises:
      ValueError: if they do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/broadcast_static_shape

    >>> import autodiff_kit as ad
    >>> ad.broadcast_static_shape((2, 1), (3,))
    TensorShape([2, 3])
    """
    a, b = integers(shape_x), integers(shape_y)
    try:
        return TensorShape(np.broadcast_shapes(a, b))
    except ValueError:
        raise ValueError(
            "Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension "
            f"pair they are either equal or one of them is 1. Received: {a} and {b}."
        ) from None


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that two shapes broadcast to, all of them as integer tensors.

    Args:
      shape_x, shape_y: shapes as integer vectors.

    Returns:
      An integer vector.

    Raises:
      InvalidArgumentError: if they do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/broadcast_dynamic_shape

    >>> import autodiff_kit as ad
    >>> ad.broadcast_dynamic_shape([2, 1], [3])
    <Tensor: shape=(2,), dtype=int32, numpy=array([2, 3], dtype=int32)>
    """
    a, b = as_tensor(shape_x), as_tensor(shape_y)
    try:
        shape = np.broadcast_shapes(integers(a), integers(b))
    except ValueError:
        raise InvalidArgumentError(
            f"Incompatible shapes: {listed(integers(a))} vs. {listed(integers(b))} "
            "[Op:BroadcastArgs]"
        ) from None
    return tensor_of(np.array(shape, a._value.dtype), origin("BroadcastArgs", user_frame()))
