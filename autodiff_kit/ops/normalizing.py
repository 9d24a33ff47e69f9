"""Layer 3: biases, norms and moments, the small parts of networks.

One idea: most of them are made of other operations and have no rule of their own.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operand, operands, refuse_dtypes, refuse_kind
from autodiff_kit.define import binary, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import pass_on
from autodiff_kit.ops.reduction import axes_of
from autodiff_kit.tensor import Tensor

__all__ = ["bias_add", "l2_loss", "l2_normalize", "moments"]

_bias_add = binary(
    "BiasAdd",
    "bias_add",
    operator.add,
    pass_on,
    pass_on,
)


def bias_add(
    value: Any, bias: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """Adds a bias to each channel.

    Args:
      value: a numeric tensor of shape (..., channels) with at least two axes.
      bias: a tensor of shape (channels,) and the same dtype.
      data_format: "N...C", or "NC..." if the channels are the second axis.
      name: ignored.

    Returns:
      A tensor of the shape of ``value``.

    Raises:
      InvalidArgumentError: if shapes or dtypes do not fit.
      ValueError: for an unknown ``data_format``.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/bias_add

    >>> import autodiff_kit as ad
    >>> ad.nn.bias_add([[1.0, 2.0]], [10.0, 20.0])
    <Tensor: shape=(1, 2), dtype=float32, numpy=array([[11., 22.]], dtype=float32)>
    """
    x, b = operands(value, bias)
    if x._value.dtype != b._value.dtype:
        refuse_dtypes("BiasAdd", [x._value, b._value])
    form = "N...C" if data_format is None else str(data_format)
    second = form.startswith("NC")
    if not second and not (form.startswith("N") and form.endswith("C")):
        raise ValueError(
            "`data_format` must be of the form `N...C` or `NC...`. "
            f"Received: data_format={data_format}"
        )
    _check_bias(x._value.shape, b._value.shape, 1 if second else -1)
    if second:
        b = xp.reshape(b, shape=(b._value.size, *(1,) * (x._value.ndim - 2)))
    return _bias_add(x, b)


def _check_bias(x: tuple[int, ...], b: tuple[int, ...], axis: int) -> None:
    shapes = [str(list(s)).replace(" ", "") for s in (x, b)]
    problem = ""
    if len(x) < 2:
        problem = f"Input tensor must be at least 2D: {shapes[0]}"
    elif len(b) != 1:
        problem = f"Biases must be 1D: {shapes[1]}"
    elif b[0] != x[axis]:
        problem = (
            "Must provide as many biases as the last dimension of the input tensor: "
            f"{shapes[1]} vs. {shapes[0]}"
        )
    if problem:
        raise InvalidArgumentError(f"{problem} [Op:BiasAdd]")


def _half_square(x: Any) -> Any:
    flat = np.ravel(x)
    return np.dot(flat, flat) / x.dtype.type(2)


_l2_loss = operation("L2Loss", "l2_loss", _half_square, lambda dy, x, _y: dy * x)


def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half the sum of squares, ``reduce_sum(t ** 2) / 2``.

    Args:
      t: a floating tensor.
      name: ignored.

    Returns:
      A tensor of shape ().

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/l2_loss

    >>> import autodiff_kit as ad
    >>> ad.nn.l2_loss([1.0, 2.0])
    <Tensor: shape=(), dtype=float32, numpy=2.5>
    """
    x = as_tensor(t)
    if x._value.dtype.kind != "f":
        refuse_kind("L2Loss", x._value, "f")
    return _l2_loss(x)


def l2_normalize(
    x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None
) -> Tensor:
    """Divides by the Euclidean norm along axes.

    Args:
      x: a floating tensor.
      axis: an axis or several; all if not given.
      epsilon: the least square of the norm to divide by.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/l2_normalize

    >>> import autodiff_kit as ad
    >>> ad.nn.l2_normalize([3.0, 4.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([0.6, 0.8], dtype=float32)>
    """
    x = as_tensor(x)
    axes = axes_of("Sum", axis, x._value.shape)
    squares = xp.reduce_sum(xp.square(x), axis=axes, keepdims=True)
    return x * xp.rsqrt(xp.maximum(squares, operand(epsilon, x.dtype)))


def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance along axes.

    Args:
      x: a floating tensor.
      axes: an axis or several.
      shift: ignored, as in TensorFlow.
      keepdims: whether the axes stay, with length 1.
      name: ignored.

    Returns:
      The mean and the variance (divided by the number of elements, not one less).

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/moments

    >>> import autodiff_kit as ad
    >>> ad.nn.moments(ad.constant([1.0, 3.0]), [0])
    (<Tensor: shape=(), dtype=float32, numpy=2.0>, <Tensor: shape=(), dtype=float32, numpy=1.0>)
    """
    x = as_tensor(x)
    shape = x._value.shape
    along = axes_of("Mean", axes, shape)
    mean = xp.reduce_mean(x, axis=along, keepdims=True)
    # The mean is held fixed: the gradient through it is zero, since the deviations sum up to zero.
    squares = xp.squared_difference(x, xp.stop_gradient(mean))
    variance = xp.reduce_mean(squares, axis=along, keepdims=keepdims)
    if not keepdims:
        kept = tuple(n for i, n in enumerate(shape) if i not in along)
        mean = xp.reshape(mean, shape=kept)
    return mean, variance
