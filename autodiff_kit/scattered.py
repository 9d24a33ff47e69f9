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

    def __init__(
        self, shape: tuple[int, ...], dtype: Any, key: Any, values: Any, repeats: bool = True
    ) -> None:
        """``repeats`` says whether the key may name an element twice."""
        self.shape = shape
        self.dtype = dtype
        self.parts = [(key, values, repeats)]

    def __add__(self, other: Any) -> Any:
        self.parts += other.parts if type(other) is Scattered else [(..., other, False)]
        return self

    def __radd__(self, dense: Any) -> Any:
        self.parts.insert(0, (..., dense, False))
        return self

    def dense(self) -> Any:
        """The sum as an array."""
        parts = self.parts
        if parts[0][0] is ...:
            array, parts = np.array(parts[0][1]), parts[1:]  # a copy: what came is not ours
        else:
            array = np.zeros(self.shape, self.dtype)
        for key, values, repeats in parts:
            if repeats:
                np.add.at(array, key, values)
            else:
                array[key] += values
        return array
