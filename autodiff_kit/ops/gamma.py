"""Layer 3: the logarithm of the gamma function and its derivatives.

One idea: far from 0 an asymptotic series gives all digits, and a recurrence leads there.

Source: https://dlmf.nist.gov/5.11 and https://dlmf.nist.gov/25.11.43
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff_kit.convert import operands, refuse_dtypes, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.elementwise import elementwise
from autodiff_kit.ops.special import each
from autodiff_kit.tensor import Tensor

__all__: list[str] = []  # TensorFlow has them in `tf.math` alone

_FAR = 12
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)  # B2, B4, …


def _pole(x: float) -> bool:
    return -math.inf < x <= 0.0 and x == math.floor(x)


def _lgamma(x: float) -> float:
    try:
        return math.inf if _pole(x) else math.lgamma(x)
    except OverflowError:  # above 2e305
        return math.inf


def _digamma(x: float) -> float:
    if _pole(x) or math.isnan(x) or x == -math.inf:
        return math.nan
    if x == math.inf:
        return x
    if x < 0.0:
        return _digamma(1.0 - x) - math.pi / math.tan(math.pi * math.fmod(x, 1.0))
    total = 0.0
    while x < _FAR:
        total -= 1.0 / x
        x += 1.0
    square, power = 1.0 / (x * x), 1.0
    for number, b in enumerate(_BERNOULLI, 1):
        power *= square
        total -= b * power / (2 * number)
    return total + math.log(x) - 0.5 / x


def _inverse(x: float, s: float) -> float:
    """``1 / x ** s`` for positive x; inf where that is too large for a float."""
    try:
        return x**-s
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _zeta(s: float, x: float) -> float:
    """Hurwitz' zeta function, the sum of ``1 / (x + k) ** s``, for s > 1 and x > 0."""
    total = 0.0
    while x < _FAR:
        total += _inverse(x, s)
        x += 1.0
    total += _inverse(x, s - 1.0) / (s - 1.0) + 0.5 * _inverse(x, s)
    factor = s * _inverse(x, s + 1.0) / 2.0
    for number, b in enumerate(_BERNOULLI, 1):
        total += b * factor
        k = 2 * number
        factor *= (s + k - 1) * (s + k) / ((k + 1) * (k + 2) * x * x)
    return total


def _zeta_everywhere(s: float, x: float) -> float:
    """The same sum for a whole number s and any x: how far its terms are from 0, on either side."""
    even = s % 2.0 == 0.0
    if x > 0.0:
        return _zeta(s, x)
    if x == math.floor(x):  # a pole; for an odd s the sides go to +inf and -inf
        return math.inf if even else math.nan
    left = _zeta(s, math.ceil(x) - x) - _zeta(s, 1.0 - x)
    return _zeta(s, x - math.floor(x)) + (left if even else -left)


def _one_polygamma(a: float, x: float) -> float:
    if a == 0.0:
        return _digamma(x)
    if not 0.0 < a < math.inf or a != math.floor(a) or math.isnan(x):
        return math.nan
    if x == -math.inf:
        return math.inf if a % 2.0 else math.nan
    try:
        factorial = math.gamma(a + 1.0)
    except OverflowError:
        factorial = math.inf
    return (factorial if a % 2.0 else -factorial) * _zeta_everywhere(a + 1.0, x)


def _polygamma_kernel(a: Any, x: Any) -> Any:
    a, x = np.broadcast_arrays(a, x)
    pairs = zip(a.ravel().tolist(), x.ravel().tolist(), strict=True)
    return np.array([_one_polygamma(*p) for p in pairs], x.dtype).reshape(x.shape)[()]


lgamma = elementwise(
    "Lgamma",
    "lgamma",
    each(_lgamma),
    lambda dy, x, _y: dy * xp.digamma(x),
    says="The logarithm of the absolute value of the gamma function; inf at 0, -1, -2 …",
    example=(1.0, 0.0),
)

digamma = elementwise(
    "Digamma",
    "digamma",
    each(_digamma),
    lambda dy, x, _y: dy * xp.polygamma(xp.ones_like(x), x),
    says="The derivative of `lgamma`; NaN at 0, -1, -2 …",
    example=(0.0, float("nan")),
)

_polygamma = operation(
    "Polygamma",
    "polygamma",
    _polygamma_kernel,
    no_gradient,
    lambda dy, a, x, _y: dy * xp.polygamma(a + 1.0, x),
    broadcasts=True,
)


def polygamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The derivative number ``a`` of `digamma`; no gradient flows to ``a``.

    Args:
      a: whole numbers from 0 on, as a floating tensor.
      x: a floating tensor; at 0, -1, -2 … the result is inf for an odd ``a``, and NaN for an even one.
      name: ignored.

    Returns:
      A tensor of the broadcast shape.

    Raises:
      InvalidArgumentError: for integers, and if the dtypes differ; use `ad.cast`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/polygamma

    >>> import autodiff_kit as ad
    >>> round(float(ad.math.polygamma(1.0, 1.0)), 4)
    1.6449
    """
    a, x = operands(a, x)
    refuse_dtypes("Polygamma", [a._value, x._value])
    if not x.dtype.is_floating:
        refuse_kind("Polygamma", x._value, "f")
    return _polygamma(a, x)
