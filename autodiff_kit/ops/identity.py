"""Layer 3: the value as it is, with and without a way back.

One idea: what passes a value on need not pass a gradient back.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.define import unary
from autodiff_kit.tensor import Tensor

__all__ = ["identity", "stop_gradient"]


def _same(x: Any) -> Any:
    return x


_identity = unary("Identity", "identity", _same, lambda dy, _x, _y: dy, kinds="biuf")


def identity(input: Any, name: str | None = None) -> Tensor:
    """The same value as a new tensor; the gradient passes unchanged.

    Args:
      input: any tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype, which is a step of its own on every tape.

    Source: https://www.tensorflow.org/api_docs/python/tf/identity

    >>> import autodiff_kit as ad
    >>> ad.identity(3.0)
    <Tensor: shape=(), dtype=float32, numpy=3.0>
    """
    return _identity(input)


_stop_gradient = unary("StopGradient", "stop_gradient", _same, kinds="biuf")


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """The same value, taken as a constant: no gradient flows through it.

    Args:
      input: any tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/stop_gradient

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(3.0)
    >>> with ad.GradientTape() as tape:
    ...     y = x * ad.stop_gradient(x)
    >>> tape.gradient(y, x)
    <Tensor: shape=(), dtype=float32, numpy=3.0>
    """
    return _stop_gradient(input)
