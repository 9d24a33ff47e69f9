"""Layer 4: `ad.keras.layers.Dense`, every output sees every input."""

from __future__ import annotations

from typing import Any

from autodiff_kit.keras import activations, expected, initializers, standard
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.weight import Variable
from autodiff_kit.keywords import knowing
from autodiff_kit.ops.matmul import matmul
from autodiff_kit.tensor import Tensor

__all__ = ["Dense"]


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

    @knowing
    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        **kwargs: Any,
    ) -> None:
        self.units = standard.positive(
            "units",
            units,
            "Received an invalid value for `units`, expected a positive integer.",
        )
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        super().__init__(**kwargs)
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
        inputs = self._as_floats(inputs)
        y = matmul(inputs, self.kernel)
        if self.bias is not None:
            y = y + self.bias
        return y if self.activation is activations.linear else self.activation(y)

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for a vector, several tensors, or another number of inputs than before."""
        expected.one_tensor(self.name, shape)
        if len(shape) < 2:
            raise ValueError(
                f"{expected.start(self.name)}min_ndim=2, found ndim={len(shape)}. Full shape received: "
                f"{shape}; the first dimension is that of the examples: write [[1.0, 2.0]] for one of "
                "them"
            )
        if self.kernel is not None:
            expected.axis_length(self.name, shape, -1, self.kernel._value.shape[0])
