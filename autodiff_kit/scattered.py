"""Layer 0: gradients of indexing: zeros but for a few numbers.

One idea: two hundred reads of one element each would give two hundred arrays full of zeros. So each
gives only its number and its index. The way back makes one array where the first of them arrives, and
adds each number to that array in its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_MANY = 1000  # numbers from which on the longer preparation pays


class Scattered:
    """Zeros of a given shape, but for values at certain indices."""

    __slots__ = ("key", "repeats", "shape", "values")

    def __init__(self, shape: tuple[int, ...], key: Any, values: Any, repeats: bool = True) -> None:
        """``repeats`` says whether the key may name an element twice."""
        self.shape = shape
        self.key = key
        self.values = values
        self.repeats = repeats

    def add_to(self, array: Any) -> Any:
        """Add the values to an array in place, and return it."""
        if self.repeats:
            _add_at(array, self.key, self.values)
        else:
            array[self.key] += self.values
        return array

    def dense(self) -> Any:
        """All of it as an array."""
        array = np.zeros(self.shape, self.values.dtype)
        if self.repeats:
            return self.add_to(array)
        array[self.key] = self.values  # an added -0.0 would become 0.0
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
