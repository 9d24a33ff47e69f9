"""Layer 4: `ad.keras.layers.BatchNormalization`, features with mean 0 and variance 1 over the examples.

One idea: there are two ways to compute. In training mean and variance are those of the batch, and
gradients flow through them to all its examples; otherwise they are two variables that were kept up
to date in training, by assignment, which no gradient flows through.
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

__all__ = ["BatchNormalization"]


class BatchNormalization(Layer):
    """``gamma * (inputs - mean) / sqrt(variance + epsilon) + beta``.

    Called with ``training=True``, mean and variance are those of the inputs, over all axes but one, and
    the moving ones come a little nearer to them. Otherwise the moving ones are used. They are not
    trained, and tapes do not watch them. A layer with ``trainable = False`` uses the moving ones in any
    case.

    Args:
      axis: the axis of the features, each of which is normalized by itself.
      momentum: the part of the moving statistics that stays at each call in training.
      epsilon: what is added to the variance, which may be 0.
      center: whether there is a beta.
      scale: whether there is a gamma.
      beta_initializer: the first value of beta.
      gamma_initializer: the first value of gamma.
      moving_mean_initializer: the first value of the moving mean.
      moving_variance_initializer: the first value of the moving variance.
      kwargs: ``name="norm"`` and the like, as for `Layer`.

    Raises:
      ValueError: when called, for inputs with other axes or other features than before.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/BatchNormalization

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.BatchNormalization(epsilon=0.0, momentum=0.5, name="norm")
    >>> layer([[1.0], [3.0]], training=True).numpy()
    array([[-1.],
           [ 1.]], dtype=float32)
    >>> [v.name for v in layer.trainable_variables], [v.name for v in layer.non_trainable_variables]
    (['norm/gamma:0', 'norm/beta:0'], ['norm/moving_mean:0', 'norm/moving_variance:0'])
    >>> layer.moving_mean.numpy()
    array([1.], dtype=float32)
    """

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones",
        **kwargs: Any,
    ) -> None:
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)
        super().__init__(**kwargs)
        self.axis = int(axis)
        self.momentum = float(momentum)
        self.epsilon = float(epsilon)
        self.center = center
        self.scale = scale
        self.gamma: Variable | None = None
        self.beta: Variable | None = None
        self.moving_mean: Variable | None = None
        self.moving_variance: Variable | None = None
        self._ndim = 0

    def build(self, input_shape: Any) -> None:
        """Make the variables, each with one element for each feature."""
        self.check_input(tuple(input_shape))
        shape = (input_shape[self.axis],)
        if self.scale:
            self.gamma = self.add_weight(shape, self.gamma_initializer, name="gamma")
        if self.center:
            self.beta = self.add_weight(shape, self.beta_initializer, name="beta")
        self.moving_mean = self.add_weight(
            shape, self.moving_mean_initializer, trainable=False, name="moving_mean"
        )
        self.moving_variance = self.add_weight(
            shape, self.moving_variance_initializer, trainable=False, name="moving_variance"
        )
        self._ndim = len(input_shape)

    def call(self, inputs: Tensor, training: Any = None) -> Tensor:
        """Compute the outputs, and in training the moving statistics."""
        inputs = self._as_floats(inputs)
        if training and self.trainable:
            feature = self.axis % inputs.ndim
            others = [axis for axis in range(inputs.ndim) if axis != feature]
            mean, variance = nn.moments(inputs, others)
            self._move(self.moving_mean, mean)
            self._move(self.moving_variance, variance)
            return self._normalized(inputs, mean, variance)
        return self._normalized(inputs, self.moving_mean, self.moving_variance)

    def _normalized(self, x: Tensor, mean: Any, variance: Any) -> Tensor:
        y = (x - self._along(mean)) * rsqrt(self._along(variance) + self.epsilon)
        if self.gamma is not None:
            y = y * self._along(self.gamma)
        return y if self.beta is None else y + self._along(self.beta)

    def _along(self, values: Any) -> Any:
        """One number for each feature, in a shape that broadcasts along the axis of the features."""
        if self.axis % self._ndim == self._ndim - 1:
            return values
        shape = [1] * self._ndim
        shape[self.axis] = -1
        return reshape(values, shape)

    def _move(self, moving: Any, new: Tensor) -> None:
        """Nearer to the batch's value, as a number: no tape has to know how it came about."""
        stays = self.momentum
        moving.assign(moving._value * stays + new._value * (1.0 - stays))

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for other axes or other features than before."""
        expected.one_tensor(self.name, shape)
        expected.axis_within(shape, self.axis, self.axis)
        if self.moving_mean is not None:
            expected.axes_number(self.name, shape, self._ndim)
            expected.axis_length(self.name, shape, self.axis, self.moving_mean._value.shape[0])
