"""Layer 4: Initializer, what all initializers are, and how the random ones draw."""

from __future__ import annotations

from typing import Any

from autodiff_kit import random
from autodiff_kit.tensor import Tensor

__all__ = ["Initializer"]


class Initializer:
    """A function of a shape; the base of the others, and what you derive your own from.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/Initializer

    >>> import autodiff_kit as ad
    >>> class Twos(ad.keras.initializers.Initializer):
    ...     def __call__(self, shape, dtype=None):
    ...         return ad.fill(shape, 2.0)
    """

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """The first value for a variable of this shape and dtype, float32 if not given."""
        raise NotImplementedError("Initializer subclasses must implement the `__call__()` method.")


def draw(kind: str, shape: Any, first: Any, second: Any, dtype: Any, seed: int | None) -> Tensor:
    """Random numbers of a distribution with these two parameters."""
    if seed is None:
        return getattr(random, kind)(shape, first, second, dtype or "float32")
    pair = [seed % (2**31 - 2), 0]  # what Keras makes of a seed that is negative or large
    return getattr(random, f"stateless_{kind}")(shape, pair, first, second, dtype or "float32")
