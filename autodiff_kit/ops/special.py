"""Layer 3: the error function, and the logarithm of the gamma function.

One idea: Python's own `math` module has them, exact in float64, so element by element that is what we ask.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.operation import xp
from autodiff_kit.ops.elementwise import elementwise

__all__: list[str] = []  # TensorFlow has them in `tf.math` alone

_SLOPE = 2.0 / math.sqrt(math.pi)


def _each(function: Callable[[float], float]) -> Callable[[Any], Any]:
    """A kernel of a function of one Python float."""

    def kernel(x: Any) -> Any:
        if type(x) is not np.ndarray:
            return x.dtype.type(function(float(x)))
        return np.array([function(v) for v in x.ravel().tolist()], x.dtype).reshape(x.shape)

    return kernel


erf = elementwise(
    "Erf",
    "erf",
    _each(math.erf),
    lambda dy, x, _y: dy * _SLOPE * xp.exp(-xp.square(x)),
    says="The error function, element by element; between -1 and 1.",
    example=(0.0, 0.0),
)

erfc = elementwise(
    "Erfc",
    "erfc",
    _each(math.erfc),
    lambda dy, x, _y: dy * -_SLOPE * xp.exp(-xp.square(x)),
    says="``1 - erf(x)``, accurate for large ``x`` too.",
    example=(0.0, 1.0),
)
