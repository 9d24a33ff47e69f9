"""Layer 3: the product of matrices, and of stacks of matrices.

One idea: the gradient of a product is again a product, of what came from above and of the other factor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.broadcasting import sum_to
from autodiff_kit.convert import first_alone, refuse_dtypes
from autodiff_kit.define import op_of, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted_two
from autodiff_kit.operators import Operators
from autodiff_kit.ops.integers import listed, refuse_attr
from autodiff_kit.tensor import Tensor

__all__ = ["matmul"]

# Up to this many products the sum is taken in order, as TensorFlow takes it: np.matmul's last digit
# depends on the processor. Above it the price would be felt.
_IN_ORDER = 32
_ALLOWED = "half, float, double, int32, int64, uint8, uint16, uint32, uint64"


def _product(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    if transpose_a:
        a = a.swapaxes(-1, -2)
    if transpose_b:
        b = b.swapaxes(-1, -2)
    if a.size * b.shape[-1] <= _IN_ORDER and a.dtype.char == "f" and a.ndim == b.ndim == 2:
        return np.add.reduce(a[:, :, None] * b, axis=1) if a.shape[1] != 1 else a * b
    if a.dtype.char == "e":  # summed in float32, as TensorFlow does; NumPy sums in float16
        return np.matmul(a.astype(np.float32), b.astype(np.float32)).astype(np.float16)
    if a.ndim == 2 and b.ndim == 2:
        return a.dot(b)  # the same product; np.matmul takes half a microsecond longer to get to it
    return np.matmul(a, b)


def _left(product: Any, dy: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    """The gradient of the first factor: ``dy @ b.T``, and its like for transposed factors."""
    if transpose_a:
        return product(b, dy, transpose_a=transpose_b, transpose_b=True)
    return product(dy, b, transpose_a=False, transpose_b=not transpose_b)


def _right(product: Any, dy: Any, a: Any, transpose_a: bool, transpose_b: bool) -> Any:
    """The gradient of the second factor: ``a.T @ dy``, and its like for transposed factors."""
    if transpose_b:
        return product(dy, a, transpose_a=True, transpose_b=transpose_a)
    return product(a, dy, transpose_a=not transpose_a, transpose_b=False)


def _left_rule(
    dy: Any, _a: Any, b: Any, _y: Any, transpose_a: bool = False, transpose_b: bool = False
) -> Any:
    if type(dy) is not Tensor and not (transpose_a or transpose_b):
        return _product(dy, b.T)  # nearly every call, without a detour
    return _left(xp.matmul, dy, b, transpose_a, transpose_b)


def _right_rule(
    dy: Any, a: Any, _b: Any, _y: Any, transpose_a: bool = False, transpose_b: bool = False
) -> Any:
    if type(dy) is not Tensor and not (transpose_a or transpose_b):
        return _product(a.T, dy)
    return _right(xp.matmul, dy, a, transpose_a, transpose_b)


def _stacked_left(dy: Any, _a: Any, b: Any, _y: Any, **transposed: bool) -> Any:
    """The left factor's rule for gradients one behind the other: they are just more rows."""
    if transposed:
        return np.stack([_left_rule(row, None, b, None, **transposed) for row in dy])
    n, m, p = dy.shape
    return _product(dy.reshape(n * m, p), b, transpose_b=True).reshape(n, m, b.shape[0])


def _stacked_right(dy: Any, a: Any, _b: Any, _y: Any, **transposed: bool) -> Any:
    if transposed:
        return np.stack([_right_rule(row, a, None, None, **transposed) for row in dy])
    n, m, p = dy.shape
    rows = dy.swapaxes(1, 2).reshape(n * p, m)
    return _product(rows, a).reshape(n, p, a.shape[1]).swapaxes(1, 2)


_matmul = operation(
    "MatMul",
    "matmul",
    _product,
    _left_rule,
    _right_rule,
    stacked=(_stacked_left, _stacked_right),
)
_MATMUL = op_of(_matmul)


def _summed(dx: Any, shape: tuple[int, ...]) -> Any:
    """A factor that was used for a whole stack gets the sum over the stack."""
    return dx if dx.shape == shape else sum_to(dx, None, None, shape, tuple(dx.shape))


def _batch_left(
    dy: Any, _a: Any, b: Any, _y: Any, transpose_a: bool, transpose_b: bool, shapes: Any
) -> Any:
    return _summed(_left(xp.batch_matmul, dy, b, transpose_a, transpose_b), shapes[0])


