"""Layer 3: products that are a matrix product after some turning.

One idea: nothing new is recorded here; transposing, reshaping and multiplying already have their rules.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_kit.convert import as_tensor
from autodiff_kit.namespace import xp
from autodiff_kit.ops.integers import integer_array
from autodiff_kit.ops.matmul import matmul
from autodiff_kit.ops.reduction import reduce_sum
from autodiff_kit.tensor import Tensor

__all__ = ["tensordot"]


def matrix_transpose(
    a: Any, name: str | None = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """A matrix with rows and columns exchanged, or each matrix in a stack.

    Args:
      a: a tensor of shape ``(..., m, n)``.
      name, conjugate: ignored.

    Returns:
      A tensor of shape ``(..., n, m)``.

    Raises:
      ValueError: if it is not a matrix.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matrix_transpose

    >>> import autodiff_kit as ad
    >>> ad.linalg.matrix_transpose([[1.0, 2.0]]).numpy().tolist()
    [[1.0], [2.0]]
    """
    x = as_tensor(a)
    rank = x._value.ndim
    if rank < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {x._value} with "
            f"shape: {x._value.shape}"
        )
    return xp.transpose(x, perm=(*range(rank - 2), rank - 1, rank - 2))


def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of a matrix and a vector, or of each pair in two stacks.

    Args:
      a: a tensor of shape ``(..., m, n)``.
      b: a tensor of shape ``(..., n)``.
      transpose_a, adjoint_a: whether the matrix is transposed first.
      a_is_sparse, b_is_sparse, name: ignored.

    Returns:
      A tensor of shape ``(..., m)``.

    Raises:
      InvalidArgumentError: as `ad.matmul`.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/matvec

    >>> import autodiff_kit as ad
    >>> ad.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 7.], dtype=float32)>
    """
    matrix, vector = as_tensor(a), as_tensor(b)
    column = xp.expand_dims(vector, axis=vector._value.ndim)
    product = matmul(matrix, column, transpose_a=transpose_a, adjoint_a=adjoint_a)
    return xp.squeeze(product, axis=(product._value.ndim - 1,))


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products along axes of one tensor and axes of another.

    Args:
      a, b: tensors of one dtype.
      axes: how many axes, the last of ``a`` and the first of ``b``; or two lists of axes, or a pair.
      name: ignored.

    Returns:
      A tensor with the other axes of ``a``, then those of ``b``.

    Raises:
      ValueError: for axes that the tensors have not, or two lists of different length.
      InvalidArgumentError: if lengths along the axes, or dtypes, differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/tensordot

    >>> import autodiff_kit as ad
    >>> x = ad.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> ad.tensordot(x, x, axes=[[0, 1], [0, 1]])
    <Tensor: shape=(), dtype=float32, numpy=30.0>
    """
    x, y = as_tensor(a), as_tensor(b)
    if type(axes) is int and axes == 1 and _two_vectors(x._value, y._value):
        return reduce_sum(x * y)
    ours, theirs = _contracted_axes(axes, x._value.ndim, y._value.ndim)
    left, left_shape = _as_matrix(x, ours, first=False)
    right, right_shape = _as_matrix(y, theirs, first=True)
    return xp.reshape(matmul(left, right), shape=left_shape + right_shape)


def _two_vectors(a: Any, b: Any) -> bool:
    """Whether the product is a sum of products, which need not be made matrices first."""
    return a.shape == b.shape and a.ndim == 1 and a.dtype is b.dtype and a.dtype.char in "fd"


def _contracted_axes(axes: Any, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    if type(axes) is int:
        ours, theirs = _counted(axes, rank_a, rank_b)
    elif isinstance(axes, (list, tuple)):
        if len(axes) != 2:
            raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
        ours, theirs = (integer_array(part).reshape(-1).tolist() for part in axes)
    else:
        given = integer_array(axes)
        if given.ndim:
            ours, theirs = given.reshape(2, -1).tolist()
        else:
            ours, theirs = _counted(int(given), rank_a, rank_b)
    if len(ours) != len(theirs):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(ours)} != {len(theirs)}."
        )
    for chosen, rank in ((ours, rank_a), (theirs, rank_b)):
        for axis in chosen:
            if not -rank <= axis < rank:
                raise ValueError(f"`axes` names axis {axis}, but the tensor has {rank} dimensions.")
    return [k % rank_a for k in ours], [k % rank_b for k in theirs]


def _counted(count: int, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    if count < 0:
        raise ValueError(f"`axes` must be at least 0. Received: {count}.")
    if count > min(rank_a, rank_b):
        raise ValueError(
            "`axes` must not be larger than the number of dimensions of the tensors. Received "
            f"{count}, vs tensor dimensions {rank_a} and {rank_b}."
        )
    return list(range(rank_a - count, rank_a)), list(range(count))


def _as_matrix(x: Tensor, axes: list[int], first: bool) -> tuple[Tensor, tuple[int, ...]]:
    """The tensor with the axes to be summed over as its rows or its columns, and the other lengths."""
    shape = x._value.shape
    others = [k for k in range(len(shape)) if k not in axes]
    order = tuple(axes + others if first else others + axes)
    rest = tuple(shape[k] for k in others)
    if order != tuple(range(len(shape))):
        x = xp.transpose(x, perm=order)
    inner, outer = math.prod([shape[k] for k in axes]), math.prod(rest)
    return xp.reshape(x, shape=(inner, outer) if first else (outer, inner)), rest
