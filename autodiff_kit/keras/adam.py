"""Layer 4: Adam and AdamW, with Keras' arithmetic.

One idea: how far an element goes is the mean of its gradients, divided by their usual size.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autodiff_kit.keras import updates
from autodiff_kit.keras.applying import Update
from autodiff_kit.keras.optimizer import Optimizer
from autodiff_kit.keywords import knowing
from autodiff_kit.variable import Variable


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
      learning_rate: a number or a function, as for `Optimizer`.
      beta_1: how much of ``m`` stays at each step.
      beta_2: how much of ``v`` stays at each step.
      epsilon: added to the root; Kingma and Ba's "epsilon hat".
      amsgrad: whether to divide by the largest ``v`` so far, kept in the slot ``vhat``.
      weight_decay, clipnorm, clipvalue, global_clipnorm: as for `Optimizer`.
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

    _apart = ("vhat",)

    @knowing
    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, name, weight_decay, clipnorm, clipvalue, global_clipnorm)
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.amsgrad = amsgrad

    def _begin(self, variable: Variable) -> dict[str, Any]:
        return {name: updates.zeros(variable) for name in ("m", "v", *["vhat"] * self.amsgrad)}

    def _rule(self, kind: Any) -> Update:
        one, step = kind(1), kind(self.iterations._value + 1)
        power_1, power_2 = (
            kind(updates.single(beta)) ** step for beta in (self.beta_1, self.beta_2)
        )
        rate = kind(self._present) * np.sqrt(one - power_2) / (one - power_1)
        fresh = kind(1 - self.beta_1), kind(1 - self.beta_2)
        return partial(updates.adam, rate=rate, fresh=fresh, epsilon=kind(self.epsilon))


class AdamW(Adam):
    """`Adam` with weights that decay: in each step they lose the learning rate times `weight_decay`
    of what they are.

    Args:
      learning_rate: a number or a function, as for `Optimizer`.
      weight_decay: a number.
      beta_1, beta_2, epsilon, amsgrad, clipnorm, clipvalue, global_clipnorm, name: as for `Adam`.

    Raises:
      ValueError: without a weight decay.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/optimizers/AdamW ;
    https://arxiv.org/abs/1711.05101

    >>> import autodiff_kit as ad
    >>> w = ad.Variable(1.0)
    >>> _ = ad.keras.optimizers.AdamW(0.1, 0.5).apply_gradients([(ad.constant(0.0), w)])
    >>> print(w.numpy())
    0.95
    """

    @knowing
    def __init__(
        self,
        learning_rate: Any = 0.001,
        weight_decay: float = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        *,
        name: str | None = None,
    ) -> None:
        if weight_decay is None:
            raise ValueError("Argument `weight_decay` must be a float. Received: weight_decay=None")
        restraints = (weight_decay, clipnorm, clipvalue, global_clipnorm)
        super().__init__(learning_rate, beta_1, beta_2, epsilon, amsgrad, *restraints, name=name)
