"""Layer 3: comparisons and logic.

One idea: what comes out is true or false, it jumps and never slopes, so no gradient flows back.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operands, refuse_kind
from autodiff_kit.define import binary, unary
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.tensor import Tensor

__all__ = [
    "equal", "greater", "greater_equal", "less", "less_equal", "logical_and", "logical_not",
    "logical_or", "not_equal",
]  # fmt: skip

Binary = Callable[..., Tensor]


def _comparison(type_: str, name: str, sign: str, kernel: Any, kinds: str, example: str) -> Binary:
    return binary(
        type_,
        name,
        kernel,
        kinds=kinds,
        same_form=False,
        doc=f"""Whether ``x {sign} y``, element by element, with broadcasting. No gradient flows.

    Args:
      x, y: tensors of one dtype, or what becomes one.
      name: ignored.

    Returns:
      A bool tensor of the broadcast shape; comparing with NaN gives {name == "not_equal"}.

    Raises:
      InvalidArgumentError: if the dtypes differ or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    >>> ad.{name}([1.0, 2.0, 3.0], 2.0).numpy()
    array([{example}])
    """,
    )


less = _comparison("Less", "less", "<", operator.lt, "iuf", " True, False, False")
less_equal = _comparison("LessEqual", "less_equal", "<=", operator.le, "iuf", " True,  True, False")
greater = _comparison("Greater", "greater", ">", operator.gt, "iuf", "False, False,  True")
greater_equal = _comparison(
    "GreaterEqual", "greater_equal", ">=", operator.ge, "iuf", "False,  True,  True"
)
equal = _comparison("Equal", "equal", "==", operator.eq, "iufb", "False,  True, False")
not_equal = _comparison("NotEqual", "not_equal", "!=", operator.ne, "iufb", " True, False,  True")


def eq(x: Any, y: Any) -> Any:
    """The operator ``==``: as `equal`, but None and shapes that do not broadcast are unequal."""
    return _unless_unlike(equal, x, y, False)


def ne(x: Any, y: Any) -> Any:
    """The operator ``!=``: as `not_equal`, but None and shapes that do not broadcast are unequal."""
    return _unless_unlike(not_equal, x, y, True)


def _unless_unlike(compare: Binary, x: Any, y: Any, unlike: bool) -> Any:
    if y is None:
        return unlike
    x, y = operands(x, y)
    try:
        np.broadcast_shapes(x._value.shape, y._value.shape)
    except ValueError:
        return as_tensor(np.bool_(unlike))
    return compare(x, y)


def _refuse_not_bool(type_: str, *inputs: Tensor) -> None:
    for position, x in enumerate(inputs):
        if x._value.dtype.kind != "b":
            raise InvalidArgumentError(
                f"cannot compute {type_} as input #{position}(zero-based) was expected to be a bool "
                f"tensor but is a {x.dtype.error_name} tensor [Op:{type_}]; compare first, for "
                "example x != 0"
            )


def _logical(type_: str, name: str, word: str, kernel: Any, example: str) -> Binary:
    op = binary(type_, name, kernel, kinds="b")

    def apply(x: Any, y: Any, name: str | None = None) -> Tensor:
        x, y = operands(x, y)
        _refuse_not_bool(type_, x, y)
        return op(x, y)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"""Whether {word}, element by element, with broadcasting. No gradient flows.

    Args:
      x, y: bool tensors, or what becomes one.
      name: ignored.

    Returns:
      A bool tensor of the broadcast shape.

    Raises:
      InvalidArgumentError: if an input is not bool or the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    >>> ad.{name}([False, False, True, True], [False, True, False, True]).numpy()
    array([{example}])
    """
    return apply


logical_and = _logical(
    "LogicalAnd", "logical_and", "both are true", operator.and_, "False, False, False,  True"
)
logical_or = _logical(
    "LogicalOr", "logical_or", "at least one is true", operator.or_, "False,  True,  True,  True"
)


def logical_xor(x: Any, y: Any, name: str | None = "LogicalXor") -> Tensor:
    """Whether exactly one is true, element by element, with broadcasting. No gradient flows.

    Arguments, result and errors are those of `ad.logical_and`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/logical_xor

    >>> import autodiff_kit as ad
    >>> ad.math.logical_xor([False, False, True, True], [False, True, False, True]).numpy()
    array([False,  True,  True, False])
    """
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)))


_not = unary("LogicalNot", "logical_not", np.logical_not, kinds="b")


def logical_not(x: Any, name: str | None = None) -> Tensor:
    """Whether ``x`` is false, element by element. No gradient flows.

    Args:
      x: a bool tensor.
      name: ignored.

    Returns:
      A bool tensor of the same shape.

    Raises:
      InvalidArgumentError: if ``x`` is not bool.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/logical_not

    >>> import autodiff_kit as ad
    >>> ad.logical_not([True, False]).numpy()
    array([False,  True])
    """
    x = as_tensor(x)
    _refuse_not_bool("LogicalNot", x)
    return _not(x)


# The operators & | ^ ~ work on bits where the numbers are integers.
_bits_and = binary("BitwiseAnd", "bitwise_and", operator.and_, kinds="iu")
_bits_or = binary("BitwiseOr", "bitwise_or", operator.or_, kinds="iu")
_bits_xor = binary("BitwiseXor", "bitwise_xor", operator.xor, kinds="iu")
_bits_not = unary("Invert", "invert", operator.invert, kinds="iu")


def _by_kind(logical: Callable[..., Tensor], bitwise: Any, *inputs: Tensor) -> Tensor:
    """The logical operation on bools, the bitwise one on integers."""
    value = inputs[0]._value
    if value.dtype.kind == "f":
        power = bitwise.op.type == "BitwiseXor"
        refuse_kind(bitwise.op.type, value, "iu", "the power is **" if power else "use ad.cast")
    return (logical if value.dtype.kind == "b" else bitwise)(*inputs)


def and_(x: Any, y: Any) -> Tensor:
    """The operator ``&``."""
    return _by_kind(logical_and, _bits_and, *operands(x, y))


def or_(x: Any, y: Any) -> Tensor:
    """The operator ``|``."""
    return _by_kind(logical_or, _bits_or, *operands(x, y))


def xor(x: Any, y: Any) -> Tensor:
    """The operator ``^``."""
    return _by_kind(logical_xor, _bits_xor, *operands(x, y))


def invert(x: Any) -> Tensor:
    """The operator ``~``."""
    return _by_kind(logical_not, _bits_not, as_tensor(x))
