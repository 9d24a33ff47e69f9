"""Layer 0: numbers that a caller hands in, in an array of our own.

One idea: they get the dtype that TensorFlow would give them, and what does not fit is refused, never
rounded or cut in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit import dtypes
from autodiff_kit.dtypes import DType
from autodiff_kit.shapes import TensorShape

_KINDS = "biuf"
ALLOWED = {d.name for d in vars(dtypes).values() if isinstance(d, DType)}
USUAL = {np.dtype(name) for name in ALLOWED}  # in this machine's order of bytes


def owned(value: Any, dtype: DType | None) -> Any:
    """An array of our own with the values and the dtype that TensorFlow would give it."""
    if isinstance(value, (np.ndarray, np.generic)):
        _refuse_kind(value, value.dtype)
        found = value.dtype
        native = found if found.isnative else found.newbyteorder("=")
        return np.array(value, native if dtype is None else dtype.as_numpy_dtype)
    try:
        array = np.array(value)
    except (ValueError, TypeError):
        raise ValueError(
            "Can't convert non-rectangular Python sequence to Tensor: "
            "the nested lists have different lengths."
        ) from None
    except OverflowError:
        array = np.array(None)
    if array.dtype.kind == "O" and {type(n) for n in array.flat} <= {int, float, bool}:
        array = _large(array, dtype)
    _refuse_kind(value, array.dtype)
    return _typed(value, array, dtype)


def _large(array: Any, dtype: DType | None) -> Any:
    """Integers of more than 64 bits: only floats reach so far."""
    floats = dtype.is_floating if dtype is not None else any(type(n) is float for n in array.flat)
    try:
        if floats:
            return array.astype(np.float64)
    except OverflowError:
        pass
    raise out_of_range()


_NO_GRADIENT = "if this None is a gradient, none flowed: ad.explain(tape, target, source) says why."


def out_of_range() -> ValueError:
    """The error for a number that no dtype holds."""
    # Without the number: Python refuses to print one of more than 4300 digits.
    return ValueError(
        "Can't convert Python sequence with out-of-range integer to Tensor: int64 ends at 2**63 - 1, "
        "and dtype=ad.float64 at 1.8e308"
    )


def _refuse_kind(value: Any, found: Any) -> None:
    if found in USUAL or found.kind in _KINDS and found.name in ALLOWED:
        return
    if found.kind == "c":
        raise TypeError(f"Cannot convert {value!r} to a Tensor: the kit has no complex numbers.")
    if found.kind == "O" and isinstance(value, (list, tuple)):
        raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}.")
    hint = _NO_GRADIENT if value is None else "the kit holds numbers and booleans."
    raise ValueError(
        f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a "
        f"Tensor; {hint}"
    )


def _typed(value: Any, array: Any, dtype: DType | None) -> Any:
    """Numbers in a list: as in TensorFlow, NumPy's integers count as Python's."""
    if dtype is not None:
        return _fitted(value, array, dtype)
    first: Any = next(leaves_of(value), 0.0)
    kind = getattr(first, "dtype", np.dtype(type(first))).kind
    if kind == "b" and array.dtype.kind != "b":
        raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r}.")
    if array.dtype.kind == "f":
        if kind == "i" and all(type(leaf) is int for leaf in leaves_of(value)):
            raise out_of_range()  # NumPy takes floats for integers that need 65 bits
        return _as_float(array, getattr(first, "dtype", None) if kind == "f" else None)
    if array.dtype.kind in "iu":
        if array.dtype == np.uint64 and array.size and array.max() >= 2**63:
            raise out_of_range()
        small = not array.size or -(2**31) <= array.min() and array.max() < 2**31
        return array.astype(np.int32 if small else np.int64)
    return array if array.flags.owndata else array.copy()


def _as_float(array: Any, dtype: Any) -> Any:
    """Python floats are float32; a NumPy number at the beginning keeps its own dtype."""
    if dtype is not None:
        return array.astype(dtype)
    converted = array.astype(np.float32)
    if np.isinf(converted).any() and not np.array_equal(np.isinf(array), np.isinf(converted)):
        raise ValueError(
            "Can't convert Python sequence with a value out of range for float32; give dtype=ad.float64"
        )
    return converted


def _fitted(value: Any, array: Any, dtype: DType) -> Any:
    """Python numbers must be representable: TensorFlow truncates none of them silently."""
    converted = array.astype(dtype.as_numpy_dtype)
    accepting = {"b": "biuf", "i": "iuf", "u": "iuf", "f": "f"}[array.dtype.kind]
    in_range = not dtype.is_integer or np.array_equal(converted, array)
    if array.size and (converted.dtype.kind not in accepting or not in_range):
        raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {dtype.error_name}")
    return converted


def shaped(array: Any, shape: tuple[int, ...]) -> Any:
    """The numbers in the shape that the caller asks for, which a single one fills."""
    if array.size == 1:
        return np.full(shape, array.reshape(())[()], array.dtype)
    if array.size != TensorShape(shape).num_elements():
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape. Tensor {array!r} (converted "
            f"from input) has {array.size} elements, but got `shape` {list(shape)} with "
            f"{TensorShape(shape).num_elements()} elements."
        )
    return array.reshape(shape).copy()


def leaves_of(value: Any) -> Iterator[Any]:
    """What nested lists hold, one after the other."""
    if isinstance(value, (list, tuple, range)):
        for part in value:
            yield from leaves_of(part)
    else:
        yield value
