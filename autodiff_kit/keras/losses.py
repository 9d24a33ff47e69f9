"""Layer 4: `ad.keras.losses`, how far predictions are from the truth.

One idea: a function gives one loss for each example, the mean over its last axis; a class does the same
and then puts the examples together, by default as their mean.

Source: https://keras.io/api/losses/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autodiff_kit import lazy
from autodiff_kit.keras.loss import Loss, OfFunction
from autodiff_kit.keras.loss_functions import (
    binary_crossentropy,
    categorical_crossentropy,
    huber,
    mean_absolute_error,
    mean_squared_error,
    sparse_categorical_crossentropy,
)

__all__ = [
    "BinaryCrossentropy", "CategoricalCrossentropy", "Huber", "Loss", "MAE", "MSE",
    "MeanAbsoluteError", "MeanSquaredError", "SparseCategoricalCrossentropy", "binary_crossentropy",
    "categorical_crossentropy", "huber", "mae", "mean_absolute_error", "mean_squared_error", "mse",
    "sparse_categorical_crossentropy",
]  # fmt: skip
MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error
__dir__ = lazy.shown(globals())
if not TYPE_CHECKING:
    __getattr__ = lazy.refusing(__name__)


class MeanSquaredError(OfFunction):
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


class MeanAbsoluteError(OfFunction):
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


class Huber(OfFunction):
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
        super().__init__(huber, reduction, name or "huber_loss", delta=delta)


class BinaryCrossentropy(OfFunction):
    """`binary_crossentropy`, put together as `Loss` says.

    With ``from_logits=True``, for a last layer without sigmoid, it is exact where one is saturated.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/BinaryCrossentropy

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.BinaryCrossentropy()([[0.0], [1.0]], [[0.5], [0.5]]).numpy())
    0.69315
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


class CategoricalCrossentropy(OfFunction):
    """`categorical_crossentropy`, put together as `Loss` says.

    With ``from_logits=True``, for a last layer without softmax, it is exact where one is saturated.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/CategoricalCrossentropy

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.CategoricalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]]).numpy())
    0.69315
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


class SparseCategoricalCrossentropy(OfFunction):
    """`sparse_categorical_crossentropy`, put together as `Loss` says.

    With ``from_logits=True``, for a last layer without softmax, it is exact where one is saturated.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/SparseCategoricalCrossentropy

    >>> import autodiff_kit as ad
    >>> print(ad.keras.losses.SparseCategoricalCrossentropy()([1], [[0.5, 0.5]]).numpy())
    0.69315
    """

    def __init__(
        self,
        from_logits: bool = False,
        *,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        super().__init__(sparse_categorical_crossentropy, reduction, name, from_logits=from_logits)
