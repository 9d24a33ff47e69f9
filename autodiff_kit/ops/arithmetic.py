"""Layer 3: sums, products, quotients and powers.

One idea: a kernel stands beside its rules, and a rule is written in the kit's own operations.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autodiff_kit.convert import beside, first_alone, operands
from autodiff_kit.define import binary, unary
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import all_of_a, all_of_b, pass_on, times_a, times_b
from autodiff_kit.operators import Operators
from autodiff_kit.tensor import SHARED, Tensor

__all__ = [
    "add", "divide", "floordiv", "floormod", "multiply", "negative", "pow", "square",
    "subtract", "truediv",
]  # fmt: skip

add = binary(
    "AddV2",
    "add",
    operator.add,
    pass_on,
    pass_on,
    convert=first_alone,
    doc="""The sum ``x + y``, element by element, with broadcasting.

    Args:
      x, y: tensors of one numeric dtype, or what becomes one. A number follows the dtype of the other;
        an array does so if it is ``y``, but not if it is ``x``, as in TensorFlow.
      name: ignored.

    Returns:
      A tensor of the broadcast shape.

    Raises:
      InvalidArgumentError: if the dtypes differ or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/add

    >>> import autodiff_kit as ad
    >>> ad.add([1.0, 2.0], 10.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([11., 12.], dtype=float32)>
    """,
)

subtract = binary(
    "Sub",
    "subtract",
    operator.sub,
    lambda dy, _a, _b, _y: dy,
    lambda dy, _a, _b, _y: -dy,
    doc="""The difference ``x - y``, element by element, with broadcasting.

    Arguments, result and errors are those of `ad.add`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/subtract

    >>> import autodiff_kit as ad
    >>> ad.subtract([1.0, 2.0], 10.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([-9., -8.], dtype=float32)>
    """,
)


multiply = binary(
    "Mul",
    "multiply",
    operator.mul,
    times_b,
    times_a,
    at_ones=(all_of_b, all_of_a),
    doc="""The product ``x * y``, element by element, with broadcasting.

    Arguments, result and errors are those of `ad.add`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/multiply

    >>> import autodiff_kit as ad
    >>> ad.multiply([1.0, 2.0], 10.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([10., 20.], dtype=float32)>
    """,
)

real_div = binary(
    "RealDiv",
    "real_div",
    operator.truediv,
    lambda dy, _a, b, _y: dy / b,
    lambda dy, a, b, _y: dy * ((-a / b) / b),
    kinds="f",
)


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient ``x / y``, element by element, with broadcasting; of integers too it is a float.

    Args:
      x, y: tensors of one numeric dtype, or what becomes one; integers are cast to float64
        (int8, int16, uint8 and uint16 to float32), as TensorFlow does.
      name: ignored.

    Returns:
      A floating tensor of the broadcast shape; x / 0 is inf, -inf or nan.

    Raises:
      InvalidArgumentError: if the dtypes differ or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/divide

    >>> import autodiff_kit as ad
    >>> ad.divide(ad.constant(1), ad.constant(2))
    <Tensor: shape=(), dtype=float64, numpy=0.5>
    """
    if type(x) is not Tensor or type(y) is not Tensor:
        x, y = operands(x, y)
    if x._value.dtype.kind in "iu" and x._value.dtype is y._value.dtype:
        wide = "float32" if x._value.dtype.itemsize < 4 else "float64"
        x, y = xp.cast(x, dtype=wide), xp.cast(y, dtype=wide)
    return real_div(x, y)


def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient as `ad.divide`, but an array that stands first keeps its own dtype.

    Arguments and result are those of `ad.divide`.

    Raises:
      TypeError: if ``x`` is an array or a list and has another dtype than the tensor ``y``.
      InvalidArgumentError: if the dtypes of tensors differ or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/truediv

    >>> import autodiff_kit as ad
    >>> ad.truediv(1.0, ad.constant(2.0))
    <Tensor: shape=(), dtype=float32, numpy=0.5>
    """
    if isinstance(y, Operators) and not isinstance(x, Operators):
        x, y = first_alone(x, y)
        if x.dtype != y.dtype:
            raise TypeError(
                f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}; use ad.cast, "
                "or x / y, which gives x the dtype of y"
            )
    return divide(x, y)


def _floor_divide(a: Any, b: Any) -> Any:
    _refuse_integer_zero("FloorDiv", b)
    if a.dtype.kind == "f":  # NumPy finds 1.0 // 0.1 from the remainder, and comes to 9
        return np.floor(a / b)
    return np.floor_divide(a, b)


def _floor_mod(a: Any, b: Any) -> Any:
    _refuse_integer_zero("FloorMod", b)
    if a.dtype.kind != "f":
        return np.mod(a, b)
    rest = np.fmod(a, b)
    return np.where((rest != 0) & ((b < 0) != (rest < 0)), rest + b, rest)[()]


def _refuse_integer_zero(op_type: str, b: Any) -> None:
    if b.dtype.kind in "iu" and not np.all(b):
        raise InvalidArgumentError(f"Integer division by zero [Op:{op_type}]")


floordiv = binary(
    "FloorDiv",
    "floordiv",
    _floor_divide,
    doc="""The quotient rounded down, ``x // y``, element by element. No gradient flows through it.

    Arguments and result are those of `ad.add`.

    Raises:
      InvalidArgumentError: as `ad.add`, and for an integer divided by zero.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/floordiv

    >>> import autodiff_kit as ad
    >>> ad.floordiv([7.0, -7.0], 2.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([ 3., -4.], dtype=float32)>
    """,
)

floormod = binary(
    "FloorMod",
    "floormod",
    _floor_mod,
    lambda dy, _a, _b, _y: dy,
    lambda dy, a, b, _y: -dy * xp.floordiv(a, b),
    doc="""The remainder ``x % y`` of `floordiv`; it has the sign of ``y``.

    Arguments and result are those of `ad.add`.

    Raises:
      InvalidArgumentError: as `ad.add`, and for an integer divided by zero.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/floormod

    >>> import autodiff_kit as ad
    >>> ad.floormod([7.5, -7.5], 2.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([1.5, 0.5], dtype=float32)>
    """,
)


def _fourth(a: Any) -> Any:
    square = a * a
    return square * square


# Powers that are products. `np.power` takes logarithms for them, and for negative numbers three
# hundred times as long.
_PRODUCTS: dict[Any, Any] = {3: lambda a: a * a * a, 4: _fourth}
_ROOTS: dict[Any, Any] = {0.5: np.sqrt, -0.5: lambda a: 1 / np.sqrt(a)}
_MANY = 1000  # elements from which on a look at all of them is cheaper than powers


def _power(a: Any, b: Any) -> Any:
    if b.dtype.kind in "iu" and np.any(b < 0):
        raise InvalidArgumentError("Integers to negative integer powers are not allowed [Op:Pow]")
    exponent: Any = None if b.ndim else b.item()
    if exponent == 2:
        return a * a  # the same to the last bit, in a small part of the time
    if exponent == 1:
        return a
    if exponent in _PRODUCTS and a.dtype.char != "e":  # float16 would round too coarsely
        return _PRODUCTS[exponent](a)
    if exponent in _ROOTS and a.size >= _MANY and a.dtype.char in "fd" and a.min() > 0:
        return _ROOTS[exponent](a)  # at -0.0 and -inf the root is not the power
    return np.power(a, b)


def _one_less(b: Any, a: Any) -> Any:
    """``b - 1``; of a number that the learner wrote beside ``a`` it is a number again."""
    if type(b) is Tensor and b._home is SHARED:
        return beside(b._value.item() - 1, a)
    return b - 1


def _base_rule(dy: Any, a: Any, b: Any, _y: Any) -> Any:
    exponent = None if type(dy) is Tensor or b.ndim else b.item()
    if exponent == 2:
        return (dy + dy) * a  # as below to the last bit, again
    return dy if exponent == 1 else dy * b * xp.pow(a, _one_less(b, a))


def _base_at_ones(_one: Any, a: Any, b: Any, _y: Any) -> Any:
    if type(a) is not Tensor and not b.ndim and b.item() == 2:
        return a + a
    return b * xp.pow(a, _one_less(b, a))


def _exponent_rule(dy: Any, a: Any, _b: Any, y: Any) -> Any:
    """``log(a) * y``, and zero where the logarithm is not real."""
    positive = a > 0
    safe = xp.where(positive, a, xp.ones_like(a))
    return dy * y * xp.where(positive, xp.log(safe), xp.zeros_like(a))


pow = binary(
    "Pow",
    "pow",
    _power,
    _base_rule,
    _exponent_rule,
    at_ones=(_base_at_ones, _exponent_rule),
    kinds="if",
    doc="""The power ``x ** y``, element by element, with broadcasting.

    Arguments and result are those of `ad.add`.

    Raises:
      InvalidArgumentError: as `ad.add`, for unsigned integers, and for an integer to a negative power.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/pow

    >>> import autodiff_kit as ad
    >>> ad.pow([2.0, 3.0], 2.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([4., 9.], dtype=float32)>
    """,
)

square = unary(
    "Square",
    "square",
    np.square,
    lambda dy, x, _y: dy * (x + x),
    kinds="iuf",
    doc="""The square ``x * x``, element by element.

    Args:
      x: a numeric tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/square

    >>> import autodiff_kit as ad
    >>> ad.square([-1.0, 3.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 9.], dtype=float32)>
    """,
)

negative = unary(
    "Neg",
    "negative",
    operator.neg,
    lambda dy, _x, _y: -dy,
    kinds="if",
    doc="""The negative ``-x``, element by element.

    Args:
      x: a tensor of numbers that can be negative.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      InvalidArgumentError: for unsigned integers, and for booleans.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/negative

    >>> import autodiff_kit as ad
    >>> ad.negative([-1.0, 3.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([ 1., -3.], dtype=float32)>
    """,
)
