"""Layer 4: `ad.keras.optimizers`, with Keras' arithmetic.

One idea: an optimizer is an update rule plus slots. These are Keras': epsilon 1e-7, powers of beta
taken anew at each step. TensorFlow 1's, with epsilon 1e-8 and running powers, are in
`ad.compat.v1.train`. Keras' are the default, because they are what TensorFlow users meet today;
the figures of older documents are reproduced with those of `compat.v1`.

Source: https://keras.io/api/optimizers/
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.dtypes import int64
from autodiff_kit.keras import updates
from autodiff_kit.keras.applying import (
    Applying,
    Update,
    checked,
    differentiated,
    pairs_of,
    warn_missing,
)
from autodiff_kit.tape import GradientTape
from autodiff_kit.variable import Variable

__all__ = ["SGD", "Adagrad", "Adam", "Optimizer", "RMSprop"]


class Optimizer(Applying):
    """The base of Keras' optimizers.

    Args:
      learning_rate: a positive number, or a function of the step counter that returns one.
      name: how the slots' names begin; the class' name if not given.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/Optimizer
    """

    def __init__(self, learning_rate: Any, name: str | None = None) -> None:
        super().__init__(name or type(self).__name__)
        self._schedule = learning_rate if callable(learning_rate) else None
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
        self._schedule = value if callable(value) else None
        if self._schedule is None:
            self._rate.assign(as_tensor(value)._value if is_tensor(value) else value)

    @property
    def variables(self) -> list[Variable]:
        """The step counter, the learning rate and all slots."""
        slots = [slot for slots in self._slots.values() for slot in slots.values()]
        return [self.iterations, self._rate, *slots]

    def build(self, var_list: Iterable[Variable]) -> None:
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
        for variable in var_list:
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
            raise ValueError("No variables provided: grads_and_vars is empty.")
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
            raise ValueError("No gradients provided for any variable.")
        warn_missing(missing)
        self._present = self.learning_rate._value
        self.build([variable for _, variable in pairs])
        self._apply(changes)
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

    def _slot_label(self, variable: Variable, slot: str) -> str:
        return f"{self.name}/{slot}/{variable.name.removesuffix(':0')}"


def zeros(variable: Variable) -> Any:
    """Zeros of a variable's shape and dtype."""
    return np.zeros_like(variable._value)


def single(value: float) -> Any:
    """A number in float32; Keras casts some of its constants through it, also for float64 variables."""
    return np.float32(value)


class SGD(Optimizer):
    """Gradient descent, with momentum if wished.

    Without momentum an element moves by ``-learning_rate * gradient``. With it, the slot
    ``momentum`` becomes ``momentum * slot - learning_rate * gradient``, and the element moves by
    the slot; Nesterov's form looks one step ahead.

    Args:
      learning_rate: a number, or a function of the step counter.
      momentum: a float from 0 to 1.
      nesterov: whether to use Nesterov's form.
      name: how the slots' names begin.

    Raises:
      ValueError: for another momentum.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/SGD

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0)
    >>> _ = ad.keras.optimizers.SGD(0.1).apply_gradients([(ad.constant(2.0), w)])
    >>> print(w.numpy())
    0.8
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        name: str | None = None,
    ) -> None:
        if not isinstance(momentum, float) or not 0 <= momentum <= 1:
            raise ValueError(f"`momentum` must be a float between [0, 1], got {momentum!r}.")
        super().__init__(learning_rate, name)
        self.momentum = momentum
        self.nesterov = nesterov

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {"momentum": zeros(variable)} if self.momentum else {}

    def _rule(self, kind: Any) -> Update:
        rate, momentum = kind(self._present), kind(single(self.momentum))
        if not self.momentum:
            return partial(updates.descend, rate=rate)
        return partial(updates.keras_momentum, rate=rate, momentum=momentum, nesterov=self.nesterov)


class RMSprop(Optimizer):
    """Divides each step by a running mean of the gradient's size.

    Args:
      learning_rate: a number, or a function of the step counter.
      rho: how much of the running mean stays at each step.
      momentum: inertia of the steps; 0 for none.
      epsilon: added under the root.
      centered: whether to subtract the running mean itself, so that only the spread counts.
      name: how the slots' names begin.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/RMSprop

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0)
    >>> opt = ad.keras.optimizers.RMSprop(0.1)
    >>> _ = opt.apply_gradients([(ad.constant(2.0), w)])
    >>> print(opt.get_slot(w, "rms").numpy())
    0.4
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, name)
        self.rho = rho
        self.momentum = momentum
        self.epsilon = epsilon
        self.centered = centered

    def _begin(self, variable: Variable) -> dict[str, Any]:
        names = ["rms", *["momentum"] * (self.momentum > 0), *["mg"] * self.centered]
        return {name: zeros(variable) for name in names}

    def _rule(self, kind: Any) -> Update:
        return partial(
            updates.keras_rmsprop,
            rate=kind(self._present),
            rho=kind(self.rho),
            fresh=kind(1 - self.rho),
            epsilon=kind(self.epsilon),
            momentum=kind(self.momentum),
        )


