"""Layer 3: absolute value and sign, roots and reciprocals.

One idea: at a pole the slope is infinite, and where nothing arrives from above, TensorFlow's own
gradient kernels (SqrtGrad, RsqrtGrad, ReciprocalGrad) answer 0 and not infinity times 0.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autodiff_kit.define import binary
from autodiff_kit.namespace import xp
from autodiff_kit.ops.elementwise import elementwise

__all__ = ["abs", "sign", "sqrt"]

abs = elementwise(
    "Abs",
    "abs",
    operator.abs,
    lambda dy, x, _y: dy * xp.sign(x),
    says="The absolute value, element by element. Its gradient at 0 is 0.",
    example=(-2.0, 2.0),
    kinds="if",
)

sign = elementwise(
    "Sign",
    "sign",
    np.sign,
    lambda _dy, x, _y: xp.zeros_like(x),
    says="-1, 0 or 1 for negative, zero and positive numbers. Its gradient is 0, not None.",
    example=(-2.0, -1.0),
    kinds="if",
)

sqrt = elementwise(
    "Sqrt",
    "sqrt",
    np.sqrt,
    lambda dy, _x, y: xp.sqrt_grad(y, dy),
    says="The square root. Its gradient at 0 is inf, but 0 if no gradient arrives.",
    example=(4.0, 2.0),
)

rsqrt = elementwise(
    "Rsqrt",
    "rsqrt",
    lambda x: x.dtype.type(1) / np.sqrt(x),  # np.reciprocal is half as fast
    lambda dy, _x, y: xp.rsqrt_grad(y, dy),
    says="``1 / sqrt(x)``, element by element; inf at 0, NaN for negative numbers.",
    example=(4.0, 0.5),
)

reciprocal = elementwise(
    "Reciprocal",
    "reciprocal",
    np.reciprocal,
    lambda dy, _x, y: xp.reciprocal_grad(y, dy),
    says="``1 / x``, element by element. Its gradient at 0 is -inf, but 0 if no gradient arrives.",
    example=(4.0, 0.25),
)


def _zero_for_zero(dx: Any, dy: Any) -> Any:
    """``dx``, but 0 where ``dy`` is 0."""
    if type(dx) is not np.ndarray:
        return dx if dy else dy
    flat = dx.reshape(-1)
    if flat.dot(flat) < np.inf:  # all are finite, the usual case, seen in a fifth of the time
        return dx
    return np.where(dy == 0, dx.dtype.type(0), dx)


binary(
    "SqrtGrad",
    "sqrt_grad",
    lambda y, dy: _zero_for_zero(dy / (y + y), dy),
    lambda g, y, _dy, dx: -(g / y) * dx,
    lambda g, y, _dy, _dx: g / (y + y),
    kinds="f",
)

binary(
    "RsqrtGrad",
    "rsqrt_grad",
    lambda y, dy: _zero_for_zero(y.dtype.type(-0.5) * (dy * y) * (y * y), dy),
    lambda g, y, dy, _dx: g * -1.5 * dy * xp.square(y),
    lambda g, y, _dy, _dx: xp.rsqrt_grad(y, g),
    kinds="f",
)

binary(
    "ReciprocalGrad",
    "reciprocal_grad",
    lambda y, dy: _zero_for_zero(-dy * y * y, dy),
    lambda g, y, dy, _dx: -(g + g) * dy * y,
    lambda g, y, _dy, _dx: xp.reciprocal_grad(y, g),
    kinds="f",
)
