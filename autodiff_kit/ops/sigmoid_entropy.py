"""Layer 3: the cross entropies of independent yes-or-no labels.

One idea: ``log(1 + exp(-abs(x)))`` overflows nowhere, so the loss is written with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import op_of, operation
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted_two
from autodiff_kit.ops.exponential import decay, log1p_of_decay
from autodiff_kit.ops.extremes import largest
from autodiff_kit.tensor import Tensor

__all__ = ["sigmoid_cross_entropy_with_logits", "weighted_cross_entropy_with_logits"]


def _entropy_kernel(x: Any, labels: Any, small: Any = None) -> Any:
    return _entropies(x, labels, decay(x))


def _entropies(x: Any, labels: Any, small: Any) -> Any:
    return largest(x, x.dtype.type(0)) - x * labels + log1p_of_decay(small)


def _logits_rule(dy: Any, x: Any, labels: Any, _y: Any, small: Any = None) -> Any:
    """dy * (sigmoid(x) - labels)"""
    # A sigmoid near 1 would leave no digits beside a label of 1, so the small part comes last.
    if small is not None and type(dy) is not Tensor and type(x) is not Tensor:
        slope = ~np.signbit(x) - labels
        slope = slope - np.copysign(small / (1.0 + small), x)
        return dy * slope
    positive = x >= 0
    small = xp.exp(xp.where(positive, -x, x))
    tail = small / (1.0 + small)
    return dy * xp.where(positive, 1.0 - labels - tail, tail - labels)


_ENTROPY = op_of(
    operation(
        "SigmoidCrossEntropyWithLogits",
        "sigmoid_cross_entropy",
        _entropy_kernel,
        _logits_rule,
        lambda dy, x, _labels, _y, small=None: -dy * x,
        elementwise=True,
    )
)


def sigmoid_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """The cross entropy between labels and the sigmoid of logits, for each element.

    Args:
      labels: the probabilities, of the shape and dtype of ``logits``: ``[0.0, 1.0]``, not ``[0, 1]``.
      logits: a floating tensor.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if the shapes differ.
      InvalidArgumentError: if the dtypes differ; use `ad.cast`.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/sigmoid_cross_entropy_with_logits

    >>> import autodiff_kit as ad
    >>> ad.nn.sigmoid_cross_entropy_with_logits(labels=[0.0, 1.0], logits=[1000.0, 1000.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([1000.,    0.], dtype=float32)>
    """
    z, x = _pair(labels, logits)
    a, b = x._value, z._value
    if a.dtype != b.dtype or a.dtype.kind != "f":
        return xp.exp(-x) - x * z  # which refuses it
    small = decay(a)  # half of what the way back needs
    return noted_two(_ENTROPY, x, z, _entropies(a, b, small), {"small": small})


def weighted_cross_entropy_with_logits(
    labels: Any, logits: Any, pos_weight: Any, name: str | None = None
) -> Tensor:
    """As `sigmoid_cross_entropy_with_logits`, with a weight for the labels that are yes.

    Args:
      labels, logits: as in `ad.nn.sigmoid_cross_entropy_with_logits`.
      pos_weight: the weight, above 1 to miss fewer of them.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if the shapes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/weighted_cross_entropy_with_logits

    >>> import autodiff_kit as ad
    >>> ad.nn.weighted_cross_entropy_with_logits([1.0], [0.0], pos_weight=2.0)
    <Tensor: shape=(1,), dtype=float32, numpy=array([1.3863], dtype=float32)>
    """
    z, x = _pair(labels, logits)
    weight = 1.0 + (pos_weight - 1.0) * z
    return (1.0 - z) * x + weight * (xp.log1p(xp.exp(-xp.abs(x))) + xp.relu(-x))


def _pair(labels: Any, logits: Any) -> tuple[Any, Any]:
    x = as_tensor(logits)
    z = as_tensor(labels)
    if z._value.shape != x._value.shape:
        raise ValueError(
            "`logits` and `labels` must have the same shape, received "
            f"({x._value.shape} vs {z._value.shape})."
        )
    return z, x
