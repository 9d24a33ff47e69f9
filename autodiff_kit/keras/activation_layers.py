"""Layer 4: activations that are layers with arguments of their own: ReLU, LeakyReLU, Softmax."""

from __future__ import annotations

from typing import Any

from autodiff_kit import nn
from autodiff_kit.convert import operand
from autodiff_kit.keras import activations
from autodiff_kit.keras.core import Plain
from autodiff_kit.ops.casting import cast
from autodiff_kit.ops.exponential import exp
from autodiff_kit.ops.largest import reduce_logsumexp
from autodiff_kit.ops.select import where
from autodiff_kit.tensor import Tensor

__all__ = ["LeakyReLU", "ReLU", "Softmax"]


def _refuse_negative(kind: str, name: str, value: Any) -> None:
    if value is None or value < 0:
        raise ValueError(
            f"{name} of a {kind} layer cannot be None or a negative value. Received: {name}={value}"
        )


class ReLU(Plain):
    """The input where it is positive, else 0; with other arguments a bent line of other slopes.

    Args:
      max_value: what the outputs are cut off at; without one they are not.
      negative_slope: the slope below the threshold.
      threshold: where the line is bent.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for a negative argument.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/ReLU

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.ReLU(max_value=6.0)([-1.0, 2.0, 9.0]).numpy()
    array([0., 2., 6.], dtype=float32)
    """

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **kwargs: Any,
    ) -> None:
        if max_value is not None and max_value < 0:
            raise ValueError(
                f"max_value of a ReLU layer cannot be a negative value. Received: max_value={max_value}"
            )
        _refuse_negative("ReLU", "negative_slope", negative_slope)
        _refuse_negative("ReLU", "threshold", threshold)
        super().__init__(**kwargs)
        self.max_value = max_value
        self.negative_slope = negative_slope
        self.threshold = threshold

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Plain):
    """The input where it is positive, else ``negative_slope`` times the input.

    Args:
      negative_slope: the slope below 0.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for a negative slope.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/LeakyReLU

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.LeakyReLU()([-1.0, 0.0, 2.0]).numpy()
    array([-0.3,  0. ,  2. ], dtype=float32)
    """

    def __init__(self, negative_slope: float = 0.3, **kwargs: Any) -> None:
        _refuse_negative("LeakyReLU", "negative_slope", negative_slope)
        super().__init__(**kwargs)
        self.negative_slope = negative_slope

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        return nn.leaky_relu(inputs, self.negative_slope)


class Softmax(Plain):
    """Positive numbers that add up to 1 along an axis, or along several.

    Args:
      axis: the axis or axes.
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Softmax

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Softmax()([[1.0, 1.0]]).numpy()
    array([[0.5, 0.5]], dtype=float32)

    A mask, of a shape that can be broadcast to the inputs, leaves elements out:

    >>> ad.keras.layers.Softmax()([[1.0, 1.0]], mask=ad.constant([[True, False]])).numpy()
    array([[1., 0.]], dtype=float32)
    """

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs: Tensor, mask: Any = None) -> Tensor:
        """Compute the outputs."""
        if mask is None:
            return self._shares(inputs)
        low = operand(-3e4 if inputs.dtype.name == "float16" else -1e9, inputs.dtype)
        kept = cast(mask, "bool")
        return where(kept, self._shares(where(kept, inputs, low)), operand(0.0, inputs.dtype))

    def _shares(self, x: Tensor) -> Tensor:
        if not isinstance(self.axis, (tuple, list)):
            return nn.softmax(x, self.axis)
        if len(self.axis) == 1:
            return nn.softmax(x, self.axis[0])
        return exp(x - reduce_logsumexp(x, self.axis, keepdims=True))
