"""Layer 3: circular functions and their inverses.

One idea: the slope of each of them is made of the others, or is a plain fraction of the argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.define import binary
from autodiff_kit.namespace import xp
from autodiff_kit.ops.elementwise import elementwise
from autodiff_kit.tensor import Tensor

__all__ = ["acos", "asin", "atan", "atan2", "cos", "sin", "tan"]

sin = elementwise(
    "Sin",
    "sin",
    np.sin,
    lambda dy, x, _y: dy * xp.cos(x),
    says="The sine of an angle in radians, element by element.",
    example=(0.0, 0.0),
)

cos = elementwise(
    "Cos",
    "cos",
    np.cos,
    lambda dy, x, _y: -dy * xp.sin(x),
    says="The cosine of an angle in radians, element by element.",
    example=(0.0, 1.0),
)

tan = elementwise(
    "Tan",
    "tan",
    np.tan,
    lambda dy, x, _y: dy / xp.square(xp.cos(x)),
    says="The tangent of an angle in radians, element by element.",
    example=(0.0, 0.0),
)

asin = elementwise(
    "Asin",
    "asin",
    np.arcsin,
    lambda dy, x, _y: dy / xp.sqrt(1.0 - xp.square(x)),
    says="The angle whose sine is ``x``, from -pi/2 to pi/2; NaN outside [-1, 1].",
    example=(0.0, 0.0),
)

acos = elementwise(
    "Acos",
    "acos",
    np.arccos,
    lambda dy, x, _y: -dy / xp.sqrt(1.0 - xp.square(x)),
    says="The angle whose cosine is ``x``, from 0 to pi; NaN outside [-1, 1].",
    example=(1.0, 0.0),
)

atan = elementwise(
    "Atan",
    "atan",
    np.arctan,
    lambda dy, x, _y: dy / (1.0 + xp.square(x)),
    says="The angle whose tangent is ``x``, from -pi/2 to pi/2.",
    example=(0.0, 0.0),
)

_atan2 = binary(
    "Atan2",
    "atan2",
    np.arctan2,
    lambda dy, y, x, _z: x * (dy / (xp.square(y) + xp.square(x))),
    lambda dy, y, x, _z: -y * (dy / (xp.square(y) + xp.square(x))),
    kinds="f",
)


def atan2(y: Any, x: Any, name: str | None = None) -> Tensor:
    """The angle of the point (x, y) seen from the origin, from -pi to pi.

    Its gradient at the origin is NaN.

    Args:
      y, x: floating tensors of one dtype, or what becomes one; ``y`` comes first.
      name: ignored.

    Returns:
      A tensor of the broadcast shape.

    Raises:
      InvalidArgumentError: if the dtypes differ or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/atan2

    >>> import autodiff_kit as ad
    >>> ad.atan2(0.0, 1.0)
    <Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return _atan2(y, x)
