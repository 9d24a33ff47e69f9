"""Layer 0: the element types, under TensorFlow's names.

One idea: a DType is a name for a NumPy dtype that also knows whether a gradient can flow through
it.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

__all__ = [
    "DType", "as_dtype", "bool", "double", "float16", "float32", "float64", "half",
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
]  # fmt: skip


class DType:
    """The type of a tensor's elements, for example ``ad.float32``.

    Args:
      name: TensorFlow's name of the type, which NumPy shares.

    A DType compares equal to itself, to the NumPy dtype and to the name.

    Source: https://www.tensorflow.org/api_docs/python/tf/dtypes/DType

    >>> import autodiff_kit as ad
    >>> ad.float32 == "float32", ad.float32.is_floating, ad.float32.size
    (True, True, 4)
    """

    __slots__ = ("_numpy", "is_bool", "is_floating", "is_integer", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._numpy = np.dtype(name)
        self.is_floating = self._numpy.kind == "f"
        self.is_integer = self._numpy.kind in "iu"
        self.is_bool = self._numpy.kind == "b"

    @property
    def as_numpy_dtype(self) -> type[Any]:
        """The NumPy scalar type, for example ``numpy.float32``."""
        return self._numpy.type

    @property
    def base_dtype(self) -> DType:
        """The dtype itself; TensorFlow's spelling for types without references."""
        return self

    @property
    def size(self) -> int:
        """Bytes of one element."""
        return self._numpy.itemsize

    @property
    def is_unsigned(self) -> builtins.bool:
        """Whether it holds whole numbers from 0 on."""
        return self._numpy.kind == "u"

    @property
    def is_complex(self) -> builtins.bool:
        """False: the kit has real numbers only."""
        return False

    @property
    def is_numeric(self) -> builtins.bool:
        """Whether it holds numbers, as all but bool do."""
        return not self.is_bool

    def is_compatible_with(self, other: object) -> builtins.bool:
        """Whether ``other`` is the same dtype."""
        return self == as_dtype(other)

    @property
    def min(self) -> Any:
        """The smallest finite value."""
        return _limits(self, "minimum").min

    @property
    def max(self) -> Any:
        """The largest finite value."""
        return _limits(self, "maximum").max

    @property
    def error_name(self) -> str:
        """What TensorFlow's kernels call the type in their messages: ``float``, ``double``."""
        return {"float16": "half", "float32": "float", "float64": "double"}.get(
            self.name, self.name
        )

    def __eq__(self, other: object) -> Any:
        try:
            return self is other or self._numpy == as_dtype(other)._numpy
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self._numpy)

    def __repr__(self) -> str:
        return f"ad.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


def _limits(dtype: DType, what: str) -> Any:
    if dtype.is_bool:
        raise TypeError(f"Cannot find {what} value of {dtype}: it holds no numbers")
    return np.finfo(dtype._numpy) if dtype.is_floating else np.iinfo(dtype._numpy)


half = float16 = DType("float16")
float32 = DType("float32")
double = float64 = DType("float64")
int8, int16, int32, int64 = DType("int8"), DType("int16"), DType("int32"), DType("int64")
uint8, uint16, uint32, uint64 = DType("uint8"), DType("uint16"), DType("uint32"), DType("uint64")
bool = DType("bool")

_BY_NUMPY = {
    dtype._numpy: dtype
    for dtype in (
        float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64, bool
    )
}  # fmt: skip
_BY_PYTHON = {float: float32, int: int32, builtins.bool: bool}
_BY_WORD = {"float": float32, "int": int32}  # NumPy's are twice as long


def as_dtype(type_value: object) -> DType:
    """The DType that a name, a NumPy dtype or a Python type stands for.

    Args:
      type_value: a DType, its name, a NumPy dtype or scalar type, or ``float``, ``int``, ``bool``.

    Returns:
      The DType.

    Raises:
      TypeError: for anything else; strings, objects and complex numbers have no DType in the kit.

    Source: https://www.tensorflow.org/api_docs/python/tf/dtypes/as_dtype

    >>> import autodiff_kit as ad
    >>> ad.as_dtype("float64"), ad.as_dtype(int)
    (ad.float64, ad.int32)
    """
    if isinstance(type_value, DType):
        return type_value
    if isinstance(type_value, np.dtype) and type_value in _BY_NUMPY:  # by far the most frequent
        return _BY_NUMPY[type_value]
    if isinstance(type_value, type) and type_value in _BY_PYTHON:
        return _BY_PYTHON[type_value]
    if isinstance(type_value, str) and type_value in _BY_WORD:
        return _BY_WORD[type_value]
    try:
        if type_value is not None:  # NumPy would take it for float64
            return _BY_NUMPY[np.dtype(type_value)]  # type: ignore[call-overload]
    except (KeyError, TypeError, ValueError):
        pass
    known = ", ".join(dtype.name for dtype in _BY_NUMPY.values())
    raise TypeError(
        f"Cannot convert the argument `type_value`: {type_value!r} to a DType; the kit has {known}"
    )
