"""Layer 3: the activation functions of neural networks.

One idea: where TensorFlow has an operation of its own for a function's gradient, so has the kit; that
is why the second derivative of relu is 0.0 and not None.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.define import binary, unary
from autodiff_kit.operation import xp
from autodiff_kit.tensor import Tensor

__all__ = ["relu"]


def _positive_part(x: Any) -> Any:
    zero = x.dtype.type(0)
    if x.shape:
        return np.maximum(x, zero)
    return zero if x <= zero else x


relu_grad = binary(
    "ReluGrad",
    "relu_grad",
    lambda dy, y: dy * (y > 0),
    lambda ddx, _dy, y, _dx: xp.relu_grad(ddx, y),
    lambda ddx, _dy, y, _dx: xp.zeros_like(y),
)

_relu = unary(
    "Relu", "relu", _positive_part, lambda dy, _x, y: xp.relu_grad(dy, y), kinds="iuf"
)


def relu(features: Any, name: str | None = None) -> Tensor:
    """The positive part, ``max(x, 0)``; its derivative at 0 is 0.

    Args:
      features: a numeric tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      InvalidArgumentError: for a bool tensor.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/relu

    >>> import autodiff_kit as ad
    >>> ad.nn.relu([-1.0, 2.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([0., 2.], dtype=float32)>
    """
    return _relu(features)
