"""Layer 4: `ad.keras.layers.LSTM`, a recurrent layer with a memory.

One idea: the memory is only multiplied by a gate and added to, so that a gradient gets through many
steps; three gates, numbers from 0 to 1, say what is forgotten, written and shown.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.keras import activations
from autodiff_kit.keras.recurrent import Recurrent, States
from autodiff_kit.ops.creation import ones
from autodiff_kit.ops.joining import concat
from autodiff_kit.ops.matmul import matmul
from autodiff_kit.ops.parting import split
from autodiff_kit.tensor import Tensor

__all__ = ["LSTM"]


class LSTM(Recurrent):
    """At each step ``memory = forget * memory + write * new; state = show * activation(memory)``.

    The kernels hold the matrices of write, forget, new and show, in this order; the bias as well.

    Args:
      units: the length of the state, which is the output, and of the memory.
      activation: bends what is new, and the memory where it is shown.
      recurrent_activation: bends the gates.
      use_bias: whether there is a bias.
      kernel_initializer: the first value of the kernel, of shape (features, 4 * units).
      recurrent_initializer: the first value of the recurrent kernel, of shape (units, 4 * units).
      bias_initializer: the bias' first value.
      unit_forget_bias: whether the bias of the forget gate begins with ones, so that little is
        forgotten at first.
      return_sequences: whether the outputs of all steps are returned, or that of the last one.
      return_state: whether state and memory are returned too: ``output, state, memory = layer(x)``.
      kwargs: ``name="reader"`` and the like, as for `Layer`.

    Raises:
      ValueError: if units is not a positive integer; when called, for inputs that do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/LSTM

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.LSTM(2, name="lstm")
    >>> layer(ad.ones([5, 7, 3])).shape
    TensorShape([5, 2])
    >>> layer.bias.name, layer.bias.numpy()
    ('lstm/lstm_cell/bias:0', array([0., 0., 1., 1., 0., 0., 0., 0.], dtype=float32))
    """

    _cell = "lstm_cell"
    _gates = 4
    _parts = 2

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        *,
        return_sequences: bool = False,
        return_state: bool = False,
        **kwargs: Any,
    ) -> None:
        self.recurrent_activation = activations.get(recurrent_activation)
        self.unit_forget_bias = unit_forget_bias
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            return_sequences=return_sequences, return_state=return_state, **kwargs,
        )  # fmt: skip

    def _first_bias(self, shape: Any, dtype: Any) -> Any:
        """The first value of the bias, the forget gate's by itself."""
        if not self.unit_forget_bias:
            return super()._first_bias(shape, dtype)
        write = super()._first_bias((self.units,), dtype)
        rest = super()._first_bias((2 * self.units,), dtype)
        return concat([write, ones([self.units], dtype), rest], 0)

    def _step(self, x: Tensor, states: States) -> States:
        """The new state and the new memory."""
        state, memory = states
        parts = split(x + matmul(state, self.recurrent_kernel), 4, axis=1)
        write, forget, show = (self.recurrent_activation(parts[i]) for i in (0, 1, 3))
        memory = forget * memory + write * self.activation(parts[2])
        return [show * self.activation(memory), memory]
