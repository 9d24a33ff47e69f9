"""Layer 3: inverses, linear equations and Cholesky's factors.

One idea: all these rules are matrix products with an inverse, or the solution of another equation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operands, refuse_dtypes, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.integers import listed
from autodiff_kit.tensor import Tensor

__all__: list[str] = []


def times(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    product = xp.matmul if len(a.shape) == 2 else xp.batch_matmul
    return product(a, b, transpose_a=transpose_a, transpose_b=transpose_b)


def turned(a: Any) -> Any:
    rank = len(a.shape)
    return xp.transpose(a, perm=(*range(rank - 2), rank - 1, rank - 2))


def or_nan(compute: Callable[..., Any], x: Any, *more: Any) -> Any:
    """What is computed from each matrix, but NaN from one that holds a NaN: what becomes of those,
    LAPACK leaves open, and it may call them singular.
    """
    flat = x.reshape(-1)
    if flat.dot(flat) < np.inf:  # no NaN among them, seen in the fastest pass there is
        return compute(x, *more)
    sick = np.isnan(x).any(axis=(-2, -1), keepdims=True)
    found = compute(np.where(sick, np.eye(x.shape[-1], dtype=x.dtype), x), *more)
    if np.ndim(found) < x.ndim:
        sick = sick[..., 0, 0]
    return np.where(sick, x.dtype.type("nan"), found)[()]


def _inverse(x: Any, adjoint: bool = False) -> Any:
    try:
        found = or_nan(np.linalg.inv, x)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError("Input is not invertible. [Op:MatrixInverse]") from None
    return found.swapaxes(-1, -2) if adjoint else found


def _inverse_rule(dy: Any, _x: Any, y: Any, adjoint: bool = False) -> Any:
    if adjoint:
        return -times(times(y, dy, transpose_b=True), y)
    return -times(y, times(dy, y, transpose_b=True), transpose_a=True)


_inv = operation("MatrixInverse", "inv", _inverse, _inverse_rule)


def _solution(a: Any, b: Any, adjoint: bool) -> Any:
    try:
        return or_nan(np.linalg.solve, a.swapaxes(-1, -2) if adjoint else a, b)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError("Input matrix is not invertible. [Op:MatrixSolve]") from None


def _matrix_rule(dy: Any, a: Any, _b: Any, y: Any, adjoint: bool) -> Any:
    return for_matrix(xp.solve(a, dy, adjoint=not adjoint), y, adjoint)


def for_matrix(solved: Any, y: Any, adjoint: bool) -> Any:
    """The gradient for the matrix of equations, from that for the right side and the solution."""
    if adjoint:
        return -times(y, solved, transpose_b=True)
    return -times(solved, y, transpose_b=True)


_solve = operation(
    "MatrixSolve",
    "solve",
    _solution,
    _matrix_rule,
    lambda dy, a, _b, _y, adjoint: xp.solve(a, dy, adjoint=not adjoint),
)


def _factor(x: Any) -> Any:
    """Cholesky's factor of each matrix; nan where there is none."""
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        if x.ndim == 2:
            return np.full_like(x, np.nan)
        return np.stack([_factor(one) for one in x])


def _factor_rule(dy: Any, _x: Any, y: Any) -> Any:
    """Half of the lower part's symmetric image, carried back through the factor on both sides."""
    lower = xp.band_part(times(y, dy, transpose_a=True), lower=-1, upper=0)
    middle = lower - xp.band_part(lower, lower=0, upper=0) * 0.5
    inverse = xp.inv(y)
    inner = times(times(inverse, middle, transpose_a=True), inverse)
    return (inner + turned(inner)) * 0.5


_cholesky = operation("Cholesky", "cholesky", _factor, _factor_rule)


def square_matrix(input: Any, op_type: str) -> Tensor:
    x = as_tensor(input)
    shape = x._value.shape
    if x._value.dtype.kind != "f":
        refuse_kind(op_type, x._value, "f")
    if len(shape) < 2:
        raise InvalidArgumentError(
            f"Input tensor 0 must have rank >= 2, got {len(shape)} [Op:{op_type}]"
        )
    if shape[-1] != shape[-2]:
        raise InvalidArgumentError(
            f"Input matrix must be square. [Op:{op_type}]; got shape {listed(shape)}"
        )
    return x


def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of a matrix, or of each matrix in a stack.

    Args:
      input: a floating tensor of shape ``(..., n, n)``.
      adjoint: whether to transpose it.
      name: ignored.

    Returns:
      A tensor of the same shape.

    Raises:
      InvalidArgumentError: if the matrix is not square or not invertible.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/inv

    >>> import autodiff_kit as ad
    >>> ad.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    x = square_matrix(input, "MatrixInverse")
    return _inv(x, adjoint=True) if adjoint else _inv(x)


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The solution X of ``matrix @ X = rhs``, for a matrix or for each matrix in a stack.

    Args:
      matrix: a floating tensor of shape ``(..., n, n)``.
      rhs: a tensor of shape ``(..., n, k)``.
      adjoint: whether the matrix is transposed first.
      name: ignored.

    Returns:
      A tensor of shape ``(..., n, k)``.

    Raises:
      InvalidArgumentError: if the shapes do not fit, the dtypes differ, or it cannot be solved.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/solve

    >>> import autodiff_kit as ad
    >>> ad.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[1.0], [1.0]]).numpy().tolist()
    [[0.5], [0.25]]
    """
    a, b = operands(matrix, rhs)
    if a._value.dtype is not b._value.dtype:
        refuse_dtypes("MatrixSolve", [a._value, b._value])
    shape, other = a._value.shape, b._value.shape
    if len(shape) != len(other):
        raise InvalidArgumentError(
            "All input tensors must have the same rank. [Op:MatrixSolve]; got shapes "
            f"{listed(shape)} and {listed(other)}"
        )
    if len(shape) >= 2 and shape[-1] != shape[-2]:
        raise InvalidArgumentError("First input (lhs) must be a square matrix. [Op:MatrixSolve]")
    square_matrix(a, "MatrixSolve")
    if shape[:-1] != other[:-1]:
        raise InvalidArgumentError(
            "Input matrix and rhs are incompatible. [Op:MatrixSolve]; got shapes "
            f"{listed(shape)} and {listed(other)}"
        )
    return _solve(a, b, adjoint=bool(adjoint))


def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The lower triangular factor L with ``L @ transpose(L)`` equal to the matrix.

    Args:
      input: a floating tensor of shape ``(..., n, n)``, symmetric and positive definite; only its
        lower part is read.
      name: ignored.

    Returns:
      A tensor of the same shape; nan where there is no such factor.

    Raises:
      InvalidArgumentError: if the matrix is not square.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/cholesky

    >>> import autodiff_kit as ad
    >>> ad.linalg.cholesky([[4.0, 0.0], [0.0, 9.0]]).numpy().tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return _cholesky(square_matrix(input, "Cholesky"))
