"""Layer 3: diagonals and bands of matrices.

One idea: a table says where in the matrix each element of the diagonals stands; reading, writing and
replacing diagonals only look up that table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, operand, refuse_dtypes
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.integers import integer, integer_array, listed
from autodiff_kit.ops.padding import filling
from autodiff_kit.tensor import Tensor, tensor_of

__all__: list[str] = []

Band = tuple[int, int]


@lru_cache(maxsize=64)
def _table(rows: int, columns: int, band: Band, align: str) -> Any:
    """For each diagonal, the uppermost first, rows and columns of its elements, and which exist."""
    low, high = band
    length = min(rows + min(high, 0), columns - max(low, 0))
    above, below = align.split("_")
    k = np.arange(high, low - 1, -1)[:, None]
    count = np.minimum(rows + np.minimum(k, 0), columns - np.maximum(k, 0))
    to_the_right = np.where(k >= 0, above == "RIGHT", below == "RIGHT")
    n = np.arange(length) - np.where(to_the_right, length - count, 0)
    exists = (n >= 0) & (n < count)
    n = np.where(exists, n, 0)
    return np.maximum(-k, 0) + n, np.maximum(k, 0) + n, exists


def _flat(diagonals: Any, band: Band) -> Any:
    """One diagonal alone has no axis of its own."""
    return diagonals[..., 0, :] if band[0] == band[1] else diagonals


def _deep(diagonals: Any, band: Band) -> Any:
    return diagonals[..., None, :] if band[0] == band[1] else diagonals


def _read(x: Any, padding: Any, band: Band, align: str) -> Any:
    row, column, exists = _table(*x.shape[-2:], band, align)
    return _flat(np.where(exists, x[..., row, column], padding), band)


def _written(matrix: Any, diagonals: Any, band: Band, align: str) -> Any:
    """The matrix itself, with the diagonals written into it."""
    row, column, exists = _table(*matrix.shape[-2:], band, align)
    matrix[..., row[exists], column[exists]] = _deep(diagonals, band)[..., exists]
    return matrix


def _replaced(x: Any, diagonals: Any, band: Band, align: str) -> Any:
    return _written(np.array(x), diagonals, band, align)


def _made(diagonals: Any, padding: Any, band: Band, align: str, size: tuple[int, int]) -> Any:
    batch = _deep(diagonals, band).shape[:-2]
    return _written(np.full((*batch, *size), padding, diagonals.dtype), diagonals, band, align)


def _zero(like: Any) -> Any:
    """The padding of a gradient."""
    return tensor_of(like._value.dtype.type(0)) if type(like) is Tensor else like.dtype.type(0)


def _read_rule(dy: Any, _x: Any, _p: Any, _y: Any, band: Band, align: str, shapes: Any) -> Any:
    return xp.diag(dy, _zero(dy), band=band, align=align, size=shapes[0][-2:])


def _made_rule(
    dy: Any, _d: Any, _p: Any, _y: Any, band: Band, align: str, size: tuple[int, int]
) -> Any:
    return xp.diag_part(dy, _zero(dy), band=band, align=align)


def _around_rule(dy: Any, _x: Any, _d: Any, _y: Any, band: Band, align: str, shapes: Any) -> Any:
    kind = (dy._value if type(dy) is Tensor else dy).dtype
    zeros = np.zeros(shapes[1], kind)
    return xp.set_diag(
        dy, tensor_of(zeros) if type(dy) is Tensor else zeros, band=band, align=align
    )


def _replacing_rule(dy: Any, _x: Any, _d: Any, _y: Any, band: Band, align: str, shapes: Any) -> Any:
    return xp.diag_part(dy, _zero(dy), band=band, align=align)


_diag_part = operation("MatrixDiagPartV3", "diag_part", _read, _read_rule, no_gradient)
_diag = operation("MatrixDiagV3", "diag", _made, _made_rule, no_gradient)
_set_diag = operation("MatrixSetDiagV3", "set_diag", _replaced, _around_rule, _replacing_rule)


def _band(k: Any, op_type: str) -> Band:
    if type(k) is int:
        return k, k
    given = integer_array(k)
    if given.ndim > 1:
        raise InvalidArgumentError(
            "diag_index must be a scalar or vector, received shape: "
            f"{listed(given.shape)} [Op:{op_type}]; give k as one number, or as [lowest, highest]"
        )
    if given.size not in (1, 2):
        raise InvalidArgumentError(
            f"diag_index must have only one or two elements, received {given.size} elements. "
            f"[Op:{op_type}]; give k as one number, or as [lowest, highest]"
        )
    low, high = (int(n) for n in given.reshape(-1)[[0, -1]])
    if low > high:
        raise InvalidArgumentError(
            "lower_diag_index must not be larger than upper_diag_index: "
            f"{low} > {high} [Op:{op_type}]"
        )
    return low, high


def matrix_shape(x: Tensor, op_type: str, band: Band = (0, 0)) -> tuple[int, ...]:
    """The shape of a matrix or a stack of them, in which the band lies."""
    shape = x._value.shape
    if len(shape) < 2:
        raise InvalidArgumentError(
            f"input must be at least 2-dim, received shape: {listed(shape)} [Op:{op_type}]"
        )
    for name, k in (("lower", band[0]), ("upper", band[1])):
        if not (-shape[-2] < k < shape[-1] or k == 0):
            raise InvalidArgumentError(
                f"{name}_diag_index is out of bound: {k}. It must be between {-shape[-2]} and "
                f"{shape[-1]} [Op:{op_type}]"
            )
    return shape


def diag_part(
    input: Any,
    name: str | None = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """One diagonal of a matrix, or a band of them, or of each matrix in a stack.

    Args:
      input: a tensor of shape ``(..., m, n)``.
      name: ignored.
      k: which diagonal: 0 the main one, positive above it; or a pair, the lowest and the highest.
      padding_value: what fills up shorter diagonals.
      align: on which side longer and shorter diagonals above and below the main one are aligned, for
        example ``"RIGHT_LEFT"``.

    Returns:
      A tensor of shape ``(..., length)``, or ``(..., number, length)`` for a band, the highest first.

    Raises:
      InvalidArgumentError: for a diagonal that the matrix has not, or a tensor that is not a matrix.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/diag_part

    >>> import autodiff_kit as ad
    >>> ad.linalg.diag_part([[1.0, 2.0], [3.0, 4.0]])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 4.], dtype=float32)>
    """
    x, band = as_tensor(input), _band(k, "MatrixDiagPartV3")
    matrix_shape(x, "MatrixDiagPartV3", band)
    return _diag_part(x, _padding(padding_value, x, "MatrixDiagPartV3"), band=band, align=align)


def diag(
    diagonal: Any,
    name: str | None = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """A matrix with the given diagonal, or band of diagonals, or a stack of such matrices.

    Args:
      diagonal: a tensor of shape ``(..., length)``, or ``(..., number, length)`` for a band.
      name: ignored.
      k: which diagonal, or a pair, as in `diag_part`.
      num_rows, num_cols: the size of the matrix; the smallest possible if not given.
      padding_value: what stands elsewhere.
      align: as in `diag_part`.

    Returns:
      A tensor of shape ``(..., num_rows, num_cols)``.

    Raises:
      InvalidArgumentError: if the diagonals do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/diag

    >>> import autodiff_kit as ad
    >>> ad.linalg.diag([1.0, 2.0]).numpy().tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    x, band = as_tensor(diagonal), _band(k, "MatrixDiagV3")
    shape, number = x._value.shape, band[1] - band[0] + 1
    if not shape:
        raise InvalidArgumentError(
            f"diagonal must be at least 1-dim, received shape: {listed(shape)} [Op:MatrixDiagV3]"
        )
    if number > 1 and (len(shape) < 2 or shape[-2] != number):
        raise InvalidArgumentError(
            "The number of diagonals provided in the input does not match the lower_diag_index and "
            f"upper_diag_index range: {listed(shape)} for {number} diagonals [Op:MatrixDiagV3]"
        )
    size = _size(shape[-1], band, integer(num_rows), integer(num_cols))
    padding = _padding(padding_value, x, "MatrixDiagV3")
    return _diag(x, padding, band=band, align=align, size=size)


