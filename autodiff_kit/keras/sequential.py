"""Layer 4: `ad.keras.Sequential`, layers one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from autodiff_kit.keras.layer import Layer
from autodiff_kit.tensor import Tensor
from autodiff_kit.variable import Variable

__all__ = ["Sequential"]


class Sequential(Layer):
    """Layers one after the other: the output of each is the input of the next.

    Args:
      layers: the layers, or functions of one tensor.
      name: the name.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/Sequential

    >>> import autodiff_kit as ad
    >>> model = ad.keras.Sequential([ad.keras.layers.Dense(3, "relu"), ad.keras.layers.Dense(1)])
    >>> model([[1.0, 2.0]]).shape, len(model.trainable_variables)
    (TensorShape([1, 1]), 4)
    """

    def __init__(self, layers: Iterable[Layer] | None = None, name: str | None = None) -> None:
        super().__init__(name=name, dtype=None)
        self.layers: list[Layer] = []
        for layer in layers or ():
            self.add(layer)

    def add(self, layer: Layer) -> None:
        """Put a layer at the end.

        Raises:
          ValueError: if it is not a layer.

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
        self.layers.append(layer)

    def pop(self) -> Layer:
        """Take the last layer away."""
        return self.layers.pop()

    def run(self, inputs: Tensor, training: bool) -> Tensor:
        """All layers in their order."""
        for layer in self.layers:
            inputs = layer(inputs, training)
        return inputs

    def call(self, inputs: Tensor) -> Tensor:
        """All layers in their order, not in training."""
        return self.run(inputs, False)

    @property
    def trainable(self) -> bool:
        """Whether the layers' variables are trained."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        for layer in self.layers:
            layer.trainable = value

    @property
    def variables(self) -> list[Variable]:
        """All variables of all layers."""
        return [variable for layer in self.layers for variable in layer.variables]

    @property
    def weights(self) -> list[Variable]:
        """The same as `variables`."""
        return self.variables

    def summary(self) -> None:
        """Print a table of the layers, the shapes of their outputs and the numbers of parameters.

        >>> import autodiff_kit as ad
        >>> model = ad.keras.Sequential([ad.keras.layers.Dense(2, name="only")], name="small")
        >>> _ = model([[1.0, 2.0, 3.0]])
        >>> model.summary()
        Model: "small"
        Layer (type)  Output Shape  Param #
        only (Dense)  (1, 2)              8
        Total params: 8
        """
        rows = [("Layer (type)", "Output Shape", "Param #")]
        for layer in self.layers:
            shape = "?" if layer.output_shape is None else str(layer.output_shape)
            rows.append(
                (f"{layer.name} ({type(layer).__name__})", shape, str(layer.count_params()))
            )
        wide = [max(len(row[column]) for row in rows) for column in range(3)]
        print(f'Model: "{self.name}"')
        for label, shape, count in rows:
            print(f"{label:<{wide[0]}}  {shape:<{wide[1]}}  {count:>{wide[2]}}")
        print(f"Total params: {self.count_params()}")
