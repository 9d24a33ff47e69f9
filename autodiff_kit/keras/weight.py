"""Layer 4: `ad.keras.Variable`, a variable of a layer, which can be frozen.

One idea: to freeze is not to hide. An optimizer is to leave a frozen variable alone, and so it is no
longer among the layer's `trainable_variables`; the tape watches it as before, and who asks for its
gradient gets one. Only a variable that was made with ``trainable=False`` is not watched.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from autodiff_kit import variable
from autodiff_kit.dtypes import as_dtype
from autodiff_kit.keras import initializers

__all__ = ["Variable"]


_used: Counter[str] = Counter()


def unique_name(kind: str) -> str:
    """``conv2d`` for the first unnamed Conv2D layer, then ``conv2d_1`` and so on."""
    base = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", "_", kind).lower()
    number = _used[base]
    _used[base] += 1
    return f"{base}_{number}" if number else base


def _first_value(initializer: Any, shape: Any, dtype: Any) -> Any:
    """What an initializer, or the name of one, gives for a shape; a value as it is."""
    if not callable(initializer) and not isinstance(initializer, str):
        return initializer
    return initializers.get(initializer)(tuple(shape), dtype=as_dtype(dtype or "float32"))


class Variable(variable.Variable):
    """A variable that a layer knows to be its own when it is set as an attribute of it.

    It is also what `Layer.add_weight` makes. An `ad.Variable` that is set as an attribute is not among
    the layer's variables, in Keras 3 as here.

    Args:
      initializer: the first value; with a shape also an initializer, or the name of one.
      shape: the shape that the value must have.
      dtype: the dtype to convert to.
      trainable: whether tapes watch it by themselves and optimizers are to change it.
      name: the name; ``variable`` with a number if not given.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/Variable

    >>> import autodiff_kit as ad
    >>> class Scale(ad.keras.layers.Layer):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = ad.keras.Variable(2.0, name="factor")
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> [v.name for v in Scale().trainable_variables]
    ['factor:0']
    """

    __slots__ = ("_trained",)

    def __init__(
        self,
        initializer: Any,
        shape: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        *,
        name: str | None = None,
    ) -> None:
        value = initializer if shape is None else _first_value(initializer, shape, dtype)
        super().__init__(value, trainable, name or unique_name("variable"), dtype, shape)
        self._trained = trainable

    @property
    def value(self) -> Any:  # type: ignore[override]
        """The present value as a tensor; here Keras needs no parentheses.

        >>> import autodiff_kit as ad
        >>> ad.keras.Variable(3.0).value
        <Tensor: shape=(), dtype=float32, numpy=3.0>
        """
        return self.read_value()

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._value.ndim

    @property
    def trainable(self) -> bool:
        """Whether an optimizer is to change it; False does not keep a tape from watching it.

        >>> import autodiff_kit as ad
        >>> w = ad.keras.Variable(3.0)
        >>> w.trainable = False
        >>> with ad.GradientTape() as tape:
        ...     y = w * w
        >>> w.trainable, tape.gradient(y, w)
        (False, <Tensor: shape=(), dtype=float32, numpy=6.0>)
        """
        return self._trained

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trained = bool(value)
