"""Layer 3: whole numbers among the arguments: shapes, axes, counts.

One idea: they may be Python numbers, lists, arrays or integer tensors, but never almost integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.dtypes import as_dtype
from autodiff_kit.errors import InvalidArgumentError

__all__: list[str] = []


def _written_out(value: Any) -> bool:
    """Whether it is a Python number of usual size, or lists of such: nearly every argument is."""
    if type(value) is int:
        return -(2**31) <= value < 2**31
    return type(value) in (list, tuple) and bool(value) and all(map(_written_out, value))


def integer_array(value: Any, op_type: str = "", attr: str = "") -> Any:
    """An integer array of any rank; an empty list is one too. What else there is TensorFlow's error."""
    if type(value) in (list, tuple) and _written_out(value):
        try:
            return np.array(value, np.int32)
        except ValueError:
            pass  # lists of different lengths: `as_tensor` says so
    array = np.asarray(as_tensor(value)._value)
    if array.dtype.kind in "iu":
        return array
    if array.size == 0 and isinstance(value, (list, tuple)):
        return array.astype(np.int64)
    if op_type and (is_tensor(value) or isinstance(value, (list, tuple, np.ndarray))):
        refuse_attr(op_type, attr, array, "int32, int64")
    raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype int32")


def integer(value: Any) -> int:
    """One integer."""
    if type(value) is int:
        return value
    array = integer_array(value)
    if array.size != 1:
        raise TypeError(f"expected one integer, got {value!r}")
    return int(array.reshape(()))


def integers(value: Any, op_type: str = "", attr: str = "") -> tuple[int, ...]:
    """A vector of integers, such as a shape; one integer is a vector of length 1."""
    if type(value) is int:
        return (value,)
    if isinstance(value, (tuple, list)) and all(type(n) is int for n in value):
        return tuple(value)
    return tuple(integer_array(value, op_type, attr).reshape(-1).tolist())


def refuse_attr(op_type: str, attr: str, value: Any, allowed: str) -> None:
    """TensorFlow's error for a dtype that one of the inputs cannot have."""
    raise InvalidArgumentError(
        f"Value for attr {attr!r} of {as_dtype(value.dtype).error_name} is not in the list of allowed "
        f"values: {allowed} [Op:{op_type}]; use ad.cast"
    )


def listed(shape: Any) -> str:
    """A shape as TensorFlow's kernels write it: ``[2,3]``."""
    return "[" + ",".join(map(str, shape)) + "]"
