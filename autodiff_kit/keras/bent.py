"""Layer 4: what Keras' `relu` can be besides: a line with another bend, another slope, and an end.

One idea: it is put together of the same pieces as in Keras, so that the gradients agree at the bends.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nn
from autodiff_kit.convert import as_tensor, operand
from autodiff_kit.ops.extremes import clip_by_value
from autodiff_kit.ops.select import where
from autodiff_kit.tensor import Tensor


def bent(x: Any, negative_slope: float, max_value: float | None, threshold: float) -> Tensor:
    """A rectified line with these slopes and ends.

    >>> from autodiff_kit import constant
    >>> bent(constant([-2.0, 0.5, 2.0, 9.0]), 0.5, 6.0, 1.0).numpy()
    array([-1.5 , -0.25,  2.  ,  6.  ], dtype=float32)
    """
    x = as_tensor(x)
    if negative_slope and max_value is None and not threshold:
        return nn.leaky_relu(x, negative_slope)
    y = _above(x, threshold)
    if max_value == 6 and not threshold:
        y = nn.relu6(x)
    elif max_value is not None:
        y = clip_by_value(y, operand(0.0, x.dtype), operand(max_value, x.dtype))
    return y - negative_slope * nn.relu(threshold - x) if negative_slope else y


def _above(x: Tensor, threshold: float) -> Tensor:
    """The numbers above the threshold, and 0 elsewhere."""
    if not threshold:
        return nn.relu(x)
    return where(x > operand(threshold, x.dtype), x, operand(0.0, x.dtype))
