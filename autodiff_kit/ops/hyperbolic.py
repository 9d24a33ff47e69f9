"""Layer 3: hyperbolic functions and their inverses.

One idea: as with the circular ones, the slope of each is made of the others; tanh needs only its value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.define import binary
from autodiff_kit.namespace import xp
from autodiff_kit.ops.elementwise import elementwise

__all__ = ["acosh", "asinh", "atanh", "cosh", "sinh", "tanh"]

sinh = elementwise(
    "Sinh",
    "sinh",
    np.sinh,
    lambda dy, x, _y: dy * xp.cosh(x),
    says="The hyperbolic sine, element by element.",
    example=(0.0, 0.0),
)

cosh = elementwise(
    "Cosh",
    "cosh",
    np.cosh,
    lambda dy, x, _y: dy * xp.sinh(x),
    says="The hyperbolic cosine, element by element.",
    example=(0.0, 1.0),
)

tanh = elementwise(
    "Tanh",
    "tanh",
    np.tanh,
    lambda dy, _x, y: xp.tanh_grad(y, dy),
    says="The hyperbolic tangent, element by element; between -1 and 1.",
    example=(0.0, 0.0),
)


def _tanh_grad(y: Any, dy: Any) -> Any:
    """``dy * (1 - y * y)``; large arrays are not copied on the way."""
    slope = y * y
    if type(slope) is not np.ndarray:
        return dy * (slope.dtype.type(1) - slope)
    np.subtract(1.0, slope, out=slope)
    slope *= dy
    return slope


binary(
    "TanhGrad",
    "tanh_grad",
    _tanh_grad,
    lambda g, y, dy, _dx: -(g * dy + g * dy) * y,
    lambda g, y, _dy, _dx: xp.tanh_grad(y, g),
    kinds="f",
)

asinh = elementwise(
    "Asinh",
    "asinh",
    np.arcsinh,
    lambda dy, _x, y: dy / xp.cosh(y),
    says="The number whose hyperbolic sine is ``x``.",
    example=(0.0, 0.0),
)

acosh = elementwise(
    "Acosh",
    "acosh",
    np.arccosh,
    lambda dy, _x, y: dy / xp.sinh(y),
    says="The number from 0 on whose hyperbolic cosine is ``x``; NaN below 1.",
    example=(1.0, 0.0),
)

atanh = elementwise(
    "Atanh",
    "atanh",
    np.arctanh,
    lambda dy, x, _y: dy / (1.0 - xp.square(x)),
    says="The number whose hyperbolic tangent is ``x``; NaN outside [-1, 1].",
    example=(0.0, 0.0),
)
