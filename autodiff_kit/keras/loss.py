"""Layer 4: what losses share: a name, and a way to put the examples together.

One idea: `call` gives one loss for each example; `Loss` makes one number of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.keras.loss_functions import same_rank, tensors
from autodiff_kit.keras.weight import unique_name
from autodiff_kit.ops.arithmetic import multiply
from autodiff_kit.ops.casting import cast
from autodiff_kit.ops.reduction import reduce_mean, reduce_sum
from autodiff_kit.tensor import Tensor

__all__ = ["Loss", "OfFunction"]


class Loss:
    """A loss with a way to put the examples together; derive from it, and compute in `call`.

    Args:
      name: the name; made from the class' name if not given.
      reduction: ``"sum_over_batch_size"``, the mean, which ``"mean"`` is too; ``"sum"``; or ``"none"``
        or None for one loss each.

    Raises:
      ValueError: for another reduction.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/losses/Loss

    >>> import autodiff_kit as ad
    >>> class Distance(ad.keras.losses.Loss):
    ...     def call(self, y_true, y_pred):
    ...         return ad.norm(y_true - y_pred, axis=-1)
    >>> print(Distance(reduction="sum")([[0.0, 0.0]], [[3.0, 4.0]]).numpy())
    5.0
    """

    def __init__(
        self, name: str | None = None, reduction: str | None = "sum_over_batch_size"
    ) -> None:
        allowed = ("sum_over_batch_size", "mean", "sum", "none", None)
        if reduction not in allowed:
            raise ValueError(
                "Invalid value for argument `reduction`. Expected one of "
                f"{allowed}. Received: reduction={reduction}"
            )
        self.name = name or unique_name(type(self).__name__)
        self.reduction = reduction

    def call(self, y_true: Any, y_pred: Any) -> Tensor:
        """One loss for each example; here both are floating tensors of one dtype."""
        raise NotImplementedError(f"{type(self).__name__} does not have a `call()` method.")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        """The loss of predictions.

        Args:
          y_true: the truth.
          y_pred: the predictions.
          sample_weight: a weight for each example, or a number.

        Returns:
          A single number, or with reduction ``"none"`` one for each example.
        """
        losses = as_tensor(self._each(y_true, y_pred))
        if sample_weight is not None:
            losses = _weighted(losses, sample_weight)
        if self.reduction in (None, "none") or losses._value.shape == ():
            return losses
        if self.reduction == "sum" or not losses._value.size:  # the mean of no losses is 0, too
            return reduce_sum(losses)
        return reduce_mean(losses)

    def _each(self, y_true: Any, y_pred: Any) -> Any:
        truth, prediction = tensors(y_true, y_pred)
        return self.call(truth, prediction)


class OfFunction(Loss):
    """A loss that one of the functions of `ad.keras.losses` computes, with options of its own.

    Args:
      function: ``function(y_true, y_pred, **options)``, one loss for each example.
      reduction, name: as for `Loss`.
      options: passed on to the function.
    """

    def __init__(
        self,
        function: Callable[..., Tensor],
        reduction: str | None,
        name: str | None,
        **options: Any,
    ) -> None:
        super().__init__(name or function.__name__, reduction)
        self.function = function
        self.options = options

    def call(self, y_true: Any, y_pred: Any) -> Tensor:
        """One loss for each example; (8,) and (8, 1) are made one shape, as Keras does."""
        if _rank(y_true) != _rank(y_pred):
            y_true, y_pred = same_rank(as_tensor(y_true), as_tensor(y_pred))
        return self.function(y_true, y_pred, **self.options)

    _each = call  # the functions take lists and arrays, too


def _rank(value: Any) -> int:
    """How many axes there are. NumPy would make an array of a variable to count them, and the tapes
    would note that its value had left the tensors.
    """
    if isinstance(value, (list, tuple)):
        return 1 + (_rank(value[0]) if value else 0)
    return len(value._read()._value.shape) if is_tensor(value) else np.ndim(value)


def _weighted(losses: Tensor, sample_weight: Any) -> Tensor:
    given = as_tensor(sample_weight) if is_tensor(sample_weight) else sample_weight
    return multiply(*same_rank(losses, cast(given, losses.dtype)))
