"""Layer 4: `ad.keras.layers.Conv1D` and `Conv2D`, filters that slide over sequences and pictures."""

from __future__ import annotations

from autodiff_kit import nn
from autodiff_kit.keras.convolution import Convolution
from autodiff_kit.ops.padding import pad
from autodiff_kit.tensor import Tensor

__all__ = ["Conv1D", "Conv2D"]


class Conv1D(Convolution):
    """Filters that slide along sequences: at each step ``activation(sum of products + bias)``.

    Args:
      filters: the number of filters, which is that of the channels that come out.
      kernel_size: the length of the window.
      strides: how far the window moves at each step.
      padding: ``"valid"``: only where the window fits; ``"same"``: with zeros at both ends; or
        ``"causal"``: with zeros at the beginning, so that no output depends on a later input.
      data_format: only ``"channels_last"``: inputs are of shape (examples, steps, channels).
      dilation_rate: the distance between the elements of the window.
      groups: only 1.
      activation: a name, a function, or None.
      use_bias: whether there is a bias for each filter.
      kernel_initializer: the first value of the kernel, of shape (kernel_size, channels, filters).
      bias_initializer: the bias' first value.
      kwargs: ``name="conv"`` and the like, as for `Layer`.

    Raises:
      ValueError: for arguments that do not fit, and, when called, for such inputs.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Conv1D

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.Conv1D(1, 2, kernel_initializer="ones", name="conv")
    >>> layer(ad.constant([1.0, 2.0, 4.0], shape=[1, 3, 1])).numpy().ravel()
    array([3., 6.], dtype=float32)
    >>> [(v.name, v.shape.as_list()) for v in layer.trainable_variables]
    [('conv/kernel:0', [2, 1, 1]), ('conv/bias:0', [1])]
    """

    _axes = 1
    _paddings = ("valid", "same", "causal")

    def _slide(self, inputs: Tensor) -> Tensor:
        word = self.padding
        if word == "causal":
            inputs = pad(
                inputs, [[0, 0], [self.dilation_rate[0] * (self.kernel_size[0] - 1), 0], [0, 0]]
            )
            word = "valid"
        return nn.conv1d(
            inputs, self.kernel, self.strides[0], word.upper(), dilations=self.dilation_rate[0]
        )


class Conv2D(Convolution):
    """Filters that slide over pictures: at each place ``activation(sum of products + bias)``.

    Args:
      filters: the number of filters, which is that of the channels that come out.
      kernel_size: height and width of the window, or one number for both.
      strides: how far the window moves at each step, one number or two.
      padding: ``"valid"``: only where the window fits; ``"same"``: with zeros around.
      data_format: only ``"channels_last"``: inputs are of shape (examples, height, width, channels).
      dilation_rate: the distance between the elements of the window, one number or two.
      groups: only 1.
      activation: a name, a function, or None.
      use_bias: whether there is a bias for each filter.
      kernel_initializer: the first value of the kernel, of shape (height, width, channels, filters).
      bias_initializer: the bias' first value.
      kwargs: ``name="conv"`` and the like, as for `Layer`.

    Raises:
      ValueError: for arguments that do not fit, and, when called, for such inputs.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Conv2D

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.Conv2D(4, 3, activation="relu")
    >>> layer(ad.ones([2, 28, 28, 1])).shape, layer.kernel.shape
    (TensorShape([2, 26, 26, 4]), TensorShape([3, 3, 1, 4]))
    """

    _axes = 2

    def _slide(self, inputs: Tensor) -> Tensor:
        return nn.conv2d(
            inputs, self.kernel, self.strides, self.padding.upper(), dilations=self.dilation_rate
        )
