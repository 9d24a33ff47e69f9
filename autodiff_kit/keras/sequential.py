"""Layer 4: `ad.keras.Sequential`, layers one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autodiff_kit.keras.calling import parameters, training_inside
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.model import Model
from autodiff_kit.ops.creation import zeros

__all__ = ["Sequential"]


class Sequential(Model):
    """Layers one after the other: the output of each is the input of the next.

    Args:
      layers: the layers.
      trainable: whether its variables are trained.
      name: the name.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/Sequential

    >>> import autodiff_kit as ad
    >>> model = ad.keras.Sequential([ad.keras.layers.Dense(3, "relu"), ad.keras.layers.Dense(1)])
    >>> model([[1.0, 2.0]]).shape, len(model.trainable_variables)
    (TensorShape([1, 1]), 4)
    """

    def __init__(
        self,
        layers: Iterable[Layer] | None = None,
        trainable: bool = True,
        name: str | None = None,
    ) -> None:
        super().__init__(trainable=trainable, name=name, dtype=None)
        self._layers: list[Layer] = []
        for layer in layers or ():
            self.add(layer)

    @property
    def layers(self) -> list[Layer]:
        """The layers in their order, in a new list; `add` and `pop` change which there are."""
        return list(self._layers)

    def add(self, layer: Layer) -> None:
        """Put a layer at the end.

        Raises:
          ValueError: if it is not a layer, or another layer has its name.

        >>> import autodiff_kit as ad
        >>> model = ad.keras.Sequential()
        >>> model.add(ad.keras.layers.Flatten())
        >>> len(model.layers)
        1
        """
        if not isinstance(layer, Layer):
            raise ValueError(
                "Only instances of `keras.Layer` can be added to a Sequential model. Received: "
                f"{layer!r} (of type {type(layer)}); wrap a function in ad.keras.layers.Activation"
            )
        if any(layer.name == one.name and layer is not one for one in self._layers):
            raise ValueError(
                "All layers added to a Sequential model should have unique names. Name "
                f"'{layer.name}' is already the name of a layer in this model. Update the `name` "
                "argument to pass a unique name."
            )
        self._layers.append(layer)

    def pop(self) -> Layer:
        """Take the last layer away."""
        return self._layers.pop()

    def build(self, input_shape: Any) -> None:
        """Make the variables of all layers, by sending zeros of this shape through them.

        Args:
          input_shape: the shape of the inputs; None stands for any number of examples.

        >>> import autodiff_kit as ad
        >>> model = ad.keras.Sequential([ad.keras.layers.Dense(3), ad.keras.layers.Dense(1)])
        >>> model.build((None, 2))
        >>> [v.shape.as_list() for v in model.trainable_variables]
        [[2, 3], [3], [3, 1], [1]]
        """
        with training_inside(False):
            self(zeros([1 if n is None else n for n in input_shape]))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """All layers in their order; each that has no variables yet makes them when its turn comes."""
        self.built = True
        return super().__call__(*args, **kwargs)

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """All layers in their order; the mask goes to the first of them that takes one."""
        for layer in self._layers:
            options = {} if training is None else {"training": training}
            if mask is not None and "mask" in parameters(type(layer).call):
                options["mask"], mask = mask, None
            inputs = layer(inputs, **options)
        return inputs
