"""Layer 4: global pooling layers, which leave one number for each channel.

One idea: the window is the whole sequence or the whole picture.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.keras import expected, standard
from autodiff_kit.keras.core import Plain
from autodiff_kit.ops.axes import expand_dims
from autodiff_kit.ops.casting import cast
from autodiff_kit.ops.largest import reduce_max
from autodiff_kit.ops.reduction import reduce_mean, reduce_sum
from autodiff_kit.tensor import Tensor

__all__ = [
    "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAvgPool1D", "GlobalAvgPool2D",
    "GlobalMaxPool1D", "GlobalMaxPool2D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
]  # fmt: skip


class GlobalPooling(Plain):
    """What all have in common; `_axes` are those that are left out."""

    _axes: tuple[int, ...] = ()

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        self.data_format = standard.channels_last(data_format)
        super().__init__(**kwargs)
        self.keepdims = keepdims

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for another number of axes."""
        expected.one_tensor(self.name, shape)
        expected.axes_number(self.name, shape, len(self._axes) + 2)


class GlobalAveragePooling1D(GlobalPooling):
    """The mean over all steps of sequences.

    Args:
      data_format: only ``"channels_last"``: inputs are of shape (examples, steps, features).
      keepdims: whether the axis stays, with length 1.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for another format, and, when called, for inputs with another number of axes.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/GlobalAveragePooling1D

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.GlobalAveragePooling1D()
    >>> layer([[[1.0], [3.0], [8.0]]]).numpy()
    array([[4.]], dtype=float32)

    A mask, of shape (examples, steps), leaves steps out:

    >>> layer([[[1.0], [3.0], [8.0]]], mask=ad.constant([[True, True, False]])).numpy()
    array([[2.]], dtype=float32)
    """

    _axes = (1,)

    def call(self, inputs: Tensor, mask: Any = None) -> Tensor:
        """Compute the outputs."""
        if mask is None:
            return reduce_mean(inputs, 1, self.keepdims)
        kept = cast(expand_dims(mask, 2), inputs.dtype)
        total = reduce_sum(inputs * kept, 1, self.keepdims)
        return total / reduce_sum(kept, 1, self.keepdims)


class GlobalAveragePooling2D(GlobalPooling):
    """The mean over height and width of pictures.

    Args:
      data_format: only ``"channels_last"``: inputs are (examples, height, width, channels).
      keepdims: whether both axes stay, with length 1.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for another format, and, when called, for inputs with another number of axes.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/GlobalAveragePooling2D

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.GlobalAveragePooling2D()(ad.ones([2, 5, 5, 3])).shape
    TensorShape([2, 3])
    """

    _axes = (1, 2)

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        return reduce_mean(inputs, self._axes, self.keepdims)


class GlobalMaximum(GlobalPooling):
    """What both have in common that take the largest."""

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        return reduce_max(inputs, self._axes, self.keepdims)


class GlobalMaxPooling1D(GlobalMaximum):
    """The largest of all steps of sequences; where several are, they share the gradient.

    Arguments and errors are those of `GlobalAveragePooling1D`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/GlobalMaxPooling1D

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.GlobalMaxPooling1D()([[[1.0], [3.0], [2.0]]]).numpy()
    array([[3.]], dtype=float32)
    """

    _axes = (1,)


class GlobalMaxPooling2D(GlobalMaximum):
    """The largest over height and width of pictures; where several are, they share the gradient.

    Arguments and errors are those of `GlobalAveragePooling2D`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/GlobalMaxPooling2D

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.GlobalMaxPooling2D(keepdims=True)(ad.ones([2, 5, 5, 3])).shape
    TensorShape([2, 1, 1, 3])
    """

    _axes = (1, 2)


GlobalAvgPool1D, GlobalAvgPool2D = GlobalAveragePooling1D, GlobalAveragePooling2D
GlobalMaxPool1D, GlobalMaxPool2D = GlobalMaxPooling1D, GlobalMaxPooling2D
