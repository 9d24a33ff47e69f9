"""Layers, initializers and activations: the documents' kernels, names, shapes, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from recorded_training import CASES, KERAS, close, family

layers = ad.keras.layers

DIFFERENT = {
    "dense.names_shapes.keras3": "names as the document and TensorFlow 2 print them, dense_1/kernel:0",
    "dense.variable_repr.keras3": "a variable prints as TensorFlow's, not as Keras 3's",
    "dense.draws_1_2_are_a_first_run_of_the_cell": "a remark; first_run_kernels has the numbers",
}


def value(name: str) -> Any:
    return CASES[f"dense.{name}"]["value"]


def two_layers() -> tuple[Any, Any]:
    return layers.Dense(2, "relu", name="dense_1"), layers.Dense(4, "relu", name="dense_2")


def at_draw(number: int) -> None:
    """Set the seed, and use up the draws before this one."""
    ad.random.set_seed(1)
    for _ in range(number):
        ad.random.uniform([4, 3], -20, 20)


def ulps(found: Any, expected: Any) -> int:
    a, b = (np.asarray(x, np.float32).view(np.int32).astype(np.int64) for x in (found, expected))
    return int(np.abs(a - b).max())


def test_the_documents_kernels_are_draws_3_and_4() -> None:
    at_draw(3)
    one, two = two_layers()
    two(one([[1.0, 2.0, 3.0]]))
    assert ulps(one.kernel, value("kernel1_from_tf_draw3")) == 0
    assert ulps(two.kernel, value("kernel2_from_tf_draw4")) == 0
    document = [[0.46956396, -0.71557474, -0.8732331, -0.62160015],
                [0.59634185, 0.40849257, -0.18213058, 0.02854967]]  # fmt: skip
    assert ulps(two.kernel, document) <= 1


def test_a_first_and_a_second_run_of_the_cell() -> None:
    at_draw(1)
    for kernels in (
        value("first_run_kernels"),
        [value("kernel1_from_tf_draw3"), value("kernel2_from_tf_draw4")],
    ):
        one, two = two_layers()
        two(one([[1.0, 2.0, 3.0]]))
        assert [ulps(k, e) for k, e in zip((one.kernel, two.kernel), kernels, strict=True)] == [
            0,
            0,
        ]
    # The second kernel differs from what the document printed in a last digit.
    assert value("second_run_kernels_equal_document") == [True, False]


def test_the_documents_two_layers() -> None:
    at_draw(3)
    one, two = two_layers()
    assert str(one.trainable_variables) == value("trainable_before_build") == "[]"
    with ad.GradientTape() as tape:
        h = one([[1.0, 2.0, 3.0]])
        y = two(h)
        loss = ad.reduce_mean(y**2)
    variables = [*one.trainable_variables, *two.trainable_variables]
    for found, name in zip((h, y, loss), ("h", "y", "loss"), strict=True):
        close(found, value(name), 1e-6)
    names = ("l1.kernel", "l1.bias", "l2.kernel", "l2.bias")
    for found, name in zip(tape.gradient(loss, variables), names, strict=True):
        close(found, value(f"grad.{name}"), 2e-6)
    assert str([v.name for v in tape.watched_variables()]) == value("tape_watched_variables.keras3")
    assert repr(one.bias) == (
        "<Variable 'dense_1/bias:0' shape=(2,) dtype=float32, numpy=array([0., 0.], dtype=float32)>"
    )


def test_the_same_by_hand() -> None:
    kernels = [ad.Variable(value(f"kernel{n}_from_tf_draw{n + 2}")) for n in (1, 2)]
    biases = [ad.Variable(ad.zeros([2])), ad.Variable(ad.zeros([4]))]
    with ad.GradientTape() as tape:
        y = ad.constant([[1.0, 2.0, 3.0]])
        for kernel, bias in zip(kernels, biases, strict=True):
            y = ad.nn.relu(y @ kernel + bias)
        loss = ad.reduce_mean(y**2)
    for found, expected in zip(
        tape.gradient(loss, [kernels[0], biases[0]]), value("same_by_hand"), strict=True
    ):
        close(found, expected, 2e-6)


def test_a_dead_unit_has_zeros_not_none() -> None:
    layer = layers.Dense(1, "relu", kernel_initializer=ad.keras.initializers.Constant(-1.0))
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(layer([[1.0, 2.0, 3.0]]))
    for found, expected in zip(
        tape.gradient(loss, layer.trainable_variables), value("dead_relu_gradients"), strict=True
    ):
        close(found, expected)


def test_every_recorded_case_is_met() -> None:
    met = {
        "kernel1_from_tf_draw3", "kernel2_from_tf_draw4", "first_run_kernels",
        "second_run_kernels_equal_document", "trainable_before_build", "h", "y", "loss",
        "grad.l1.kernel", "grad.l1.bias", "grad.l2.kernel", "grad.l2.bias", "same_by_hand",
        "tape_watched_variables.keras3", "dead_relu_gradients",
    }  # fmt: skip
    assert family("dense.") - {f"dense.{name}" for name in met} - set(DIFFERENT) == set()


@pytest.mark.parametrize("row", KERAS["activations"], ids=lambda row: row["name"])
def test_activations(row: Any) -> None:
    found = ad.keras.activations.get(row["name"])(ad.constant(KERAS["numbers"]))
    close(found, np.array(row["value"], np.float32), 2e-6)


def test_activation_names() -> None:
    activations = ad.keras.activations
    assert activations.get(None) is activations.linear and activations.get(ad.sin) is ad.sin
    with pytest.raises(ValueError, match="identifier: rellu; did you mean 'relu'"):
        activations.get("rellu")
    with pytest.raises(TypeError, match="identifier: 3"):
        activations.get(3)


@pytest.mark.parametrize("name", ad.keras.initializers.NAMES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_initializers(name: str, dtype: str) -> None:
    initializer = ad.keras.initializers.get(name)
    drawn = initializer((40, 30), dtype=dtype)
    assert drawn.shape == (40, 30) and drawn.dtype == dtype
    ad.random.set_seed(5)
    first = initializer((2, 3)).numpy()
    ad.random.set_seed(5)
    assert np.array_equal(initializer((2, 3)).numpy(), first)


SPREADS = {
    "glorot_uniform": 2 / 500, "glorot_normal": 2 / 500, "he_uniform": 2 / 200, "he_normal": 2 / 200,
    "lecun_uniform": 1 / 200, "lecun_normal": 1 / 200, "random_normal": 0.05**2,
    "random_uniform": 0.1**2 / 12,
}  # fmt: skip


@pytest.mark.parametrize(("name", "variance"), SPREADS.items())
def test_the_spread_of_initializers(name: str, variance: float) -> None:
    deviation = variance**0.5
    ad.random.set_seed(2)
    numbers = ad.keras.initializers.get(name)((200, 300)).numpy()
    assert abs(numbers.std() / deviation - 1) < 0.02 and abs(numbers.mean()) < deviation / 50


# From TensorFlow 2.21, whose normal numbers may differ in the last digit.
SEEDED = {
    "GlorotUniform": [-0.66622162, 0.96255732, 0.07071137, 0.74718416, -0.69492495, -0.83491707],
    "HeNormal": [-0.76348931, 1.90541327, -1.07346284, 0.69113374, -0.47642225, -0.56361967],
    "LecunNormal": [-0.53986847, 1.34733069, -0.75905287, 0.48870534, -0.33688140, -0.39853930],
    "Orthogonal": [-0.39354825, -0.55332720, 0.73413122, 0.74841624, 0.27089423, 0.60538375],
    "RandomNormal": [-0.03357924, 0.08380252, -0.04721227, 0.03039695, 0.06263926, 0.06762262],
    "RandomUniform": [-0.03040872, 0.04393453, 0.00322752, 0.03410413, -0.03171884, -0.03810858],
    "TruncatedNormal": [-0.03357924, 0.08380252, -0.04721227, 0.03039695, -0.02095366, -0.02478872],
}  # fmt: skip


@pytest.mark.parametrize("name", SEEDED)
def test_with_a_seed_of_its_own_an_initializer_gives_the_same_each_time(name: str) -> None:
    initializer = getattr(ad.keras.initializers, name)(seed=3)
    for _ in range(2):
        np.testing.assert_allclose(initializer([2, 3]).numpy().ravel(), SEEDED[name], rtol=2e-6)


def test_initializer_errors() -> None:
    initializers = ad.keras.initializers
    with pytest.raises(ValueError, match="Could not interpret initializer identifier: glorot"):
        initializers.get("glorot")
    for wrong in ({"scale": 0.0}, {"mode": "fan"}, {"distribution": "gaussian"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            initializers.VarianceScaling(**wrong)


def test_dense_refuses_what_does_not_fit() -> None:
    for units in (0, -1, 2.5, "2", True, None):
        with pytest.raises(ValueError, match="Received an invalid value for `units`"):
            layers.Dense(units)
    layer = layers.Dense(2, name="d")
    with pytest.raises(ValueError, match="expected min_ndim=2, found ndim=1"):
        layer([1.0, 2.0])
    assert layer.variables == [] and not layer.built
    layer([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="expected axis -1 of input shape to have value 3"):
        layer([[1.0, 2.0]])
    with pytest.raises(ValueError, match="numbers"):
        layer([["a", "b", "c"]])


def test_inputs_are_cast() -> None:
    layer = layers.Dense(2)
    for inputs in (
        [[1, 2]],
        np.array([[1.0, 2.0]]),
        ad.constant([[1, 2]]),
        ad.constant([[1, 2]], ad.float64),
    ):
        assert layer(inputs).dtype == ad.float32
    assert layers.Dense(2, dtype="float64")([[1.0, 2.0]]).dtype == ad.float64


def test_a_float64_model_is_float64_throughout() -> None:
    model = ad.keras.Sequential(
        [layers.Flatten(), layers.Dense(2, dtype="float64"), layers.Activation("tanh")]
    )
    third = np.array([[1 / 3, 2 / 3]])
    found = model(third)
    close(found, np.tanh(third @ model.layers[1].kernel.numpy()), 1e-14)


def test_more_dimensions() -> None:
    layer = layers.Dense(4)
    x = np.random.default_rng(0).normal(size=(2, 3, 5)).astype(np.float32)
    close(layer(x), x @ layer.kernel.numpy() + layer.bias.numpy(), 1e-5, 1e-6)


def test_a_frozen_layer_is_watched_as_before() -> None:
    layer = layers.Dense(2)
    layer([[1.0]])
    layer.trainable = False
    with ad.GradientTape() as tape:
        y = layer([[1.0]])
    assert layer.trainable_variables == [] and len(layer.non_trainable_variables) == 2
    assert [v.trainable for v in layer.variables] == [False, False]
    assert tape.watched_variables() == tuple(layer.variables)
    assert [g.numpy().tolist() for g in tape.gradient(y, layer.variables)] == [[[1, 1]], [1, 1]]
    layer.trainable = True
    assert len(layer.trainable_variables) == 2


def test_weights_out_and_in() -> None:
    one, other = layers.Dense(2), layers.Dense(2)
    one([[1.0, 2.0]]), other([[1.0, 2.0]])
    other.set_weights(one.get_weights())
    assert np.array_equal(other.kernel.numpy(), one.kernel.numpy())
    kernel, bias = one.get_weights()
    for wrong in ([kernel + 1], [kernel + 1, bias[:1]], [bias, kernel]):
        with pytest.raises(ValueError, match="set_weights"):
            other.set_weights(wrong)
    assert np.array_equal(other.kernel.numpy(), kernel)


def test_names_count_up() -> None:
    class Odd(layers.Layer):
        def call(self, inputs: Any) -> Any:
            return inputs

    assert [Odd().name for _ in range(3)] == ["odd", "odd_1", "odd_2"]


def test_sequential() -> None:
    model = ad.keras.Sequential([layers.Flatten(), layers.Dense(3, "tanh")])
    model.add(layers.Dense(1, use_bias=False))
    assert model([[[1.0], [2.0]]]).shape == (1, 1)
    assert len(model.trainable_variables) == 3 and model.count_params() == 12
    model.layers[1].trainable = False
    assert len(model.trainable_variables) == 1
    with pytest.raises(ValueError, match="Only instances of `keras.Layer`"):
        model.add(ad.sin)


def test_dropout_only_in_training() -> None:
    model = ad.keras.Sequential([layers.Dropout(0.5)])
    x = np.ones((100, 100), np.float32)
    assert np.array_equal(model(x).numpy(), x)
    dropped = model(x, training=True).numpy()
    assert set(np.unique(dropped)) == {0.0, 2.0} and abs(dropped.mean() - 1) < 0.1
    with pytest.raises(ValueError, match="rate"):
        layers.Dropout(1.5)


def test_a_small_network_learns() -> None:
    ad.random.set_seed(3)
    x = ad.random.normal([64, 2])
    y = np.sign(x.numpy()[:, :1] * x.numpy()[:, 1:]) > 0
    model = ad.keras.Sequential([layers.Dense(16, "tanh"), layers.Dense(1)])
    loss, opt = ad.keras.losses.BinaryCrossentropy(from_logits=True), ad.keras.optimizers.Adam(0.05)
    first = float(loss(y, model(x)))
    for _ in range(150):
        opt.minimize(lambda: loss(y, model(x)), lambda: model.trainable_variables)
    assert float(loss(y, model(x))) < 0.1 < 0.5 < first


def test_who_calls_build_has_made_the_variables() -> None:
    """As in Keras 3: the first call does not make them once more."""
    calls = []

    class Scale(ad.keras.layers.Layer):
        def build(self, input_shape: Any) -> None:
            calls.append(input_shape)
            self.factor = self.add_weight((input_shape[-1],), "ones", name="factor")

        def call(self, inputs: Any) -> Any:
            return inputs * self.factor

    class Twice(Scale):
        def build(self, input_shape: Any) -> None:
            super().build(input_shape)
            self.second = self.add_weight((), "ones", name="second")

    for kind in (Scale, Twice):
        calls.clear()
        layer = kind()
        layer.build((None, 2))
        held = list(layer.trainable_variables)
        layer(ad.ones([3, 2]))
        assert layer.built and calls == [(None, 2)]
        assert [v is w for v, w in zip(held, layer.trainable_variables, strict=True)]
        assert len(held) == len(layer.trainable_variables)
