"""Layer 4: `ad.keras.layers.Reshape`, the same numbers in another shape."""

from __future__ import annotations

import math
from typing import Any

from autodiff_kit.keras import expected
from autodiff_kit.keras.core import Plain
from autodiff_kit.ops.shape import reshape
from autodiff_kit.tensor import Tensor

__all__ = ["Reshape"]


class Reshape(Plain):
    """The numbers of each example in another shape.

    Args:
      target_shape: the shape of one example, without the first dimension; one -1 in it stands for what
        is left.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for a shape that is none, and, when called, if the numbers do not fit into it.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Reshape

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Reshape((3, -1))(ad.ones([2, 12])).shape
    TensorShape([2, 3, 4])
    """

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        self.target_shape = tuple(target_shape)
        if any(n < -1 for n in self.target_shape):
            raise ValueError(
                "Each dimension in `target_shape` must be a non-negative integer, or `-1` for a single "
                f"unknown dimension. Received: target_shape={self.target_shape}."
            )
        if self.target_shape.count(-1) > 1:
            raise ValueError(
                "There must be at most one unknown dimension (-1) in `target_shape`. Received: "
                f"target_shape={self.target_shape}."
            )
        super().__init__(**kwargs)

    def check_input(self, shape: Any) -> None:
        """Raise ValueError if an example has another number of elements than the target."""
        expected.one_tensor(self.name, shape)
        size, wanted = math.prod(shape[1:]), math.prod(n for n in self.target_shape if n != -1)
        if (size % wanted if wanted else size) if -1 in self.target_shape else size != wanted:
            raise ValueError(
                "The total size of the tensor must be unchanged. Received: "
                f"input_shape={shape[1:]}, target_shape={self.target_shape}"
            )

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        return reshape(inputs, (inputs._value.shape[0], *self.target_shape))
