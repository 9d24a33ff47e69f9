"""Layer 3: choosing between two values, element by element.

One idea: `where` computes both branches and then chooses. The gradient goes to the chosen elements; the
others get an exact zero, and a zero times the infinite slope of a branch is NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, is_tensor, operands, refuse_dtypes
from autodiff_kit.define import op_of, operation, unary
from autodiff_kit.dtypes import as_dtype
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted_many
from autodiff_kit.opdef import no_gradient
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["where"]

_MANY = 1024  # from this size on the bits are faster: `np.where` guesses each branch, often wrongly
_BITS = {2: np.int16, 4: np.int32, 8: np.int64}


def _select(condition: Any, a: Any, b: Any) -> Any:
    try:
        shape = condition.shape
        large = condition.size >= _MANY and a.shape in ((), shape) and b.shape in ((), shape)
        if large and a.dtype.itemsize in _BITS:
            return _select_bits(np.ascontiguousarray(condition), a, b)
        chosen = np.where(condition, a, b)
        return chosen if chosen.shape else chosen[()]
    except ValueError:
        shapes = [str(list(np.shape(v))).replace(" ", "") for v in (condition, a, b)]
        raise InvalidArgumentError(
            f"condition {shapes[0]}, then {shapes[1]}, and else {shapes[2]} must be broadcastable "
            "[Op:SelectV2]"
        ) from None


def _select_bits(condition: Any, a: Any, b: Any) -> Any:
    """``b ^ ((a ^ b) & mask)``: without a branch, nine times as fast where the condition is random."""
    bits = _BITS[a.dtype.itemsize]
    mask = np.negative(condition.view(np.int8)).astype(bits)  # True becomes ones in all bits
    if b.shape == () and not b.view(bits):
        mask &= a.view(bits)
    else:
        mask &= a.view(bits) ^ b.view(bits)
        mask ^= b.view(bits)
    return mask.view(a.dtype)


def zero_of(value: Any) -> Any:
    """A single zero of the dtype, to be broadcast: no array of zeros is needed."""
    zero = value.dtype.type(0) if type(value) is not Tensor else value._value.dtype.type(0)
    return zero if type(value) is not Tensor else tensor_of(zero)


_where = operation(
    "SelectV2",
    "where",
    _select,
    no_gradient,
    lambda dy, condition, _a, _b, _y: xp.where(condition, dy, zero_of(dy)),
    lambda dy, condition, _a, _b, _y: xp.where(condition, zero_of(dy), dy),
    broadcasts=True,
)
_WHERE = op_of(_where)


def _where_either(condition: Any, a: Any, b: Any) -> Any:
    """What `xp.where` calls; rules do so all the time."""
    if type(a) is not Tensor and type(b) is not Tensor and type(condition) is not Tensor:
        return _select(condition, a, b)
    return _chosen(condition, a, b)


def _chosen(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    result = _select(condition._value, x._value, y._value)
    return noted_many(_WHERE, (condition, x, y), result, None)


xp.where = _where_either

_indices = unary(
    "Where",
    "where_indices",
    lambda x: np.argwhere(x).astype(np.int64, copy=False),
    kinds="biuf",
    same_form=False,
)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Elements of ``x`` where ``condition`` is true, of ``y`` elsewhere; all three are broadcast.

    Both ``x`` and ``y`` were computed before; the choice comes after. Where one of them has an
    infinite slope, the gradient is NaN even if the other one was chosen: give it a harmless input
    first, ``where(x > 0, log(where(x > 0, x, 1.0)), 0.0)``.

    Args:
      condition: a bool tensor.
      x, y: tensors of one dtype, or what becomes one; both or none.
      name: ignored.

    Returns:
      The chosen elements. Without ``x`` and ``y`` the indices of the true elements, an int64 tensor
      of shape (number of them, rank of ``condition``).

    Raises:
      ValueError: if only one of ``x`` and ``y`` is given.
      TypeError: if ``condition`` is a list of numbers.
      InvalidArgumentError: if ``condition`` is a tensor but not bool, the dtypes differ or the shapes
        do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/where

    >>> import autodiff_kit as ad
    >>> ad.where([True, False, True], [1.0, 2.0, 3.0], 0.0)
    <Tensor: shape=(3,), dtype=float32, numpy=array([1., 0., 3.], dtype=float32)>
    >>> ad.where([False, True, True])
    <Tensor: shape=(2, 1), dtype=int64, numpy=
    array([[1],
           [2]])>
    """
    if (x is None) is not (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        return _positions(condition)
    plain = type(condition) is Tensor and condition._value.dtype.kind == "b"
    chosen = condition if plain else _as_bool(condition)
    if type(x) is not Tensor or type(y) is not Tensor:
        x, y = operands(x, y)
    if x._value.dtype is not y._value.dtype:
        _refuse_branches(x, y)
    return _chosen(chosen, x, y)


def _positions(condition: Any) -> Tensor:
    chosen = as_tensor(condition)
    if not chosen._value.shape:
        raise InvalidArgumentError(
            "WhereOp : Unhandled input dimensions: 0 [Op:Where]: a single value has no positions; "
            "give x and y, or a condition with axes"
        )
    return _indices(chosen)


def _as_bool(condition: Any) -> Tensor:
    if isinstance(condition, (np.ndarray, np.generic)):
        condition = np.asarray(condition, bool)
    chosen = as_tensor(condition, None if is_tensor(condition) else as_dtype("bool"))
    if chosen._value.dtype.kind != "b":
        raise InvalidArgumentError(
            "cannot compute SelectV2 as input #0(zero-based) was expected to be a bool tensor but is a "
            f"{chosen.dtype.error_name} tensor [Op:SelectV2]; compare it with something, for example "
            "condition > 0"
        )
    return chosen


def _refuse_branches(x: Tensor, y: Tensor) -> None:
    """TensorFlow counts the condition too, so the branches are its inputs 1 and 2."""
    if x.dtype != y.dtype:
        raise InvalidArgumentError(
            f"cannot compute SelectV2 as input #2(zero-based) was expected to be a "
            f"{x.dtype.error_name} tensor but is a {y.dtype.error_name} tensor [Op:SelectV2]; "
            "use ad.cast to make the dtypes equal"
        )
    refuse_dtypes("SelectV2", [x._value, y._value])
