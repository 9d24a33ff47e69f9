"""Layer 4: `ad.keras.layers`.

Source: https://keras.io/api/layers/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff_kit import lazy, nn
from autodiff_kit.keras import activations, initializers
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.weight import Variable
from autodiff_kit.ops.casting import cast, zeros_like
from autodiff_kit.ops.dropout import stateless_dropout
from autodiff_kit.ops.matmul import matmul
from autodiff_kit.ops.shape import reshape
from autodiff_kit.tensor import Tensor

__all__ = ["Activation", "Dense", "Dropout", "Flatten", "Layer"]
if not TYPE_CHECKING:
    __getattr__ = lazy.refusing(__name__)


class Dense(Layer):
    """``activation(inputs @ kernel + bias)``: every output sees every input.

    Args:
      units: the number of outputs.
      activation: a name, a function, or None.
      use_bias: whether there is a bias.
      kernel_initializer: the kernel's first value, a name or an initializer.
      bias_initializer: the bias' first value.
      kwargs: ``name="out"`` and the like, as for `Layer`; the variables are then ``out/kernel:0`` and
        ``out/bias:0``.

    Raises:
      ValueError: if units is not a positive integer; when called, for inputs that do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Dense

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.Dense(2, "relu", kernel_initializer="ones", name="dense_1")
    >>> layer([[1.0, 2.0, 3.0]]).numpy()
    array([[6., 6.]], dtype=float32)
    >>> [(v.name, v.shape.as_list()) for v in layer.trainable_variables]
    [('dense_1/kernel:0', [3, 2]), ('dense_1/bias:0', [2])]
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        **kwargs: Any,
    ) -> None:
        if isinstance(units, bool) or not isinstance(units, int) or units <= 0:
            raise ValueError(
                "Received an invalid value for `units`, expected a positive integer. "
                f"Received: units={units}"
            )
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        super().__init__(**kwargs)
        self.units = units
        self.use_bias = use_bias
        self.kernel: Variable | None = None
        self.bias: Variable | None = None

    def build(self, input_shape: Any) -> None:
        """Make kernel and bias for inputs whose last dimension is that of ``input_shape``.

        >>> import autodiff_kit as ad
        >>> layer = ad.keras.layers.Dense(2)
        >>> layer.build((None, 3))
        >>> layer.kernel.shape
        TensorShape([3, 2])
        """
        self.kernel = self.add_weight(
            (input_shape[-1], self.units), self.kernel_initializer, name="kernel"
        )
        if self.use_bias:
            self.bias = self.add_weight((self.units,), self.bias_initializer, name="bias")
        self.built = True

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        if self.dtype is not None and inputs._value.dtype.kind != "f":
            inputs = cast(inputs, self.dtype)  # whole numbers, which a layer gets as they are
        y = matmul(inputs, self.kernel)
        if self.bias is not None:
            y = y + self.bias
        return y if self.activation is activations.linear else self.activation(y)

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for a vector, several tensors, or another number of inputs than before."""
        if not isinstance(shape, tuple) or any(not isinstance(n, int) for n in shape):
            raise ValueError(
                f'Layer "{self.name}" expects 1 input(s), but it received a {type(shape).__name__} of '
                "tensors; ad.stack or ad.concat makes one of them"
            )
        start = f'Input 0 of layer "{self.name}" is incompatible with the layer: expected '
        if len(shape) < 2:
            raise ValueError(
                f"{start}min_ndim=2, found ndim={len(shape)}. Full shape received: {shape}; the first "
                "dimension is that of the examples: write [[1.0, 2.0]] for one of them"
            )
        if self.kernel is not None and shape[-1] != self.kernel.shape[0]:
            raise ValueError(
                f"{start}axis -1 of input shape to have value {self.kernel.shape[0]}, but received "
                f"input with shape {shape}"
            )


def _any_dtype(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a layer that leaves inputs their dtype, unless it is given one."""
    return {"dtype": None, **given}


class Flatten(Layer):
    """All dimensions but the first as one.

    Args:
      kwargs: ``name="flat"`` and the like, as for `Layer`; without a dtype inputs keep theirs.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Flatten

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Flatten()(ad.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**_any_dtype(kwargs))

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        shape = inputs._value.shape
        size = 1
        for length in shape[1:]:
            size *= length
        return reshape(inputs, (shape[0] if shape else 1, size))


class Activation(Layer):
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
        super().__init__(**_any_dtype(kwargs))

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        return self.activation(inputs)


class Dropout(Layer):
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
        super().__init__(**_any_dtype(kwargs))
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
