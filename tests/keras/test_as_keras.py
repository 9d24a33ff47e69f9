"""Layers, models and optimizers take what Keras' take, and draw what they draw.

The numbers are what TensorFlow 2.21 with Keras 3 gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad

layers, optimizers, Sequential = ad.keras.layers, ad.keras.optimizers, ad.keras.Sequential


def kept(layer: Any, shape: list[int]) -> str:
    """Which of some ones a layer keeps in training."""
    return "".join("1" if x else "0" for x in layer(ad.ones(shape), training=True).numpy().ravel())


def test_dropout_with_a_seed_draws_what_keras_draws() -> None:
    layer = layers.Dropout(0.5, seed=7)
    assert [kept(layer, [2, 5]) for _ in range(2)] == ["1101010111", "0101111001"]
    assert kept(layers.Dropout(0.5, seed=-3), [2, 5]) == "0111000010"
    assert [kept(layers.Dropout(0.25, (None, 1), seed=2**33 + 5), [3, 2])] == ["111100"]


def test_the_global_seed_does_not_change_what_a_seeded_layer_draws() -> None:
    ad.random.set_seed(1)
    first = kept(layers.Dropout(0.5, seed=7), [2, 5])
    ad.random.set_seed(2)
    assert kept(layers.Dropout(0.5, seed=7), [2, 5]) == first


def test_dropout_along_an_axis_and_of_everything() -> None:
    layer = layers.Dropout(0.25, (2, 1), seed=7)
    assert [kept(layer, [2, 3]) for _ in range(3)] == ["111111", "000111", "000000"]
    assert kept(layers.Dropout(1.0), [4]) == "0000"


def test_a_sequential_model_can_be_built_before_its_first_call() -> None:
    model = Sequential(
        [layers.Dense(3), layers.Dropout(0.5, seed=7), Sequential([layers.Dense(1)])]
    )
    assert not model.built and not model.weights
    model.build((None, 2))
    assert model.built and [v.shape.as_list() for v in model.weights] == [[2, 3], [3], [3, 1], [1]]
    kernel = model.weights[0].numpy()
    model(ad.ones([4, 2]))
    assert (model.weights[0].numpy() == kernel).all()
    assert kept(model.layers[1], [2, 5]) == "1101010111"  # to build it draws nothing


def test_a_model_finds_its_layers() -> None:
    model = Sequential([layers.Dense(2, name="a"), layers.Dense(1, name="b")])
    assert model.get_layer("b") is model.get_layer(index=1) is model.get_layer(index=-1)
    with pytest.raises(ValueError, match="No such layer: c. Existing layers are: \\['a', 'b'\\]"):
        model.get_layer("c")
    with pytest.raises(ValueError, match="index 3 but model only has 2 layers"):
        model.get_layer(index=3)


def test_a_layer_shows_its_name() -> None:
    layer = layers.Dense(2, name="q")
    assert repr(layer) == "<Dense name=q, built=False>"
    layer(ad.ones([1, 1]))
    assert repr(layer) == "<Dense name=q, built=True>"


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: layers.Dense(2, input_shape=(3,)), "build((None, 3))"),
        (lambda: layers.Flatten(input_shape=(28, 28)), "leave it out"),
        (lambda: layers.Dense(2, kernel_regularizer="l2"), "ad.nn.l2_loss"),
        (lambda: layers.Dense(2, kernel_constraint=abs), "w.assign"),
        (lambda: layers.Dense(2, size=3), "got an unexpected keyword argument 'size'"),
    ],
)
def test_other_arguments_of_keras_are_answered(make: Any, says: str) -> None:
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value).startswith(("Dense.__init__() got", "Flatten.__init__() got"))
    assert says in str(caught.value)


# By place as by name; what comes out is TensorFlow's.
BY_PLACE = [
    (lambda: optimizers.SGD(0.1, 0.9, True, 0.5), [0.912, -1.824]),
    (lambda: optimizers.Adam(0.1, 0.9, 0.999, 1e-7, True, 0.1), [0.89000225, -1.8800014]),
    (lambda: optimizers.Adagrad(0.1, 0.1, 1e-3, 0.1), [0.93673766, -1.901704]),
    (lambda: optimizers.RMSprop(0.1, 0.9, 0.0, 1e-7, False, None, 0.1), [0.68385124, -1.683792]),
    (lambda: optimizers.AdamW(0.1, 0.1, 0.9, 0.999, 1e-7, False, 0.1), [0.89000773, -1.8800042]),
]


@pytest.mark.parametrize("make, expected", BY_PLACE)
def test_an_optimizers_arguments_come_in_keras_order(make: Any, expected: list[float]) -> None:
    w = ad.Variable([1.0, -2.0])
    make().apply_gradients([(ad.constant([0.2, -0.4]), w)])
    np.testing.assert_allclose(w.numpy(), expected, rtol=3e-7)


class Scaled(ad.keras.losses.Loss):
    """A loss as one derives it in Keras."""

    def __init__(self, factor: float = 2.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.factor = factor

    def call(self, y_true: Any, y_pred: Any) -> Any:
        return self.factor * ad.square(y_true - y_pred)


@pytest.mark.parametrize(
    "loss, arguments, expected",
    [
        (Scaled(), ([1, 2], ad.constant([3, 5])), 13.0),
        (
            Scaled(3.0, reduction="none"),
            (ad.constant([1.0, 2.0]), np.array([3.0, 5.0])),
            [12.0, 27.0],
        ),
        (Scaled(reduction="sum"), ([1.0, 2.0], [3.0, 5.0], [1.0, 0.0]), 8.0),
    ],
)
def test_a_loss_can_be_derived(loss: Any, arguments: Any, expected: Any) -> None:
    assert loss(*arguments).numpy().tolist() == expected


def test_gradients_come_through_a_derived_loss() -> None:
    v = ad.Variable([1.0, 2.0])
    with ad.GradientTape() as tape:
        loss = Scaled()([0.0, 5.0], v * 2)
    assert tape.gradient(loss, v).numpy().tolist() == [8.0, -4.0]


def test_losses_have_keras_names() -> None:
    found = ad.keras.losses
    assert Scaled(name="mine").name == "mine" and Scaled().name.startswith("scaled")
    assert [found.MeanSquaredError().name, found.Huber().name] == [
        "mean_squared_error",
        "huber_loss",
    ]
    assert found.MSE is found.mse is found.mean_squared_error
    assert found.MAE is found.mae is found.mean_absolute_error
    with pytest.raises(NotImplementedError, match="call"):
        found.Loss()([1.0], [1.0])


def test_a_variable_of_keras_is_made_by_an_initializer() -> None:
    Variable = ad.keras.Variable
    assert Variable("ones", shape=(2,), dtype="float64").numpy().tolist() == [1.0, 1.0]
    assert Variable("zero", (2,)).numpy().tolist() == [0.0, 0.0]
    assert Variable(lambda shape, dtype: ad.fill(shape, 3.0), [2]).numpy().tolist() == [3.0, 3.0]
    made = Variable(ad.keras.initializers.GlorotUniform(seed=1), shape=(2, 3))
    np.testing.assert_allclose(made.numpy()[0, 0], 0.82922614, rtol=1e-6)
    assert Variable([1.0, 2.0], shape=(2,)).ndim == 1


def test_the_value_of_a_variable_of_keras_is_a_tensor() -> None:
    v = ad.keras.Variable(3.0)
    with ad.GradientTape() as tape:
        y = v.value * v.value
    assert isinstance(v.value, ad.Tensor) and float(tape.gradient(y, v)) == 6.0


def test_short_names_of_initializers() -> None:
    found = [
        type(ad.keras.initializers.get(name)).__name__ for name in ("normal", "uniform", "one")
    ]
    assert found == ["RandomNormal", "RandomUniform", "Ones"]
