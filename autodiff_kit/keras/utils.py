"""Layer 4: `ad.keras.utils`.

Source: https://keras.io/api/utils/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff_kit import lazy
from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.ops.grids import one_hot

__all__ = ["to_categorical"]
__dir__ = lazy.shown(globals())
if not TYPE_CHECKING:
    __getattr__ = lazy.refusing(__name__)


def to_categorical(x: Any, num_classes: int | None = None) -> Any:
    """Class numbers as rows with a 1 at the class, as `CategoricalCrossentropy` wants them.

    Args:
      x: integers from 0; a last axis of length 1 is left out.
      num_classes: how many classes; the largest number and one more if not given.

    Returns:
      A NumPy array of float64 with a new last axis; of a tensor a tensor of float32.

    Raises:
      IndexError: for a number in an array or a list that is not one of the classes; in a tensor its
        row has no 1.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/to_categorical

    >>> import autodiff_kit as ad
    >>> ad.keras.utils.to_categorical([0, 2])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    numbers = np.array(as_tensor(x)._value if is_tensor(x) else x, dtype=np.int64)
    if numbers.ndim > 1 and numbers.shape[-1] == 1:
        numbers = numbers.reshape(numbers.shape[:-1])
    count = num_classes or int(numbers.max()) + 1
    return one_hot(numbers, count) if is_tensor(x) else np.eye(count)[numbers]
