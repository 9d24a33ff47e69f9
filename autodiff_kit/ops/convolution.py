"""Layer 3: convolution of images and of series.

One idea: a convolution is linear in the image and linear in the filter, so its gradients are two more
such products, and each of the three is made of the other two when it is differentiated again.
"""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, refuse_dtypes, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.windows import (
    along,
    inside,
    padded,
    pads_of,
    per_axis,
    refuse_format,
)
from autodiff_kit.tensor import Tensor

__all__ = ["conv1d", "conv2d"]

# The way back to the image at stride 1 is itself a convolution, of `dy`. It is up to three times as
# fast as to add up products, as long as `dy` has not many times the channels of the image.
_DEEPER = 4


def _views(x: Any, window: Any, strides: Any, dilations: Any) -> list[Any]:
    """For each element of the window a view: what it sees at all places."""
    views = [x]
    for step in zip(range(1, len(window) + 1), window, strides, dilations, strict=True):
        views = [part for view in views for part in along(view, *step)]
    return views


def _seen(x: Any, window: Any, strides: Any, pads: Any, dilations: Any) -> list[Any]:
    """For each row of the window what it sees at all places: (batch, places..., row * channels).

    Only along the last axis is what a window sees laid out in memory, once for all rows of the
    window; a copy for each place of the whole window takes three times the memory and the time.
    """
    last = along(padded(x, pads), len(window), window[-1], strides[-1], dilations[-1])
    return _views(np.concatenate(last, -1), window[:-1], strides[:-1], dilations[:-1])


def _as_matrices(x: Any) -> Any:
    """One matrix for each image: (batch, places, channels)."""
    return x.reshape(x.shape[0], math.prod(x.shape[1:-1]), x.shape[-1])


def _conv_kernel(x: Any, w: Any, strides: Any, pads: Any, dilations: Any) -> Any:
    *window, depth, filters = w.shape
    seen = _seen(x, window, strides, pads, dilations)
    rows = w.reshape(len(seen), window[-1] * depth, filters)
    products = (_as_matrices(part) @ row for part, row in zip(seen, rows, strict=True))
    return reduce(operator.iadd, products).reshape(*seen[0].shape[:-1], filters)


def _turned_round(w: Any, pads: Any, dilations: Any) -> tuple[Any, Any]:
    """The filter that leads back from each place to what was seen there, and the margin it needs."""
    n = len(pads)
    reach = [(k - 1) * d for k, d in zip(w.shape[:n], dilations, strict=True)]
    margin = tuple([(r - a, r - b) for r, (a, b) in zip(reach, pads, strict=True)])
    return w[(slice(None, None, -1),) * n].swapaxes(-1, -2), margin


def _input_kernel(dy: Any, w: Any, strides: Any, pads: Any, dilations: Any, shape: Any) -> Any:
    n = len(strides)
    if max(strides) == 1 and dy.shape[-1] <= _DEEPER * shape[-1]:
        turned, margin = _turned_round(w, pads, dilations)
        if min(map(min, margin)) >= 0:
            return _conv_kernel(dy, turned, strides, margin, dilations)
    sizes = [size + sum(pad) for size, pad in zip(shape[1:-1], pads, strict=True)]
    whole = np.zeros((shape[0], *sizes, shape[-1]), dy.dtype)
    places = _views(whole, w.shape[:n], strides, dilations)
    filters = w.reshape(len(places), *w.shape[n:])
    dys = _as_matrices(dy)
    for place, matrix in zip(places, filters, strict=True):
        place += (dys @ matrix.T).reshape(place.shape)
    return inside(whole, pads)


def _filter_kernel(x: Any, dy: Any, strides: Any, pads: Any, dilations: Any, window: Any) -> Any:
    seen, dys = _seen(x, window, strides, pads, dilations), _as_matrices(dy)
    rows = [np.add.reduce(_as_matrices(part).swapaxes(1, 2) @ dys, axis=0) for part in seen]
    return np.array(rows).reshape(*window, x.shape[-1], dy.shape[-1])


def _window(shapes: Any, which: int, strides: Any) -> Any:
    return shapes[which][: len(strides)]


# In each rule `how` is where the windows are: strides, pads, dilations.
_conv = operation(
    "Conv2D",
    "conv2d",
    _conv_kernel,
    lambda dy, _x, w, _y, shapes, **how: xp.conv2d_input(dy, w, shape=shapes[0], **how),
    lambda dy, x, _w, _y, shapes, strides, **how: xp.conv2d_filter(
        x, dy, window=_window(shapes, 1, strides), strides=strides, **how
    ),
)
operation(
    "Conv2DBackpropInput",
    "conv2d_input",
    _input_kernel,
    lambda ddx, _dy, w, _dx, shape, shapes, **how: xp.conv2d(ddx, w, **how),
    lambda ddx, dy, _w, _dx, shape, shapes, strides, **how: xp.conv2d_filter(
        ddx, dy, window=_window(shapes, 1, strides), strides=strides, **how
    ),
)
operation(
    "Conv2DBackpropFilter",
    "conv2d_filter",
    _filter_kernel,
    lambda ddw, _x, dy, _dw, window, shapes, **how: xp.conv2d_input(
        dy, ddw, shape=shapes[0], **how
    ),
    lambda ddw, x, _dy, _dw, window, shapes, **how: xp.conv2d(x, ddw, **how),
)


