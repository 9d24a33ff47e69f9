"""Layer 3: sums of many tensors, scalar products, squared differences.

One idea: these could be written with `add` and `multiply`; TensorFlow has them as one operation each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operand, refuse_dtypes
from autodiff_kit.define import binary, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.tensor import Tensor

__all__ = ["add_n", "scalar_mul"]

squared_difference = binary(
    "SquaredDifference",
    "squared_difference",
    lambda a, b: np.square(a - b),
    lambda dy, a, b, _y: (dy + dy) * (a - b),
    lambda dy, a, b, _y: -((dy + dy) * (a - b)),
    kinds="if",
    doc="""``(x - y) ** 2``, element by element, with broadcasting.

    Arguments, result and errors are those of `ad.add`; unsigned integers are refused too.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/squared_difference

    >>> import autodiff_kit as ad
    >>> ad.math.squared_difference(1.0, 4.0)
    <Tensor: shape=(), dtype=float32, numpy=9.0>
    """,
)


def _add_all(first: Any, second: Any, *others: Any) -> Any:
    total = first + second
    for x in others:
        total += x
    return total


_add_n = operation(
    "AddN", "add_n", _add_all, pull=lambda step, dy: [dy] * len(step.places), keeps=False
)


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of several tensors of one shape; nothing is broadcast.

    Args:
      inputs: a list of numeric tensors of one shape and dtype.
      name: ignored.

    Returns:
      A tensor of that shape and dtype.

    Raises:
      ValueError: for an empty list.
      InvalidArgumentError: if the shapes or dtypes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/add_n

    >>> import autodiff_kit as ad
    >>> ad.add_n([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    <Tensor: shape=(2,), dtype=float32, numpy=array([ 9., 12.], dtype=float32)>
    """
    given = list(inputs) if isinstance(inputs, Iterable) else []
    tensors = [as_tensor(x) for x in given]
    if not tensors:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor with the same dtype and shape."
        )
    refuse_dtypes("AddN", [x._value for x in tensors])
    shape = tensors[0]._value.shape
    for position, x in enumerate(tensors):
        if x._value.shape != shape:
            raise InvalidArgumentError(
                "Inputs to operation AddN of type AddN must have the same size and shape.  Input 0: "
                f"{list(shape)} != input {position}: {list(x._value.shape)} [Op:AddN]; use + to "
                "broadcast"
            )
    if len(tensors) > 1:
        return _add_n(*tensors)
    # A variable's read is a tensor of its own; `as_tensor` hands out the one that all reads share.
    return tensors[0] if type(given[0]) is Tensor else xp.identity(tensors[0])


def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Tensor:
    """The same as `ad.add_n`; TensorFlow has deprecated it.

    Args:
      inputs: a list of numeric tensors of one shape and dtype.
      shape, tensor_dtype, name: ignored.

    Returns:
      A tensor of that shape and dtype.

    Raises:
      ValueError: for an empty list, or if the shapes or dtypes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/accumulate_n

    >>> import autodiff_kit as ad
    >>> ad.math.accumulate_n([1.0, 2.0])
    <Tensor: shape=(), dtype=float32, numpy=3.0>
    """
    tensors = [as_tensor(x) for x in inputs] if isinstance(inputs, (list, tuple)) else []
    if len({(x._value.dtype, x._value.shape) for x in tensors}) != 1:
        raise ValueError(
            "inputs must be a list of at least one Tensor with the same dtype and shape"
        )
    return add_n(tensors)


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Tensor:
    """A tensor multiplied by a single number.

    Args:
      scalar: a number, or a tensor of shape ().
      x: a numeric tensor.
      name: ignored.

    Returns:
      A tensor of the shape of ``x``.

    Raises:
      ValueError: if ``scalar`` is not a single number.
      TypeError: for a Python float and an integer tensor.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/scalar_mul

    >>> import autodiff_kit as ad
    >>> ad.scalar_mul(2.0, [1.0, 2.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>
    """
    x = as_tensor(x)
    number = isinstance(scalar, (int, float)) and not hasattr(scalar, "dtype")
    factor = as_tensor(scalar, x.dtype) if number else operand(scalar, x.dtype)
    if factor.shape != ():
        raise ValueError(f"The input scalar must be a 0-D value. Received shape {factor.shape}.")
    return factor * x
