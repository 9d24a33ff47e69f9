"""Layer 3: linear equations with a triangular matrix.

One idea: the first unknown stands alone in its equation; with it the second one does, and so on. No
inverse is needed, and the half of the matrix that is not read gets no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import operands, refuse_dtypes, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.integers import listed
from autodiff_kit.ops.solving import for_matrix
from autodiff_kit.tensor import Tensor

__all__: list[str] = []

_OP = "[Op:MatrixTriangularSolve]"


def _substituted(a: Any, b: Any, lower: bool, adjoint: bool) -> Any:
    if adjoint:
        a, lower = a.swapaxes(-1, -2), not lower
    x, n = np.empty_like(b), a.shape[-1]
    for i in range(n) if lower else reversed(range(n)):
        known = slice(None, i) if lower else slice(i + 1, None)
        left = b[..., i, :] - (a[..., i : i + 1, known] @ x[..., known, :])[..., 0, :]
        x[..., i, :] = left / a[..., i, i, None]
    return x


def _matrix_rule(dy: Any, a: Any, b: Any, y: Any, lower: bool, adjoint: bool) -> Any:
    solved = xp.triangular_solve(a, dy, lower=lower, adjoint=not adjoint)
    whole = for_matrix(solved, y, adjoint)
    return xp.band_part(whole, lower=-1 if lower else 0, upper=0 if lower else -1)


_triangular_solve = operation(
    "MatrixTriangularSolve",
    "triangular_solve",
    _substituted,
    _matrix_rule,
    lambda dy, a, _b, _y, lower, adjoint: xp.triangular_solve(
        a, dy, lower=lower, adjoint=not adjoint
    ),
)


def _checked(matrix: Any, rhs: Any) -> tuple[Tensor, Tensor]:
    """Both as tensors with the same axes in front, if they fit."""
    a, b = operands(matrix, rhs)
    if a._value.dtype is not b._value.dtype:
        refuse_dtypes("MatrixTriangularSolve", [a._value, b._value])
    if a._value.dtype.kind != "f":
        refuse_kind("MatrixTriangularSolve", a._value, "f")
    shape, other = a._value.shape, b._value.shape
    for k, rank in enumerate((len(shape), len(other))):
        if rank < 2:
            raise InvalidArgumentError(f"In[{k}] ndims must be >= 2: {rank} {_OP}")
    if shape[-1] != shape[-2]:
        raise InvalidArgumentError(
            "In[0] matrices in the last dimensions must be square "
            f"({shape[-1]} =/= {shape[-2]}) {_OP}"
        )
    if shape[-1] != other[-2]:
        raise InvalidArgumentError(
            f"In[0] mismatch In[1] shape: {shape[-1]} vs. {other[-2]}: {listed(shape)} "
            f"{listed(other)} {_OP}"
        )
    return _stretched(a, b)


def _stretched(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    shape, other = a._value.shape, b._value.shape
    if shape[:-2] == other[:-2]:
        return a, b
    try:
        batch = np.broadcast_shapes(shape[:-2], other[:-2])
    except ValueError:
        raise InvalidArgumentError(
            f"In[0] and In[1] must have compatible batch dimensions: {listed(shape)} vs. "
            f"{listed(other)} {_OP}"
        ) from None
    wholes = ((*batch, *shape[-2:]), (*batch, *other[-2:]))
    a, b = (xp.broadcast_to(x, shape=whole) for x, whole in zip((a, b), wholes, strict=True))
    return a, b


def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The solution X of ``matrix @ X = rhs`` for a triangular matrix, or for a stack of them.

    Args:
      matrix: a floating tensor of shape ``(..., n, n)``, of which only one half is read.
      rhs: a tensor of shape ``(..., n, k)``; the axes in front broadcast.
      lower: whether the lower half is read, or the upper one.
      adjoint: whether that half is transposed first.
      name: ignored.

    Returns:
      A tensor of shape ``(..., n, k)``; inf or nan where there is a 0 on the diagonal.

    Raises:
      InvalidArgumentError: if the shapes do not fit, or the dtypes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/triangular_solve

    >>> import autodiff_kit as ad
    >>> ad.linalg.triangular_solve([[2.0, 7.0], [1.0, 4.0]], [[2.0], [5.0]]).numpy().tolist()
    [[1.0], [1.0]]
    """
    a, b = _checked(matrix, rhs)
    return _triangular_solve(a, b, lower=bool(lower), adjoint=bool(adjoint))


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """The solution X of ``A @ X = rhs``, where ``chol`` is what `ad.linalg.cholesky` makes of A.

    Args:
      chol: a floating tensor of shape ``(..., n, n)``; only its lower half is read.
      rhs: a tensor of shape ``(..., n, k)``.
      name: ignored.

    Returns:
      A tensor of shape ``(..., n, k)``.

    Raises:
      InvalidArgumentError: if the shapes do not fit, or the dtypes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/cholesky_solve

    >>> import autodiff_kit as ad
    >>> factor = ad.linalg.cholesky([[4.0, 0.0], [0.0, 25.0]])
    >>> ad.linalg.cholesky_solve(factor, [[4.0], [50.0]]).numpy().tolist()
    [[1.0], [2.0]]
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)
