"""Layer 4: what all layers share: a name, variables that are made at the first call, the trainable
flag.

One idea: a layer is a function that owns variables. How many inputs it has is known when it first sees
one, so its variables are made then, and never before.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.dtypes import as_dtype
from autodiff_kit.keras import initializers
from autodiff_kit.ops.casting import cast
from autodiff_kit.tensor import Tensor
from autodiff_kit.variable import Variable

__all__ = ["Layer"]

_used: Counter[str] = Counter()


def unique_name(kind: str) -> str:
    """``dense`` for the first unnamed Dense layer, then ``dense_1`` and so on."""
    base = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()
    number = _used[base]
    _used[base] += 1
    return f"{base}_{number}" if number else base


class Layer:
    """A function that owns variables; derive from it, make them in `build`, and compute in `call`.

    Args:
      trainable: whether its variables are trained.
      name: the name, with which its variables' names begin; made from the class' name if not given.
      dtype: the dtype of its variables, to which inputs are cast; None leaves inputs as they are.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Layer

    >>> import autodiff_kit as ad
    >>> class Scale(ad.keras.layers.Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_weight((input_shape[-1],), "ones", name="factor")
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> layer = Scale(name="scale")
    >>> layer([[1.0, 2.0]]).numpy()
    array([[1., 2.]], dtype=float32)
    >>> layer.trainable_variables[0].name
    'scale/factor:0'
    """

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = "float32"
    ) -> None:
        self.name = name or unique_name(type(self).__name__)
        self.dtype = None if dtype is None else as_dtype(dtype)
        self.built = False
        self._trainable = bool(trainable)
        self._variables: list[tuple[Variable, bool]] = []  # each with its own trainable flag
        self.output_shape: tuple[int, ...] | None = None

    def build(self, input_shape: Any) -> None:
        """Make the variables for inputs of this shape."""

    def call(self, inputs: Tensor) -> Tensor:
        """Compute the outputs."""
        raise NotImplementedError(f"Layer {type(self).__name__} does not have a `call()` method.")

    def __call__(self, inputs: Any, training: bool = False) -> Tensor:
        """Make the variables if this is the first call, and compute the outputs.

        Args:
          inputs: a tensor or what becomes one; it is cast to the layer's dtype.
          training: whether layers that act differently in training, as `Dropout`, shall.
        """
        x = self._cast(inputs)
        self.check_input(x._value.shape)
        if not self.built:
            self.build(tuple(x._value.shape))
            self.built = True
        y = self.run(x, training)
        self.output_shape = tuple(y._value.shape)
        return y

    def run(self, inputs: Tensor, training: bool) -> Tensor:
        """`call`, for layers that do not care about training."""
        return self.call(inputs)

    def check_input(self, shape: tuple[int, ...]) -> None:
        """Raise ValueError if inputs of this shape do not fit."""

    def _cast(self, inputs: Any) -> Tensor:
        if self.dtype is None:
            return as_tensor(inputs)
        if not is_tensor(inputs):
            inputs = np.asarray(inputs)
            if inputs.dtype.kind not in "biuf":
                raise ValueError(
                    f"Layer '{self.name}' expects numbers, got {inputs!r}; nested lists must be "
                    "rectangular, and tensors be put together with ad.stack"
                )
        return cast(inputs, self.dtype)

    def add_weight(
        self,
        shape: Any = (),
        initializer: Any = "glorot_uniform",
        dtype: Any = None,
        trainable: bool = True,
        name: str = "variable",
    ) -> Variable:
        """Make a variable that belongs to the layer.

        Args:
          shape: its shape.
          initializer: a name, an initializer, or a function of shape and dtype.
          dtype: its dtype; the layer's if not given.
          trainable: whether it is trained when the layer is.
          name: its name; the layer's comes before it.

        Returns:
          The variable.
        """
        kind = as_dtype(dtype or self.dtype or "float32")
        value = initializers.get(initializer)(tuple(shape), dtype=kind)
        watched = trainable and self._trainable
        variable = Variable(value, watched, f"{self.name}/{name}", kind, shape)
        self._variables.append((variable, trainable))
        return variable

    @property
    def trainable(self) -> bool:
        """Whether the layer's variables are trained; False takes them from `trainable_variables`."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        for variable, own in self._variables:
            variable._trainable = own and self._trainable

    @property
    def variables(self) -> list[Variable]:
        """All variables of the layer."""
        return [variable for variable, _ in self._variables]

    weights = variables

    @property
    def trainable_variables(self) -> list[Variable]:
        """The variables that are trained; empty before the first call."""
        return [variable for variable in self.variables if variable.trainable]

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Variable]:
        """The variables that are not trained."""
        return [variable for variable in self.variables if not variable.trainable]

    def count_params(self) -> int:
        """The number of elements in all variables."""
        return sum(variable.shape.num_elements() for variable in self.variables)

    def get_weights(self) -> list[Any]:
        """The variables' values as arrays."""
        return [variable.numpy() for variable in self.variables]

    def set_weights(self, weights: list[Any]) -> None:
        """Give the variables the values that `get_weights` returned.

        Raises:
          ValueError: if the number or a shape differs; then nothing is changed.
        """
        wanted, given = [tuple(v.shape) for v in self.variables], [np.shape(w) for w in weights]
        if wanted != given:
            raise ValueError(
                f"You called `set_weights(weights)` on layer '{self.name}' with a weight list of "
                f"shapes {given}, but the layer was expecting shapes {wanted}; before its first call "
                "a layer has no weights"
            )
        for variable, weight in zip(self.variables, weights, strict=True):
            variable.assign(np.asarray(weight, variable.dtype.as_numpy_dtype))
