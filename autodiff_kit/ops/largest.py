"""Layer 3: the largest and the smallest along axes, where they are, and the smooth maximum.

One idea: the gradient goes to the element that won, and in a tie in equal parts to all that did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import op_of, operation
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.reduction import ADD, Axes, axes_of, kept_shape, reducer
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["reduce_logsumexp", "reduce_max", "reduce_min"]


def _limit(dtype: Any, sign: int) -> Any:
    """The largest value of a dtype, or with a negative sign the smallest."""
    if dtype.kind == "f":
        return dtype.type(sign * np.inf)
    return np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min


_SHORT, _MANY = 32, 256


def _in_rows(ufunc: Any, x: Any) -> Any:
    """What ``ufunc`` makes of each row, for a maximum or a minimum, whose order does not matter.

    NumPy takes one row after the other: with many short ones, such as the scores of ten classes, that
    is nine times as slow as to lay the columns one behind the other and take all rows at once.
    """
    columns = np.ascontiguousarray(x.reshape(-1, x.shape[-1]).T)
    return ufunc.reduce(columns, axis=0).reshape(x.shape[:-1])


def _extreme(ufunc: Any, empty: int) -> Callable[..., Any]:
    def kernel(x: Any, axis: Axes, keepdims: bool) -> Any:
        if not axis:
            return x
        if axis == (x.ndim - 1,) and x.size >= _MANY and x.shape[-1] <= _SHORT:
            return _in_rows(ufunc, x)[..., None] if keepdims else _in_rows(ufunc, x)
        if x.size:
            return ufunc.reduce(x, axis, None, None, keepdims)
        return ufunc.reduce(x, axis=axis, keepdims=keepdims, initial=_limit(x.dtype, empty))[()]

    return kernel


operation(
    "CountTrue",
    "count_true",
    lambda x, axis: np.add.reduce(x, axis=axis, dtype=np.int64, keepdims=True)[()],
    no_gradient,
)


def _shared_rule(dy: Any, x: Any, y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    """``(won / count) * dy``; all but the choice itself is done in the small shape of ``dy``."""
    kept = kept_shape(shapes[0], axis)
    if type(dy) is not Tensor and axis:
        won = x == y.reshape(kept)
        if axis == (x.ndim - 1,) and np.count_nonzero(won) == y.size and (y == y).all():
            dx = np.zeros(x.shape, dy.dtype)
            dx[won] = dy.reshape(-1)  # one in each row: nothing to be shared, the usual case
            return dx
        share = dy.reshape(kept) / ADD.reduce(won, axis, dy.dtype, None, True)
        return won * share
    if 0 in shapes[0]:  # nobody won, and nothing is to be shared out
        return xp.zeros_like(x)
    won = xp.equal(x, xp.reshape(y, shape=kept))
    count = xp.cast(xp.count_true(won, axis=axis), dtype=dy.dtype.name)
    share = xp.reciprocal(count) * xp.reshape(dy, shape=kept)
    return xp.where(won, share, share * 0.0)  # 0 times infinity: nobody won against NaN


largest_along = _extreme(np.maximum, -1)

reduce_max = reducer(
    operation("Max", "reduce_max", largest_along, _shared_rule),
    "reduce_max",
    "iuf",
    "The largest element along axes; several that are largest share the gradient equally.",
    "the largest of no elements is -inf, or the smallest integer",
    """>>> ad.reduce_max([[1.0, 2.0], [3.0, 4.0]], axis=0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 4.], dtype=float32)>""",
)

reduce_min = reducer(
    operation("Min", "reduce_min", _extreme(np.minimum, 1), _shared_rule),
    "reduce_min",
    "iuf",
    "The smallest element along axes; several that are smallest share the gradient equally.",
    "the smallest of no elements is inf, or the largest integer",
    """>>> ad.reduce_min([[1.0, 2.0], [3.0, 4.0]], axis=0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>""",
)


def _shift(x: Any, axis: Axes) -> Any:
    """What to take off so that no exponential overflows: the largest, or 0 where that is no number."""
    shift = largest_along(x, axis, True)
    flat = shift.reshape(-1)
    if not flat.dot(flat) < np.inf:  # seldom; this look at all at once is the fastest
        shift = np.where(np.isfinite(shift), shift, x.dtype.type(0))[()]
    return shift


def _logsumexp_parts(x: Any, axis: Axes, keepdims: bool) -> tuple[Any, Any, Any]:
    """The result, the exponentials and their sums, of which the way back is made."""
    shift = _shift(x, axis)
    powers = np.exp(x - shift)
    sums = ADD.reduce(powers, axis, None, None, True) if axis else powers
    y = np.log(sums) + shift
    return y if keepdims else np.squeeze(y, axis)[()], powers, sums


def _logsumexp(x: Any, axis: Axes, keepdims: bool, powers: Any = None, sums: Any = None) -> Any:
    return _logsumexp_parts(x, axis, keepdims)[0]


def _logsumexp_rule(
    dy: Any, x: Any, _y: Any, axis: Axes, keepdims: bool, powers: Any = None, sums: Any = None
) -> Any:
    """dy * softmax(x)"""
    value = x._value if type(x) is Tensor else x
    dy = xp.reshape(dy, shape=kept_shape(value.shape, axis))
    if powers is None or type(dy) is Tensor or type(x) is Tensor:
        # A constant for the gradient: what it adds in one place it takes away in the other.
        shift = _shift(value, axis)
        powers = xp.exp(x - (tensor_of(shift) if type(x) is Tensor else shift))
        sums = xp.reduce_sum(powers, axis=axis, keepdims=True)
    return dy / sums * powers


def _stacked_logsumexp(dy: Any, x: Any, _y: Any, axis: Axes, keepdims: bool, **_kept: Any) -> Any:
    _, powers, sums = _logsumexp_parts(x, axis, True)
    return dy.reshape(len(dy), *kept_shape(x.shape, axis)) / sums * powers


_LOGSUMEXP = op_of(
    operation("LogSumExp", "logsumexp", _logsumexp, _logsumexp_rule, stacked=(_stacked_logsumexp,))
)


def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """``log(sum(exp(x)))`` along axes, computed so that no exponential overflows.

    Args:
      input_tensor: a floating tensor.
      axis: an axis or several; None for all.
      keepdims: whether reduced axes stay, with length 1.
      name: ignored.

    Returns:
      A tensor of the same dtype without the reduced axes; that of no elements is -inf.

    Raises:
      InvalidArgumentError: for an axis that the tensor has not, or an integer tensor.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/reduce_logsumexp

    >>> import autodiff_kit as ad
    >>> ad.reduce_logsumexp([1000.0])
    <Tensor: shape=(), dtype=float32, numpy=1000.0>
    """
    x = input_tensor if type(input_tensor) is Tensor else as_tensor(input_tensor)
    value = x._value
    if value.dtype.kind != "f":
        refuse_kind("IsFinite", value, "f")
    axes, keeps = axes_of("Max", axis, value.shape), bool(keepdims)
    y, powers, sums = _logsumexp_parts(value, axes, keeps)
    attrs = {"axis": axes, "keepdims": keeps, "powers": powers, "sums": sums}
    return noted(_LOGSUMEXP, x, y, attrs)
