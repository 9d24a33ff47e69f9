"""Layer 4: pooling layers, which make sequences and pictures smaller.

One idea: a window slides, and of each place there stays one number for each channel: the largest, or
the mean. Without ``strides`` the windows lie side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_kit import nn
from autodiff_kit.keras import expected, standard
from autodiff_kit.keras.core import Plain
from autodiff_kit.tensor import Tensor

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AvgPool1D", "AvgPool2D", "MaxPool1D", "MaxPool2D",
    "MaxPooling1D", "MaxPooling2D",
]  # fmt: skip


class Pooling(Plain):
    """What all have in common; `_axes` says over how many of them the window slides."""

    _axes = 0
    _pooled: Callable[..., Tensor]

    def __init__(
        self,
        pool_size: Any = 2,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.pool_size = standard.per_axis("pool_size", pool_size, self._axes)
        given = self.pool_size if strides is None else strides
        self.strides = standard.per_axis("strides", given, self._axes)
        self.padding = standard.padding(padding)
        self.data_format = standard.channels_last(data_format)
        super().__init__(name=name, **kwargs)

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for another number of axes, or a window that does not fit."""
        expected.one_tensor(self.name, shape)
        expected.axes_number(self.name, shape, self._axes + 2)
        for length, size in zip(shape[1:-1], self.pool_size, strict=True):
            if self.padding == "valid" and length < size:
                raise ValueError(
                    f"Computed output size would be zero or negative. Received: input_shape={shape}, "
                    f"pool_size={self.pool_size}, padding=valid: the window is larger than the input; "
                    "a smaller pool_size or padding='same' fits"
                )

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        return self._pooled(inputs, self.pool_size, self.strides, self.padding.upper())


class MaxPooling1D(Pooling):
    """The largest element of each window of sequences.

    To the first of the largest flows the whole gradient, to the others none.

    Args:
      pool_size: the length of the window.
      strides: how far the window moves at each step; its own length if not given.
      padding: ``"valid"``: only where the window fits; ``"same"``: at the ends it may be cut off.
      data_format: only ``"channels_last"``: inputs are of shape (examples, steps, features).
      name: the layer's name.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for arguments that do not fit, and, when called, for such inputs.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/MaxPooling1D

    >>> import autodiff_kit as ad
    >>> x = ad.constant([1.0, 3.0, 2.0, 0.0], shape=[1, 4, 1])
    >>> ad.keras.layers.MaxPooling1D()(x).numpy().ravel()
    array([3., 2.], dtype=float32)
    """

    _axes = 1
    _pooled = staticmethod(nn.max_pool1d)


class MaxPooling2D(Pooling):
    """The largest element of each window of pictures.

    To the first of the largest flows the whole gradient, to the others none.

    Args:
      pool_size: height and width of the window, or one number for both.
      strides: how far the window moves at each step, one number or two; its own size if not given.
      padding: ``"valid"``: only where the window fits; ``"same"``: at the edges it may be cut off.
      data_format: only ``"channels_last"``: inputs are (examples, height, width, channels).
      name: the layer's name.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for arguments that do not fit, and, when called, for such inputs.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/MaxPooling2D

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.MaxPooling2D()(ad.ones([1, 28, 28, 3])).shape
    TensorShape([1, 14, 14, 3])
    """

    _axes = 2
    _pooled = staticmethod(nn.max_pool2d)


class Averaging(Pooling):
    """What both have in common that take means: Keras asks them for the window."""

    def __init__(
        self,
        pool_size: Any,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, data_format, name, **kwargs)


class AveragePooling1D(Averaging):
    """The mean of each window of sequences; what ``"same"`` adds at the ends does not count.

    Arguments and errors are those of `MaxPooling1D`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/AveragePooling1D

    >>> import autodiff_kit as ad
    >>> x = ad.constant([1.0, 3.0, 2.0, 0.0], shape=[1, 4, 1])
    >>> ad.keras.layers.AveragePooling1D(2)(x).numpy().ravel()
    array([2., 1.], dtype=float32)
    """

    _axes = 1
    _pooled = staticmethod(nn.avg_pool1d)


class AveragePooling2D(Averaging):
    """The mean of each window of pictures; what ``"same"`` adds at the edges does not count.

    Arguments and errors are those of `MaxPooling2D`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/AveragePooling2D

    >>> import autodiff_kit as ad
    >>> x = ad.constant([[1.0, 2.0], [3.0, 4.0]], shape=[1, 2, 2, 1])
    >>> ad.keras.layers.AveragePooling2D(2)(x).numpy().ravel()
    array([2.5], dtype=float32)
    """

    _axes = 2
    _pooled = staticmethod(nn.avg_pool2d)


MaxPool1D, MaxPool2D = MaxPooling1D, MaxPooling2D
AvgPool1D, AvgPool2D = AveragePooling1D, AveragePooling2D
