"""Layer 3: the cross entropies between labels and logits.

One idea: they take logits, not probabilities, so that nothing overflows and the gradient is a plain
difference: what the softmax says less what is right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, is_tensor, operand, refuse_kind
from autodiff_kit.define import op_of, operation
from autodiff_kit.dtypes import as_dtype
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted_two
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.reduction import ADD
from autodiff_kit.ops.softmax import log_softmax_kernel, prepared, shifted, softmax_kernel
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits"]


def _entropy_kernel(x: Any, labels: Any, axis: int) -> Any:
    return np.add.reduce(labels * -log_softmax_kernel(x, axis), axis=axis)[()]


def _beside(dy: Any, like: Any, axis: int) -> Any:
    """A number for each row, so that it broadcasts over the row."""
    shape = like.shape if type(like) is not Tensor else like._value.shape
    return xp.reshape(dy, shape=(*shape[:axis], 1, *shape[axis + 1 :]))


def _entropy_logits_rule(dy: Any, x: Any, labels: Any, _y: Any, axis: int) -> Any:
    # TensorFlow takes it that the labels sum up to one, and so does this.
    return _beside(dy, x, axis) * (xp.softmax(x, axis=axis) - labels)


def _entropy_labels_rule(dy: Any, x: Any, _labels: Any, _y: Any, axis: int) -> Any:
    return -_beside(dy, x, axis) * xp.log_softmax(x, axis=axis)


_softmax_entropy = operation(
    "SoftmaxCrossEntropyWithLogits",
    "softmax_cross_entropy",
    _entropy_kernel,
    _entropy_logits_rule,
    _entropy_labels_rule,
)


def softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, axis: int = -1, name: str | None = None
) -> Tensor:
    """The cross entropy between distributions and the softmax of logits, for each row.

    Args:
      labels: the distributions, each with the sum one.
      logits: a floating tensor of the same shape, or one that broadcasts with it.
      axis: the axis of the classes.
      name: ignored.

    Returns:
      A tensor of the dtype of ``logits``, without that axis.

    Raises:
      InvalidArgumentError: as `ad.nn.softmax`, and if the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/softmax_cross_entropy_with_logits

    >>> import autodiff_kit as ad
    >>> ad.nn.softmax_cross_entropy_with_logits([[0.0, 1.0]], [[0.0, 1000.0]])
    <Tensor: shape=(1,), dtype=float32, numpy=array([0.], dtype=float32)>
    """
    x, axis = prepared("SoftmaxCrossEntropyWithLogits", logits, axis)
    target = as_tensor(labels) if is_tensor(labels) else operand(labels, x.dtype)
    if target._value.dtype != x._value.dtype:
        target = xp.cast(target, dtype=x._value.dtype.name)
    if target._value.shape != x._value.shape:
        x, target = _spread(x, target)
    return _softmax_entropy(x, target, axis=axis)


def _spread(x: Tensor, labels: Tensor) -> tuple[Any, Any]:
    try:
        shape = np.broadcast_shapes(x._value.shape, labels._value.shape)
    except ValueError:
        sizes = [str(list(v._value.shape)).replace(" ", "") for v in (x, labels)]
        raise InvalidArgumentError(
            f"logits and labels must be broadcastable: logits_size={sizes[0]} "
            f"labels_size={sizes[1]} [Op:SoftmaxCrossEntropyWithLogits]"
        ) from None
    return xp.broadcast_to(x, shape=shape), xp.broadcast_to(labels, shape=shape)


def _at_labels(rows: Any, labels: Any) -> tuple[Any, Any]:
    """All rows one behind the other, and the places there that the labels name."""
    places = np.arange(0, rows.size, rows.shape[-1])
    places += labels.reshape(-1)
    return rows.reshape(-1), places


def _sparse_kernel(x: Any, labels: Any, shares: Any = None) -> Any:
    return _losses_and_shares(x, labels)[0]


def _losses_and_shares(x: Any, labels: Any) -> tuple[Any, Any]:
    """The cross entropies and the softmax, which the way back needs and which is half done here."""
    rows = shifted(x, x.ndim - 1)
    flat, places = _at_labels(rows, labels)
    right = flat.take(places).reshape(labels.shape)
    np.exp(rows, out=rows)
    sums = ADD.reduce(rows, -1, None, None, True)
    rows /= sums
    return (np.log(sums[..., 0]) - right)[()], rows


def _sparse_rule(dy: Any, x: Any, labels: Any, _y: Any, shares: Any = None) -> Any:
    last = len(x.shape) - 1 if type(x) is not Tensor else x._value.ndim - 1
    numbers = labels._value if type(labels) is Tensor else labels
    if type(x) is not Tensor and type(dy) is not Tensor:
        rows = softmax_kernel(x, last) if shares is None else shares.copy()
        flat, places = _at_labels(rows, numbers)
        flat[places] -= 1
        rows *= dy[..., None]
        return rows
    rows = xp.softmax(x, axis=last)
    chosen = np.zeros_like(x._value if type(x) is Tensor else x)
    np.put_along_axis(chosen, np.asarray(numbers)[..., None], 1, -1)
    return _beside(dy, x, last) * (rows - (tensor_of(chosen) if type(x) is Tensor else chosen))


_SPARSE = op_of(
    operation(
        "SparseSoftmaxCrossEntropyWithLogits",
        "sparse_softmax_cross_entropy",
        _sparse_kernel,
        _sparse_rule,
        no_gradient,
    )
)


def sparse_softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, name: str | None = None
) -> Tensor:
    """The cross entropy between class numbers and the softmax of logits, for each row.

    Args:
      labels: an integer tensor with the number of the right class for each row.
      logits: a floating tensor with one more axis, the last one, for the classes.
      name: ignored.

    Returns:
      A tensor of the shape of ``labels`` and the dtype of ``logits``.

    Raises:
      ValueError: if the shapes do not fit.
      InvalidArgumentError: for labels that are not integers, or not the number of a class.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/sparse_softmax_cross_entropy_with_logits

    >>> import autodiff_kit as ad
    >>> ad.nn.sparse_softmax_cross_entropy_with_logits([1], [[0.0, 1000.0]])
    <Tensor: shape=(1,), dtype=float32, numpy=array([0.], dtype=float32)>
    """
    x = logits if type(logits) is Tensor else as_tensor(logits)
    numbers = labels if type(labels) is Tensor else as_tensor(labels)
    a, b = x._value, numbers._value
    _check_sparse(a, b)
    if a.dtype.kind != "f":
        refuse_kind("SparseSoftmaxCrossEntropyWithLogits", a, "f")
    losses, shares = _losses_and_shares(a, b)
    return noted_two(_SPARSE, x, numbers, losses, {"shares": shares})


def _check_sparse(x: Any, labels: Any) -> None:
    if not x.shape:
        raise ValueError(f"`logits` cannot be a scalar. Received logits={x}`")
    if labels.ndim != x.ndim - 1:
        raise ValueError(
            "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape="
            f"{labels.shape} of rank {labels.ndim} and logits.shape={x.shape} of rank {x.ndim}"
        )
    if labels.shape != x.shape[:-1]:
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={labels.shape} and logits.shape={x.shape}"
        )
    if labels.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"Value for attr 'Tlabels' of {as_dtype(labels.dtype).error_name} is not in the list of "
            "allowed values: int32, int64 [Op:SparseSoftmaxCrossEntropyWithLogits]; use ad.cast, or "
            "ad.nn.softmax_cross_entropy_with_logits for distributions"
        )
    # To find the place of the least and of the largest is the fastest look at all of them.
    item = labels.item
    if labels.size and not 0 <= item(labels.argmin()) <= item(labels.argmax()) < x.shape[-1]:
        wrong = (labels < 0) | (labels >= x.shape[-1])
        raise InvalidArgumentError(
            f"Received a label value of {np.ravel(labels)[np.argmax(wrong)]} which is outside the "
            f"valid range of [0, {x.shape[-1]}).  Label values: "
            f"{' '.join(map(str, np.ravel(labels)))} [Op:SparseSoftmaxCrossEntropyWithLogits]"
        )