def _padding(value: Any, x: Tensor, op_type: str) -> Tensor:
    """What fills up, as a tensor; the usual 0 stands for False, too."""
    given = bool(value) if x.dtype.is_bool and type(value) is int else value
    return filling(given, x, op_type, "padding_value")


def _size(length: int, band: Band, rows: int, columns: int) -> tuple[int, int]:
    """The size of the matrix that the longest diagonal of the band has this length in."""
    least = length - min(band[1], 0), length + max(band[0], 0)
    for what, given, needed in (("rows", rows, least[0]), ("columns", columns, least[1])):
        if given != -1 and given < needed:
            raise InvalidArgumentError(f"The number of {what} is too small. [Op:MatrixDiagV3]")
    if rows == columns == -1:
        rows = columns = max(least)
    rows, columns = (n if g == -1 else g for g, n in zip((rows, columns), least, strict=True))
    if rows != least[0] and columns != least[1]:
        raise InvalidArgumentError(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, and "
            "diagonal. [Op:MatrixDiagV3]"
        )
    return rows, columns


def set_diag(
    input: Any,
    diagonal: Any,
    name: str | None = "set_diag",
    k: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """A matrix with another diagonal, or band of diagonals, in place of its own.

    Args:
      input: a tensor of shape ``(..., m, n)``.
      diagonal: what `diag_part` would give.
      name: ignored.
      k, align: as in `diag_part`.

    Returns:
      A tensor of the same shape.

    Raises:
      InvalidArgumentError: if the diagonals do not fit, or the dtypes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/set_diag

    >>> import autodiff_kit as ad
    >>> ad.linalg.set_diag([[1.0, 2.0], [3.0, 4.0]], [8.0, 9.0]).numpy().tolist()
    [[8.0, 2.0], [3.0, 9.0]]
    """
    x, band = as_tensor(input), _band(k, "MatrixSetDiagV3")
    d = operand(diagonal, x.dtype)
    refuse_dtypes("MatrixSetDiagV3", [x._value, d._value])
    shape, number = matrix_shape(x, "MatrixSetDiagV3", band), band[1] - band[0] + 1
    length = min(shape[-2] + min(band[1], 0), shape[-1] - max(band[0], 0))
    expected = (*shape[:-2], *((number,) if number > 1 else ()), length)
    if number > 1 and len(d._value.shape) == len(expected) and d._value.shape[-2] != number:
        raise InvalidArgumentError(
            "The number of diagonals provided in `diag` is not consistent with `lower_diag_index` and "
            "`upper_diag_index` [Op:MatrixSetDiagV3]"
        )
    if d._value.shape != expected:
        raise InvalidArgumentError(
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] "
            "is not equal to the longests diagonal in range [lower_diag_index:upper_diag_index].\n"
            f"Input shape: {listed(shape)}\nDiagonal shape: {listed(d._value.shape)}\n"
            f"Expected diagonal shape: {listed(expected)} [Op:MatrixSetDiagV3]"
        )
    return _set_diag(x, d, band=band, align=align)
