"""Layer 3: absolute value and sign, roots and reciprocals.

One idea: at a pole the slope is infinite, and where nothing arrives from above, TensorFlow's own
gradient kernels (SqrtGrad, RsqrtGrad, ReciprocalGrad) answer 0 and not infinity times 0.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autodiff_kit.define import binary, unary
from autodiff_kit.operation import xp

__all__ = ["abs", "sign", "sqrt"]

abs = unary(
    "Abs",
    "abs",
    operator.abs,
    lambda dy, x, _y: dy * xp.sign(x),
    kinds="if",
    doc="""The absolute value, element by element. Its gradient at 0 is 0.

    Args:
      x: a tensor of floats or signed integers.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/abs

    >>> import autodiff_kit as ad
    >>> ad.abs([-2.0, 3.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """,
)

sign = unary(
    "Sign",
    "sign",
    np.sign,
    lambda _dy, x, _y: xp.zeros_like(x),
    kinds="if",
    doc="""-1, 0 or 1 for negative, zero and positive numbers. Its gradient is 0, not None.

    Args:
      x: a tensor of floats or signed integers.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype; NaN for NaN.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/sign

    >>> import autodiff_kit as ad
    >>> ad.sign([-2.0, 0.0, 3.0])
    <Tensor: shape=(3,), dtype=float32, numpy=array([-1.,  0.,  1.], dtype=float32)>
    """,
)


def _zero_for_zero(dx: Any, dy: Any) -> Any:
    """``dx``, but 0 where ``dy`` is."""
    if np.isfinite(dx).all():
        return dx
    return np.where(dy == 0, dx.dtype.type(0), dx)[()]


sqrt = unary(
    "Sqrt",
    "sqrt",
    np.sqrt,
    lambda dy, _x, y: xp.sqrt_grad(y, dy),
    doc="""The square root, element by element; NaN for negative numbers.

    Its gradient at 0 is inf, but 0 where the incoming gradient is 0.

    Args:
      x: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/sqrt

    >>> import autodiff_kit as ad
    >>> ad.sqrt([4.0, 9.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """,
)

binary(
    "SqrtGrad",
    "sqrt_grad",
    lambda y, dy: _zero_for_zero(dy / (y + y), dy),
    lambda g, y, _dy, dx: -(g / y) * dx,
    lambda g, y, _dy, _dx: g / (y + y),
    kinds="f",
)