class Adagrad(Optimizer):
    """Divides each step by the root of the sum of all squared gradients so far.

    Args:
      learning_rate: a number, or a function of the step counter.
      initial_accumulator_value: the sum to begin with.
      epsilon: added under the root.
      name: how the slots' names begin.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/Adagrad

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0)
    >>> opt = ad.keras.optimizers.Adagrad(0.1)
    >>> _ = opt.apply_gradients([(ad.constant(2.0), w)])
    >>> print(opt.get_slot(w, "accumulator").numpy())
    4.1
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, name)
        self.initial_accumulator_value = initial_accumulator_value
        self.epsilon = epsilon

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {
            "accumulator": np.full_like(variable._value, single(self.initial_accumulator_value))
        }

    def _rule(self, kind: Any) -> Update:
        return partial(updates.adagrad, rate=kind(self._present), epsilon=kind(self.epsilon))


class Adam(Optimizer):
    """Steps along a running mean ``m`` of the gradients, divided by the root of a running mean
    ``v`` of their squares.

    A zero gradient does not stop an element: it moves as long as its ``m`` is not zero. To freeze
    elements, use ``mask`` of `apply_gradients`.

    This is Keras' arithmetic, the default of the kit because it is what TensorFlow users meet
    today: epsilon 1e-7, and beta**t taken anew at each step. TensorFlow 1's, with epsilon 1e-8 and
    running float32 powers, is `ad.compat.v1.train.AdamOptimizer`; figures differ from the sixth
    digit on.

    Args:
      learning_rate: a number, or a function of the step counter.
      beta_1: how much of ``m`` stays at each step.
      beta_2: how much of ``v`` stays at each step.
      epsilon: added to the root; Kingma and Ba's "epsilon hat".
      amsgrad: whether to divide by the largest ``v`` so far, kept in the slot ``vhat``.
      name: how the slots' names begin.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/Adam ;
    https://arxiv.org/abs/1412.6980

    >>> import autodiff_kit as ad
    >>> w = ad.Variable([0.0, 0.0])
    >>> opt = ad.keras.optimizers.Adam(0.1)
    >>> _ = opt.apply_gradients([(ad.constant([1.0, 0.0]), w)])
    >>> opt.get_slot_names(), opt.get_slot(w, "m").numpy()
    (['m', 'v'], array([0.1, 0. ], dtype=float32))
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, name)
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.amsgrad = amsgrad

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {name: zeros(variable) for name in ("m", "v", *["vhat"] * self.amsgrad)}

    def _rule(self, kind: Any) -> Update:
        one, step = kind(1), kind(self.iterations._value + 1)
        power_1, power_2 = (kind(single(beta)) ** step for beta in (self.beta_1, self.beta_2))
        rate = kind(self._present) * np.sqrt(one - power_2) / (one - power_1)
        fresh = kind(1 - self.beta_1), kind(1 - self.beta_2)
        return partial(updates.adam, rate=rate, fresh=fresh, epsilon=kind(self.epsilon))
