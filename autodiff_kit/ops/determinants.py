"""Layer 3: determinants.

One idea: a determinant changes by the transposed inverse, times the determinant itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.define import operation
from autodiff_kit.namespace import xp
from autodiff_kit.ops.diagonals import diag_part
from autodiff_kit.ops.solving import cholesky, or_nan, square_matrix, turned
from autodiff_kit.tensor import Tensor

__all__: list[str] = []


class LogMatrixDeterminant(NamedTuple):
    """A determinant as its sign and the logarithm of its absolute value."""

    sign: Tensor
    log_abs_determinant: Tensor


def _across(dy: Any) -> Any:
    """A number for each matrix, in a form that multiplies the whole matrix."""
    return xp.reshape(dy, shape=(*dy.shape, 1, 1))


_det = operation(
    "MatrixDeterminant",
    "det",
    lambda x: or_nan(np.linalg.det, x),
    lambda dy, x, y: _across(dy * y) * turned(xp.inv(x)),
)


def _logarithmic(x: Any) -> Any:
    return tuple(or_nan(lambda x: np.stack(np.linalg.slogdet(x)), x))


def _logarithmic_back(step: Any, _dsign: Any, dlog: Any) -> list[Any]:
    x = step.inputs[0]
    if dlog is None:  # the sign is flat: TensorFlow says zero, not None
        return [xp.zeros_like(x)]
    return [_across(dlog) * turned(xp.inv(x))]


_slogdet = operation("LogMatrixDeterminant", "slogdet", _logarithmic, pull=_logarithmic_back)


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
    return _det(square_matrix(input, "MatrixDeterminant"))


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
    return LogMatrixDeterminant(*_slogdet(square_matrix(input, "LogMatrixDeterminant")))


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
