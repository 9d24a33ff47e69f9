"""Layer 4: what Keras' optimizers share: a learning rate, a step counter, two ways to take a step.

One idea: `minimize` is `apply_gradients` after a look at the tape; both go through the same checks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.dtypes import int64
from autodiff_kit.keras.applying import (
    Applying,
    Update,
    checked,
    differentiated,
    pairs_of,
    warn_missing,
)
from autodiff_kit.keras.rates import check_rate, schedule_of
from autodiff_kit.keras.restraints import Restraints
from autodiff_kit.tape import GradientTape
from autodiff_kit.variable import Variable

__all__ = ["Optimizer"]


class Optimizer(Applying):
    """The base of Keras' optimizers.

    Args:
      learning_rate: a positive number, or a function that returns one: without arguments, as
        Keras has it, or of the step counter.
      name: how the slots' names begin; the class' name if not given.
      weight_decay: what part of each weight, times the learning rate, is taken off in each step.
      clipnorm: the largest norm that the gradient of one variable may have.
      clipvalue: the largest size that one element of a gradient may have.
      global_clipnorm: the largest norm that all gradients together may have.

    Raises:
      ValueError: for more than one kind of clipping, and for a learning rate that is neither a number
        nor a function, such as a variable or a list.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/Optimizer

    >>> import autodiff_kit as ad
    >>> issubclass(ad.keras.optimizers.SGD, ad.keras.optimizers.Optimizer)
    True
    """

    _apart: tuple[str, ...] = ()  # slots that come after the others of all variables, kind by kind

    def __init__(
        self,
        learning_rate: Any,
        name: str | None = None,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
    ) -> None:
        super().__init__(name or type(self).__name__)
        self.restraints = Restraints(weight_decay, clipnorm, clipvalue, global_clipnorm)
        check_rate(learning_rate)
        self._schedule = schedule_of(learning_rate)
        first = 0.0 if self._schedule else learning_rate
        self._rate = Variable(first, trainable=False, name="learning_rate", dtype="float32")
        self._present: Any = None  # the learning rate of the step that is being taken
        self.iterations = Variable(0, trainable=False, name="iteration", dtype=int64)

    @property
    def learning_rate(self) -> Any:
        """The learning rate, a variable; assign a number to it, or ``opt.learning_rate = 0.01``."""
        if self._schedule is not None:
            rate = self._schedule(self.iterations)
            self._rate.assign(as_tensor(rate)._value if is_tensor(rate) else rate)
        return self._rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        self._schedule = schedule_of(value)
        if self._schedule is None:
            self._rate.assign(as_tensor(value)._value if is_tensor(value) else value)

    @property
    def variables(self) -> list[Variable]:
        """The step counter, the learning rate if it is a number, and all slots, in Keras' order."""
        all_slots = list(self._slots.values())
        first = [slot for of in all_slots for name, slot in of.items() if name not in self._apart]
        then = [of[name] for name in self._apart for of in all_slots if name in of]
        rate = [] if self._schedule else [self._rate]  # a function is no variable
        return [self.iterations, *rate, *first, *then]

    def build(self, variables: Iterable[Variable]) -> None:
        """Make the slots of variables before the first step; later calls may add variables.

        Call it with all the variables if single steps will train only some of them, and before
        `set_weights`.

        >>> import autodiff_kit as ad
        >>> a, b = ad.Variable(1.0, name="a"), ad.Variable(2.0, name="b")
        >>> opt = ad.keras.optimizers.Adam()
        >>> opt.build([a, b])
        >>> print(opt.get_slot(b, "v").numpy())
        0.0
        """
        for variable in variables:
            self._make_slots(variable)

    def get_weights(self) -> list[Any]:
        """The values of `variables` as arrays, for `set_weights`.

        >>> import autodiff_kit as ad
        >>> [float(x) for x in ad.keras.optimizers.SGD(0.5).get_weights()]
        [0.0, 0.5]
        """
        return [variable.numpy() for variable in self.variables]

    def set_weights(self, weights: list[Any]) -> None:
        """Restore what `get_weights` returned.

        Raises:
          ValueError: if the number or a shape differs; then nothing is changed.
        """
        variables = self.variables
        shapes = [(v.shape, np.shape(w)) for v, w in zip(variables, weights, strict=False)]
        if len(weights) != len(variables) or any(a != b for a, b in shapes):
            raise ValueError(
                f"You called `set_weights(weights)` on optimizer {self.name} with a list of "
                f"{len(weights)} weights of shapes {[np.shape(w) for w in weights]}, but it has "
                f"{len(variables)} of shapes {[tuple(v.shape) for v in variables]}; call build "
                "with the variables first"
            )
        for variable, weight in zip(variables, weights, strict=True):
            variable.assign(np.asarray(weight, variable.dtype.as_numpy_dtype))

    def apply_gradients(self, grads_and_vars: Iterable[Any], mask: Any = None) -> Variable:
        """Take one step.

        Args:
          grads_and_vars: pairs (gradient, variable). A pair without a gradient is skipped with a
            warning.
          mask: which elements to train: a list with an entry for each pair, True or 1 where to
            train, False or 0 where to freeze, of the variable's shape or broadcasting to it; None
            trains the whole variable. Frozen elements and their moments stay bit for bit as they
            are, whatever the gradient is. The step counter, and with it Adam's bias correction,
            goes on for all.

        Returns:
          The step counter.

        Raises:
          ValueError: if every gradient is None, a variable is unknown (see `build`), or a gradient
            or a mask does not fit. Nothing is changed then.

        Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/Optimizer#apply_gradients

        >>> import autodiff_kit as ad
        >>> w = ad.Variable([1.0, 1.0])
        >>> opt = ad.keras.optimizers.SGD(0.5)
        >>> _ = opt.apply_gradients([(ad.constant([1.0, float("nan")]), w)], mask=[[True, False]])
        >>> w.numpy()
        array([0.5, 1. ], dtype=float32)
        """
        pairs = pairs_of(grads_and_vars)
        if not pairs:
            raise ValueError(
                "No variables provided: grads_and_vars is empty. A layer has no trainable_variables "
                "before its first call; and it counts what self.add_weight or ad.keras.Variable made, "
                "not an ad.Variable in an attribute"
            )
        changes, missing = checked(pairs, mask)
        unknown = [v for _, v in pairs if v not in self._slots]
        if self._slots and unknown:
            raise ValueError(
                f"Unknown variable: {unknown[0]!r}. This optimizer can only be called for the "
                "variables it was originally built with. When working with a new set of variables, "
                "you should recreate a new optimizer instance, or call build with all of them "
                "before the first step."
            )
        if not changes and len(missing) == len(pairs):
            raise ValueError(
                "No gradients provided for any variable. ad.explain(tape, loss, variables) says why "
                "each of them is None."
            )
        warn_missing(missing)
        self._present = self.learning_rate._value
        self.build([variable for _, variable in pairs])
        self._apply(self.restraints.clipped(changes))
        self.iterations.assign_add(1)
        return self.iterations

    def minimize(
        self, loss: Any, var_list: Any, tape: GradientTape | None = None, mask: Any = None
    ) -> Variable:
        """Compute the gradients of a loss and take one step.

        Args:
          loss: a function without arguments that returns the loss, or the loss itself, with `tape`.
          var_list: the variables to train, or a function that returns them.
          tape: the tape that recorded the loss.
          mask: as in `apply_gradients`.

        Returns:
          The step counter.

        Raises:
          ValueError: if the loss is a tensor and there is no tape, and as `apply_gradients`.

        Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/legacy/Optimizer#minimize

        >>> import autodiff_kit as ad
        >>> w = ad.Variable(3.0)
        >>> _ = ad.keras.optimizers.SGD(0.5).minimize(lambda: w * w, [w])
        >>> print(w.numpy())
        0.0
        """
        return self.apply_gradients(differentiated(loss, var_list, tape), mask)

    def _update(self, kind: Any) -> Update:
        return self.restraints.decaying(self._rule(kind), kind(self._present), kind)

    def _slot_label(self, variable: Variable, slot: str) -> str:
        return f"{self.name}/{slot}/{variable.name.removesuffix(':0')}"
