"""Layer 0: gradients of indexing: zeros but for a few numbers.

One idea: two hundred reads of one element each would give two hundred arrays full of zeros. So each
gives only its number and its index. The first two that meet at a source make one array, and from then
on each number is added to that array in its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_MANY = 1000  # numbers from which on the longer preparation pays


class Scattered:
    """Zeros of a given shape, to which values are added at certain indices."""

    __slots__ = ("array", "key", "repeats", "shape", "values")
    __array_ufunc__ = None  # `array + scattered` is ours to answer, not NumPy's

    def __init__(self, shape: tuple[int, ...], key: Any, values: Any, repeats: bool = True) -> None:
        """``repeats`` says whether the key may name an element twice."""
        self.shape = shape
        self.key = key
        self.values = values
        self.repeats = repeats
        self.array: Any = None  # the sum, once there are several; nobody else may hold it

    def __add__(self, other: Any) -> Scattered:
        if type(other) is not Scattered:
            total = Scattered(self.shape, self.key, self.values)
            total.array = self.dense() + other  # a new array: who holds the old one keeps it
            return total
        array = self.array
        if array is None:
            array = self.array = self.dense()
        if other.array is not None:
            array += other.array
        elif other.repeats:
            _add_at(array, other.key, other.values)
        else:
            array[other.key] += other.values
        return self

    __radd__ = __add__

    def dense(self) -> Any:
        """The sum as an array."""
        if self.array is not None:
            return self.array
        array = np.zeros(self.shape, self.values.dtype)
        if self.repeats:
            _add_at(array, self.key, self.values)
        else:
            array[self.key] = self.values
        return array


def _add_at(array: Any, key: tuple[Any, ...], values: Any) -> None:
    """Add values where a key may name the same element twice, one after the other.

    NumPy is five times faster at many single numbers than at whole rows.
    """
    if len(key) > 1 or values.size < _MANY or not array.flags.c_contiguous:
        np.add.at(array, key, values)
        return
    width = array.size // len(array)
    places = key[0].astype(np.intp).reshape(-1, 1) * width + np.arange(width)
    np.add.at(array.reshape(-1), places.reshape(-1), values.reshape(-1))
