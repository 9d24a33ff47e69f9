"""Layer 4: losses as functions, one number for each example.

One idea: they are written in the kit's own operations, so their gradients need no rules of their own.

A loss here knows its predictions and nothing else. Keras also remembers what went into the sigmoid or
softmax that made them, and computes the cross entropy from that; so here, where such an activation is
saturated, the loss is smaller than Keras', and hardly any gradient comes through. Leave the activation
out and say ``from_logits=True``: then both compute the same.

Source: https://keras.io/api/losses/
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nn
from autodiff_kit.convert import as_tensor
from autodiff_kit.namespace import xp
from autodiff_kit.ops.arithmetic import square
from autodiff_kit.ops.casting import cast
from autodiff_kit.ops.clipping import clip_by_value
from autodiff_kit.ops.exponential import log
from autodiff_kit.ops.reduction import reduce_mean, reduce_sum
from autodiff_kit.ops.shape import reshape
from autodiff_kit.tensor import Tensor

__all__ = [
    "binary_crossentropy", "categorical_crossentropy", "huber", "mean_absolute_error",
    "mean_squared_error", "sparse_categorical_crossentropy",
]  # fmt: skip

EPSILON = 1e-7  # probabilities are kept this far from 0 and 1


def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of ``(y_true - y_pred)**2`` over the last axis.

    Args:
      y_true: the truth, cast to the dtype of ``y_pred``.
      y_pred: the predictions, a floating tensor.

    Returns:
      A tensor without the last axis.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/MSE

    >>> import autodiff_kit as ad
    >>> ad.keras.losses.mean_squared_error([[0.0, 1.0]], [[1.0, 1.0]]).numpy()
    array([0.5], dtype=float32)
    """
    truth, prediction = same_rank(*tensors(y_true, y_pred))
    return reduce_mean(square(truth - prediction), axis=-1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of ``abs(y_true - y_pred)`` over the last axis; arguments as `mean_squared_error`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/MAE

    >>> import autodiff_kit as ad
    >>> ad.keras.losses.mean_absolute_error([[0.0, 1.0]], [[1.0, 1.0]]).numpy()
    array([0.5], dtype=float32)
    """
    truth, prediction = same_rank(*tensors(y_true, y_pred))
    return reduce_mean(abs(truth - prediction), axis=-1)


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Tensor:
    """Half the square of small errors, and linear beyond ``delta``; the mean over the last axis.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/Huber

    >>> import autodiff_kit as ad
    >>> ad.keras.losses.huber([[0.0, 0.0]], [[1.0, 3.0]]).numpy()
    array([1.5], dtype=float32)
    """
    truth, prediction = same_rank(*tensors(y_true, y_pred))
    return reduce_mean(xp.huber(prediction - truth, delta), axis=-1)


def binary_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """The cross entropy of yes or no, the mean over an axis.

    Args:
      y_true: 0 or 1, of the shape of ``y_pred``.
      y_pred: probabilities, or with ``from_logits`` what a sigmoid would make probabilities of.
      from_logits: whether they are logits; more exact than a sigmoid of your own, and what Keras
        does by itself after one of its sigmoid layers.
      label_smoothing: how far the labels are moved towards 0.5.
      axis: over which the mean is taken.

    Raises:
      ValueError: if the shapes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/binary_crossentropy

    >>> import autodiff_kit as ad
    >>> ad.keras.losses.binary_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy()
    array([0.69315], dtype=float32)
    """
    truth, prediction = tensors(y_true, y_pred)
    _refuse_shapes(truth, prediction)
    if label_smoothing:
        truth = truth * (1.0 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        each = nn.sigmoid_cross_entropy_with_logits(labels=truth, logits=prediction)
    else:
        p = clip_by_value(prediction, EPSILON, 1.0 - EPSILON)
        each = -(truth * log(p) + (1.0 - truth) * log(1.0 - p))
    return reduce_mean(each, axis=axis)


def categorical_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """The cross entropy of one class out of several.

    Args:
      y_true: a probability for each class, usually a single one.
      y_pred: probabilities, or logits, of the same shape.
      from_logits: whether they are logits; more exact than a softmax of your own, and what Keras
        does by itself after one of its softmax layers.
      label_smoothing: how much of the labels is spread over all classes.
      axis: that of the classes.

    Raises:
      ValueError: if the shapes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/categorical_crossentropy

    >>> import autodiff_kit as ad
    >>> ad.keras.losses.categorical_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy()
    array([0.69315], dtype=float32)
    """
    truth, prediction = tensors(y_true, y_pred)
    _refuse_shapes(truth, prediction)
    if label_smoothing:
        classes = truth._value.shape[-1]
        truth = truth * (1.0 - label_smoothing) + label_smoothing / classes
    if from_logits:
        return nn.softmax_cross_entropy_with_logits(labels=truth, logits=prediction, axis=axis)
    p = prediction / reduce_sum(prediction, axis=axis, keepdims=True)
    p = clip_by_value(p, EPSILON, 1.0 - EPSILON)
    return -reduce_sum(truth * log(p), axis=axis)


def sparse_categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False) -> Tensor:
    """`categorical_crossentropy` with the number of the right class instead of probabilities.

    Args:
      y_true: integers, of the shape of ``y_pred`` without its last axis, or with 1 there.
      y_pred: probabilities, or logits, the classes along the last axis.
      from_logits: whether they are logits; as for `categorical_crossentropy`.

    Raises:
      ValueError: if the shapes do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/sparse_categorical_crossentropy

    >>> import autodiff_kit as ad
    >>> ad.keras.losses.sparse_categorical_crossentropy([1], [[0.5, 0.5]]).numpy()
    array([0.69315], dtype=float32)
    """
    prediction = as_tensor(y_pred)
    truth = cast(y_true, "int64")
    shape, of_labels = prediction._value.shape, truth._value.shape
    if len(of_labels) == len(shape) and of_labels[-1:] == (1,):
        of_labels = of_labels[:-1]
        truth = reshape(truth, of_labels)
    if of_labels != shape[:-1]:
        raise ValueError(
            "Arguments `target` and `output` must have the same shape up until the last dimension: "
            f"target.shape={truth.shape}, output.shape={prediction.shape}"
        )
    if not from_logits:
        prediction = log(clip_by_value(prediction, EPSILON, 1.0 - EPSILON))
    return nn.sparse_softmax_cross_entropy_with_logits(labels=truth, logits=prediction)


def tensors(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    prediction = as_tensor(y_pred)
    dtype = prediction._value.dtype
    if type(y_true) is Tensor and y_true._value.dtype is dtype and dtype.kind == "f":
        return y_true, prediction  # the usual case
    if not prediction.dtype.is_floating:
        prediction = cast(prediction, "float32")
    return cast(y_true, prediction.dtype), prediction


def same_rank(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Keras' help for shapes as (8,) and (8, 1), which would broadcast to (8, 8)."""
    one, other = a._value.shape, b._value.shape
    if len(one) == len(other) + 1 and one[-1] == 1:
        return (a, reshape(b, (*other, 1))) if len(other) == 1 else (reshape(a, one[:-1]), b)
    if len(other) == len(one) + 1 and other[-1] == 1:
        return (reshape(a, (*one, 1)), b) if len(one) == 1 else (a, reshape(b, other[:-1]))
    return a, b


def _refuse_shapes(truth: Tensor, prediction: Tensor) -> None:
    if truth._value.shape != prediction._value.shape:
        raise ValueError(
            "Arguments `target` and `output` must have the same shape. Received: "
            f"target.shape={truth.shape}, output.shape={prediction.shape}"
        )
