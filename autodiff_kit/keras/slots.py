"""Layer 4: Slot, a variable that an optimizer keeps beside each of yours.

One idea: a slot is updated in place, which is fast, until somebody looks at it. Whoever read it
holds a tensor, and tensors never change; so after a look the next update works on a copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.tensor import Tensor, tensor_of
from autodiff_kit.variable import Variable

__all__ = ["Slot"]


class Slot(Variable):
    """A moment of an optimizer: read and assign it as any `ad.Variable`; no tape watches it by
    itself.

    >>> import autodiff_kit as ad
    >>> w = ad.Variable([1.0, 2.0], name="w")
    >>> opt = ad.keras.optimizers.Adam()
    >>> _ = opt.apply_gradients([(ad.constant([1.0, -1.0]), w)])
    >>> opt.get_slot(w, "m").name
    'Adam/m/w:0'
    """

    __slots__ = ("_own", "_shown")
    _own: Any
    _shown: Tensor | None

    def __init__(self, initial_value: Any, name: str) -> None:
        super().__init__(initial_value, trainable=False, name=name)

    # A variable's value is its tensor; a slot makes one only when it is asked for it.
    @property
    def _tensor(self) -> Tensor:
        if self._shown is None:
            self._shown = tensor_of(self._own[()])
        return self._shown

    @_tensor.setter
    def _tensor(self, tensor: Tensor) -> None:
        self._shown = tensor

    def writable(self) -> Any:
        """The array with the present values, for one update to write into."""
        if self._shown is not None:
            self._own = np.array(self._shown._value)
            self._shown = None
        return self._own
