"""Layer 3: the error function, its complement and its inverse.

One idea: Python's own `math` module has it, exact in float64, so each element is handed to that.
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


def each(function: Callable[[float], float]) -> Callable[[Any], Any]:
    """A kernel of a function of one Python float."""

    def kernel(x: Any) -> Any:
        if type(x) is not np.ndarray:
            return x.dtype.type(function(float(x)))
        return np.array([function(v) for v in x.ravel().tolist()], x.dtype).reshape(x.shape)

    return kernel


erf = elementwise(
    "Erf",
    "erf",
    each(math.erf),
    lambda dy, x, _y: dy * _SLOPE * xp.exp(-xp.square(x)),
    says="The error function, element by element; between -1 and 1.",
    example=(0.0, 0.0),
)

erfc = elementwise(
    "Erfc",
    "erfc",
    each(math.erfc),
    lambda dy, x, _y: dy * -_SLOPE * xp.exp(-xp.square(x)),
    says="``1 - erf(x)``, accurate for large ``x`` too.",
    example=(0.0, 1.0),
)


def _erfinv(x: float) -> float:
    """A first guess, made better by Newton's method, far out in terms of ``erfc``."""
    if not -1.0 < x < 1.0:
        return math.copysign(math.inf, x) if abs(x) == 1.0 else math.nan
    size, rest = abs(x), 1.0 - abs(x)
    level = math.log(rest * (1.0 + size))
    half = 2.0 / (math.pi * 0.147) + level / 2.0
    y = math.sqrt(max(math.sqrt(half * half - level / 0.147) - half, 0.0))
    for _ in range(4):
        error = math.erf(y) - size if size < 0.5 else rest - math.erfc(y)
        step = error / (_SLOPE * math.exp(-y * y))
        y -= step / (1.0 + y * step)
    return math.copysign(y, x)


erfinv = elementwise(
    "Erfinv",
    "erfinv",
    each(_erfinv),
    lambda dy, _x, y: dy * (1.0 / _SLOPE) * xp.exp(xp.square(y)),
    says="The number whose error function is ``x``; NaN outside [-1, 1].",
    example=(0.0, 0.0),
)
