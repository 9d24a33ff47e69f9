"""Layer 3: eigenvalues and eigenvectors of symmetric matrices.

One idea: an eigenvalue moves by what its own vector sees of the change; a vector turns towards each
other one, the faster the nearer the two eigenvalues are. Where they are equal, nothing says which way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.select import zero_of
from autodiff_kit.ops.solving import square_matrix, times, turned
from autodiff_kit.tensor import Tensor

__all__: list[str] = []

_OP = "SelfAdjointEigV2"
_FAILED = (
    f"Self-adjoint eigen decomposition was not successful. The input might not be valid. [Op:{_OP}]"
)
# TensorFlow's: below its root a difference counts less and less, and 0 counts as infinitely far.
_EPSILON = 1e-20


def _decomposed(x: Any, compute_v: bool) -> Any:
    """The values in ascending order, and the vectors; NaN for a matrix with an infinity, as there."""
    endless = None
    if not surely_finite(x):
        x = np.tril(x)
        if np.isnan(x).any():
            raise InvalidArgumentError(f"{_FAILED}; there is a NaN in the half that is read")
        x, endless = healed(x)
    try:
        found = tuple(np.linalg.eigh(x)) if compute_v else (np.linalg.eigvalsh(x),)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError(_FAILED) from None
    if endless is not None:
        for part in found:
            part[endless] = np.nan
    return found if compute_v else found[0]


def surely_finite(x: Any) -> bool:
    """Whether a look at all numbers at once, the fastest there is, finds nothing to be looked at."""
    flat = x.reshape(-1)
    return bool(flat.dot(flat) < np.inf)


def healed(x: Any) -> tuple[Any, Any]:
    """Zeros in the place of each matrix that is not finite, and which of them these are."""
    sick = ~np.isfinite(x).all(axis=(-2, -1))
    return np.where(sick[..., None, None], x.dtype.type(0), x), sick


def one_by_gap(values: Any) -> Any:
    """The matrix of ``1 / (values[j] - values[i])``, with TensorFlow's 0 where the two are equal."""
    shape, n = tuple(values.shape[:-1]), values.shape[-1]
    gap = xp.reshape(values, shape=(*shape, 1, n)) - xp.reshape(values, shape=(*shape, n, 1))
    quotient = safe_reciprocal(gap)
    return quotient - xp.band_part(quotient, lower=0, upper=0)


def safe_reciprocal(x: Any) -> Any:
    """``1 / x``, but 0 for 0: what TensorFlow divides by here."""
    return x * xp.reciprocal(x * x + _EPSILON)


def diagonal(values: Any) -> Any:
    """The matrix with these values on its diagonal."""
    n = values.shape[-1]
    return xp.diag(values, zero_of(values), band=(0, 0), align="RIGHT_LEFT", size=(n, n))


def _back(step: Any, dvalues: Any, dvectors: Any = None) -> list[Any]:
    if step.attrs["compute_v"]:
        values, vectors = step.outputs
    else:
        values, vectors = xp.self_adjoint_eig(step.inputs[0], compute_v=True)
    inner = 0.0 if dvalues is None else diagonal(dvalues)
    if dvectors is not None:
        inner = one_by_gap(values) * times(vectors, dvectors, transpose_a=True) + inner
    whole = times(vectors, times(inner, vectors, transpose_b=True))
    # Only the lower half is read: it gets what the upper one would have got, too.
    both = xp.band_part(whole + turned(whole), lower=-1, upper=0)
    return [both - xp.band_part(whole, lower=0, upper=0)]


_self_adjoint_eig = operation("SelfAdjointEigV2", "self_adjoint_eig", _decomposed, pull=_back)


def eigh(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues and eigenvectors of a symmetric matrix, or of each matrix in a stack.

    Args:
      tensor: a floating tensor of shape ``(..., n, n)``, of which only the lower half is read.
      name: ignored.

    Returns:
      The eigenvalues, shape ``(..., n)``, the smallest first, and the eigenvectors, the columns of a
      tensor of shape ``(..., n, n)``. A vector's sign is open, and may not be TensorFlow's. The
      vectors of equal eigenvalues are no function of the matrix. What such a pair would add to the
      gradient is left out, as in TensorFlow, and nearly equal ones make it huge.

    Raises:
      InvalidArgumentError: if the matrix is not square, or has a NaN.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eigh

    >>> import autodiff_kit as ad
    >>> values, vectors = ad.linalg.eigh([[4.0, 0.0], [0.0, 1.0]])
    >>> values
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 4.], dtype=float32)>
    >>> ad.abs(vectors).numpy().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    values, vectors = _self_adjoint_eig(square_matrix(tensor, _OP), compute_v=True)
    return values, vectors


def eigvalsh(tensor: Any, name: str | None = None) -> Tensor:
    """The eigenvalues of a symmetric matrix, or of each matrix in a stack, the smallest first.

    Arguments and errors are those of `eigh`.

    Returns:
      A tensor of shape ``(..., n)``.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/eigvalsh

    >>> import autodiff_kit as ad
    >>> ad.linalg.eigvalsh([[4.0, 0.0], [0.0, 1.0]])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 4.], dtype=float32)>
    """
    return _self_adjoint_eig(square_matrix(tensor, _OP), compute_v=False)
