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

__all__ = ["Variable"]


_used: Counter[str] = Counter()


def unique_name(kind: str) -> str:
    """``dense`` for the first unnamed Dense layer, then ``dense_1`` and so on."""
    base = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()
    number = _used[base]
    _used[base] += 1
    return f"{base}_{number}" if number else base


class Variable(variable.Variable):
    """A variable that a layer knows to be its own when it is set as an attribute of it.

    It is also what `Layer.add_weight` makes. An `ad.Variable` that is set as an attribute is not among
    the layer's variables, in Keras 3 as here.

    Args:
      initializer: the first value, or a function without arguments that returns it.
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
        super().__init__(initializer, trainable, name or unique_name("variable"), dtype, shape)
        self._trained = trainable

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
