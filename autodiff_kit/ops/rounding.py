"""Layer 3: rounding, and questions about what kind of number it is.

One idea: a staircase is flat wherever it has a slope, so TensorFlow lets no gradient through: None, not 0.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.define import unary

__all__ = ["floor"]

floor = unary(
    "Floor",
    "floor",
    np.floor,
    doc="""The largest whole number not above ``x``, element by element. No gradient flows through it.

    Args:
      x: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/floor

    >>> import autodiff_kit as ad
    >>> ad.floor([1.5, -1.5])
    <Tensor: shape=(2,), dtype=float32, numpy=array([ 1., -2.], dtype=float32)>
    """,
)
