"""Layer 3: rows that belong together, put together: their sum, mean, largest, smallest.

One idea: an id says for each row of the data in which row of the result it goes, so the gradient of
a row of the result is handed out to all that went in there.
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
from autodiff_kit.ops.gathering import add_at
from autodiff_kit.ops.integers import integer_array, listed, refuse_attr
from autodiff_kit.tensor import Tensor, tensor_of

__all__: list[str] = []


def _array(value: Any) -> Any:
    return np.asarray(getattr(value, "_value", value))


def _like(array: Any, dy: Any) -> Any:
    """An array as what a rule computes with: as a tensor, if the gradient is one."""
    return tensor_of(array) if type(dy) is Tensor else array


def _sum(data: Any, ids: Any, n: int) -> Any:
    """Each row of the data added to the row that its id names; a negative id leaves it out."""
    ids, data = np.asarray(ids), np.asarray(data)
    rows = np.zeros((n, *data.shape[ids.ndim :]), data.dtype)
    kept = ids >= 0
    add_at(rows, ids[kept], 0, data[kept])
    return rows


def _counts(ids: Any, n: int, rank: int) -> Any:
    """How many rows each id names, at least 1, as a column that divides sums."""
    named = np.bincount(_array(ids), minlength=n)
    return np.maximum(named, 1).reshape(n, *(1,) * (rank - 1))


def _mean(data: Any, ids: Any, n: int) -> Any:
    total, counts = _sum(data, ids, n), _counts(ids, n, data.ndim)
    if data.dtype.kind == "f":
        return total / counts.astype(data.dtype)
    return (np.sign(total) * (np.abs(total) // counts)).astype(data.dtype)


def _extreme(ufunc: Any, sign: int) -> Callable[..., Any]:
    def kernel(data: Any, ids: Any, n: int) -> Any:
        limits = np.finfo(data.dtype) if data.dtype.kind == "f" else np.iinfo(data.dtype)
        worst = sign * np.inf if data.dtype.kind == "f" else limits.max if sign > 0 else limits.min
        rows = np.full((n, *data.shape[1:]), worst, data.dtype)
        rows[np.bincount(ids, minlength=n) == 0] = 0  # what no id names is 0, as in TensorFlow
        ufunc.at(rows, ids, data)
        return rows

    return kernel


def _handed_out(dy: Any, _data: Any, ids: Any, _y: Any, n: int, shapes: Any) -> Any:
    """The gradient of a row to all that were put in there, and zeros to what was left out."""
    places = _array(ids)
    if not n:
        return _like(np.zeros(shapes[0], dy.dtype.name), dy)
    dx = xp.gather(dy, _like(np.maximum(places, 0), dy), axis=0)
    kept = places >= 0
    if kept.all():
        return dx
    rows = kept.reshape(kept.shape + (1,) * (len(shapes[0]) - kept.ndim))[()]
    return xp.where(_like(rows, dy), dx, xp.zeros_like(dx))


def _shared(dy: Any, data: Any, ids: Any, y: Any, n: int, shapes: Any) -> Any:
    """To the elements that won, in equal parts."""
    x, places = _array(data), _array(ids)
    won = x == _array(y)[places]
    counts = np.maximum(_sum(won.astype(x.dtype), places, n), 1)
    dx = _handed_out(dy / _like(counts, dy), data, ids, y, n, shapes)
    return xp.where(_like(won, dy), dx, xp.zeros_like(dx))


def _mean_rule(dy: Any, data: Any, ids: Any, y: Any, n: int, shapes: Any) -> Any:
    counts = _counts(ids, n, len(shapes[0])).astype(dy.dtype.name)
    return _handed_out(dy / _like(counts, dy), data, ids, y, n, shapes)


_segment_sum = operation("SegmentSum", "segment_sum", _sum, _handed_out, no_gradient)
_segment_mean = operation("SegmentMean", "segment_mean", _mean, _mean_rule, no_gradient)
_segment_max = operation(
    "SegmentMax", "segment_max", _extreme(np.maximum, -1), _shared, no_gradient
)
_segment_min = operation("SegmentMin", "segment_min", _extreme(np.minimum, 1), _shared, no_gradient)
_unsorted_sum = operation(
    "UnsortedSegmentSum", "unsorted_segment_sum", _sum, _handed_out, no_gradient
)


def _given(op_type: str, data: Any, segment_ids: Any, allowed: str) -> tuple[Tensor, Tensor]:
    x, ids = as_tensor(data), as_tensor(segment_ids)
    if x._value.dtype.kind not in "iuf":
        refuse_kind(op_type, x._value, "iuf")
    if ids._value.dtype.name not in allowed.split(", "):
        refuse_attr(op_type, "Tindices", ids._value, allowed)
    return x, ids


def _segments(op: Any, data: Any, segment_ids: Any) -> Tensor:
    """Check what all those with sorted ids take, and run one of them."""
    kind = op_of(op).type
    x, ids = _given(kind, data, segment_ids, "int32, int64")
    shape, numbers = x._value.shape, ids._value
    if not shape:
        raise InvalidArgumentError(f"input must be at least rank 1 [Op:{kind}]")
    if numbers.ndim != 1:
        raise InvalidArgumentError(f"segment_ids should be a vector. [Op:{kind}]")
    if len(numbers) != shape[0]:
        raise InvalidArgumentError(
            f"segment_ids should be the same size as dimension 0 of input. [Op:{kind}]"
        )
    n = int(numbers[-1]) + 1 if len(numbers) else 0
    outside = numbers[(numbers < 0) | (numbers >= n)]
    if len(outside) and outside[0] == numbers[0]:
        raise InvalidArgumentError(
            f"Segment id {outside[0]} out of range [0, {n}), possibly because 'segment_ids' input is "
            f"not sorted. [Op:{kind}]"
        )
    if np.any(np.diff(numbers) < 0):
        raise InvalidArgumentError(
            f"segment ids are not increasing [Op:{kind}]; sort them with their rows, or use "
            "ad.math.unsorted_segment_sum"
        )
    return op(x, ids, n=n)


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sum of the rows with the same id.

    Args:
      data: a numeric tensor of one axis at least.
      segment_ids: for each row the number of the row of the result in which it goes, in ascending
        order.
      name: ignored.

    Returns:
      A tensor with as many rows as the last id says. What no id names is 0.

    Raises:
      InvalidArgumentError: for ids that do not ascend, are negative, or not one for each row.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/segment_sum

    >>> import autodiff_kit as ad
    >>> ad.math.segment_sum([1.0, 2.0, 5.0], [0, 0, 1])
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 5.], dtype=float32)>
    """
    return _segments(_segment_sum, data, segment_ids)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The mean of the rows with the same id.

    Arguments, result and errors are those of `ad.math.segment_sum`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/segment_mean

    >>> import autodiff_kit as ad
    >>> ad.math.segment_mean([1.0, 2.0, 5.0], [0, 0, 1])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1.5, 5. ], dtype=float32)>
    """
    return _segments(_segment_mean, data, segment_ids)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The largest of the rows with the same id, element by element; equal ones share the gradient.

    Arguments, result and errors are those of `ad.math.segment_sum`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/segment_max

    >>> import autodiff_kit as ad
    >>> ad.math.segment_max([1.0, 2.0, 5.0], [0, 0, 1])
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 5.], dtype=float32)>
    """
    return _segments(_segment_max, data, segment_ids)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The smallest of the rows with the same id, element by element; equal ones share the gradient.

    Arguments, result and errors are those of `ad.math.segment_sum`.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/segment_min

    >>> import autodiff_kit as ad
    >>> ad.math.segment_min([1.0, 2.0, 5.0], [0, 0, 1])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1., 5.], dtype=float32)>
    """
    return _segments(_segment_min, data, segment_ids)


def unsorted_segment_sum(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sum of the rows with the same id, in whatever order these come.

    Args:
      data: a numeric tensor.
      segment_ids: an integer tensor whose shape the data's begins with; what has a negative id is left
        out.
      num_segments: how many rows the result has.
      name: ignored.

    Returns:
      A tensor of shape ``[num_segments, ...]``.

    Raises:
      InvalidArgumentError: for an id beyond the rows, or shapes that do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/unsorted_segment_sum

    >>> import autodiff_kit as ad
    >>> ad.math.unsorted_segment_sum([1.0, 2.0, 5.0], [1, 0, 1], 2)
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 6.], dtype=float32)>
    """
    kind = "UnsortedSegmentSum"
    x, ids = _given(kind, data, segment_ids, "int16, int32, int64")
    rows = integer_array(num_segments, kind, "Tnumsegments")
    if rows.shape:
        raise InvalidArgumentError(
            f"num_segments should be a scalar, not shape {listed(rows.shape)} [Op:{kind}]"
        )
    shape, numbers, n = x._value.shape, np.asarray(ids._value), int(rows)
    if shape[: numbers.ndim] != numbers.shape:
        raise InvalidArgumentError(
            f"data.shape = {listed(shape)} does not start with segment_ids.shape = "
            f"{listed(numbers.shape)} [Op:{kind}]"
        )
    if n < 0:
        raise InvalidArgumentError(f"Input num_segments == {n} must not be negative. [Op:{kind}]")
    if np.any(numbers >= n):
        place = np.argwhere(np.atleast_1d(numbers >= n))[0][: numbers.ndim]
        at = listed(place) if len(place) else ""
        raise InvalidArgumentError(
            f"segment_ids{at} = {numbers[tuple(place)]} is out of range [0, {n}) [Op:{kind}]"
        )
    return _unsorted_sum(x, ids, n=n)
