"""Layer 3: the geometry that convolution and pooling share.

One idea: a window slides over the padded image, along one axis at a time. What each of its elements
sees at all places is a view that copies nothing, and going back is adding it up where it came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.ops import padding
from autodiff_kit.structures import is_nested

Ints = tuple[int, ...]
Pads = tuple[tuple[int, int], ...]


def per_axis(what: str, value: Any, n: int, op_type: str) -> Ints:
    """One number for each of the ``n`` axes of the image, from a number or from 1, n or n+2 numbers."""
    if type(value) is int and value > 0:
        return (value,) * n
    given = [1] if value is None else _numbers(what, value, "one number, or one for each axis")
    if len(given) not in (1, n, n + 2):
        raise ValueError(
            f"{what} should be of length 1, {n} or {n + 2}. Received: {what}={value} of length "
            f"{len(given)}"
        )
    if len(given) == n + 2:
        if given[0] != 1 or given[-1] != 1:
            raise InvalidArgumentError(
                f"Current implementation does not yet support {what} in the batch and depth "
                f"dimensions. [Op:{op_type}]; they must be 1, got {given}"
            )
        given = given[1:-1]
    if min(given) < 1:
        raise InvalidArgumentError(f"{what} should be larger than 0, got {given} [Op:{op_type}]")
    return tuple(given * n if len(given) == 1 else given)


def _numbers(what: str, value: Any, wanted: str) -> list[int]:
    try:
        return [int(v) for v in np.atleast_1d(np.asarray(value))]
    except (TypeError, ValueError):
        raise TypeError(
            f"Expected int for argument {what!r} not {value!r}: give {wanted}"
        ) from None


_LAST = {1: ("NWC", "NHWC"), 2: ("NHWC",), 3: ("NDHWC",)}


def refuse_format(data_format: Any, n: int, op_type: str) -> None:
    """Raise unless the channels are said to be last."""
    last = _LAST.get(n, ())
    if data_format is not None and data_format not in last:
        raise InvalidArgumentError(
            f"The {op_type} op currently only supports the {last[0] if last else 'N...C'} tensor "
            f"format on the CPU. The op was given the format: {data_format} [Op:{op_type}]; transpose "
            "the input"
        )


def pads_of(
    padding: Any, sizes: Ints, window: Ints, strides: Ints, dilations: Ints, op_type: str
) -> Pads:
    """How much is added before and behind along each axis of the image, where the window fits."""
    find = _usual_pads if type(padding) is str else _checked_pads  # no list is a key
    return find(padding, sizes, window, strides, dilations, op_type)


def _checked_pads(
    padding: Any, sizes: Ints, window: Ints, strides: Ints, dilations: Ints, op_type: str
) -> Pads:
    pads = _padding_of(padding, sizes, window, strides, dilations, op_type)
    _refuse_too_large(sizes, window, strides, dilations, pads, op_type)
    return pads


_usual_pads = lru_cache(1000)(_checked_pads)  # a network asks for the same again and again


def _padding_of(
    padding: Any, sizes: Ints, window: Ints, strides: Ints, dilations: Ints, op_type: str
) -> Pads:
    extents = [(k - 1) * d + 1 for k, d in zip(window, dilations, strict=True)]
    if isinstance(padding, str):
        if padding not in ("SAME", "VALID"):
            raise InvalidArgumentError(
                f"Value for attr 'padding' of \"{padding}\" is not in the list of allowed values: "
                f'"SAME", "VALID", "EXPLICIT" [Op:{op_type}]; explicit padding is a list of pairs'
            )
        if padding == "VALID":
            return ((0, 0),) * len(sizes)
        totals = [
            max((-(-size // stride) - 1) * stride + extent - size, 0)
            for size, stride, extent in zip(sizes, strides, extents, strict=True)
        ]
        return tuple((total // 2, total - total // 2) for total in totals)
    pairs = _pairs(padding)
    if len(pairs) != len(sizes) + 2 or pairs[0] != (0, 0) or pairs[-1] != (0, 0):
        raise InvalidArgumentError(
            "Nonzero explicit padding in the batch or depth dimensions is not supported; give a pair "
            f"for each of the {len(sizes) + 2} dimensions, got {padding} [Op:{op_type}]"
        )
    return tuple(pairs[1:-1])


def _pairs(padding: Any) -> list[tuple[int, int]]:
    """Explicit padding as pairs of numbers."""
    if not is_nested(padding) and not isinstance(padding, np.ndarray):
        raise TypeError(
            f'Expected string for argument \'padding\' not {padding!r}: give "VALID", "SAME" or a '
            "list of pairs"
        )
    parts = [_numbers("padding", part, "a pair of numbers for each axis") for part in padding]
    for number, part in enumerate(parts):
        if len(part) != 2:
            raise ValueError(
                "When `padding` is a list, each element of `padding` must be a list/tuple of size 2. "
                f"Received: padding={padding} with element at index {number} of size {len(part)}"
            )
        if min(part) < 0:
            raise InvalidArgumentError(
                f"All elements of explicit_paddings must be nonnegative, got {padding}"
            )
    return [(before, behind) for before, behind in parts]


def _refuse_too_large(
    sizes: Ints, window: Ints, strides: Ints, dilations: Ints, pads: Pads, op_type: str
) -> None:
    """Raise TensorFlow's error for a window that is larger than the image by more than a stride."""
    for size, k, s, d, pad in zip(sizes, window, strides, dilations, pads, strict=True):
        extent, whole = (k - 1) * d + 1, size + sum(pad)
        if whole - extent + s < 0:
            raise InvalidArgumentError(
                f"Computed output size would be negative: {(whole - extent + s) // s} [input_size: "
                f"{size}, effective_filter_size: {extent}, stride: {s}] [Op:{op_type}]"
            )


