"""Layer 3: activation functions without a kink, made of other functions.

One idea: what is made of operations that have rules needs no rule of its own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.namespace import xp
from autodiff_kit.tensor import Tensor

__all__ = ["gelu", "silu", "swish"]

# TensorFlow makes float32 of these two before all else, also for float64.
_COEFFICIENT, _SLOPE = float(np.float32(0.044715)), float(np.float32(math.sqrt(0.5)))


def silu(features: Any, beta: float = 1.0) -> Tensor:
    """``x * sigmoid(beta * x)``, also called swish (Ramachandran, 2017).

    Args:
      features: a floating tensor.
      beta: the steepness.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      InvalidArgumentError: for integers.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/silu

    >>> import autodiff_kit as ad
    >>> ad.nn.silu(0.0)
    <Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    x = as_tensor(features)
    return x * xp.sigmoid(x if type(beta) is float and beta == 1.0 else x * beta)


swish = silu


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """``x * P(X <= x)`` for a standard normal X (Hendrycks, 2016).

    Args:
      features: a floating tensor.
      approximate: whether to use tanh in place of the error function.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: for integers.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/gelu

    >>> import autodiff_kit as ad
    >>> ad.nn.gelu([0.0, 10.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([ 0., 10.], dtype=float32)>
    """
    x = as_tensor(features)
    if x._value.dtype.kind != "f":
        raise ValueError(
            f"`features.dtype` must be a floating point tensor.Received:features.dtype={x.dtype!s}"
        )
    if approximate:
        cubic = x + _COEFFICIENT * (xp.square(x) * x)
        return 0.5 * x * (1.0 + xp.tanh(math.sqrt(2 / math.pi) * cubic))
    return 0.5 * x * xp.erfc(-x * _SLOPE)
