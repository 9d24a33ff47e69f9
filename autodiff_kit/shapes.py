"""Layer 0: TensorShape, a tuple of dimensions that prints as TensorFlow's does."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit import text

__all__ = ["TensorShape"]


class TensorShape(tuple[int, ...]):
    """A tuple of dimensions that prints and answers as TensorFlow's ``TensorShape`` does.

    Source: https://www.tensorflow.org/api_docs/python/tf/TensorShape

    >>> import autodiff_kit as ad
    >>> shape = ad.constant([[1.0, 2.0]]).shape
    >>> shape, shape.rank, shape.as_list(), shape == (1, 2)
    (TensorShape([1, 2]), 2, [1, 2], True)
    """

    __slots__ = ()

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self)

    ndims = rank

    def as_list(self) -> list[int]:
        """The dimensions as a list."""
        return list(self)

    def num_elements(self) -> int:
        """The product of the dimensions."""
        return int(np.prod(self, dtype=np.int64))

    @property
    def dims(self) -> list[int]:
        """The dimensions as a list."""
        return list(self)

    def is_fully_defined(self) -> bool:
        """Whether every dimension is known, as it always is in the kit."""
        return True

    def concatenate(self, other: Any) -> TensorShape:
        """The dimensions of both, one after the other."""
        return TensorShape((*self, *other))

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return TensorShape(found) if type(key) is slice else found

    def __add__(self, other: Any) -> TensorShape:
        return TensorShape((*self, *other))

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape((*other, *self))

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, tuple(other) if isinstance(other, list) else other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return text.shape_repr(self)

    def __str__(self) -> str:
        return text.shape_str(self)