def _batch_right(
    dy: Any, a: Any, _b: Any, _y: Any, transpose_a: bool, transpose_b: bool, shapes: Any
) -> Any:
    return _summed(_right(xp.batch_matmul, dy, a, transpose_a, transpose_b), shapes[1])


_batch_matmul = operation("BatchMatMulV2", "batch_matmul", _product, _batch_left, _batch_right)


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    name: str | None = None,
) -> Tensor:
    """The product of the matrices ``a`` and ``b``, or of each pair in two stacks of matrices.

    Args:
      a: a tensor of shape ``(..., m, k)``, or ``(..., k, m)`` with ``transpose_a``.
      b: a tensor of shape ``(..., k, n)``, or ``(..., n, k)`` with ``transpose_b``.
      transpose_a, transpose_b: whether the last two axes are exchanged first.
      adjoint_a, adjoint_b: the same, since the kit has no complex numbers.
      a_is_sparse, b_is_sparse, output_type, name: ignored.

    Returns:
      A tensor of shape ``(..., m, n)``; the axes before the last two broadcast.

    Raises:
      InvalidArgumentError: if a factor is not a matrix, the dtypes differ or the shapes do not fit.
      ValueError: if the same factor is to be transposed and adjoint.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matmul

    >>> import autodiff_kit as ad
    >>> ad.matmul([[1.0, 2.0]], [[3.0], [4.0]])
    <Tensor: shape=(1, 1), dtype=float32, numpy=array([[11.]], dtype=float32)>
    """
    if type(a) is not Tensor or type(b) is not Tensor:
        if type(a) is Tensor and isinstance(b, Operators):
            b = b._read()  # a layer's variable, the usual case
        else:
            a, b = first_alone(a, b)
    x, y = a._value, b._value
    plain = not (transpose_a or transpose_b or adjoint_a or adjoint_b)
    if plain and x.dtype is y.dtype and x.dtype.kind == "f" and x.ndim == y.ndim == 2:
        if x.shape[1] == y.shape[0]:  # nearly every call: nothing is left to be checked
            return noted_two(_MATMUL, a, b, _product(x, y), None)
    for which, transpose, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transpose and adjoint:
            raise ValueError(
                f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. Received "
                f"`transpose_{which}`={transpose}, `adjoint_{which}`={adjoint}."
            )
    return _checked(a, b, bool(transpose_a or adjoint_a), bool(transpose_b or adjoint_b))


def _checked(a: Tensor, b: Tensor, transpose_a: bool, transpose_b: bool) -> Tensor:
    x, y = a._value, b._value
    stacked = x.ndim > 2 or y.ndim > 2
    op_type = "BatchMatMulV2" if stacked else "MatMul"
    if x.dtype is not y.dtype:
        refuse_dtypes(op_type, [x, y])
    if x.dtype.name in ("bool", "int8", "int16"):
        refuse_attr(op_type, "T", x, _ALLOWED)
    for position, value in enumerate((x, y)):
        if value.ndim < 2:
            found = f": {value.ndim}" if stacked else ""
            instead = "for a vector use ad.linalg.matvec, or ad.expand_dims to make it a matrix"
            if x.ndim == y.ndim == 1:
                instead = "for two vectors use ad.tensordot(x, y, 1)"
            elif 0 in (x.ndim, y.ndim):
                instead = "for a number use *"
            raise InvalidArgumentError(
                f"In[{position}] ndims must be >= 2{found} [Op:{op_type}]; {instead}"
            )
    if x.shape[-2 if transpose_a else -1] != y.shape[-1 if transpose_b else -2]:
        raise InvalidArgumentError(
            f"Matrix size-incompatible: In[0]: {listed(x.shape)}, In[1]: {listed(y.shape)} "
            f"[Op:{op_type}]; the columns of the first must be as many as the rows of the second"
        )
    if stacked:
        return _stacked(a, b, transpose_a, transpose_b)
    if transpose_a or transpose_b:
        return _matmul(a, b, transpose_a=transpose_a, transpose_b=transpose_b)
    return _matmul(a, b)


def _stacked(a: Tensor, b: Tensor, transpose_a: bool, transpose_b: bool) -> Tensor:
    x, y = a._value, b._value
    for m, n in zip(reversed(x.shape[:-2]), reversed(y.shape[:-2]), strict=False):
        if m != n and 1 not in (m, n):
            raise InvalidArgumentError(
                f"In[0] and In[1] must have compatible batch dimensions: {listed(x.shape)} vs. "
                f"{listed(y.shape)} [Op:BatchMatMulV2]"
            )
    return _batch_matmul(a, b, transpose_a=transpose_a, transpose_b=transpose_b)
