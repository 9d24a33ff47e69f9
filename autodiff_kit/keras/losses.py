"""Layer 4: `ad.keras.losses`, how far predictions are from the truth.

One idea: a function gives one loss for each example, the mean over its last axis; a class does the same
and then puts the examples together, by default as their mean.

Source: https://keras.io/api/losses/
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autodiff_kit import lazy
from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.keras.loss_functions import (
    binary_crossentropy,
    categorical_crossentropy,
    huber,
    mean_absolute_error,
    mean_squared_error,
    same_rank,
    sparse_categorical_crossentropy,
)
from autodiff_kit.ops.arithmetic import multiply
from autodiff_kit.ops.casting import cast
from autodiff_kit.ops.guarded import divide_no_nan
from autodiff_kit.ops.reduction import reduce_sum
from autodiff_kit.tensor import Tensor

__all__ = [
    "BinaryCrossentropy", "CategoricalCrossentropy", "Huber", "Loss", "MeanAbsoluteError",
    "MeanSquaredError", "SparseCategoricalCrossentropy", "binary_crossentropy",
    "categorical_crossentropy", "huber", "mean_absolute_error", "mean_squared_error",
    "sparse_categorical_crossentropy",
]  # fmt: skip
if not TYPE_CHECKING:
    __getattr__ = lazy.refusing(__name__)


class Loss:
    """A loss with a way to put the examples together.

    Args:
      function: ``function(y_true, y_pred, **options)``, one loss for each example.
      reduction: ``"sum_over_batch_size"``, the mean, which ``"mean"`` is too; ``"sum"``; or ``"none"``
        or None for one loss each.
      name: ignored.
      options: passed on to the function.

    Raises:
      ValueError: for another reduction.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/Loss

    >>> import autodiff_kit as ad
    >>> loss = ad.keras.losses.MeanSquaredError(reduction="sum")
    >>> print(loss([[0.0], [0.0]], [[1.0], [2.0]]).numpy())
    5.0
    """

    def __init__(
        self,
        function: Callable[..., Tensor],
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        **options: Any,
    ) -> None:
        allowed = ("sum_over_batch_size", "mean", "sum", "none", None)
        if reduction not in allowed:
            raise ValueError(
                "Invalid value for argument `reduction`. Expected one of "
                f"{allowed}. Received: reduction={reduction}"
            )
        self.function = function
        self.reduction = reduction
        self.name = name
        self.options = options

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        """The loss of predictions.

        Args:
          y_true: the truth.
          y_pred: the predictions.
          sample_weight: a weight for each example, or a number.

        Returns:
          A single number, or with reduction ``"none"`` one for each example.
        """
        losses = self.function(y_true, y_pred, **self.options)
        if sample_weight is not None:
            losses = _weighted(losses, sample_weight)
        if self.reduction in (None, "none") or losses._value.shape == ():
            return losses
        total = reduce_sum(losses)
        if self.reduction == "sum":
            return total
        return divide_no_nan(total, total._value.dtype.type(losses._value.size))


def _weighted(losses: Tensor, sample_weight: Any) -> Tensor:
    given = as_tensor(sample_weight) if is_tensor(sample_weight) else sample_weight
    return multiply(*same_rank(losses, cast(given, losses.dtype)))


class MeanSquaredError(Loss):
    """`mean_squared_error`, put together as `Loss` says.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/MeanSquaredError

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.MeanSquaredError()([[0.0], [0.0]], [[1.0], [2.0]]).numpy())
    2.5
    """

    def __init__(
        self, reduction: str | None = "sum_over_batch_size", name: str | None = None
    ) -> None:
        super().__init__(mean_squared_error, reduction, name)


class MeanAbsoluteError(Loss):
    """`mean_absolute_error`, put together as `Loss` says.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/MeanAbsoluteError

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.MeanAbsoluteError()([[0.0], [0.0]], [[1.0], [2.0]]).numpy())
    1.5
    """

    def __init__(
        self, reduction: str | None = "sum_over_batch_size", name: str | None = None
    ) -> None:
        super().__init__(mean_absolute_error, reduction, name)


class Huber(Loss):
    """`huber`, put together as `Loss` says.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/Huber

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.Huber()([[0.0, 0.0]], [[1.0, 3.0]]).numpy())
    1.5
    """

    def __init__(
        self,
        delta: float = 1.0,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        super().__init__(huber, reduction, name, delta=delta)


class BinaryCrossentropy(Loss):
    """`binary_crossentropy`, put together as `Loss` says.

    With ``from_logits=True``, for a last layer without sigmoid, it is exact where one is saturated.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/BinaryCrossentropy

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.BinaryCrossentropy()([[0.0], [1.0]], [[0.5], [0.5]]).numpy())
    0.6931472
    """

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        options = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(binary_crossentropy, reduction, name, **options)


class CategoricalCrossentropy(Loss):
    """`categorical_crossentropy`, put together as `Loss` says.

    With ``from_logits=True``, for a last layer without softmax, it is exact where one is saturated.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/CategoricalCrossentropy

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.CategoricalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]]).numpy())
    0.6931472
    """

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        options = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(categorical_crossentropy, reduction, name, **options)


class SparseCategoricalCrossentropy(Loss):
    """`sparse_categorical_crossentropy`, put together as `Loss` says.

    With ``from_logits=True``, for a last layer without softmax, it is exact where one is saturated.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/SparseCategoricalCrossentropy

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.SparseCategoricalCrossentropy()([1], [[0.5, 0.5]]).numpy())
    0.6931472
    """

    def __init__(
        self,
        from_logits: bool = False,
        *,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        super().__init__(sparse_categorical_crossentropy, reduction, name, from_logits=from_logits)
