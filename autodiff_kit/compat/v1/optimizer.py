"""Layer 6: what TensorFlow 1's optimizers share: compute gradients, apply them, look at the slots.

One idea: a graph's two halves of a step, which here are two calls one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.keras.applying import (
    Applying,
    Pairs,
    checked,
    differentiated,
    pairs_of,
    warn_missing,
)
from autodiff_kit.variable import Variable

__all__ = ["Optimizer"]


class Optimizer(Applying):
    """The base of TensorFlow 1's optimizers.

    Args:
      learning_rate: a number, a tensor, or a function without arguments that returns one.
      name: how the slot variables' names end.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer

    >>> import autodiff_kit as ad
    >>> train = ad.compat.v1.train
    >>> issubclass(train.AdamOptimizer, train.Optimizer)
    True
    """

    def __init__(self, learning_rate: Any, name: str) -> None:
        super().__init__(name)
        self._learning_rate = learning_rate
        self._rate: Any = None  # of the step that is being taken, in float32

    def get_name(self) -> str:
        """The name given to the optimizer."""
        return self.name

    def variables(self) -> list[Variable]:
        """All variables in which the optimizer keeps its state."""
        return [slot for slots in self._slots.values() for slot in slots.values()]

    def compute_gradients(self, loss: Any, var_list: Any = None) -> Pairs:
        """The gradients of a loss, the first half of `minimize`.

        Args:
          loss: a function without arguments that returns the loss.
          var_list: the variables; those that the loss reads if not given.

        Returns:
          A list of pairs (gradient, variable); the gradient may be None.

        Raises:
          RuntimeError: if the loss is not a function, as in TensorFlow's eager mode.

        Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer#compute_gradients

        >>> import autodiff_kit as ad
        >>> w = ad.Variable(3.0, name="w")
        >>> opt = ad.compat.v1.train.GradientDescentOptimizer(0.1)
        >>> [(float(g), v.name) for g, v in opt.compute_gradients(lambda: w * w)]
        [(6.0, 'w:0')]
        """
        if not callable(loss):
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                "execution is enabled. Write `lambda: ...`, or take the gradient from the tape and "
                "call apply_gradients."
            )
        return differentiated(loss, var_list, None)

    def apply_gradients(
        self,
        grads_and_vars: Iterable[Any],
        global_step: Variable | None = None,
        name: str | None = None,
        mask: Any = None,
    ) -> None:
        """Take one step, the second half of `minimize`. Any subset of the variables may be given.

        Args:
          grads_and_vars: pairs (gradient, variable). A pair without a gradient is skipped, here
            with a warning.
          global_step: a variable to add one to.
          name: ignored.
          mask: which elements to train, as in `ad.keras.optimizers.Optimizer.apply_gradients`.

        Raises:
          ValueError: if there is no variable, or no gradient, or one of them or a mask does not
            fit. Nothing is changed then.

        Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer#apply_gradients

        >>> import autodiff_kit as ad
        >>> w = ad.Variable([1.0, 1.0])
        >>> opt = ad.compat.v1.train.GradientDescentOptimizer(0.5)
        >>> opt.apply_gradients([(ad.constant([1.0, 2.0]), w)])
        >>> w.numpy()
        array([0.5, 0. ], dtype=float32)
        """
        pairs = pairs_of(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        changes, missing = checked(pairs, mask)
        if not changes and len(missing) == len(pairs):
            raise ValueError(
                f"No gradients provided for any variable: {[str(v) for _, v in pairs]}."
            )
        rate = self._learning_rate() if callable(self._learning_rate) else self._learning_rate
        self._rate = single(rate)
        warn_missing(missing)
        for change in changes:
            self._make_slots(change.variable)
        self._apply(changes)
        self._finish()
        if global_step is not None:
            global_step.assign_add(1)

    def minimize(
        self,
        loss: Any,
        global_step: Variable | None = None,
        var_list: Any = None,
        mask: Any = None,
    ) -> None:
        """`compute_gradients` and `apply_gradients` in one.

        >>> import autodiff_kit as ad
        >>> w = ad.Variable(3.0)
        >>> ad.compat.v1.train.GradientDescentOptimizer(0.5).minimize(lambda: w * w)
        >>> print(w.numpy())
        0.0
        """
        self.apply_gradients(self.compute_gradients(loss, var_list), global_step, mask=mask)

    def _finish(self) -> None:
        """What changes once in each step."""

    def _slot_label(self, variable: Variable, slot: str) -> str:
        number = list(self._begin(variable)).index(slot)
        return f"{variable.name.removesuffix(':0')}/{self.name}" + (f"_{number}" if number else "")


def single(value: Any) -> Any:
    """A hyperparameter as TensorFlow 1 holds it: in float32."""
    return np.float32(as_tensor(value)._value if is_tensor(value) else value)
