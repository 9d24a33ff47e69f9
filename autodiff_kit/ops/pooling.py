"""Layer 3: pooling, one number for each window.

One idea: what is computed and how gradients come back is in `boxes`; here stands what a caller may ask
for, and what is refused.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.convert import as_tensor, refuse_kind
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.ops.boxes import largest_of, mean_of
from autodiff_kit.ops.windows import Ints, Pads, pads_of, per_axis, refuse_format
from autodiff_kit.tensor import Tensor

__all__ = [
    "avg_pool", "avg_pool1d", "avg_pool2d", "max_pool", "max_pool1d", "max_pool2d",
]  # fmt: skip


def _pool(
    op: Any, n: int, input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any
) -> Tensor:
    x = as_tensor(input)
    kinds = "f" if op is mean_of else "iuf"
    op_type = op.op.type
    if x._value.dtype.kind not in kinds:
        refuse_kind(op_type, x._value, kinds)
    if x._value.ndim != n + 2 or n < 1:
        raise InvalidArgumentError(
            f"tensor_in must be {max(n, 1) + 2}-dimensional, (batch, ..., channels), got shape "
            f"{list(x._value.shape)} [Op:{op_type}]"
        )
    refuse_format(data_format, n, op_type)
    if op_type == "AvgPool" and not isinstance(padding, str):
        raise InvalidArgumentError(
            f"Value for attr 'padding' of {padding} is not in the list of allowed values: "
            '"SAME", "VALID" [Op:AvgPool]; pad the input with ad.pad'
        )
    window = per_axis("ksize", ksize, n, op_type)
    steps = per_axis("strides", strides, n, op_type)
    sizes, ones = x._value.shape[1:-1], (1,) * n
    pads = pads_of(padding, sizes, window, steps, ones, op_type)
    if not isinstance(padding, str):
        _refuse_only_padding(pads, window, op_type)
    return op(x, window=window, strides=steps, pads=pads)


def _refuse_only_padding(pads: Pads, window: Ints, op_type: str) -> None:
    """A window that sees nothing but padding has no largest element."""
    for axis, (pair, size) in enumerate(zip(pads, window, strict=True)):
        if max(pair) >= size:
            raise InvalidArgumentError(
                f"The padding {pair} of axis {axis + 1} needs to be smaller than the window size "
                f"{size} [Op:{op_type}]"
            )


def max_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The largest element of each window.

    Args:
      input: a numeric tensor of shape (batch, ..., channels) with any number of axes between.
      ksize: the size of the window, one number or one for each axis between.
      strides: how far the window moves at each step, likewise.
      padding: ``"VALID"``, ``"SAME"`` or pairs, as in `ad.nn.conv2d`.
      data_format: only "NWC", "NHWC" and "NDHWC", for one, two and three axes between: channels last.
      name: ignored.

    Returns:
      A tensor of the same rank and dtype.

    Raises:
      InvalidArgumentError: for a wrong rank, unknown padding or another format.
      ValueError: for a wrong number of sizes or strides.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/max_pool

    >>> import autodiff_kit as ad
    >>> series = ad.constant([1.0, 3.0, 2.0, 0.0], shape=[1, 4, 1])
    >>> ad.nn.max_pool(series, 2, 2, "VALID").numpy().ravel()
    array([3., 2.], dtype=float32)
    """
    return _pool(
        largest_of, as_tensor(input)._value.ndim - 2, input, ksize, strides, padding, data_format
    )


def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """`max_pool` of series, tensors of shape (batch, width, channels).

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/max_pool1d

    >>> import autodiff_kit as ad
    >>> ad.nn.max_pool1d(ad.constant([1.0, 3.0, 2.0], shape=[1, 3, 1]), 2, 1, "VALID").numpy().ravel()
    array([3., 3.], dtype=float32)
    """
    return _pool(largest_of, 1, input, ksize, strides, padding, data_format)


def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """`max_pool` of images, tensors of shape (batch, height, width, channels).

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/max_pool2d

    >>> import autodiff_kit as ad
    >>> image = ad.constant([[1.0, 2.0], [3.0, 4.0]], shape=[1, 2, 2, 1])
    >>> ad.nn.max_pool2d(image, 2, 1, "VALID").numpy().ravel()
    array([4.], dtype=float32)
    """
    return _pool(largest_of, 2, input, ksize, strides, padding, data_format)


def avg_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The mean of each window; padding, which is "SAME" or "VALID", does not count.

    Arguments, result and errors are those of `ad.nn.max_pool`, for a floating tensor.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/avg_pool

    >>> import autodiff_kit as ad
    >>> series = ad.constant([1.0, 3.0, 2.0, 0.0], shape=[1, 4, 1])
    >>> ad.nn.avg_pool(series, 2, 2, "VALID").numpy().ravel()
    array([2., 1.], dtype=float32)
    """
    return _pool(
        mean_of, as_tensor(input)._value.ndim - 2, input, ksize, strides, padding, data_format
    )


def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """`avg_pool` of series, tensors of shape (batch, width, channels).

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/avg_pool1d

    >>> import autodiff_kit as ad
    >>> ad.nn.avg_pool1d(ad.constant([1.0, 3.0], shape=[1, 2, 1]), 2, 1, "VALID").numpy().ravel()
    array([2.], dtype=float32)
    """
    return _pool(mean_of, 1, input, ksize, strides, padding, data_format)


def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """`avg_pool` of images, tensors of shape (batch, height, width, channels).

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/avg_pool2d

    >>> import autodiff_kit as ad
    >>> image = ad.constant([[1.0, 2.0], [3.0, 4.0]], shape=[1, 2, 2, 1])
    >>> ad.nn.avg_pool2d(image, 2, 1, "VALID").numpy().ravel()
    array([2.5], dtype=float32)
    """
    return _pool(mean_of, 2, input, ksize, strides, padding, data_format)
