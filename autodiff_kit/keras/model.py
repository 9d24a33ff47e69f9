"""Layer 4: `ad.keras.Model`, a layer that is a whole network.

One idea: a model is a layer whose layers one wants to see. What Keras puts on top of that, the training
loop, is left out: it is what this kit is there to be written in.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.keras import tracking
from autodiff_kit.keras.layer import Layer
from autodiff_kit.keras.refused import ATTRIBUTES

__all__ = ["Model"]

# What Keras' models have besides, and what takes its place.
LOOP = (
    "with ad.GradientTape() as tape: loss = ...; "
    "optimizer.minimize(loss, model.trainable_variables, tape)"
)
INSTEAD = {
    "compile": f"keep loss and optimizer in variables, and write the training loop: {LOOP}",
    "fit": f"write the training loop: {LOOP}",
    "train_step": f"write the step where you need it: {LOOP}",
    "train_on_batch": f"write the step: {LOOP}",
    "evaluate": "compute the loss of model(x)",
    "test_on_batch": "compute the loss of model(x)",
    "predict": "call the model: model(x)",
    "predict_on_batch": "call the model: model(x)",
    "save": "keep model.get_weights(), and give them to model.set_weights",
    "save_weights": "keep model.get_weights()",
    "load_weights": "use model.set_weights",
}


class Model(Layer):
    """A network: make its layers in `__init__`, and say in `call` how they follow one another.

    There is no `fit`: the loop with the tape is written out.

    Args:
      trainable, name, dtype: as for `Layer`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/Model

    >>> import autodiff_kit as ad
    >>> class Net(ad.keras.Model):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.hidden = ad.keras.layers.Dense(3, "tanh")
    ...         self.out = ad.keras.layers.Dense(1)
    ...     def call(self, x):
    ...         return self.out(self.hidden(x))
    >>> net = Net()
    >>> net([[1.0, 2.0]]).shape, len(net.trainable_variables)
    (TensorShape([1, 1]), 4)
    """

    def __init__(
        self,
        *args: Any,
        trainable: bool = True,
        name: str | None = None,
        dtype: Any = "float32",
        **kwargs: Any,
    ) -> None:
        if args or kwargs:
            raise TypeError(
                "ad.keras.Model is for deriving from: make the layers in `__init__`, call them in "
                "`call`. Models made of `inputs` and `outputs` are not in this kit; layers that "
                "follow one another are an ad.keras.Sequential"
            )
        super().__init__(trainable, name, dtype)

    def __getattr__(self, name: str) -> Any:
        says = f"'{type(self).__name__}' object has no attribute {name!r}"
        if name in INSTEAD:
            says += f": this kit has no `{name}`; {INSTEAD[name]}"
        if name in ATTRIBUTES:
            raise AttributeError(f"{says}. Use {ATTRIBUTES[name]}.", name=name)
        raise AttributeError(says, name=name, obj=self)

    @property
    def layers(self) -> list[Layer]:
        """The layers in its attributes, in the order in which they were set."""
        return tracking.sublayers(self)

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """One of the `layers`, by its name or by its place.

        Raises:
          ValueError: if there is none.
        """
        names = [layer.name for layer in self.layers]
        if index is not None:
            if index >= len(names):
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(names)} "
                    "layers."
                )
            return self.layers[index]
        if name not in names:
            raise ValueError(f"No such layer: {name}. Existing layers are: {names}.")
        return self.layers[names.index(name)]

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
        kept = sum(v.shape.num_elements() for v in self.non_trainable_variables)
        if kept:
            print(f"Non-trainable params: {kept}")
