"""Layer 3: rounding, and questions about what kind of number it is.

One idea: a staircase is flat wherever it has a slope, and TensorFlow's answer to that is None, not 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.ops.elementwise import elementwise
from autodiff_kit.tensor import Tensor

__all__ = ["floor", "round"]

floor = elementwise(
    "Floor",
    "floor",
    np.floor,
    says="The largest whole number not above ``x``. No gradient flows through it.",
    example=(-1.5, -2.0),
)

ceil = elementwise(
    "Ceil",
    "ceil",
    np.ceil,
    says="The smallest whole number not below ``x``. No gradient flows through it.",
    example=(1.5, 2.0),
)

rint = elementwise(
    "Rint",
    "rint",
    np.rint,
    says="The nearest whole number, halves to the even one. No gradient flows through it.",
    example=(2.5, 2.0),
)

_round = elementwise("Round", "round", np.rint, says="As `rint`.", example=(2.5, 2.0))


def round(x: Any, name: str | None = None) -> Tensor:
    """The nearest whole number, halves to the even one. No gradient flows through it.

    Args:
      x: a numeric tensor; integers come back as they are.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/round

    >>> import autodiff_kit as ad
    >>> ad.round([0.5, 1.5, 2.5])
    <Tensor: shape=(3,), dtype=float32, numpy=array([0., 2., 2.], dtype=float32)>
    """
    x = as_tensor(x)
    return x if x._value.dtype.kind in "iu" else _round(x)


is_nan = elementwise(
    "IsNan", "is_nan", np.isnan, says="Whether it is NaN.", example=(0.0, False), dtype="bool"
)

is_inf = elementwise(
    "IsInf",
    "is_inf",
    np.isinf,
    says="Whether it is inf or -inf.",
    example=(0.0, False),
    dtype="bool",
)

is_finite = elementwise(
    "IsFinite",
    "is_finite",
    np.isfinite,
    says="Whether it is neither NaN nor infinite.",
    example=(0.0, True),
    dtype="bool",
)
