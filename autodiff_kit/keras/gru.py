"""Layer 4: `ad.keras.layers.GRU`, a recurrent layer with two gates.

One idea: one gate says how much of the old state is kept, so that a gradient gets through many
steps, the other how much of it is looked at to make the new one.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.keras import activations
from autodiff_kit.keras.recurrent import Recurrent, States
from autodiff_kit.ops.matmul import matmul
from autodiff_kit.ops.parting import split
from autodiff_kit.tensor import Tensor

__all__ = ["GRU"]


class GRU(Recurrent):
    """At each step ``state = keep * state + (1 - keep) * new``, where new is made of input and state.

    The kernels hold the matrices of keep, look and new, in this order; the bias as well.

    Args:
      units: the length of the state, which is the output.
      activation: bends what is new.
      recurrent_activation: bends the gates.
      use_bias: whether there is a bias.
      kernel_initializer: the first value of the kernel, of shape (features, 3 * units).
      recurrent_initializer: the first value of the recurrent kernel, of shape (units, 3 * units).
      bias_initializer: the first value of the bias, of shape (2, 3 * units): one row for the inputs,
        one for the state. Without ``reset_after`` it is one row.
      return_sequences: whether the outputs of all steps are returned, or that of the last one.
      return_state: whether the last state is returned too: ``output, state = layer(x)``.
      reset_after: whether the gate comes after the product of state and recurrent kernel, or before.
      kwargs: ``name="reader"`` and the like, as for `Layer`.

    Raises:
      ValueError: if units is not a positive integer; when called, for inputs that do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/GRU

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.GRU(2)
    >>> layer(ad.ones([5, 7, 3])).shape, layer.bias.shape
    (TensorShape([5, 2]), TensorShape([2, 6]))
    """

    _cell = "gru_cell"
    _gates = 3

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        *,
        return_sequences: bool = False,
        return_state: bool = False,
        reset_after: bool = True,
        **kwargs: Any,
    ) -> None:
        self.recurrent_activation = activations.get(recurrent_activation)
        self.reset_after = reset_after
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            return_sequences=return_sequences, return_state=return_state, **kwargs,
        )  # fmt: skip

    def _bias_shape(self) -> tuple[int, ...]:
        """The shape of the bias."""
        width = 3 * self.units
        return (2, width) if self.reset_after else (width,)

    def _projected(self, inputs: Tensor) -> Tensor:
        """What the inputs contribute to each step."""
        y = matmul(inputs, self.kernel)
        if self.bias is None:
            return y
        return y + (self.bias[0] if self.reset_after else self.bias)

    def _step(self, x: Tensor, states: States) -> States:
        """The new state."""
        (state,) = states
        of_keep, of_look, of_new = split(x, 3, axis=1)
        kernel: Any = self.recurrent_kernel
        if self.reset_after:
            inner = matmul(state, kernel)
            keep, look, new = split(inner if self.bias is None else inner + self.bias[1], 3, axis=1)
        else:
            keep, look = split(matmul(state, kernel[:, : 2 * self.units]), 2, axis=1)
        keep = self.recurrent_activation(of_keep + keep)
        look = self.recurrent_activation(of_look + look)
        if self.reset_after:
            new = look * new
        else:
            new = matmul(look * state, kernel[:, 2 * self.units :])
        return [keep * state + (1.0 - keep) * self.activation(of_new + new)]
