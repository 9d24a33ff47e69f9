"""Layer 3: sums, means and extremes along axes.

One idea: what many elements share on the way there, each of them gets on the way back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import op_of, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.forms import form_of
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["reduce_mean", "reduce_sum"]

Axes = tuple[int, ...]
ALL: tuple[Axes, ...] = tuple([tuple(range(rank)) for rank in range(8)])
ADD: Any = np.add  # NumPy's annotations know `keepdims` only as a literal


def axes_of(op_type: str, axis: Any, shape: tuple[int, ...]) -> Axes:
    """The axes to reduce as a sorted tuple of non-negative numbers; None means all of them."""
    rank = len(shape)
    if axis is None:
        return ALL[rank] if rank < len(ALL) else tuple(range(rank))
    if type(axis) is int and -rank <= axis < rank:
        return (axis % rank,)
    axes = [axis] if type(axis) is int else _listed(op_type, axis)
    for a in axes:
        if not -rank <= a < rank:
            raise InvalidArgumentError(
                f"Invalid reduction dimension ({a} for input with {rank} dimension(s) [Op:{op_type}]"
            )
    axes = sorted(a % rank for a in axes)
    for a, b in pairwise(axes):
        if a == b:
            raise InvalidArgumentError(
                "Invalid reduction arguments: Axes contains duplicate dimension: "
                f"{a} [Op:{op_type}]"
            )
    return tuple(axes)


def _listed(op_type: str, axis: Any) -> list[int]:
    try:
        array = np.asarray(getattr(axis, "_value", axis))
    except ValueError:  # lists of different lengths: `as_tensor` says so
        array = as_tensor(axis)._value
    if array.size and array.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"Value for attr 'Tidx' of {array.dtype.name} is not in the list of allowed values: "
            f"int32, int64 [Op:{op_type}]; an axis is an integer or a list of integers"
        )
    return [int(a) for a in array.ravel()]


@lru_cache(1000)
def kept_shape(shape: tuple[int, ...], axes: Axes) -> tuple[int, ...]:
    """The shape with ones in place of the reduced axes."""
    if len(axes) == 1:
        return (*shape[: axes[0]], 1, *shape[axes[0] + 1 :])
    return tuple([1 if i in axes else n for i, n in enumerate(shape)])


@lru_cache(1000)
def count(shape: tuple[int, ...], axes: Axes) -> int:
    """How many elements go into each one of the result."""
    return math.prod(shape if len(axes) == len(shape) else [shape[a] for a in axes])


def reducer(
    inner: Callable[..., Tensor], name: str, kinds: str, says: str, empty: str, example: str
) -> Callable[..., Tensor]:
    """The public function of a reduction: it converts, checks, and knows its documentation."""
    op = op_of(inner)
    op_type, kernel = op.type, op.kernel

    def reduce(
        input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
    ) -> Tensor:
        x = input_tensor if type(input_tensor) is Tensor else as_tensor(input_tensor)
        value, form = x._value, x._form or form_of(x)
        if form.kind not in kinds:
            refuse_kind(op_type, value, kinds)
        axes, keeps = axes_of(op_type, axis, form.shape), bool(keepdims)
        result = kernel(value, axes, keeps)
        return noted(op, x, result, {"axis": axes, "keepdims": keeps, "shapes": form.shapes})

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = f"""{says}

    Args:
      input_tensor: a numeric tensor.
      axis: an axis or several; None for all.
      keepdims: whether reduced axes stay, with length 1.
      name: ignored.

    Returns:
      A tensor of the same dtype without the reduced axes; {empty}.

    Raises:
      InvalidArgumentError: for an axis that the tensor has not, or a dtype that is not numeric.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    {example}
    """
    return reduce


def _sum(x: Any, axis: Axes, keepdims: bool) -> Any:
    return ADD.reduce(x, axis, x.dtype, None, keepdims) if axis else x


_SMALL = 1000  # elements up to which real copies cost no more, and whatever follows costs half


def spread_back(dy: Any, axis: Axes, keepdims: bool, shape: tuple[int, ...]) -> Any:
    """A copy of ``dy`` for each of the elements that went into it."""
    if type(dy) is not Tensor and not dy.shape and math.prod(shape) <= _SMALL:
        copies = np.empty(shape, dy.dtype)
        copies.fill(dy)
        return copies
    if type(dy) is not Tensor and (len(axis) == len(shape) or dy.flags.c_contiguous):
        # The same numbers seen again and again (with steps of 0 bytes from one to the next), as
        # np.broadcast_to does it in eight times the time.
        steps = list(dy.strides)
        for a in axis:
            steps[a : a + keepdims] = [0]
        return np.ndarray(shape, dy.dtype, dy, 0, steps)
    if not keepdims and len(axis) < len(shape):
        dy = xp.reshape(dy, shape=kept_shape(shape, axis))
    return xp.broadcast_to(dy, shape=shape)


def _sum_rule(dy: Any, _x: Any, _y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    return spread_back(dy, axis, keepdims, shapes[0]) if axis else dy


def _stacked_sums(dy: Any, _x: Any, _y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    n = len(dy)
    return np.broadcast_to(dy.reshape(n, *kept_shape(shapes[0], axis)), (n, *shapes[0]))


def _ones_rule(ones: Any, _x: Any, _y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    """What begins the way back is a constant, so no tape needs to know how it is spread out."""
    if not axis:
        return ones
    if type(ones) is not Tensor:
        return spread_back(ones, axis, keepdims, shapes[0])
    return tensor_of(spread_back(ones._value, axis, keepdims, shapes[0]))


_reduce_sum = operation(
    "Sum",
    "reduce_sum",
    _sum,
    _sum_rule,
    stacked=(_stacked_sums,),
    at_ones=(_ones_rule,),
    spreads=True,
)

reduce_sum = reducer(
    _reduce_sum,
    "reduce_sum",
    "iuf",
    "The sum of the elements along axes.",
    "the sum of no elements is 0",
    """>>> ad.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([4., 6.], dtype=float32)>""",
)


def _mean(x: Any, axis: Axes, keepdims: bool) -> Any:
    if not axis:
        return x
    n = count(x.shape, axis)
    if x.dtype.kind == "f":
        return ADD.reduce(x, axis, None, None, keepdims) / x.dtype.type(n)
    total = np.asarray(ADD.reduce(x, axis=axis, keepdims=keepdims))
    quotient = total // max(n, 1)
    quotient += (total < 0) & (quotient * n != total)  # integers round towards zero
    return quotient.astype(x.dtype)[()]


def _mean_rule(dy: Any, _x: Any, _y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    if not axis:
        return dy
    # Before it is spread out, and before any other rule: TensorFlow's order, to the last bit.
    share = dy / float(count(shapes[0], axis) or 1)
    return spread_back(share, axis, keepdims, shapes[0])


_reduce_mean = operation("Mean", "reduce_mean", _mean, _mean_rule)


reduce_mean = reducer(
    _reduce_mean,
    "reduce_mean",
    "iuf",
    "The mean of the elements along axes; that of integers is an integer, rounded towards zero.",
    "the mean of no elements is NaN",
    """>>> ad.reduce_mean([[1.0, 2.0], [3.0, 4.0]], axis=0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 3.], dtype=float32)>""",
)
