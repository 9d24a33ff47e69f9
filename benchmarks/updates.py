"""Adam written out in NumPy, for the hand-written side and for libraries that bring no optimizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Adam:
    """Kingma and Ba 2015 (arXiv:1412.6980) in Keras' arithmetic; the weights are changed in place."""

    def __init__(self, weights: Sequence[Any], rate: float) -> None:
        self.weights, self.rate, self.steps = weights, rate, 0
        self.m = [np.zeros_like(w) for w in weights]
        self.v = [np.zeros_like(w) for w in weights]

    def step(self, gradients: Sequence[Any]) -> Sequence[Any]:
        """Move the weights against the gradients."""
        self.steps += 1
        rate = self.rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for w, g, m, v in zip(self.weights, gradients, self.m, self.v, strict=True):
            m += (g - m) * 0.1
            v += (g * g - v) * 0.001
            w -= rate * m / (np.sqrt(v) + 1e-7)
        return self.weights
