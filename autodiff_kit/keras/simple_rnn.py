"""Layer 4: `ad.keras.layers.SimpleRNN`, the plainest of the recurrent layers."""

from __future__ import annotations

from autodiff_kit.keras.recurrent import Recurrent, States
from autodiff_kit.ops.matmul import matmul
from autodiff_kit.tensor import Tensor

__all__ = ["SimpleRNN"]


class SimpleRNN(Recurrent):
    """At each step ``state = activation(input @ kernel + state @ recurrent_kernel + bias)``.

    Args:
      units: the length of the state, which is the output.
      activation: a name, a function, or None.
      use_bias: whether there is a bias.
      kernel_initializer: the first value of the kernel, of shape (features, units).
      recurrent_initializer: the first value of the recurrent kernel, of shape (units, units).
      bias_initializer: the bias' first value.
      return_sequences: whether the outputs of all steps are returned, or that of the last one.
      return_state: whether the last state is returned too: ``output, state = layer(x)``.
      kwargs: ``name="reader"`` and the like, as for `Layer`.

    Raises:
      ValueError: if units is not a positive integer; when called, for inputs that do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/SimpleRNN

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.SimpleRNN(4, return_sequences=True, name="r")
    >>> layer(ad.ones([2, 5, 3])).shape
    TensorShape([2, 5, 4])
    >>> layer.recurrent_kernel.name, layer.recurrent_kernel.shape
    ('r/simple_rnn_cell/recurrent_kernel:0', TensorShape([4, 4]))
    """

    _cell = "simple_rnn_cell"

    def _step(self, x: Tensor, states: States) -> States:
        """The new state."""
        return [self.activation(x + matmul(states[0], self.recurrent_kernel))]
