"""Layer 4: `ad.keras.layers.Embedding`, a vector that is learned for each id.

One idea: the table is a variable, and to look up a row of it is to gather. Gradients reach the rows
that were looked up, never the ids, which are whole numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit import nn
from autodiff_kit.keras import initializers, standard
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.weight import Variable
from autodiff_kit.ops.casting import cast
from autodiff_kit.tensor import Tensor

__all__ = ["Embedding"]

IDS = ("int32", "int64")


class Embedding(Layer):
    """For each id its row of a table, which is learned.

    Args:
      input_dim: the number of rows: ids go from 0 to ``input_dim - 1``.
      output_dim: the length of a row.
      embeddings_initializer: the table's first value, a name or an initializer.
      mask_zero: only False.
      weights: the table's first values, in place of the initializer.
      kwargs: ``name="words"`` and the like, as for `Layer`; the variable is then
        ``words/embeddings:0``.

    Raises:
      ValueError: if a number is not a positive integer, or weights do not fit.
      InvalidArgumentError: when called, for an id that has no row.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Embedding

    >>> import autodiff_kit as ad
    >>> layer = ad.keras.layers.Embedding(10, 4)
    >>> layer([[1, 2, 3]]).shape, layer.embeddings.shape
    (TensorShape([1, 3, 4]), TensorShape([10, 4]))
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Any = "uniform",
        *,
        mask_zero: bool = False,
        weights: Any = None,
        **kwargs: Any,
    ) -> None:
        self.input_dim = _size("input_dim", input_dim)
        self.output_dim = _size("output_dim", output_dim)
        if mask_zero:
            raise ValueError(
                "mask_zero=True is not in this kit, whose layers pass no masks on by themselves. Give "
                "the mask to the layer that is to use it: lstm(x, mask=ad.not_equal(ids, 0))"
            )
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        super().__init__(**kwargs)
        self.mask_zero = False
        self.embeddings: Variable | None = None
        if weights is not None:
            self._begin_with(weights)

    def _begin_with(self, weights: Any) -> None:
        table = weights[0] if isinstance(weights, list) and len(weights) == 1 else weights
        if np.shape(table) != (self.input_dim, self.output_dim):
            raise ValueError(
                f"weights must be of shape {(self.input_dim, self.output_dim)}: one row for each id. "
                f"Received shape {np.shape(table)}"
            )
        self.build()
        self.set_weights([table])

    def build(self, input_shape: Any = None) -> None:
        """Make the table, which is the same for all shapes of ids."""
        shape = (self.input_dim, self.output_dim)
        self.embeddings = self.add_weight(shape, self.embeddings_initializer, name="embeddings")

    def call(self, inputs: Tensor) -> Tensor:
        """Look up the rows; ids that came as floats are cut to whole numbers, as in Keras."""
        if inputs.dtype.name not in IDS:
            inputs = cast(inputs, "int32")
        return nn.embedding_lookup(self.embeddings, inputs)


def _size(name: str, value: Any) -> int:
    more = f" (of type {type(value).__name__})."
    return standard.positive(name, value, f"`{name}` must be a positive integer.", more)
