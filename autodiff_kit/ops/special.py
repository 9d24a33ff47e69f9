"""Layer 3: the error function, its complement and its inverse.

One idea: Python's own `math` module has it, exact in float64, so each element is handed to that. For
many float32 numbers that is slow: they get a polynomial through the exact values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from autodiff_kit.namespace import xp
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


_MANY, _BLOCK = 512, 16384  # from so many on the polynomial is faster; so many fit into the cache
_ZERO_FROM = 10.2  # from here on the complement is 0 in float32
_DEGREE = 18


@cache
def _tail() -> list[float]:
    """``log(erfc(z) / t) + z * z`` with ``t = 1 / (1 + z / 2)`` as a polynomial in t, to 13 digits."""
    least = 1.0 / (1.0 + _ZERO_FROM / 2.0)

    def exact(t: float) -> float:
        z = 2.0 / t - 2.0
        return math.log(math.erfc(z) / t) + z * z

    fitted = np.polynomial.Chebyshev.interpolate(np.vectorize(exact), _DEGREE, [least, 1.0])
    return fitted.convert(kind=np.polynomial.Polynomial).coef.tolist()


def _erfc_of_many(x: Any) -> Any:
    z = np.abs(x).astype(np.float64)
    t = 1.0 / (1.0 + z / 2.0)
    *lower, power = _tail()
    log = np.full_like(t, power)
    for coefficient in reversed(lower):
        log *= t
        log += coefficient
    y = t * np.exp(log - z * z)
    return np.abs(2.0 * np.signbit(x) - y).astype(x.dtype)  # 2 - y left of 0


def _erfc(x: Any) -> Any:
    if type(x) is not np.ndarray or x.size < _MANY or x.dtype.itemsize > 4:
        return each(math.erfc)(x)
    flat = x.reshape(-1)
    blocks = [_erfc_of_many(flat[i : i + _BLOCK]) for i in range(0, flat.size, _BLOCK)]
    return np.concatenate(blocks).reshape(x.shape)


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
    _erfc,
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
