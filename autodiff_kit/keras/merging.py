"""Layer 4: layers that make one tensor of several: Add, Multiply and their like.

One idea: they are called on a list, as in ``Add()([x, y])``, take together the elements that stand at
the same place, and have no variables.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

from autodiff_kit.keras.core import Plain
from autodiff_kit.ops.axes import expand_dims
from autodiff_kit.ops.extremes import maximum, minimum
from autodiff_kit.tensor import Tensor

__all__ = ["Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract"]


class Merge(Plain):
    """What all have in common: a list of tensors, whose shapes are looked at first."""

    def check_input(self, shape: Any) -> None:
        """Raise ValueError for what is no list, or for shapes that do not fit together."""
        if not isinstance(shape, (list, tuple)) or not all(isinstance(s, tuple) for s in shape):
            raise ValueError(
                "A merge layer should be called on a list of inputs. Received: "
                f"input_shape={shape} (not a list of shapes); write {type(self).__name__}()([x, y])"
            )
        if not shape:
            raise ValueError(
                "A merge layer should be called on a list of at least 1 input. Received 0"
            )
        self._check_shapes(list(shape))

    def _check_shapes(self, shapes: list[tuple[int, ...]]) -> None:
        if len({shape[0] for shape in shapes if shape}) > 1:
            raise ValueError(
                "Cannot merge tensors with different batch sizes. Received tensors with shapes "
                f"{shapes}"
            )
        for one in shapes[1:]:
            pairs = zip(reversed(shapes[0][1:]), reversed(one[1:]), strict=False)
            if any(m != n and 1 not in (m, n) for m, n in pairs):
                raise ValueError(
                    f"Inputs have incompatible shapes. Received shapes {shapes[0][1:]} and {one[1:]}"
                )


class Elementwise(Merge):
    """Those that take elements together which stand at the same place."""

    _together: Callable[[Any, Any], Any]

    def call(self, inputs: Any) -> Tensor:
        """Compute the outputs; tensors with fewer axes get axes of length 1 after the first."""
        most = max(x.ndim for x in inputs)
        return reduce(type(self)._together, [_with_axes(x, most) for x in inputs])


def _with_axes(x: Tensor, ndim: int) -> Tensor:
    for _ in range(ndim - x.ndim):
        x = expand_dims(x, 1)
    return x


class Add(Elementwise):
    """The sum of tensors, as where a block's input is added to its output.

    Args:
      kwargs: as for `Layer`; without a dtype inputs keep theirs.

    Raises:
      ValueError: when called on something else than a list, or if the shapes do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Add

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Add()([ad.constant([[1.0, 2.0]]), ad.constant([[10.0, 20.0]])]).numpy()
    array([[11., 22.]], dtype=float32)
    """

    _together = staticmethod(operator.add)


class Subtract(Elementwise):
    """The first of two tensors minus the second.

    Arguments and errors are those of `Add`; a list of another length is an error too.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Subtract

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Subtract()([ad.constant([[3.0]]), ad.constant([[1.0]])]).numpy()
    array([[2.]], dtype=float32)
    """

    _together = staticmethod(operator.sub)

    def _check_shapes(self, shapes: list[tuple[int, ...]]) -> None:
        super()._check_shapes(shapes)
        if len(shapes) != 2:
            raise ValueError(
                "A `Subtract` layer should be called on exactly 2 inputs. Received: "
                f"input_shape={shapes}"
            )


class Multiply(Elementwise):
    """The product of tensors, as where one of them says how much of the other gets through.

    Arguments and errors are those of `Add`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Multiply

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Multiply()([ad.constant([[1.0, 2.0]]), ad.constant([[3.0, 4.0]])]).numpy()
    array([[3., 8.]], dtype=float32)
    """

    _together = staticmethod(operator.mul)


class Average(Elementwise):
    """The mean of tensors.

    Arguments and errors are those of `Add`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Average

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Average()([ad.constant([[1.0]]), ad.constant([[4.0]])]).numpy()
    array([[2.5]], dtype=float32)
    """

    _together = staticmethod(operator.add)

    def call(self, inputs: Any) -> Tensor:
        """Compute the outputs."""
        return super().call(inputs) / len(inputs)


class Maximum(Elementwise):
    """The larger of the elements that stand at the same place.

    Arguments and errors are those of `Add`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Maximum

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Maximum()([ad.constant([[1.0, 5.0]]), ad.constant([[3.0, 4.0]])]).numpy()
    array([[3., 5.]], dtype=float32)
    """

    _together = staticmethod(maximum)


class Minimum(Elementwise):
    """The smaller of the elements that stand at the same place.

    Arguments and errors are those of `Add`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/layers/Minimum

    >>> import autodiff_kit as ad
    >>> ad.keras.layers.Minimum()([ad.constant([[1.0, 5.0]]), ad.constant([[3.0, 4.0]])]).numpy()
    array([[1., 4.]], dtype=float32)
    """

    _together = staticmethod(minimum)
