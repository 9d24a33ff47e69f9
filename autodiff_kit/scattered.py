"""Layer 0: gradients of indexing that are not added up yet.

One idea: two hundred reads of one element each would give two hundred arrays full of zeros. Instead
the few numbers wait, each with its index, until somebody needs the sum; then one array takes them
all.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Scattered:
    """Zeros of a given shape, to which values are to be added at certain indices."""

    __slots__ = ("dtype", "parts", "shape")
    __array_ufunc__ = None  # `array + scattered` is ours to answer, not NumPy's

    def __init__(self, shape: tuple[int, ...], dtype: Any, key: Any, values: Any) -> None:
        self.shape = shape
        self.dtype = dtype
        self.parts = [(key, values)]

    def __add__(self, other: Any) -> Any:
        if type(other) is not Scattered:
            return self.__radd__(other)
        self.parts += other.parts
        return self

    def __radd__(self, dense: Any) -> Any:
        return self.added_to(np.array(dense))

    def dense(self) -> Any:
        """The sum as an array."""
        return self.added_to(np.zeros(self.shape, self.dtype))

    def added_to(self, array: Any) -> Any:
        """Add everything to ``array`` in place and return it."""
        for key, values in self.parts:
            if type(key) is np.ndarray or any(type(k) is np.ndarray for k in key):
                np.add.at(array, key, values)
            else:
                array[key] += values
        return array
