"""Layer 3: determinants, inverses, linear equations and Cholesky's factors.

One idea: all these rules are matrix products with an inverse, or the solution of another equation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.convert import as_tensor, operands, refuse_dtypes, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.operation import xp
from autodiff_kit.ops.diagonals import diag_part
from autodiff_kit.ops.integers import listed
from autodiff_kit.tensor import Tensor

__all__: list[str] = []


class LogMatrixDeterminant(NamedTuple):
    """A determinant as its sign and the logarithm of its absolute value."""

    sign: Tensor
    log_abs_determinant: Tensor


def _times(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    product = xp.matmul if len(a.shape) == 2 else xp.batch_matmul
    return product(a, b, transpose_a=transpose_a, transpose_b=transpose_b)


def _turned(a: Any) -> Any:
    rank = len(a.shape)
    return xp.transpose(a, perm=(*range(rank - 2), rank - 1, rank - 2))


def _across(dy: Any) -> Any:
    """A number for each matrix, in a form that multiplies the whole matrix."""
    return xp.reshape(dy, shape=(*dy.shape, 1, 1))


def _inverse(x: Any, adjoint: bool = False) -> Any:
    try:
        found = np.linalg.inv(x)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError("Input is not invertible. [Op:MatrixInverse]") from None
    return found.swapaxes(-1, -2) if adjoint else found


def _inverse_rule(dy: Any, _x: Any, y: Any, adjoint: bool = False) -> Any:
    if adjoint:
        return -_times(_times(y, dy, transpose_b=True), y)
    return -_times(y, _times(dy, y, transpose_b=True), transpose_a=True)


_inv = operation("MatrixInverse", "inv", _inverse, _inverse_rule)

_det = operation(
    "MatrixDeterminant",
    "det",
    lambda x: np.linalg.det(x)[()],
    lambda dy, x, y: _across(dy * y) * _turned(xp.inv(x)),
)


def _logarithmic(x: Any) -> Any:
    sign, logarithm = np.linalg.slogdet(x)
    return sign[()], logarithm[()]


def _logarithmic_back(step: Any, _dsign: Any, dlog: Any) -> list[Any]:
    x = step.inputs[0]
    if dlog is None:  # the sign is flat: TensorFlow says zero, not None
        return [xp.zeros_like(x)]
    return [_across(dlog) * _turned(xp.inv(x))]


_slogdet = operation("LogMatrixDeterminant", "slogdet", _logarithmic, pull=_logarithmic_back)


def _solution(a: Any, b: Any, adjoint: bool) -> Any:
    try:
        return np.linalg.solve(a.swapaxes(-1, -2) if adjoint else a, b)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError("Input matrix is not invertible. [Op:MatrixSolve]") from None


def _matrix_rule(dy: Any, a: Any, _b: Any, y: Any, adjoint: bool) -> Any:
    solved = xp.solve(a, dy, adjoint=not adjoint)
    if adjoint:
        return -_times(y, solved, transpose_b=True)
    return -_times(solved, y, transpose_b=True)


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
    lower = xp.band_part(_times(y, dy, transpose_a=True), lower=-1, upper=0)
    middle = lower - xp.band_part(lower, lower=0, upper=0) * 0.5
    inverse = xp.inv(y)
    inner = _times(_times(inverse, middle, transpose_a=True), inverse)
    return (inner + _turned(inner)) * 0.5


_cholesky = operation("Cholesky", "cholesky", _factor, _factor_rule)


def _square(input: Any, op_type: str) -> Tensor:
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


def det(input: Any, name: str | None = None) -> Tensor:
    """The determinant of a matrix, or of each matrix in a stack.

    Args:
      input: a floating tensor of shape ``(..., n, n)``.
      name: ignored.

    Returns:
      A tensor of shape ``(...)``. Its gradient needs the inverse: for a singular matrix it is an error.

    Raises:
      InvalidArgumentError: if the matrix is not square.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/det

    >>> import autodiff_kit as ad
    >>> ad.linalg.det([[2.0, 0.0], [0.0, 3.0]])
    <Tensor: shape=(), dtype=float32, numpy=6.0>
    """
    return _det(_square(input, "MatrixDeterminant"))


def slogdet(input: Any, name: str | None = None) -> LogMatrixDeterminant:
    """The sign of the determinant, and the logarithm of its absolute value.

    Arguments and errors are those of `det`.

    Returns:
      A named tuple: ``sign`` and ``log_abs_determinant``.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/slogdet

    >>> import autodiff_kit as ad
    >>> ad.linalg.slogdet([[1.0, 0.0], [0.0, -1.0]])[0]
    <Tensor: shape=(), dtype=float32, numpy=-1.0>
    """
    return LogMatrixDeterminant(*_slogdet(_square(input, "LogMatrixDeterminant")))


def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of a symmetric positive definite matrix.

    Arguments and errors are those of `det`; for any other matrix the result is not meaningful.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/logdet

    >>> import autodiff_kit as ad
    >>> ad.linalg.logdet([[1.0, 0.0], [0.0, 1.0]])
    <Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    logs = xp.log(diag_part(cholesky(matrix)))
    return xp.reduce_sum(logs, axis=(logs._value.ndim - 1,), keepdims=False) * 2.0


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
    x = _square(input, "MatrixInverse")
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
    refuse_dtypes("MatrixSolve", [a._value, b._value])
    shape, other = a._value.shape, b._value.shape
    if len(shape) != len(other):
        raise InvalidArgumentError(
            "All input tensors must have the same rank. [Op:MatrixSolve]; got shapes "
            f"{listed(shape)} and {listed(other)}"
        )
    if len(shape) >= 2 and shape[-1] != shape[-2]:
        raise InvalidArgumentError("First input (lhs) must be a square matrix. [Op:MatrixSolve]")
    _square(a, "MatrixSolve")
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
    return _cholesky(_square(input, "Cholesky"))
