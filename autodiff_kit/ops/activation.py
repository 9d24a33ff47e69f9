"""Layer 3: the activation functions of neural networks that have a kink.

One idea: where TensorFlow has an operation of its own for a function's gradient, so has the kit; that
is why the second derivative of relu is 0.0 and not None.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import binary, operation, unary
from autodiff_kit.namespace import xp
from autodiff_kit.ops.arithmetic import negative
from autodiff_kit.ops.extremes import largest
from autodiff_kit.ops.joining import concat
from autodiff_kit.registry import missing
from autodiff_kit.tensor import Tensor

__all__ = ["elu", "leaky_relu", "relu", "relu6", "selu", "softsign"]


# Arrays of shape (), with which NumPy compares arrays faster than with the number 0.
_ZEROS = {np.dtype(code): np.zeros((), code) for code in "efdbhilqBHILQ"}


def _positive_part(x: Any) -> Any:
    zero = _ZEROS[x.dtype]
    if x.shape:
        return largest(x, zero)
    return zero[()] if x <= zero else x


relu_grad = binary(
    "ReluGrad",
    "relu_grad",
    lambda dy, y: dy * (y > (_ZEROS[y.dtype] if y.shape else 0)),
    lambda ddx, _dy, y, _dx: xp.relu_grad(ddx, y),
    lambda _ddx, _dy, y, _dx: xp.zeros_like(y),
)
_relu = unary("Relu", "relu", _positive_part, lambda dy, _x, y: xp.relu_grad(dy, y), kinds="iuf")


def relu(features: Any, name: str | None = None) -> Tensor:
    """The positive part, ``max(x, 0)``; its derivative at 0 is 0.

    Args:
      features: a numeric tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      InvalidArgumentError: for a bool tensor.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/relu

    >>> import autodiff_kit as ad
    >>> ad.nn.relu([-1.0, 2.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([0., 2.], dtype=float32)>
    """
    return _relu(features)


relu6_grad = binary(
    "Relu6Grad",
    "relu6_grad",
    lambda dy, y: dy * ((y > 0) & (y < 6)),
    lambda ddx, _dy, y, _dx: xp.relu6_grad(ddx, y),
    lambda _ddx, _dy, y, _dx: xp.zeros_like(y),
)
_relu6 = unary(
    "Relu6",
    "relu6",
    lambda x: np.minimum(np.maximum(x, x.dtype.type(0)), x.dtype.type(6)),
    lambda dy, _x, y: xp.relu6_grad(dy, y),
    kinds="iuf",
)


def relu6(features: Any, name: str | None = None) -> Tensor:
    """``min(max(x, 0), 6)``; its derivative at 0 and at 6 is 0.

    Arguments, result and errors are those of `ad.nn.relu`.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/relu6

    >>> import autodiff_kit as ad
    >>> ad.nn.relu6([-1.0, 2.0, 7.0])
    <Tensor: shape=(3,), dtype=float32, numpy=array([0., 2., 6.], dtype=float32)>
    """
    return _relu6(features)


def _leaky(x: Any, alpha: float) -> Any:
    side = x * x.dtype.type(np.float32(alpha))  # TensorFlow keeps such attributes as float32
    if not alpha:  # 0 times inf is NaN, which must not come from the side that is left out
        return xp.where(x > 0, x, side)
    return np.maximum(x, side) if alpha < 1 else np.minimum(x, side)


def _leaky_grad(dy: Any, x: Any, alpha: float) -> Any:
    return xp.where(x > 0, dy, dy * dy.dtype.type(np.float32(alpha)))


_leaky_relu_grad = operation(
    "LeakyReluGrad",
    "leaky_relu_grad",
    _leaky_grad,
    lambda ddx, _dy, x, _dx, alpha: xp.leaky_relu_grad(ddx, x, alpha=alpha),
    lambda _ddx, _dy, x, _dx, alpha: xp.zeros_like(x),
)
_leaky_relu = operation(
    "LeakyRelu",
    "leaky_relu",
    _leaky,
    lambda dy, x, _y, alpha: xp.leaky_relu_grad(dy, x, alpha=alpha),
)


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """``x`` where it is positive, ``alpha * x`` elsewhere; integers become float32.

    Args:
      features: a numeric tensor.
      alpha: the slope of the negative side, which is also the derivative at 0.
      name: ignored.

    Returns:
      A floating tensor of the same shape.

    Raises:
      InvalidArgumentError: for booleans.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/leaky_relu

    >>> import autodiff_kit as ad
    >>> ad.nn.leaky_relu([-1.0, 2.0], alpha=0.5)
    <Tensor: shape=(2,), dtype=float32, numpy=array([-0.5,  2. ], dtype=float32)>
    """
    x = as_tensor(features)
    if x._value.dtype.kind in "iu":
        x = xp.cast(x, dtype="float32")
    elif x._value.dtype.kind == "b":
        refuse_kind("LeakyRelu", x._value, "f")
    return _leaky_relu(x, alpha=float(alpha))


elu_grad = binary(
    "EluGrad",
    "elu_grad",
    lambda dy, y: xp.where(y < 0, dy * (y + y.dtype.type(1)), dy),
    lambda ddx, _dy, y, _dx: xp.elu_grad(ddx, y),
    lambda ddx, dy, y, _dx: xp.where(y < 0, ddx * dy, xp.zeros_like(y)),
)
_elu = unary(
    "Elu",
    "elu",
    lambda x: xp.where(x < 0, np.expm1(np.minimum(x, x.dtype.type(0))), x),
    lambda dy, _x, y: xp.elu_grad(dy, y),
)


def elu(features: Any, name: str | None = None) -> Tensor:
    """``exp(x) - 1`` where ``x`` is negative, ``x`` elsewhere (Clevert, 2015).

    Args:
      features: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/elu

    >>> import autodiff_kit as ad
    >>> ad.nn.elu([0.0, 2.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([0., 2.], dtype=float32)>
    """
    return _elu(features)


_SCALE, _SCALE_ALPHA = 1.0507009873554805, 1.7580993408473768


def _selu_kernel(x: Any) -> Any:
    t = x.dtype.type
    return xp.where(x < 0, t(_SCALE_ALPHA) * np.expm1(np.minimum(x, t(0))), t(_SCALE) * x)


def _selu_grad_kernel(dy: Any, y: Any) -> Any:
    t = dy.dtype.type
    return xp.where(y < 0, dy * (y + t(_SCALE_ALPHA)), dy * t(_SCALE))


selu_grad = binary(
    "SeluGrad",
    "selu_grad",
    _selu_grad_kernel,
    lambda ddx, _dy, y, _dx: xp.selu_grad(ddx, y),
    lambda ddx, dy, y, _dx: xp.where(y < 0, ddx * dy, xp.zeros_like(y)),
)
_selu = unary("Selu", "selu", _selu_kernel, lambda dy, _x, y: xp.selu_grad(dy, y))


def selu(features: Any, name: str | None = None) -> Tensor:
    """`elu` scaled so that a normalised input gives a normalised output (Klambauer, 2017).

    Args:
      features: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/selu

    >>> import autodiff_kit as ad
    >>> ad.nn.selu(1.0)
    <Tensor: shape=(), dtype=float32, numpy=1.0507>
    """
    return _selu(features)


softsign_grad = operation(
    "SoftsignGrad",
    "softsign_grad",
    lambda dy, x: dy / np.square(np.abs(x) + x.dtype.type(1)),
    pull=missing,
)
_softsign = unary(
    "Softsign",
    "softsign",
    lambda x: x / (np.abs(x) + x.dtype.type(1)),
    lambda dy, x, _y: xp.softsign_grad(dy, x),
)


def softsign(features: Any, name: str | None = None) -> Tensor:
    """``x / (abs(x) + 1)``. As in TensorFlow it has no second derivative.

    Args:
      features: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/softsign

    >>> import autodiff_kit as ad
    >>> ad.nn.softsign([-1.0, 3.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([-0.5 ,  0.75], dtype=float32)>
    """
    return _softsign(features)


def crelu(features: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """The positive part and the negative part side by side: relu of ``[x, -x]``.

    Args:
      features: a numeric tensor of one axis at least.
      axis: along which the two are joined, which makes it twice as long.
      name: ignored.

    Returns:
      A tensor of the same dtype.

    Raises:
      InvalidArgumentError: for a bool tensor, or an axis that it has not.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/crelu

    >>> import autodiff_kit as ad
    >>> ad.nn.crelu([1.0, -2.0])
    <Tensor: shape=(4,), dtype=float32, numpy=array([1., 0., 0., 2.], dtype=float32)>
    """
    x = as_tensor(features)
    return relu(concat([x, negative(x)], axis))
