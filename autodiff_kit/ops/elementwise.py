"""Layer 3: functions of each element by itself."""

from __future__ import annotations

import numpy as np

from autodiff_kit.define import unary
from autodiff_kit.operation import xp

__all__ = ["cos", "sin"]

sin = unary(
    "Sin",
    "sin",
    np.sin,
    lambda dy, x, _y: dy * xp.cos(x),
    doc="""The sine, element by element.

    Args:
      x: a floating tensor, in radians.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/sin

    >>> import autodiff_kit as ad
    >>> ad.sin(0.0)
    <Tensor: shape=(), dtype=float32, numpy=0.0>
    """,
)

cos = unary(
    "Cos",
    "cos",
    np.cos,
    lambda dy, x, _y: -dy * xp.sin(x),
    doc="""The cosine, element by element.

    Args:
      x: a floating tensor, in radians.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/cos

    >>> import autodiff_kit as ad
    >>> ad.cos(0.0)
    <Tensor: shape=(), dtype=float32, numpy=1.0>
    """,
)
