"""Layer 4: `ad.keras.initializers.Orthogonal`, what recurrent layers begin with.

One idea: a matrix whose rows, or columns, are at right angles keeps the length of what it is multiplied
with, so that a signal that goes through it many times neither grows nor fades.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff_kit.convert import convert_to_tensor
from autodiff_kit.keras.initializer import Initializer, draw
from autodiff_kit.ops.integers import integers
from autodiff_kit.tensor import Tensor

__all__ = ["Orthogonal"]


class Orthogonal(Initializer):
    """A random matrix with orthogonal rows, or columns if there are fewer of them.

    Args:
      gain: what the matrix is multiplied with.
      seed: an integer; the same numbers are then drawn each time.

    Raises:
      ValueError: when called for a shape with less than two dimensions.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/Orthogonal

    >>> import autodiff_kit as ad
    >>> matrix = ad.keras.initializers.Orthogonal(seed=1)([2, 2])
    >>> bool(ad.reduce_all(ad.abs(ad.matmul(matrix, matrix, transpose_b=True) - ad.eye(2)) < 1e-6))
    True
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain = gain
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """One draw; the dimensions but the last count as one."""
        shape = integers(shape)
        if len(shape) < 2:
            raise ValueError(
                "The tensor to initialize must be at least two-dimensional. Received: "
                f"shape={shape} of rank {len(shape)}."
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        tall = max(rows, columns), min(rows, columns)
        numbers = draw("normal", tall, 0.0, 1.0, dtype, self.seed)._value
        q, r = np.linalg.qr(numbers)
        q = q * np.sign(np.diag(r))  # else the algorithm would prefer one sign
        found = self.gain * (q.T if rows < columns else q).reshape(shape)
        return convert_to_tensor(found.astype(numbers.dtype))
