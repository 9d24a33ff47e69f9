"""Layer 4: `ad.keras.optimizers`, with Keras' arithmetic.

One idea: an optimizer is an update rule plus slots. These are Keras': epsilon 1e-7, powers of beta
taken anew at each step. TensorFlow 1's, with epsilon 1e-8 and running powers, are in
`ad.compat.v1.train`. Keras' are the default, because they are what TensorFlow users meet today;
the figures of older documents are reproduced with those of `compat.v1`.

Source: https://keras.io/api/optimizers/
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff_kit import lazy
from autodiff_kit.keras import updates
from autodiff_kit.keras.adam import Adam, AdamW
from autodiff_kit.keras.applying import Update
from autodiff_kit.keras.optimizer import Optimizer
from autodiff_kit.keywords import knowing
from autodiff_kit.variable import Variable

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop"]
__dir__ = lazy.shown(globals())
if not TYPE_CHECKING:
    __getattr__ = lazy.refusing(__name__)


class SGD(Optimizer):
    """Gradient descent, with momentum if wished.

    Without momentum an element moves by ``-learning_rate * gradient``. With it, the slot
    ``momentum`` becomes ``momentum * slot - learning_rate * gradient``, and the element moves by
    the slot; Nesterov's form looks one step ahead.

    Args:
      learning_rate: a number or a function, as for `Optimizer`.
      momentum: a float from 0 to 1.
      nesterov: whether to use Nesterov's form.
      weight_decay, clipnorm, clipvalue, global_clipnorm: as for `Optimizer`.
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

    @knowing
    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        *,
        name: str | None = None,
    ) -> None:
        if not isinstance(momentum, float) or not 0 <= momentum <= 1:
            raise ValueError(f"`momentum` must be a float between [0, 1], got {momentum!r}.")
        super().__init__(learning_rate, name, weight_decay, clipnorm, clipvalue, global_clipnorm)
        self.momentum = momentum
        self.nesterov = nesterov

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {"momentum": updates.zeros(variable)} if self.momentum else {}

    def _rule(self, kind: Any) -> Update:
        rate, momentum = kind(self._present), kind(updates.single(self.momentum))
        if not self.momentum:
            return partial(updates.descend, rate=rate)
        return partial(updates.keras_momentum, rate=rate, momentum=momentum, nesterov=self.nesterov)


class RMSprop(Optimizer):
    """Divides each step by a running mean of the gradient's size.

    Args:
      learning_rate: a number or a function, as for `Optimizer`.
      rho: how much of the running mean stays at each step.
      momentum: inertia of the steps; 0 for none.
      epsilon: added under the root.
      centered: whether to subtract the running mean itself, so that only the spread counts.
      weight_decay, clipnorm, clipvalue, global_clipnorm: as for `Optimizer`.
      name: how the slots' names begin.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/RMSprop

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0)
    >>> opt = ad.keras.optimizers.RMSprop(0.1)
    >>> _ = opt.apply_gradients([(ad.constant(2.0), w)])
    >>> print(opt.get_slot(w, "rms").numpy())
    0.4
    """

    _apart = ("momentum", "mg")

    @knowing
    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, name, weight_decay, clipnorm, clipvalue, global_clipnorm)
        self.rho = rho
        self.momentum = momentum
        self.epsilon = epsilon
        self.centered = centered

    def _begin(self, variable: Variable) -> dict[str, Any]:
        names = ["rms", *["momentum"] * (self.momentum > 0), *["mg"] * self.centered]
        return {name: updates.zeros(variable) for name in names}

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
      learning_rate: a number or a function, as for `Optimizer`.
      initial_accumulator_value: the sum to begin with.
      epsilon: added under the root.
      weight_decay, clipnorm, clipvalue, global_clipnorm: as for `Optimizer`.
      name: how the slots' names begin.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/Adagrad

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0)
    >>> opt = ad.keras.optimizers.Adagrad(0.1)
    >>> _ = opt.apply_gradients([(ad.constant(2.0), w)])
    >>> print(opt.get_slot(w, "accumulator").numpy())
    4.1
    """

    @knowing
    def __init__(
        self,
        learning_rate: Any = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, name, weight_decay, clipnorm, clipvalue, global_clipnorm)
        self.initial_accumulator_value = initial_accumulator_value
        self.epsilon = epsilon

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {
            "accumulator": np.full_like(
                variable._value, updates.single(self.initial_accumulator_value)
            )
        }

    def _rule(self, kind: Any) -> Update:
        return partial(updates.adagrad, rate=kind(self._present), epsilon=kind(self.epsilon))
