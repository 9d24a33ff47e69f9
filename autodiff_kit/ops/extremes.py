"""Layer 3: the larger and the smaller of two, and keeping values between bounds.

One idea: the gradient goes to the one that was chosen; in a tie TensorFlow chooses the first argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, beside, operand
from autodiff_kit.define import binary
from autodiff_kit.namespace import xp
from autodiff_kit.ops.select import zero_of
from autodiff_kit.shapes import TensorShape
from autodiff_kit.tensor import Tensor

__all__ = ["clip_by_value", "maximum", "minimum"]


_MANY = 1000


def beside_number(ufunc: Any) -> Callable[..., Any]:
    """A kernel for ``np.maximum`` or ``np.minimum``, which take two arrays in a third of the time that
    they take for a large array and a single number.
    """

    def kernel(a: Any, b: Any) -> Any:
        if a.size < _MANY or b.shape:
            return ufunc(a, b)
        y = np.full(a.shape, b, b.dtype)
        return ufunc(a, y, out=y)

    return kernel


largest, smallest = beside_number(np.maximum), beside_number(np.minimum)


def _chosen(type_: str, name: str, kernel: Any, choose: Any, word: str, found: float) -> Any:
    return binary(
        type_,
        name,
        kernel,
        lambda dy, a, b, _y: xp.where(choose(a, b), dy, zero_of(dy)),
        lambda dy, a, b, _y: xp.where(choose(a, b), zero_of(dy), dy),
        doc=f"""The {word} of ``x`` and ``y``, element by element, with broadcasting; NaN wins.

    The gradient goes to the one chosen, in a tie to ``x``.

    Args:
      x, y: tensors of one numeric dtype, or what becomes one.
      name: ignored.

    Returns:
      A tensor of the broadcast shape.

    Raises:
      InvalidArgumentError: if the dtypes differ or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    >>> ad.{name}(1.0, 2.0)
    <Tensor: shape=(), dtype=float32, numpy={found}>
    """,
    )


maximum: Callable[..., Tensor] = _chosen(
    "Maximum", "maximum", largest, lambda a, b: a >= b, "larger", 2.0
)
minimum: Callable[..., Tensor] = _chosen(
    "Minimum", "minimum", smallest, lambda a, b: a <= b, "smaller", 1.0
)


def _huber_kernel(error: Any, delta: Any) -> Any:
    size = np.abs(error)
    linear = smallest(size, delta)
    return linear * (size - linear * linear.dtype.type(0.5))


# TensorFlow chooses between two formulas, one of which has an infinite slope at an infinite error;
# that is NaN there, as ``a - a`` is.
huber = binary(
    "Huber",
    "huber",
    _huber_kernel,
    lambda dy, a, b, _y: dy * (xp.minimum(xp.maximum(a, -b), b) + (a - a)),
    lambda dy, a, b, _y: dy * (xp.abs(a) - xp.minimum(xp.abs(a), b)),
    kinds="f",
    doc="Half the square of errors up to ``y``, linear beyond; `ad.keras.losses.huber` is its mean.",
)


def clip_by_value(
    t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None
) -> Tensor:
    """The values, but none below ``clip_value_min`` and none above ``clip_value_max``.

    The gradient is 1 inside and at both bounds, 0 outside; there it goes to the bound.

    Args:
      t: a numeric tensor.
      clip_value_min, clip_value_max: bounds of its dtype, whose shapes broadcast to that of ``t``.
      name: ignored.

    Returns:
      A tensor of the shape and dtype of ``t``.

    Raises:
      ValueError: if a bound would make the result larger than ``t``.
      TypeError: for a Python float as a bound of integers.
      InvalidArgumentError: if the dtypes differ or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/clip_by_value

    >>> import autodiff_kit as ad
    >>> ad.clip_by_value([-5.0, 0.5, 5.0], 0.0, 1.0)
    <Tensor: shape=(3,), dtype=float32, numpy=array([0. , 0.5, 1. ], dtype=float32)>
    """
    x = t if type(t) is Tensor else as_tensor(t)
    low, high = _bound(clip_value_min, x), _bound(clip_value_max, x)
    return maximum(minimum(x, high), low)


def _bound(value: Any, x: Tensor) -> Tensor:
    if type(value) is float and x._value.dtype.kind == "f":
        return beside(value, x)  # nearly every bound; a single number always fits the shape
    bound = operand(value, x.dtype) if hasattr(value, "dtype") else as_tensor(value, x.dtype)
    together = np.broadcast_shapes(bound._value.shape, x._value.shape)
    if together != x._value.shape:
        raise ValueError(f"Shapes {x.shape} and {TensorShape(together)} are incompatible")
    return bound
