"""Layer 3: running sums and products, and the product along axes.

One idea: an element enters all the later results, so the gradient of a running sum is a running sum
from the other end. A product's slope is the product of all the other factors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import op_of, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.integers import integer_array, listed
from autodiff_kit.ops.reduction import Axes, count, kept_shape, reducer
from autodiff_kit.tensor import Tensor

__all__ = ["cumsum", "reduce_prod"]

_MULTIPLY: Any = np.multiply


_LONG = 256  # elements from which on a row is worth a call of its own


def _accumulated(ufunc: Any, x: Any, axis: int) -> Any:
    """`ufunc.accumulate`, which goes from element to element; whole rows at once take a fifth of it."""
    if axis == x.ndim - 1 or x.size < _LONG * x.shape[axis]:
        return ufunc.accumulate(x, axis=axis, dtype=x.dtype)
    y = np.empty_like(x)
    rows, sums = x.swapaxes(0, axis), y.swapaxes(0, axis)
    sums[:1] = rows[:1]
    for before, row, after in zip(sums, rows[1:], sums[1:], strict=False):
        ufunc(before, row, out=after)
    return y


def _running(ufunc: Any, start: int) -> Callable[..., Any]:
    def kernel(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
        from_end = (*(slice(None),) * axis, slice(None, None, -1))
        if reverse:
            x = x[from_end]
        if exclusive:
            y = np.full_like(x, start)
            before, after = ([slice(None)] * x.ndim for _ in range(2))
            before[axis], after[axis] = slice(None, -1), slice(1, None)
            y[tuple(after)] = _accumulated(ufunc, x[tuple(before)], axis)
        else:
            y = _accumulated(ufunc, x, axis)
        return y[from_end] if reverse else y

    return kernel


def _cumsum_rule(dy: Any, _x: Any, _y: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    return xp.cumsum(dy, axis=axis, exclusive=exclusive, reverse=not reverse)


def _cumprod_rule(dy: Any, x: Any, y: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """TensorFlow's rule, which gives an element that is 0 the gradient 0."""
    later = xp.cumsum(y * dy, axis=axis, exclusive=exclusive, reverse=not reverse)
    return xp.divide_no_nan(later, x)


_cumsum = operation("Cumsum", "cumsum", _running(np.add, 0), _cumsum_rule)
_cumprod = operation("Cumprod", "cumprod", _running(np.multiply, 1), _cumprod_rule)


def _scalar(axis: Any, op_type: str) -> int:
    found = integer_array(axis)
    if found.ndim:
        raise InvalidArgumentError(
            f"ScanOp: axis must be a scalar, not {listed(found.shape)} [Op:{op_type}]"
        )
    return int(found)


def _cumulative(
    op: Callable[..., Tensor], word: str, note: str, example: str
) -> Callable[..., Tensor]:
    op_type, name = op_of(op).type, op.__name__

    def run(
        x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False,
        name: str | None = None,
    ) -> Tensor:  # fmt: skip
        x = as_tensor(x)
        rank, place = x._value.ndim, axis if type(axis) is int else _scalar(axis, op_type)
        if x._value.dtype.kind == "b":
            refuse_kind(op_type, x._value, "iuf")
        if not -rank <= place < rank:
            raise InvalidArgumentError(
                f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {place} "
                f"[Op:{op_type}]"
            )
        return op(x, axis=place % rank, exclusive=bool(exclusive), reverse=bool(reverse))

    run.__name__ = run.__qualname__ = name
    run.__doc__ = f"""The running {word} along an axis{note}.

    Args:
      x: a numeric tensor.
      axis: the axis.
      exclusive: whether each result leaves out the element at its own place.
      reverse: whether to begin at the other end.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      InvalidArgumentError: for an axis that the tensor has not, or several.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    >>> ad.math.{name}([2.0, 3.0, 4.0])
    <Tensor: shape=(3,), dtype=float32, numpy=array([{example}], dtype=float32)>
    """
    return run


cumsum = _cumulative(_cumsum, "sum", "", "2., 5., 9.")
cumprod = _cumulative(
    _cumprod, "product", "; the gradient of an element that is 0 is 0, as in TensorFlow",
    " 2.,  6., 24.",
)  # fmt: skip


def _prod(x: Any, axis: Axes, keepdims: bool) -> Any:
    return _MULTIPLY.reduce(x, axis, x.dtype, None, keepdims) if axis else x


def _harmless(products: Any) -> bool:
    """Whether products are neither 0 nor infinite nor so small that digits are lost.

    With such a one its inverse is infinite or 0, and the sum here infinite or NaN: one look at all.
    """
    return bool(products.dot(1 / products) < np.inf)


def _others(x: Any, product: Any, axis: int) -> Any:
    """For each element the product of all the others along the axis, given the product of all."""
    if _harmless(product.reshape(-1)):
        return product / x  # no 0 among them, the usual case: much faster
    before = xp.cumprod(x, axis=axis, exclusive=True, reverse=False)
    return before * xp.cumprod(x, axis=axis, exclusive=True, reverse=True)


def _others_rule(dy: Any, x: Any, _product: Any, _y: Any, axis: int) -> Any:
    """The rule of ``before * after``, which is right with zeros too."""
    forward: dict[str, Any] = {"axis": axis, "exclusive": True, "reverse": False}
    backward = {**forward, "reverse": True}
    before, after = xp.cumprod(x, **forward), xp.cumprod(x, **backward)
    return _cumprod_rule(dy * after, x, before, **forward) + _cumprod_rule(
        dy * before, x, after, **backward
    )


operation("ProductOfOthers", "product_of_others", _others, _others_rule, no_gradient)


def _prod_rule(dy: Any, x: Any, y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    shape = shapes[0]
    kept = kept_shape(shape, axis)
    if len(axis) == 1 and type(dy) is not Tensor:
        return dy.reshape(kept) * _others(x, y.reshape(kept), axis[0])
    dy, y = xp.reshape(dy, shape=kept), xp.reshape(y, shape=kept)
    if len(axis) == 1:
        return dy * xp.product_of_others(x, y, axis=axis[0])
    # Several axes, or none: bring them to the front and make them one.
    rest = tuple([a for a in range(len(shape)) if a not in axis])
    perm, lengths = (*axis, *rest), tuple([shape[a] for a in rest])
    flat = xp.reshape(xp.transpose(x, perm=perm), shape=(count(shape, axis), *lengths))
    others = xp.product_of_others(flat, xp.reshape(y, shape=(1, *lengths)), axis=0)
    moved = xp.reshape(others, shape=tuple([shape[a] for a in perm]))
    return dy * xp.transpose(moved, perm=tuple(np.argsort(perm).tolist()))


def _prod_at_ones(ones: Any, x: Any, y: Any, axis: Axes, keepdims: bool, shapes: Any) -> Any:
    if len(axis) == 1 and type(ones) is not Tensor:
        return _others(x, y.reshape(kept_shape(shapes[0], axis)), axis[0])
    return _prod_rule(ones, x, y, axis, keepdims, shapes)


_product = operation("Prod", "reduce_prod", _prod, _prod_rule, at_ones=(_prod_at_ones,))

reduce_prod = reducer(
    _product,
    "reduce_prod",
    "iuf",
    "The product of the elements along axes; its gradient is right where elements are 0, too.",
    "the product of no elements is 1",
    """>>> ad.reduce_prod([[1.0, 2.0], [3.0, 4.0]], axis=0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 8.], dtype=float32)>""",
)
