"""Layer 3: products and quotients that know what 0 times infinity or 0 / 0 should be.

One idea: where the guarding factor is 0 the result is 0, and the rules are guarded in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operands, refuse_kind
from autodiff_kit.define import binary
from autodiff_kit.namespace import xp
from autodiff_kit.tensor import Tensor

__all__: list[str] = []  # TensorFlow has them in `tf.math` alone


def _by_first(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A kernel that gives 0 where ``a`` is 0, whatever ``b`` is."""

    def kernel(a: Any, b: Any) -> Any:
        zero = a == 0
        one, nothing = b.dtype.type(1), b.dtype.type(0)
        return np.where(zero, nothing, compute(a, np.where(zero, one, b)))[()]

    return kernel


def _by_second(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A kernel that gives 0 where ``b`` is 0, whatever ``a`` is."""

    def kernel(a: Any, b: Any) -> Any:
        if not b.shape and b:
            return compute(a, b)  # a number of examples: what nearly every mean of losses ends with
        zero = b == 0
        one, nothing = b.dtype.type(1), b.dtype.type(0)
        return np.where(zero, nothing, compute(a, np.where(zero, one, b)))[()]

    return kernel


def _doc(says: str, name: str, example: str) -> str:
    return f"""{says}, element by element, with broadcasting.

    Args:
      x, y: floating tensors of one dtype, or what becomes one.
      name: ignored.

    Returns:
      A tensor of the broadcast shape.

    Raises:
      InvalidArgumentError: if the dtypes differ or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    >>> ad.math.{name}({example})
    <Tensor: shape=(), dtype=float32, numpy=0.0>
    """


def _is_not_zero(a: Any) -> Any:
    return xp.cast(a != 0, dtype=a.dtype.name)


multiply_no_nan = binary(
    "MulNoNan",
    "multiply_no_nan",
    _by_second(lambda a, b: a * b),
    lambda dy, _a, b, _y: xp.multiply_no_nan(dy, b),
    lambda dy, a, _b, _y: xp.multiply_no_nan(a, dy),
    kinds="f",
    doc=_doc(
        "The product, but 0 where ``y`` is 0, even if ``x`` is infinite or NaN",
        "multiply_no_nan",
        "float('nan'), 0.0",
    ),
)

_divide = binary(
    "DivNoNan",
    "divide_no_nan",
    _by_second(lambda a, b: a / b),
    lambda dy, _a, b, _y: xp.divide_no_nan(dy, b),
    lambda dy, a, b, _y: dy * xp.divide_no_nan(xp.divide_no_nan(-a, b), b),
    kinds="f",
)


def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    x, y = operands(x, y)
    if x.dtype != y.dtype:
        raise TypeError(
            f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}; use ad.cast"
        )
    if x.dtype.is_integer:
        wide = "float32" if x.dtype.size < 4 else "float64"
        x, y = xp.cast(x, dtype=wide), xp.cast(y, dtype=wide)
    return _divide(x, y)


divide_no_nan.__doc__ = _doc(
    "The quotient, but 0 where ``y`` is 0; of integers a float, as `ad.divide`",
    "divide_no_nan",
    "1.0, 0.0",
).replace("InvalidArgumentError: if the dtypes differ or", "TypeError: if the dtypes differ.\n"
    "      InvalidArgumentError: if")  # fmt: skip


def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """``1 / x``, but 0 where ``x`` is 0, element by element.

    Args:
      x: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reciprocal_no_nan

    >>> import autodiff_kit as ad
    >>> ad.math.reciprocal_no_nan(0.0)
    <Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    x = as_tensor(x)
    if not x.dtype.is_floating:
        refuse_kind("DivNoNan", x._value, "f")
    return divide_no_nan(1.0, x)


xlogy = binary(
    "Xlogy",
    "xlogy",
    _by_first(lambda a, b: a * np.log(b)),
    lambda dy, a, b, _y: xp.xlogy(_is_not_zero(a), b) * dy,
    lambda dy, a, b, _y: xp.xdivy(a, b) * dy,
    kinds="f",
    doc=_doc("``x * log(y)``, but 0 where ``x`` is 0", "xlogy", "0.0, 0.0"),
)

xlog1py = binary(
    "Xlog1py",
    "xlog1py",
    _by_first(lambda a, b: a * np.log1p(b)),
    lambda dy, a, b, _y: xp.xlog1py(_is_not_zero(a), b) * dy,
    lambda dy, a, b, _y: xp.xdivy(a, b + 1.0) * dy,
    kinds="f",
    doc=_doc("``x * log(1 + y)``, but 0 where ``x`` is 0", "xlog1py", "0.0, -1.0"),
)

xdivy = binary(
    "Xdivy",
    "xdivy",
    _by_first(lambda a, b: a / b),
    lambda dy, a, b, _y: xp.xdivy(_is_not_zero(a), b) * dy,
    lambda dy, a, b, _y: xp.xdivy(-a, xp.square(b)) * dy,
    kinds="f",
    doc=_doc("``x / y``, but 0 where ``x`` is 0", "xdivy", "0.0, 0.0"),
)
