"""Layer 0: TensorShape, a tuple of dimensions that prints as TensorFlow's does."""

from __future__ import annotations

import operator
from functools import partial
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

    def __new__(cls, dims: Any = ()) -> TensorShape:
        if dims is None:
            raise ValueError(
                "the kit has no shapes of unknown rank; a scalar's is ad.TensorShape([])"
            )
        each = (dims,) if isinstance(dims, (int, np.integer)) else dims
        return tuple.__new__(cls, [None if n is None else _dimension(n) for n in each])

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

    def is_compatible_with(self, other: Any) -> bool:
        """Whether ``other`` is the same shape, where None in it, or instead of it, fits anything."""
        if other is None:
            return True
        return len(other) == len(self) and all(
            n is None or n == m for n, m in zip(other, self, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """A ValueError if `is_compatible_with` says no."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """This shape, if ``other`` is compatible with it; otherwise a ValueError."""
        self.assert_is_compatible_with(other)
        return self

    def assert_same_rank(self, other: Any) -> None:
        """A ValueError if ``other`` has another number of dimensions."""
        if other is not None and len(other) != len(self):
            raise ValueError(f"Shapes {self} and {tuple(other)} must have the same rank")

    def assert_has_rank(self, rank: int | None) -> None:
        """A ValueError if the number of dimensions is not ``rank``."""
        self.with_rank(rank)

    def with_rank(self, rank: int | None) -> TensorShape:
        """This shape, if it has ``rank`` dimensions; otherwise a ValueError."""
        return self._if(rank is None or len(self) == rank, f"{rank}")

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape, if it has at least ``rank`` dimensions; otherwise a ValueError."""
        return self._if(len(self) >= rank, f"at least {rank}")

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape, if it has at most ``rank`` dimensions; otherwise a ValueError."""
        return self._if(len(self) <= rank, f"at most {rank}")

    def _if(self, fits: bool, rank: str) -> TensorShape:
        if not fits:
            raise ValueError(f"Shape {self} must have rank {rank}")
        return self

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


def _dimension(size: Any) -> int:
    number = operator.index(size)
    if number < 0:
        raise ValueError(f"Dimension {number} must be >= 0")
    return number


# The shape of an array needs no check, and every question for a tensor's shape makes one.
shape_of = partial(tuple.__new__, TensorShape)
