"""Layer 3: singular values, and the vectors on either side.

One idea: as for eigenvalues, a value moves by what its own two vectors see of the change, and vectors
turn towards the others, the faster the nearer the squares of their values are.

Source: https://j-towns.github.io/papers/svd-derivative.pdf
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.eigen import diagonal, healed, one_by_gap, safe_reciprocal, surely_finite
from autodiff_kit.ops.solving import times, turned

__all__: list[str] = []


def _decomposed(x: Any, compute_uv: bool, full_matrices: bool) -> Any:
    """The values in descending order, and the vectors; all NaN for a matrix that is not finite."""
    x, sick = (x, None) if surely_finite(x) else healed(x)
    found: tuple[Any, ...] = (np.linalg.svd(x, compute_uv=False),) if not compute_uv else ()
    if compute_uv:
        u, s, vh = np.linalg.svd(x, full_matrices=full_matrices)
        found = s, u, vh.swapaxes(-1, -2)
    if sick is not None:
        for part in found:
            part[sick] = np.nan
    return found if compute_uv else found[0]


def _back(step: Any, ds: Any, du: Any = None, dv: Any = None) -> list[Any]:
    x, attrs = step.inputs[0], step.attrs
    if not attrs["compute_uv"]:
        _, u, v = xp.svd(x, compute_uv=True, full_matrices=False)
        return [times(u, times(diagonal(ds), v, transpose_b=True))]
    rows, columns = x.shape[-2:]
    if attrs["full_matrices"] and abs(rows - columns) > 1:
        raise NotImplementedError(
            "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True. "
            f"Received: m={min(rows, columns)} and n={max(rows, columns)}; leave full_matrices out: "
            "the vectors that it adds are any that stand upright on the others"
        )
    s, u, v = step.outputs
    if rows > columns:
        return [turned(_for_wide(s, v, u, ds, dv, du))]
    return [_for_wide(s, u, v, ds, du, dv)]


def _for_wide(s: Any, u: Any, v: Any, ds: Any, du: Any, dv: Any) -> Any:
    """The gradient for a matrix that has no more rows than columns, so that ``u`` is square."""
    n = s.shape[-1]
    near, scale, gaps = v[..., :n], diagonal(s), one_by_gap(s * s)
    inner = 0.0 if ds is None else diagonal(ds)
    if du is not None:
        inner = inner + times(_both_ways(gaps * times(u, du, transpose_a=True)), scale)
    if dv is None:
        return times(u, times(inner, near, transpose_b=True))
    seen = times(near, dv[..., :n], transpose_a=True)
    inner = inner + times(scale, _both_ways(gaps * seen))
    dx = times(u, times(inner, near, transpose_b=True))
    if v.shape[-2] == n:
        return dx
    # What leads out of the space of these vectors, where there are more columns than rows.
    out = turned(dv[..., :n]) - times(seen, near, transpose_a=True, transpose_b=True)
    if v.shape[-1] > n:
        crossed = times(near, dv[..., n:], transpose_a=True)
        out = out - times(crossed, v[..., n:], transpose_b=True)
    return dx + times(times(u, diagonal(safe_reciprocal(s))), out)


def _both_ways(x: Any) -> Any:
    return x + turned(x)


_svd = operation("Svd", "svd", _decomposed, pull=_back)


def svd(
    tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> Any:
    """The singular values and vectors of a matrix, or of each in a stack: ``u @ diag(s) @ v.T``.

    Args:
      tensor: a floating tensor of shape ``(..., m, n)``; p is the smaller of m and n.
      full_matrices: whether ``u`` and ``v`` are filled up to square matrices. Then there is a gradient
        only if m and n differ by 1 at the most.
      compute_uv: whether the vectors are wanted too.
      name: ignored.

    Returns:
      ``s``, shape ``(..., p)``, the largest first; ``u``, whose columns are the left vectors, shape
      ``(..., m, p)``; ``v``, not transposed, shape ``(..., n, p)``. Without ``compute_uv`` only ``s``.
      The sign of a pair of vectors is open, and may not be TensorFlow's. As for `eigh`, the vectors
      of equal singular values add nothing to the gradient, and nearly equal ones make it huge.

    Raises:
      InvalidArgumentError: if it is not a matrix, or not floating.
      TypeError: if ``full_matrices`` or ``compute_uv`` is not True or False.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/svd

    >>> import autodiff_kit as ad
    >>> s, u, v = ad.linalg.svd([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
    >>> s
    <Tensor: shape=(2,), dtype=float32, numpy=array([4., 3.], dtype=float32)>
    >>> u.shape, v.shape
    (TensorShape([3, 2]), TensorShape([2, 2]))
    """
    for argument, value in (("compute_uv", compute_uv), ("full_matrices", full_matrices)):
        if not isinstance(value, bool):
            raise TypeError(f"Expected bool for argument '{argument}' not {value!r}.")
    x = as_tensor(tensor)
    if x._value.dtype.kind != "f":
        refuse_kind("Svd", x._value, "f")
    if x._value.ndim < 2:
        raise InvalidArgumentError(
            f"Input tensor 0 must have rank >= 2, got {x._value.ndim} [Op:Svd]"
        )
    return _svd(x, compute_uv=compute_uv, full_matrices=full_matrices)
