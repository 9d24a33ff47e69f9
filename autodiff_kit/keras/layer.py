"""Layer 4: what all layers share: a name, variables that are made at the first call, the trainable
flag.

One idea: a layer is a function that owns variables. How many inputs it has is known when it first sees
one, so its variables are made then, and never before. A layer may hold other layers; their variables
are its own too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from autodiff_kit.dtypes import as_dtype
from autodiff_kit.keras import calling, initializers, tracking
from autodiff_kit.keras.refused import ATTRIBUTES, unknown
from autodiff_kit.keras.weight import Variable, unique_name
from autodiff_kit.operators import Elsewhere, offered
from autodiff_kit.ops.casting import cast
from autodiff_kit.tensor import Tensor

__all__ = ["Layer"]


class Layer:
    """A function that owns variables; derive from it, make them in `build`, and compute in `call`.

    Layers that its attributes hold, also in lists and dicts, count as parts of it. Of variables those
    count that `add_weight` made, and each `ad.keras.Variable`; an `ad.Variable` is your own affair.

    Args:
      trainable: whether its variables are trained.
      name: the name, with which its variables' names begin; made from the class' name if not given.
      dtype: the dtype of its variables, to which inputs are cast; None leaves inputs as they are.
      kwargs: refused, with a word on what to do instead of what Keras takes here.

    Raises:
      TypeError: for an argument that layers do not have.

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
        self,
        trainable: bool = True,
        name: str | None = None,
        dtype: Any = "float32",
        **kwargs: Any,
    ) -> None:
        if kwargs:
            raise TypeError(unknown(type(self).__name__, next(iter(kwargs))))
        if not isinstance(trainable, bool):
            raise ValueError(f"Expected `trainable` to be a boolean. Received: {trainable!r}")
        self.name = name or unique_name(type(self).__name__)
        self.dtype = None if dtype is None else as_dtype(dtype)
        self.built = False
        self._trainable = trainable
        self._made: list[Variable] = []  # by `add_weight`, whether an attribute holds them or not
        self.output_shape: Any = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Whoever calls `build` has made the variables: the first call does not make them again."""
        super().__init_subclass__(**kwargs)
        if "build" in cls.__dict__:
            cls.build = _that_is_noted(cls.build)  # type: ignore[method-assign]

    def build(self, input_shape: Any) -> None:
        """Make the variables for inputs of this shape.

        For a list or dict of tensors `input_shape` is one of shapes. If `call` takes several tensors,
        ``build(self, query_shape, value_shape)`` gets the shapes of its `query` and `value`.
        """

    def call(self, inputs: Any) -> Any:
        """Compute the outputs.

        Your own may take more: ``training``, ``mask``, further tensors.
        """
        says = f"Layer {type(self).__name__} does not have a `call()` method."
        if any("forward" in vars(one) for one in type(self).__mro__ if one is not Layer):
            says += " It has a `forward`, as PyTorch's modules: rename that to `call`."
        raise NotImplementedError(says)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Make the variables if this is the first call, and compute the outputs.

        Args:
          args: what `call` takes: tensors, or lists, tuples and dicts of them. Floating ones are cast
            to the layer's dtype. For the first of them nested lists of numbers do, too.
          kwargs: what `call` takes by name. ``training=True`` may be given in any case: it gets to the
            layers inside, and to each `call` that has such an argument.
        """
        if "built" not in self.__dict__:
            raise RuntimeError(
                f"In layer '{type(self).__name__}', you forgot to call `super().__init__()` as the "
                "first statement in the `__init__()` method. Go add it!"
            )
        args, kwargs, training = calling.arguments(self, args, kwargs)
        self.check_input(calling.shapes_of(args[0]) if args else None)
        if not self.built:
            self.build(**calling.build_arguments(self, args, kwargs))
            self.built = True
        if training is calling.TRAINING.get():
            y = self.call(*args, **kwargs)
        else:
            with calling.training_inside(training):
                y = self.call(*args, **kwargs)
        self.output_shape = calling.shapes_of(y)
        return y

    def add_weight(
        self,
        shape: Any = (),
        initializer: Any = "glorot_uniform",
        dtype: Any = None,
        trainable: bool = True,
        name: str | None = None,
    ) -> Variable:
        """Make a variable that belongs to the layer.

        Args:
          shape: its shape.
          initializer: a name, an initializer, or a function of shape and dtype.
          dtype: its dtype; the layer's if not given.
          trainable: whether it is trained when the layer is, and watched by tapes.
          name: its name; the layer's comes before it. Without one it is a ``variable`` with a number.

        Returns:
          The variable.
        """
        kind = as_dtype(dtype or self.dtype or "float32")
        value = initializers.get(initializer)(tuple(shape), dtype=kind)
        label = f"{self.name}/{name or unique_name('variable')}"
        variable = Variable(value, shape, kind, trainable, name=label)
        variable.trainable = trainable and self._trainable
        self._made.append(variable)
        return variable

    def _as_floats(self, inputs: Tensor) -> Tensor:
        """Whole numbers, which a layer gets as they are, in the layer's dtype."""
        whole = self.dtype is not None and inputs._value.dtype.kind != "f"
        return cast(inputs, self.dtype) if whole else inputs

    def check_input(self, shape: Any) -> None:
        """Raise ValueError if inputs of this shape do not fit."""

    @property
    def trainable(self) -> bool:
        """Whether an optimizer is to train the layer; False empties `trainable_variables`.

        It is about the optimizer only: a tape watches the variables of a frozen layer all the same, and
        gradients flow to them and through them. To set it sets it for the layers inside, too.
        """
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        for layer in tracking.layers_within(self):
            layer._trainable = bool(value)
            for variable in tracking.own_variables(layer):
                variable.trainable = bool(value) and variable._trainable

    @property
    def variables(self) -> list[Variable]:
        """All variables of the layer and of the layers inside, own ones first."""
        return tracking.all_variables(self)

    weights = variables

    @property
    def trainable_variables(self) -> list[Variable]:
        """The variables that are to be trained; empty before the first call, or if it is frozen."""
        return [v for v in self.variables if v.trainable] if self._trainable else []

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Variable]:
        """The variables that are not to be trained."""
        return [v for v in self.variables if not (v.trainable and self._trainable)]

    non_trainable_weights = non_trainable_variables

    def __dir__(self) -> list[str]:
        return offered(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"

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


for _name, _hint in ATTRIBUTES.items():
    setattr(Layer, _name, Elsewhere(_name, _hint))


def _that_is_noted(build: Callable[..., None]) -> Callable[..., None]:
    """The learner's `build`, after which the layer counts as built."""

    @wraps(build)
    def noted(self: Any, *args: Any, **kwargs: Any) -> None:
        build(self, *args, **kwargs)
        self.built = True

    return noted
