"""Layer 3: tensors made from a rule instead of from data, and what a tensor's form is.

One idea: nothing flows back to a shape or a count; only `fill` knows where its values came from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.dtypes import DType, as_dtype, float32, int32
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.integers import integers, listed
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["fill", "ones", "range", "rank", "shape", "size", "zeros"]


def new_shape(dims: Any, op_type: str = "Fill", attr: str = "") -> tuple[int, ...]:
    """The shape of a tensor that is to be made."""
    wanted = integers(dims, op_type if attr else "", attr)
    for n in wanted:
        if n < 0:
            raise InvalidArgumentError(f"Dimension {n} must be >= 0 [Op:{op_type}]")
    return wanted


def _element_type(name: str, shape: Any, dtype: Any) -> Any:
    """The type of the elements; a number in its place was meant for the shape."""
    if type(dtype) is int:
        raise TypeError(
            f"the second argument of ad.{name} is the dtype, but it is {dtype}; the shape is given in "
            f"one list, as ad.{name}([{shape}, {dtype}])"
        )
    return as_dtype(dtype).as_numpy_dtype


def zeros(shape: Any, dtype: Any = float32, name: str | None = None) -> Tensor:
    """A tensor of zeros.

    Args:
      shape: its dimensions; `[]` makes a scalar.
      dtype: its dtype.
      name: ignored.

    Returns:
      The tensor.

    Raises:
      InvalidArgumentError: for a negative dimension.
      TypeError: for a dimension that is not an integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/zeros

    >>> import autodiff_kit as ad
    >>> ad.zeros([2])
    <Tensor: shape=(2,), dtype=float32, numpy=array([0., 0.], dtype=float32)>
    """
    value = np.zeros(new_shape(shape), _element_type("zeros", shape, dtype))
    return tensor_of(value[()], origin("Fill", user_frame()))


def ones(shape: Any, dtype: Any = float32, name: str | None = None) -> Tensor:
    """A tensor of ones; arguments, result and errors are those of `ad.zeros`.

    Source: https://www.tensorflow.org/api_docs/python/tf/ones

    >>> import autodiff_kit as ad
    >>> ad.ones([2], ad.int32)
    <Tensor: shape=(2,), dtype=int32, numpy=array([1, 1], dtype=int32)>
    """
    value = np.ones(new_shape(shape), _element_type("ones", shape, dtype))
    return tensor_of(value[()], origin("Fill", user_frame()))


def _all_axes(dims: Any) -> tuple[int, ...]:
    return tuple(np.arange(len(dims)).tolist())  # `range` is the kit's own here


_fill = operation(
    "Fill",
    "fill",
    lambda value, dims: np.full(dims, value, value.dtype)[()],
    lambda dy, _x, _y, dims: xp.reduce_sum(dy, axis=_all_axes(dims), keepdims=False),
)


def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """A tensor with one value everywhere; it is differentiable with respect to that value.

    Args:
      dims: its dimensions.
      value: a scalar.
      name: ignored.

    Returns:
      A tensor of the dtype of ``value``.

    Raises:
      InvalidArgumentError: for a negative dimension, or a value that is not a scalar.

    Source: https://www.tensorflow.org/api_docs/python/tf/fill

    >>> import autodiff_kit as ad
    >>> ad.fill([3], 7)
    <Tensor: shape=(3,), dtype=int32, numpy=array([7, 7, 7], dtype=int32)>
    """
    x = as_tensor(value)
    if x._value.shape:
        raise InvalidArgumentError(
            f"value must represent a scalar, got shape {listed(x._value.shape)} [Op:Fill]; for other "
            "values use ad.broadcast_to"
        )
    return _fill(x, dims=new_shape(dims, attr="index_type"))


def _counted(start: Any, limit: Any, delta: Any) -> Any:
    if delta == 0:
        raise InvalidArgumentError(f"Requires delta != 0: {delta} [Op:Range]")
    if start > limit if delta > 0 else start < limit:
        sign = ("<=", ">") if delta > 0 else (">=", "<")
        raise InvalidArgumentError(
            f"Requires start {sign[0]} limit when delta {sign[1]} 0: {start}/{limit} [Op:Range]"
        )
    wide = np.float64 if start.dtype.kind == "f" else start.dtype
    first, last, step = start.astype(wide), limit.astype(wide), delta.astype(wide)
    number = int(np.ceil((last - first) / step))
    return (first + step * np.arange(number, dtype=wide)).astype(start.dtype)


_range = operation("Range", "range", _counted, no_gradient, no_gradient, no_gradient)


def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str | None = None
) -> Tensor:
    """The numbers from ``start`` up to, but without, ``limit``, in steps of ``delta``.

    Args:
      start: the first number; if it is the only argument, the limit, and the first number is 0.
      limit: the number to stop before.
      delta: the step; not 0.
      dtype: the dtype of the result; the widest of the arguments' if not given.
      name: ignored.

    Returns:
      A vector.

    Raises:
      InvalidArgumentError: if the step is 0 or leads away from the limit, or for arguments that are
        not scalars.

    Source: https://www.tensorflow.org/api_docs/python/tf/range

    >>> import autodiff_kit as ad
    >>> ad.range(3, 18, 3)
    <Tensor: shape=(5,), dtype=int32, numpy=array([ 3,  6,  9, 12, 15], dtype=int32)>
    """
    if limit is None:
        start, limit = 0, start
    given = [
        as_tensor(v, None if dtype is None else as_dtype(dtype)) for v in (start, limit, delta)
    ]
    for what, tensor in zip(("start", "limit", "delta"), given, strict=True):
        if tensor._value.shape:
            raise InvalidArgumentError(
                f"{what} must be a scalar, not shape {listed(tensor._value.shape)} [Op:Range]"
            )
    wanted = _widest(given) if dtype is None else as_dtype(dtype).name
    return _range(*[xp.cast(t, dtype=wanted) for t in given])


def _widest(numbers: list[Tensor]) -> str:
    order = ("int32", "int64", "float16", "float32", "float64")
    for tensor in numbers:
        if tensor._value.dtype.name not in order:
            refuse_kind("Range", tensor._value, "if")
    return max((t._value.dtype.name for t in numbers), key=order.index)


def _elements(x: Any, out: str) -> Any:
    # A number that is too large for the dtype keeps its lowest bits, as in TensorFlow.
    return np.int64(x.size).astype(out)


_shape = operation("Shape", "shape", lambda x, out: np.array(x.shape, out), no_gradient)
_size = operation("Size", "size", _elements, no_gradient)
_rank = operation("Rank", "rank", lambda x: np.int32(x.ndim), no_gradient)


def shape(input: Any, out_type: Any = int32, name: str | None = None) -> Tensor:
    """The dimensions as an integer vector. No gradient flows through it.

    Args:
      input: any tensor.
      out_type: int32 or int64.
      name: ignored.

    Returns:
      A vector.

    Raises:
      InvalidArgumentError: for another ``out_type``.

    Source: https://www.tensorflow.org/api_docs/python/tf/shape

    >>> import autodiff_kit as ad
    >>> ad.shape([[1.0, 2.0, 3.0]])
    <Tensor: shape=(2,), dtype=int32, numpy=array([1, 3], dtype=int32)>
    """
    return _shape(as_tensor(input), out=counting("Shape", out_type))


def size(input: Any, out_type: Any = int32, name: str | None = None) -> Tensor:
    """How many elements there are. No gradient flows through it.

    Args:
      input: any tensor.
      out_type: any dtype; a floating one makes a number to divide by.
      name: ignored.

    Returns:
      A scalar.

    Source: https://www.tensorflow.org/api_docs/python/tf/size

    >>> import autodiff_kit as ad
    >>> ad.size([[1.0, 2.0, 3.0]])
    <Tensor: shape=(), dtype=int32, numpy=3>
    >>> ad.size([[1.0, 2.0, 3.0]], out_type=ad.float32)
    <Tensor: shape=(), dtype=float32, numpy=3.0>
    """
    return _size(as_tensor(input), out=as_dtype(out_type).name)


def rank(input: Any, name: str | None = None) -> Tensor:
    """How many dimensions there are, as an int32 scalar.

    Source: https://www.tensorflow.org/api_docs/python/tf/rank

    >>> import autodiff_kit as ad
    >>> ad.rank([[1.0, 2.0, 3.0]])
    <Tensor: shape=(), dtype=int32, numpy=2>
    """
    return _rank(as_tensor(input))


def counting(op_type: str, dtype: Any) -> str:
    wanted: DType = as_dtype(dtype)
    if wanted.name not in ("int32", "int64"):
        raise InvalidArgumentError(
            f"Value for attr 'out_type' of {wanted.error_name} is not in the list of allowed values: "
            f"int32, int64 [Op:{op_type}]"
        )
    return wanted.name
