"""Layer 6: `ad.compat.v1.train`, TensorFlow 1's optimizers with the arithmetic of its kernels.

One idea: the same slots and the same checks as Keras' optimizers, other numbers: epsilon 1e-8 in
Adam, the powers of beta multiplied up in float32, hyperparameters rounded to float32 first.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autodiff_kit import lazy
from autodiff_kit.compat.v1.optimizer import Optimizer, single
from autodiff_kit.keras import updates
from autodiff_kit.keras.applying import Update
from autodiff_kit.variable import Variable

__all__ = [
    "AdagradOptimizer", "AdamOptimizer", "GradientDescentOptimizer", "MomentumOptimizer",
    "Optimizer", "RMSPropOptimizer",
]  # fmt: skip
__dir__ = lazy.shown(globals())


class GradientDescentOptimizer(Optimizer):
    """Gradient descent: ``variable -= learning_rate * gradient``.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/GradientDescentOptimizer

    >>> import autodiff_kit as ad
    >>> ad.compat.v1.train.GradientDescentOptimizer(0.1).get_name()
    'GradientDescent'
    """

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"
    ) -> None:
        super().__init__(learning_rate, name)

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {}

    def _rule(self, kind: Any) -> Update:
        return partial(updates.descend, rate=kind(self._rate))


class MomentumOptimizer(Optimizer):
    """Gradient descent along a running sum of the gradients, the slot ``momentum``.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/MomentumOptimizer

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0, name="w")
    >>> opt = ad.compat.v1.train.MomentumOptimizer(0.1, 0.9)
    >>> opt.minimize(lambda: w * w)
    >>> opt.get_slot(w, "momentum")
    <Variable 'w/Momentum:0' shape=() dtype=float32, numpy=2.0>
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, name)
        self._momentum = momentum
        self._use_nesterov = use_nesterov

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {"momentum": np.zeros_like(variable._value)}

    def _rule(self, kind: Any) -> Update:
        return partial(
            updates.v1_momentum,
            rate=kind(self._rate),
            momentum=kind(single(self._momentum)),
            nesterov=self._use_nesterov,
        )


class RMSPropOptimizer(Optimizer):
    """Divides each step by a running mean of the gradient's size, the slot ``rms``, at first one.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/RMSPropOptimizer

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0)
    >>> opt = ad.compat.v1.train.RMSPropOptimizer(0.1)
    >>> opt.minimize(lambda: w * w)
    >>> opt.get_slot_names()
    ['momentum', 'rms']
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(learning_rate, name)
        self._decay = decay
        self._momentum = momentum
        self._epsilon = epsilon
        self._centered = centered

    def _begin(self, variable: Variable) -> dict[str, Any]:
        zeros = np.zeros_like(variable._value)
        first: dict[str, Any] = {"rms": np.ones_like(variable._value)}
        if self._centered:
            first["mg"] = zeros
        return {**first, "momentum": zeros}

    def _rule(self, kind: Any) -> Update:
        return partial(
            updates.v1_rmsprop,
            rate=kind(self._rate),
            fresh=kind(1) - kind(single(self._decay)),
            epsilon=kind(single(self._epsilon)),
            momentum=kind(single(self._momentum)),
        )


class AdagradOptimizer(Optimizer):
    """Divides each step by the root of the sum of all squared gradients, the slot ``accumulator``.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/AdagradOptimizer

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0)
    >>> opt = ad.compat.v1.train.AdagradOptimizer(0.1)
    >>> opt.minimize(lambda: w * w)
    >>> print(opt.get_slot(w, "accumulator").numpy())
    4.1
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(learning_rate, name)
        self._initial = initial_accumulator_value

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {"accumulator": np.full_like(variable._value, self._initial)}

    def _rule(self, kind: Any) -> Update:
        return partial(updates.adagrad, rate=kind(self._rate), epsilon=kind(0))


class AdamOptimizer(Optimizer):
    """Adam as TensorFlow 1 computes it; what it does is said at `ad.keras.optimizers.Adam`.

    Args:
      learning_rate, beta1, beta2: as there.
      epsilon: added to the root, 1e-8 here.
      use_locking: ignored.
      name: how the slot variables' names end: the slots ``m`` and ``v`` of ``w`` are ``w/Adam`` and
        ``w/Adam_1``.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/AdamOptimizer

    >>> import autodiff_kit as ad
    >>> w = ad.Variable([0.0, 0.0], name="w")
    >>> opt = ad.compat.v1.train.AdamOptimizer(0.1)
    >>> opt.apply_gradients([(ad.constant([1.0, 0.0]), w)])
    >>> opt.get_slot_names(), opt.get_slot(w, "v").name
    (['m', 'v'], 'w/Adam_1:0')
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(learning_rate, name)
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._powers = tuple(
            Variable(single(beta), trainable=False, name=f"beta{number}_power")
            for number, beta in ((1, beta1), (2, beta2))
        )

    def variables(self) -> list[Variable]:
        """The powers of beta and all slots."""
        return [*self._powers, *super().variables()] if self._slots else []

    def _get_beta_accumulators(self) -> tuple[Variable, ...]:
        # TensorFlow's own name; programs that save an optimizer's state use it.
        return self._powers

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {name: np.zeros_like(variable._value) for name in ("m", "v")}

    def _rule(self, kind: Any) -> Update:
        one, powers = kind(1), [kind(power._value) for power in self._powers]
        return partial(
            updates.adam,
            rate=kind(self._rate) * np.sqrt(one - powers[1]) / (one - powers[0]),
            fresh=(one - kind(single(self._beta1)), one - kind(single(self._beta2))),
            epsilon=kind(single(self._epsilon)),
        )

    def _finish(self) -> None:
        for power, beta in zip(self._powers, (self._beta1, self._beta2), strict=True):
            power.assign(power._value * single(beta))