def padded(x: Any, pads: Pads, value: Any = 0) -> Any:
    """The image with a margin."""
    if not any(map(any, pads)):
        return x
    return padding.bordered(x, value, ((0, 0), *pads, (0, 0)))


def inside(whole: Any, pads: Pads) -> Any:
    """A padded image without its margin."""
    if not any(map(any, pads)):
        return whole
    return padding.inside(whole, ((0, 0), *pads, (0, 0)))


def along(x: Any, axis: int, window: int, stride: int, dilation: int = 1) -> list[Any]:
    """For each element of a window along one axis a view: what it sees at all places."""
    return [x[key] for key in _keys(axis, x.shape[axis], window, stride, dilation)]


@lru_cache(1000)
def _keys(axis: int, size: int, window: int, stride: int, dilation: int) -> tuple[Any, ...]:
    """How `along` cuts; a network cuts in the same way again and again."""
    count = max((size - (window - 1) * dilation - 1) // stride + 1, 0)
    reach = (count - 1) * stride + 1 if count else 0
    before = (slice(None),) * axis
    starts = range(0, window * dilation, dilation)
    return tuple([(*before, slice(start, start + reach, stride)) for start in starts])


def put_back(
    dy: Any, weights: Iterable[Any], shape: Ints, axis: int, window: int, stride: int,
    finite: bool = True,
) -> Any:  # fmt: skip
    """The way back of `along`: zeros of ``shape``, to which ``dy`` is added where each element of the
    window was and its weights are True; None stands for True everywhere. Where ``dy`` is not all
    ``finite``, 0 times it may be nan.
    """
    whole = np.zeros(shape, dy.dtype)
    for place, weight in zip(along(whole, axis, window, stride), weights, strict=True):
        if weight is not None and not finite:
            place += np.where(weight, dy, dy.dtype.type(0))
        elif stride < window:
            place += dy if weight is None else dy * weight
        elif weight is None:  # no two windows share a place: nothing is there yet
            place[...] = dy
        else:
            np.multiply(dy, weight, out=place)
    return whole
