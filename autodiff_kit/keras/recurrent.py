"""Layer 4: what recurrent layers have in common: the weights, and the loop over the steps.

One idea: a cell makes a new state of the old state and one input, with the same weights at each step.
What of that depends on the inputs alone is computed for all steps at once.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.keras import activations, expected, initializers, standard
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.weight import Variable
from autodiff_kit.operators import Elsewhere
from autodiff_kit.ops.axes import expand_dims
from autodiff_kit.ops.casting import cast, zeros_like
from autodiff_kit.ops.creation import zeros
from autodiff_kit.ops.joining import stack
from autodiff_kit.ops.matmul import matmul
from autodiff_kit.ops.parting import unstack
from autodiff_kit.ops.select import where
from autodiff_kit.tensor import Tensor

States = list[Any]


class Recurrent(Layer):
    """A layer that reads a sequence step by step; a subclass says what one step is."""

    cell = Elsewhere(
        "cell", "layer.kernel, layer.recurrent_kernel and layer.bias, its own variables"
    )
    _cell = ""  # what the cell's variables are called after
    _gates = 1  # how many matrices lie side by side in each kernel
    _parts = 1  # how many tensors the state consists of

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        *,
        return_sequences: bool = False,
        return_state: bool = False,
        **kwargs: Any,
    ) -> None:
        self.units = standard.positive(
            "units",
            units,
            "Received an invalid value for argument `units`, expected a positive integer.",
        )
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.return_sequences, self.return_state = return_sequences, return_state
        super().__init__(**kwargs)
        self.kernel: Variable | None = None
        self.recurrent_kernel: Variable | None = None
        self.bias: Variable | None = None

    def build(self, input_shape: Any) -> None:
        """Make the kernels and the bias for inputs with as many features as the last of the shape."""
        self.check_input(tuple(input_shape))
        width = self._gates * self.units
        of_inputs, of_state = (input_shape[-1], width), (self.units, width)
        self.kernel = self._weight("kernel", of_inputs, self.kernel_initializer)
        self.recurrent_kernel = self._weight(
            "recurrent_kernel", of_state, self.recurrent_initializer
        )
        if self.use_bias:
            self.bias = self._weight("bias", self._bias_shape(), self._first_bias)

    def _weight(self, name: str, shape: tuple[int, ...], initializer: Any) -> Variable:
        return self.add_weight(shape, initializer, name=f"{self._cell}/{name}")

    def _bias_shape(self) -> tuple[int, ...]:
        """The shape of the bias."""
        return (self._gates * self.units,)

    def _first_bias(self, shape: Any, dtype: Any) -> Any:
        """The first value of the bias."""
        return self.bias_initializer(shape, dtype=dtype)

    def _step(self, x: Tensor, states: States) -> States:
        """The new state; its first part is the output. `x` is what `_projected` made of the input."""
        raise NotImplementedError

    def _projected(self, inputs: Tensor) -> Tensor:
        """What the inputs contribute to each step."""
        y = matmul(inputs, self.kernel)
        return y if self.bias is None else y + self.bias

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None) -> Any:
        """Compute the outputs.

        Args:
          sequences: a tensor of shape (examples, steps, features).
          initial_state: the state before the first step; zeros if not given.
          mask: booleans of shape (examples, steps): where it is False, the state stays as it is.
        """
        if sequences._value.dtype.kind != "f":
            sequences = cast(sequences, self.dtype or "float32")
        states = self._first(sequences, initial_state)
        output, outputs = zeros_like(states[0]), []
        kept = _kept(mask, sequences._value.shape)
        for x, keep in zip(unstack(self._projected(sequences), axis=1), kept, strict=True):
            new = self._step(x, states)
            output, *states = _chosen(keep, [new[0], *new], [output, *states])
            outputs.append(output)
        result = stack(outputs, axis=1) if self.return_sequences else output
        return (result, *states) if self.return_state else result

    def _first(self, sequences: Tensor, given: Any) -> States:
        if given is not None:
            states = list(given) if isinstance(given, (list, tuple)) else [given]
            if len(states) != self._parts:
                raise ValueError(
                    f"Layer '{self.name}' has {self._parts} state tensor(s), but initial_state has "
                    f"{len(states)}"
                )
            return states
        start = zeros([sequences._value.shape[0], self.units], sequences.dtype)
        return [start] * self._parts

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for another number of axes, other features than before, or no steps."""
        expected.one_tensor(self.name, shape)
        expected.axes_number(self.name, shape, 3)
        if shape[1] == 0:
            raise ValueError(
                f"Layer '{self.name}' expects at least one step. Received shape {shape}"
            )
        if self.kernel is not None:
            expected.axis_length(self.name, shape, -1, self.kernel._value.shape[0])


def _kept(mask: Any, shape: tuple[int, ...]) -> list[Any]:
    """For each step which examples have it, or None for all of them."""
    if mask is None:
        return [None] * shape[1]
    given = cast(mask, "bool")
    if given._value.shape != shape[:2]:
        raise ValueError(
            f"mask is to be of shape {shape[:2]}, one boolean for each step of each example. Received "
            f"shape {given._value.shape}"
        )
    return unstack(given, axis=1)


def _chosen(keep: Any, new: States, old: States) -> States:
    """The new values, and the old ones for examples whose step is masked out."""
    if keep is None:
        return new
    column = expand_dims(keep, 1)
    return [where(column, n, o) for n, o in zip(new, old, strict=True)]
