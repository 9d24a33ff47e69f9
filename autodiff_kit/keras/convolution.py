"""Layer 4: what the layers with sliding filters have in common.

One idea: a layer keeps the filters, and one bias for each of them; the sliding is `ad.nn`'s.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.keras import activations, expected, initializers, standard
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.weight import Variable
from autodiff_kit.tensor import Tensor


class Convolution(Layer):
    """What both have in common; `_axes` says over how many of them the filters slide."""

    _axes = 0
    _paddings: tuple[str, ...] = ("valid", "same")

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
        self.kernel_size = standard.per_axis("kernel_size", kernel_size, self._axes)
        self.strides = standard.per_axis("strides", strides, self._axes)
        self.padding = standard.padding(padding, self._paddings)
        self.data_format = standard.channels_last(data_format)
        self.dilation_rate = standard.per_axis("dilation_rate", dilation_rate, self._axes)
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
        inputs = self._as_floats(inputs)
        y = self._slide(inputs)
        if self.bias is not None:
            y = y + self.bias
        return y if self.activation is activations.linear else self.activation(y)

    def _slide(self, inputs: Tensor) -> Tensor:
        raise NotImplementedError

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for other axes, other channels than before, or too large a window."""
        expected.one_tensor(self.name, shape)
        expected.axes_number(self.name, shape, self._axes + 2, least=True)
        if len(shape) > self._axes + 2:
            raise ValueError(
                "Kernel shape must have the same length as input, but received kernel of shape "
                f"{(*self.kernel_size, shape[-1], self.filters)} and input of shape {shape}."
            )
        if self.kernel is not None:
            expected.axis_length(self.name, shape, -1, self.kernel._value.shape[-2])
        if self.padding == "valid":
            self._refuse_window(shape)

    def _refuse_window(self, shape: Any) -> None:
        windows = zip(shape[1:-1], self.kernel_size, self.dilation_rate, strict=True)
        if any(n is not None and n < holes * (size - 1) + 1 for n, size, holes in windows):
            raise ValueError(
                "Computed output size would be zero or negative. Received "
                f"`inputs shape={shape}`, `kernel_size={self.kernel_size}`, "
                f"`dilation_rate={self.dilation_rate}`, `padding=valid`: the window is larger than the "
                "input; a smaller kernel_size or padding='same' fits"
            )


def _refuse_groups(groups: Any) -> None:
    if groups != 1:
        raise ValueError(
            f"groups={groups} is not in this kit. Give each group of channels, x[..., first:last], a "
            "layer of its own, and put their outputs together with ad.concat(outputs, axis=-1)"
        )
