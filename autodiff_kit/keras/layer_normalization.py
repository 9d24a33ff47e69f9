"""Layer 4: `ad.keras.layers.LayerNormalization`, each example with mean 0 and variance 1 by itself.

One idea: it needs no other examples, so it computes the same in training and later.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nn
from autodiff_kit.keras import expected, initializers
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.weight import Variable
from autodiff_kit.ops.roots import rsqrt
from autodiff_kit.ops.shape import reshape
from autodiff_kit.tensor import Tensor

__all__ = ["LayerNormalization"]


class LayerNormalization(Layer):
    """``gamma * (inputs - mean) / sqrt(variance + epsilon) + beta``, along the axes of one example.

    Args:
      axis: the axis, or the axes, over which mean and variance are taken.
      epsilon: what is added to the variance, which may be 0.
      center: whether there is a beta.
      scale: whether there is a gamma.
      beta_initializer: the first value of beta, which has the lengths of the axes for its shape.
      gamma_initializer: the first value of gamma, likewise.
      kwargs: ``name="norm"`` and the like, as for `Layer`.

    Raises:
      TypeError: for an axis that is no number.
      ValueError: when called, for inputs without such an axis, or of another length than before.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/LayerNormalization

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.LayerNormalization(epsilon=0.0, name="norm")
    >>> layer([[1.0, 3.0], [20.0, 60.0]]).numpy()
    array([[-1.,  1.],
           [-1.,  1.]], dtype=float32)
    >>> [(v.name, v.shape.as_list()) for v in layer.trainable_variables]
    [('norm/gamma:0', [2]), ('norm/beta:0', [2])]
    """

    def __init__(
        self,
        axis: Any = -1,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        **kwargs: Any,
    ) -> None:
        if not isinstance(axis, (int, list, tuple)):
            raise TypeError(
                "Expected an int or a list/tuple of ints for the argument 'axis', but received: "
                f"{axis!r}"
            )
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        super().__init__(**kwargs)
        self.axis = sorted(axis) if isinstance(axis, (list, tuple)) else [axis]
        self.epsilon = epsilon
        self.center = center
        self.scale = scale
        self.gamma: Variable | None = None
        self.beta: Variable | None = None
        self._lengths: tuple[int, ...] = ()

    def build(self, input_shape: Any) -> None:
        """Make gamma and beta, one element for each place within an example."""
        self.check_input(tuple(input_shape))
        shape = tuple(input_shape[axis] for axis in self.axis)
        if self.scale:
            self.gamma = self.add_weight(shape, self.gamma_initializer, name="gamma")
        if self.center:
            self.beta = self.add_weight(shape, self.beta_initializer, name="beta")
        self._lengths = shape

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        inputs = self._as_floats(inputs)
        mean, variance = nn.moments(inputs, self.axis, keepdims=True)
        y = (inputs - mean) * rsqrt(variance + self.epsilon)
        if self.gamma is not None:
            y = y * self._along(self.gamma, inputs)
        return y if self.beta is None else y + self._along(self.beta, inputs)

    def _along(self, values: Any, inputs: Tensor) -> Any:
        """Gamma or beta in a shape that broadcasts along the axes."""
        axes = sorted(axis % inputs.ndim for axis in self.axis)
        if axes == list(range(inputs.ndim - len(axes), inputs.ndim)):
            return values
        return reshape(values, [n if i in axes else 1 for i, n in enumerate(inputs._value.shape)])

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for inputs without these axes, or of other lengths than before."""
        expected.one_tensor(self.name, shape)
        for axis in self.axis:
            expected.axis_within(shape, axis, self.axis)
        for axis, length in zip(self.axis, self._lengths, strict=False):
            expected.axis_length(self.name, shape, axis, length)
