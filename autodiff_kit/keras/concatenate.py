"""Layer 4: `ad.keras.layers.Concatenate`, tensors side by side."""

from __future__ import annotations

from typing import Any

from autodiff_kit.keras.merging import Merge
from autodiff_kit.ops.joining import concat
from autodiff_kit.tensor import Tensor

__all__ = ["Concatenate"]


class Concatenate(Merge):
    """Tensors side by side along an axis.

    Args:
      axis: the axis along which they may differ in length.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: when called on something else than a list, or if other axes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Concatenate

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Concatenate()([ad.ones([2, 3]), ad.zeros([2, 1])]).shape
    TensorShape([2, 4])
    """

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def _check_shapes(self, shapes: list[tuple[int, ...]]) -> None:
        others = {shape[: self.axis] + shape[self.axis :][1:] for shape in shapes}
        if len(others) > 1:
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the "
                f"concatenation axis. Received: input_shape={shapes}"
            )

    def call(self, inputs: Any) -> Tensor:
        """Compute the outputs."""
        return concat(list(inputs), self.axis)
