"""Layer 3: exponentials, logarithms, and the curves made of them.

One idea: a function whose slope is a formula in its own value needs nothing but that value kept.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.define import unary

__all__ = ["exp"]

exp = unary(
    "Exp",
    "exp",
    np.exp,
    lambda dy, _x, y: dy * y,
    doc="""The exponential function, element by element.

    Args:
      x: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/exp

    >>> import autodiff_kit as ad
    >>> ad.exp([0.0, 1.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1.       , 2.7182817], dtype=float32)>
    """,
)

log = unary(
    "Log",
    "log",
    np.log,
    lambda dy, x, _y: dy / x,
    doc="""The natural logarithm, element by element; -inf at 0, NaN for negative numbers.

    Args:
      x: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/log

    >>> import autodiff_kit as ad
    >>> ad.math.log([1.0, 2.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([0.       , 0.6931472], dtype=float32)>
    """,
)
