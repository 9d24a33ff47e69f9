"""Layer 3: exponentials and logarithms, and the curves that are made of them.

One idea: a function whose slope is a formula in its own value needs nothing but that value kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import binary, unary
from autodiff_kit.namespace import xp
from autodiff_kit.ops.elementwise import elementwise
from autodiff_kit.ops.extremes import largest
from autodiff_kit.tensor import Tensor

__all__ = ["exp", "sigmoid"]

_MANY = 1000

exp = elementwise(
    "Exp",
    "exp",
    np.exp,
    lambda dy, _x, y: dy * y,
    says="The exponential function, element by element.",
    example=(0.0, 1.0),
)

expm1 = elementwise(
    "Expm1",
    "expm1",
    np.expm1,
    lambda dy, x, _y: dy * xp.exp(x),
    says="``exp(x) - 1``, accurate for small ``x`` too.",
    example=(0.0, 0.0),
)

log = elementwise(
    "Log",
    "log",
    np.log,
    lambda dy, x, _y: dy / x,
    says="The natural logarithm, element by element; -inf at 0, NaN for negative numbers.",
    example=(1.0, 0.0),
)

log1p = elementwise(
    "Log1p",
    "log1p",
    np.log1p,
    lambda dy, x, _y: dy / (1.0 + x),
    says="``log(1 + x)``, accurate for small ``x`` too.",
    example=(0.0, 0.0),
)


def decay(x: Any) -> Any:
    """``exp(-abs(x))``, which cannot overflow; large arrays are not copied on the way."""
    if type(x) is not np.ndarray:
        return np.exp(-abs(x))
    y = np.abs(x)
    np.negative(y, out=y)
    return np.exp(y, out=y)


def log1p_of_decay(small: Any) -> Any:
    """``log(1 + small)`` for numbers between 0 and 1, of many float32 in a third of log1p's time."""
    if type(small) is not np.ndarray or small.size < _MANY or small.dtype != np.float32:
        return np.log1p(small)
    y = small + 1
    # What that rounded away from `small` comes back by the slope of the logarithm, 1 / y.
    lost = small - (y - 1)
    lost /= y
    np.log(y, out=y)
    y += lost
    return y


def _sigmoid(x: Any) -> Any:
    """``1 / (1 + exp(-x))``; far to the left the exponential is infinite and the result 0."""
    if type(x) is not np.ndarray:
        small, one = decay(x), x.dtype.type(1)
        return (small if x < 0 else one) / (small + one)
    y = np.negative(x, dtype=np.float32 if x.dtype == np.float16 else x.dtype)
    with np.errstate(over="ignore"):
        np.exp(y, out=y)
    y += 1
    return np.divide(1, y, out=y).astype(x.dtype, copy=False)  # np.reciprocal is half as fast


sigmoid = elementwise(
    "Sigmoid",
    "sigmoid",
    _sigmoid,
    lambda dy, _x, y: xp.sigmoid_grad(y, dy),
    says="The logistic curve ``1 / (1 + exp(-x))``, element by element; between 0 and 1.",
    example=(0.0, 0.5),
)


def _sigmoid_grad(y: Any, dy: Any) -> Any:
    return dy * y * (y.dtype.type(1) - y)


def _sigmoid_grad_rule(g: Any, y: Any, dy: Any, _dx: Any) -> Any:
    product = g * dy
    return product - (product + product) * y


binary(
    "SigmoidGrad",
    "sigmoid_grad",
    _sigmoid_grad,
    _sigmoid_grad_rule,
    lambda g, y, _dy, _dx: xp.sigmoid_grad(y, g),
    kinds="f",
)


def _soft(x: Any) -> Any:
    return log1p_of_decay(decay(x)) + largest(x, x.dtype.type(0))


_softplus = unary(
    "Softplus",
    "softplus",
    _soft,
    lambda dy, x, _y: dy * xp.sigmoid(x),
)


def softplus(features: Any, name: str | None = None) -> Tensor:
    """``log(1 + exp(x))``, a smooth `relu`, element by element.

    Args:
      features: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      InvalidArgumentError: for another dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/softplus

    >>> import autodiff_kit as ad
    >>> ad.math.softplus(-1000.0)
    <Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return _softplus(features)


def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of `sigmoid`, computed as ``-softplus(-x)`` so that it stays finite.

    Args:
      x: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/log_sigmoid

    >>> import autodiff_kit as ad
    >>> ad.math.log_sigmoid(-1000.0)
    <Tensor: shape=(), dtype=float32, numpy=-1000.0>
    """
    return -softplus(-as_tensor(x))
