"""Layer 4: layers without variables: Activation, Dropout, Flatten.

One idea: as they have nothing of a dtype of their own, they leave inputs theirs.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_kit import nn
from autodiff_kit.keras import activations, standard
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keywords import knowing
from autodiff_kit.ops.casting import zeros_like
from autodiff_kit.ops.dropout import stateless_dropout
from autodiff_kit.ops.shape import reshape
from autodiff_kit.tensor import Tensor

__all__ = ["Activation", "Dropout", "Flatten"]


class Plain(Layer):
    """A layer that leaves inputs their dtype, unless it is given one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"dtype": None, **kwargs})


class Flatten(Plain):
    """All dimensions but the first as one.

    Args:
      data_format: only ``"channels_last"``.
      kwargs: ``name="flat"`` and the like, as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for another format.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Flatten

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Flatten()(ad.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        self.data_format = standard.channels_last(data_format)
        super().__init__(**kwargs)

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        shape = inputs._value.shape
        return reshape(inputs, (shape[0] if shape else 1, math.prod(shape[1:])))


class Activation(Plain):
    """An activation as a layer of its own.

    Args:
      activation: a name, a function, or None.
      kwargs: ``name="bend"`` and the like, as for `Layer`; without a dtype inputs keep theirs.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Activation

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Activation("relu")([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        self.activation = activations.get(activation)
        super().__init__(**kwargs)

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        return self.activation(inputs)


class Dropout(Plain):
    """In training, sets a random part of the inputs to 0 and makes the others larger to keep the sum.

    Args:
      rate: the part, from 0 to 1.
      noise_shape: the shape of the random choice, which is broadcast to the inputs: where it has a 1,
        all along that axis stay or go together.
      seed: the draws' own seed: the layer then draws, call by call, what a layer of Keras with this
        seed draws. Without one it draws as `ad.nn.dropout`.
      kwargs: ``name="drop"`` and the like, as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: for another rate.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Dropout

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Dropout(0.5)([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """

    @knowing
    def __init__(
        self,
        rate: float,
        noise_shape: Any = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(
                "Invalid value received for argument `rate`. Expected a float value between 0 and 1. "
                f"Received: rate={rate}"
            )
        super().__init__(**kwargs)
        self.rate = rate
        self.noise_shape = noise_shape
        self.seed = seed
        self._draws = 0  # with the seed they say what is drawn next

    def call(self, inputs: Tensor, training: bool = False) -> Tensor:
        """Drop in training, and only then."""
        if not training or self.rate == 0:
            return inputs
        if self.rate == 1:
            return zeros_like(inputs)
        if self.seed is None:
            return nn.dropout(inputs, self.rate, self.noise_shape)
        self._draws += 1
        seed = [self.seed % (2**31 - 2), self._draws - 1]
        return stateless_dropout(inputs, self.rate, seed, self.noise_shape)
