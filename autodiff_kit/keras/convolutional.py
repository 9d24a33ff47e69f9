"""Layer 4: `ad.keras.layers.Conv1D` and `Conv2D`, filters that slide over sequences and pictures.

One idea: a layer keeps the filters, and one bias for each of them; the sliding is `ad.nn`'s.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nn
from autodiff_kit.keras import activations, expected, initializers, standard
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.weight import Variable
from autodiff_kit.ops.casting import cast
from autodiff_kit.ops.padding import pad
from autodiff_kit.tensor import Tensor

__all__ = ["Conv1D", "Conv2D"]


class Convolution(Layer):
    """What both have in common; `axes` says over how many of them the filters slide."""

    axes = 0
    paddings: tuple[str, ...] = ("valid", "same")

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Any = 1,
        groups: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        **kwargs: Any,
    ) -> None:
        self.filters = standard.positive(
            "filters",
            filters,
            "Invalid value for argument `filters`. Expected a strictly positive value.",
        )
        self.kernel_size = standard.per_axis("kernel_size", kernel_size, self.axes)
        self.strides = standard.per_axis("strides", strides, self.axes)
        self.padding = standard.padding(padding, self.paddings)
        self.data_format = standard.channels_last(data_format)
        self.dilation_rate = standard.per_axis("dilation_rate", dilation_rate, self.axes)
        _refuse_groups(groups)
        self._refuse_both()
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        super().__init__(**kwargs)
        self.kernel: Variable | None = None
        self.bias: Variable | None = None

    def _refuse_both(self) -> None:
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(
                "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
                f"strides={self.strides} and dilation_rate={self.dilation_rate}"
            )

    def build(self, input_shape: Any) -> None:
        """Make kernel and bias for inputs with as many channels as the last of ``input_shape``."""
        self.check_input(tuple(input_shape))
        shape = (*self.kernel_size, input_shape[-1], self.filters)
        self.kernel = self.add_weight(shape, self.kernel_initializer, name="kernel")
        if self.use_bias:
            self.bias = self.add_weight((self.filters,), self.bias_initializer, name="bias")

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        if self.dtype is not None and inputs._value.dtype.kind != "f":
            inputs = cast(inputs, self.dtype)  # whole numbers, which a layer gets as they are
        y = self._slide(inputs)
        if self.bias is not None:
            y = y + self.bias
        return y if self.activation is activations.linear else self.activation(y)

    def _slide(self, inputs: Tensor) -> Tensor:
        raise NotImplementedError

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for other axes, other channels than before, or too large a window."""
        expected.one_tensor(self.name, shape)
        expected.axes_number(self.name, shape, self.axes + 2, least=True)
        if len(shape) > self.axes + 2:
            raise ValueError(
                "Kernel shape must have the same length as input, but received kernel of shape "
                f"{(*self.kernel_size, shape[-1], self.filters)} and input of shape {shape}."
            )
        if self.kernel is not None:
            expected.axis_length(self.name, shape, -1, self.kernel._value.shape[-2])
        for length, size, holes in zip(
            shape[1:-1], self.kernel_size, self.dilation_rate, strict=True
        ):
            if self.padding == "valid" and length is not None and length < holes * (size - 1) + 1:
                raise ValueError(
                    "Computed output size would be zero or negative. Received "
                    f"`inputs shape={shape}`, `kernel_size={self.kernel_size}`, "
                    f"`dilation_rate={self.dilation_rate}`, `padding=valid`: the window is larger than "
                    "the input; a smaller kernel_size or padding='same' fits"
                )


def _refuse_groups(groups: Any) -> None:
    if groups != 1:
        raise ValueError(
            f"groups={groups} is not in this kit. Give each group of channels, x[..., first:last], a "
            "layer of its own, and put their outputs together with ad.concat(outputs, axis=-1)"
        )


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

    axes = 1
    paddings = ("valid", "same", "causal")

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

    axes = 2

    def _slide(self, inputs: Tensor) -> Tensor:
        return nn.conv2d(
            inputs, self.kernel, self.strides, self.padding.upper(), dilations=self.dilation_rate
        )