def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Slides filters over images and takes the sum of products at each place.

    Args:
      input: a floating tensor of shape (..., height, width, channels).
      filters: a tensor of shape (height, width, channels, number of filters) and the same dtype.
      strides: how far the window moves at each step, one number or two.
      padding: ``"VALID"``: only where the window fits; ``"SAME"``: with zeros around, so that stride 1
        keeps the size; or pairs of numbers of zeros ``[[0, 0], [top, bottom], [left, right], [0, 0]]``.
      data_format: only "NHWC", as TensorFlow on a CPU.
      dilations: the distance between the elements of the window, one number or two.
      name: ignored.

    Returns:
      A tensor of shape (..., new height, new width, number of filters).

    Raises:
      InvalidArgumentError: for ranks, channels or dtypes that do not fit, and for unknown padding.
      ValueError: for a wrong number of strides or dilations.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv2d

    >>> import autodiff_kit as ad
    >>> image = ad.constant([[1.0, 2.0], [3.0, 4.0]], shape=[1, 2, 2, 1])
    >>> filters = ad.constant([[1.0, 1.0]], shape=[1, 2, 1, 1])
    >>> ad.nn.conv2d(image, filters, strides=1, padding="VALID").numpy().ravel()
    array([3., 7.], dtype=float32)
    """
    return _convolution(2, input, filters, strides, padding, data_format, dilations)


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Slides filters over series and takes the sum of products at each place.

    Args:
      input: a floating tensor of shape (..., width, channels).
      filters: a tensor of shape (width, channels, number of filters).
      stride, padding, dilations: as in `ad.nn.conv2d`, for one axis.
      data_format: only "NWC".
      name: ignored.

    Returns:
      A tensor of shape (..., new width, number of filters).

    Raises:
      InvalidArgumentError, ValueError: as `ad.nn.conv2d`.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/conv1d

    >>> import autodiff_kit as ad
    >>> series = ad.constant([1.0, 2.0, 4.0], shape=[1, 3, 1])
    >>> filters = ad.constant([-1.0, 1.0], shape=[2, 1, 1])
    >>> ad.nn.conv1d(series, filters, stride=1, padding="VALID").numpy().ravel()
    array([1., 2.], dtype=float32)
    """
    return _convolution(1, input, filters, stride, padding, data_format, dilations)


def _convolution(
    n: int, input: Any, filters: Any, strides: Any, padding: Any, data_format: Any, dilations: Any
) -> Tensor:
    x, w = _operands(n, input, filters)
    refuse_format(data_format, n, "Conv2D")
    steps = per_axis("strides", strides, n, "Conv2D")
    holes = per_axis("dilations", 1 if dilations is None else dilations, n, "Conv2D")
    *batch, depth = x._value.shape[: -n - 1] + x._value.shape[-1:]
    sizes, window = x._value.shape[-n - 1 : -1], w._value.shape[:n]
    pads = pads_of(padding, sizes, window, steps, holes, "Conv2D")
    if len(batch) == 1:
        return _conv(x, w, strides=steps, pads=pads, dilations=holes)
    flat = xp.reshape(x, shape=(int(np.prod(batch)), *sizes, depth))
    y = _conv(flat, w, strides=steps, pads=pads, dilations=holes)
    return xp.reshape(y, shape=(*batch, *y._value.shape[1:]))


def _operands(n: int, input: Any, filters: Any) -> tuple[Tensor, Tensor]:
    x = as_tensor(input)
    w = as_tensor(filters)
    a, b = x._value, w._value
    if a.dtype != b.dtype:
        refuse_dtypes("Conv2D", [a, b])
    if a.dtype.kind != "f":
        refuse_kind("Conv2D", a, "f")
    for what, value, least in (("input", a, a.ndim >= n + 2), ("filter", b, b.ndim == n + 2)):
        if not least:
            shape = str(list(value.shape)).replace(" ", "")
            raise InvalidArgumentError(
                f"convolution {what} must be {n + 2}-dimensional: {shape} [Op:Conv2D]"
            )
    if a.shape[-1] != b.shape[n]:
        raise InvalidArgumentError(
            f"input depth must be evenly divisible by filter depth: {a.shape[-1]} vs {b.shape[n]} "
            "[Op:Conv2D]; the kit has no groups, so they must be equal"
        )
    return x, w
