"""Layers that hold, pool, normalize and read sequences, as parts of models that are trained."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from recorded_training import close

layers, Sequential = ad.keras.layers, ad.keras.Sequential
MAKERS = {
    "Conv1D": lambda: (layers.Conv1D(2, 2), (1, 4, 3)),
    "Conv2D": lambda: (layers.Conv2D(2, 2), (1, 4, 4, 1)),
    "BatchNormalization": lambda: (layers.BatchNormalization(), (2, 3)),
    "LayerNormalization": lambda: (layers.LayerNormalization(), (2, 3)),
    "LSTM": lambda: (layers.LSTM(2), (1, 3, 2)),
    "GRU": lambda: (layers.GRU(2), (1, 3, 2)),
    "SimpleRNN": lambda: (layers.SimpleRNN(2), (1, 3, 2)),
    "Dense": lambda: (layers.Dense(2), (2, 3)),
}


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_refused_leaves_a_layer_unbuilt(name: str) -> None:
    layer, shape = MAKERS[name]()
    for wrong in (ad.ones([]), [ad.ones(shape), ad.ones(shape)]):
        with pytest.raises(ValueError):
            layer(wrong)
        assert not layer.built and layer.variables == [] and layer.output_shape is None
    layer(ad.ones(shape))
    before = layer.get_weights()
    with pytest.raises(
        ValueError, match=f"expected axis -1 of input shape to have value {shape[-1]}"
    ):
        layer(ad.ones((*shape[:-1], shape[-1] + 1)))
    assert all(np.array_equal(a, b) for a, b in zip(before, layer.get_weights(), strict=True))


@pytest.mark.parametrize("name", MAKERS)
def test_a_layer_can_be_built_by_hand_and_its_weights_handed_on(name: str) -> None:
    (one, shape), (other, _) = MAKERS[name](), MAKERS[name]()
    one.build((None, *shape[1:]))
    names = [v.name.split("/", 1)[1] for v in one.weights]
    other(ad.ones(shape))
    assert names == [v.name.split("/", 1)[1] for v in other.weights]
    other.set_weights(one.get_weights())
    x = ad.random.normal(shape)
    assert np.array_equal(one(x).numpy(), other(x).numpy())
    with pytest.raises(ValueError, match="set_weights"):
        other.set_weights(one.get_weights()[1:])


@pytest.mark.parametrize("shape", [(8, 8, 1), (1, 8, 8)])
def test_a_picture_without_its_fourth_axis_is_told_what_to_add(shape: Any) -> None:
    with pytest.raises(ValueError, match=r"x\[\.\.\., ad\.newaxis\] adds channels") as error:
        layers.Conv2D(2, 3)(ad.ones(shape))
    assert "x[ad.newaxis] makes one picture one of many" in str(error.value)
    x = ad.ones([8, 8])
    assert layers.Conv2D(2, 3)(x[ad.newaxis, ..., ad.newaxis]).shape == (1, 6, 6, 2)


LEFT_OUT = [
    (lambda: layers.Conv2D(2, 3, data_format="channels_first"), r"ad\.transpose\(x, \[0, 2, 3, 1\]\)"),
    (lambda: layers.MaxPooling1D(data_format="channels_first"), r"ad\.transpose\(x, \[0, 2, 1\]\)"),
    (lambda: layers.GlobalMaxPooling2D("rows_first"), "must be one of"),
    (lambda: layers.Conv1D(4, 3, groups=2), r"ad\.concat\(outputs, axis=-1\)"),
    (lambda: layers.Conv2D(4, 3, padding=[[1, 1], [1, 1]]), r"ad\.pad"),
    (lambda: layers.Embedding(9, 2, mask_zero=True), r"lstm\(x, mask=ad\.not_equal\(ids, 0\)\)"),
    (lambda: layers.Embedding(9, 2, input_length=5), "at its first call"),
    (lambda: layers.Embedding(9, 2, embeddings_regularizer="l2"), r"l2_loss\(layer\.embeddings\)"),
    (lambda: layers.Embedding(2, 2, weights=[[1.0]]), r"of shape \(2, 2\).*Received shape \(1,\)"),
    (lambda: layers.LSTM(2, dropout=0.2), r"ad\.keras\.layers\.Dropout\(rate\)"),
    (lambda: layers.LSTM(2, recurrent_regularizer="l2"), r"l2_loss\(layer\.recurrent_kernel\)"),
    (lambda: layers.GRU(2, stateful=True), r"layer\(x, initial_state=state\)"),
    (lambda: layers.SimpleRNN(2, go_backwards=True), r"ad\.reverse\(x, \[1\]\)"),
    (lambda: layers.LSTM(2)(ad.ones([1, 2, 1]), initial_state=[ad.ones([1, 2])]), "2 state tensor"),
    (lambda: layers.GRU(2)(ad.ones([1, 2, 1]), mask=ad.constant([[True]])), r"shape \(1, 2\), one boo"),
    (lambda: layers.LeakyReLU(alpha=0.1), "negative_slope"),
    (lambda: layers.BatchNormalization(renorm=True), "leave it out"),
    (lambda: layers.Conv2D(2, 3, activity_regularizer="l2"), "the layer's output y"),
    (lambda: layers.Add()([[1.0], [2.0]]), r"write Add\(\)\(\[x, y\]\)"),
]  # fmt: skip


@pytest.mark.parametrize("make, says", LEFT_OUT)
def test_what_is_left_out_is_refused_and_says_what_to_do(make: Any, says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        make()


def test_layers_are_named_as_keras_names_them() -> None:
    made = [layers.Conv2D(1, 1), layers.MaxPooling2D(), layers.ReLU(), layers.GlobalMaxPool1D(),
            layers.LSTM(1), layers.LayerNormalization()]  # fmt: skip
    bases = ["conv2d", "max_pooling2d", "re_lu", "global_max_pooling1d", "lstm",
             "layer_normalization"]  # fmt: skip
    for layer, base in zip(made, bases, strict=True):
        assert layer.name == base or layer.name.rpartition("_")[0] == base


def pictures() -> tuple[Any, Any]:
    """Dark pictures with a bright bar, upright or lying."""
    x = np.random.default_rng(1).normal(size=(32, 8, 8, 1)).astype(np.float32) * 0.1
    y = np.arange(32) % 2
    for number, lying in enumerate(y):
        at = 1 + number % 6
        x[(number, at) if lying else (number, slice(None), at)] += 1.0
    return x, y


def trained(model: Any, x: Any, y: Any, steps: int) -> list[float]:
    """The losses while a model learns."""
    loss = ad.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    opt, found = ad.keras.optimizers.Adam(0.02), []
    for _ in range(steps):
        with ad.GradientTape() as tape:
            value = loss(y, model(x, training=True))
        gradients = tape.gradient(value, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        found.append(float(value))
    return found


@pytest.mark.parametrize("kind", [layers.MaxPooling2D, layers.AveragePooling2D])
def test_a_window_has_to_fit_unless_it_may_be_cut_off(kind: Any) -> None:
    x = ad.ones([1, 3, 2, 1])
    with pytest.raises(ValueError, match=r"input_shape=\(1, 3, 2, 1\), pool_size=\(3, 3\)"):
        kind(3)(x)
    assert kind(3, padding="same")(x).shape == (1, 1, 1, 1)


def test_convolution_pooling_and_normalization_learn() -> None:
    ad.random.set_seed(4)
    model = Sequential([
        layers.Conv2D(4, 3, activation="relu"), layers.BatchNormalization(), layers.MaxPooling2D(),
        layers.Flatten(), layers.Dense(2),
    ])  # fmt: skip
    x, y = pictures()
    losses = trained(model, x, y, 25)
    assert losses[-1] < 0.1 < losses[0]
    moving = model.layers[1].moving_mean.numpy()
    assert np.any(moving != 0.0)
    assert (np.argmax(model(x).numpy(), 1) == y).mean() > 0.5  # with the moving statistics
    assert np.array_equal(model.layers[1].moving_mean.numpy(), moving)


@pytest.mark.parametrize("reader", [layers.LSTM, layers.GRU, layers.SimpleRNN])
def test_an_embedding_and_a_recurrent_layer_learn(reader: Any) -> None:
    ad.random.set_seed(5)
    ids = np.random.default_rng(2).integers(1, 10, (32, 6))
    y = (ids > 5).sum(1) > 2
    model = Sequential([layers.Embedding(10, 4), reader(8), layers.Dense(2)])
    losses = trained(model, ids, y.astype(np.int64), 40)
    assert losses[-1] < 0.3 < 0.5 < losses[0]


def test_summary_and_numbers_of_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    model = Sequential([
        layers.Conv2D(2, 3, name="c"), layers.BatchNormalization(name="b"), layers.ReLU(name="r"),
        layers.MaxPooling2D(name="m"), layers.Flatten(name="f"), layers.Dense(3, name="d"),
    ], name="net")  # fmt: skip
    model.build((None, 8, 8, 1))
    assert [layer.count_params() for layer in model.layers] == [20, 8, 0, 0, 0, 57]
    model.summary()
    shown = capsys.readouterr().out.splitlines()
    assert shown[4:5] == ["r (ReLU)                (1, 6, 6, 2)        0"]
    assert shown[-2:] == ["Total params: 85", "Non-trainable params: 4"]
    words = Sequential([layers.Embedding(10, 3), layers.LSTM(4), layers.Dense(3)])
    words.build((None, 5))
    assert [layer.count_params() for layer in words.layers] == [30, 128, 15]


def test_the_variables_of_a_model_come_in_keras_order() -> None:
    model = Sequential([layers.Dense(2, name="a"), layers.BatchNormalization(name="n"),
                        layers.Dense(1, name="z")])  # fmt: skip
    model(ad.ones([2, 3]))
    kept = ["n/moving_mean:0", "n/moving_variance:0"]
    learnt = ["a/kernel:0", "a/bias:0", "n/gamma:0", "n/beta:0", "z/kernel:0", "z/bias:0"]
    assert [v.name for v in model.weights] == learnt[:4] + kept + learnt[4:]
    assert [v.name for v in model.trainable_variables] == learnt
    assert [v.name for v in model.non_trainable_variables] == kept
    model.layers[1].trainable = False
    assert [v.name for v in model.trainable_variables] == learnt[:2] + learnt[4:]


def test_a_normalization_in_training_records_nothing_of_its_averages() -> None:
    layer = layers.BatchNormalization(momentum=0.5)
    layer.build((None, 2))
    with ad.GradientTape() as tape:
        y = layer([[1.0, 2.0], [3.0, 2.0]], training=True)
    assert tape.gradient(y, layer.moving_mean) is None
    close(layer.moving_mean, np.array([1.0, 1.0], np.float32))
    close(layer.moving_variance, np.array([1.0, 0.5], np.float32))
    with pytest.raises(ValueError, match="expected ndim=2, found ndim=3"):
        layer(ad.ones([2, 2, 2]))


def test_an_lstm_with_seeds_gives_what_tensorflow_gives() -> None:
    initial = ad.keras.initializers
    layer = layers.LSTM(2, kernel_initializer=initial.GlorotUniform(seed=1),
                        recurrent_initializer=initial.Orthogonal(seed=2))  # fmt: skip
    close(layer(ad.ones([1, 3, 2])), np.array([[-0.21241814, -0.35810506]], np.float32), 1e-5)


def test_a_recurrent_layer_has_its_variables_itself() -> None:
    layer = layers.GRU(2)
    with pytest.raises(AttributeError, match=r"no attribute 'cell'\. Use layer\.kernel"):
        layer.cell  # noqa: B018
    layer.build((None, None, 3))
    assert layer.kernel.shape == (3, 6) and "cell" not in dir(layer)


def test_an_embedding_with_weights_of_ones_own() -> None:
    table = np.arange(6.0).reshape(3, 2)
    for given in (table, [table]):
        layer = layers.Embedding(3, 2, weights=given)
        assert layer.built and layer([2, 0]).numpy().tolist() == [[4.0, 5.0], [0.0, 1.0]]
    with pytest.raises(
        ad.errors.InvalidArgumentError, match=r"indices\[0\] = 3 is not in \[0, 3\)"
    ):
        layer([3])


def test_layers_without_variables_leave_numbers_their_dtype() -> None:
    x = np.ones((1, 4, 4, 2))
    model = Sequential([layers.MaxPooling2D(), layers.GlobalAveragePooling2D(), layers.LeakyReLU()])
    assert (
        model(x).dtype == ad.float64 and layers.MaxPooling2D()(x.astype(np.int64)).dtype == ad.int64
    )
    for layer in (layers.Conv2D(2, 2), layers.BatchNormalization()):
        assert layer(ad.constant(x, ad.float64)).dtype == ad.float32
        assert layer(ad.ones(x.shape, ad.int32)).dtype == ad.float32
    assert layers.LSTM(2, dtype="float64")(np.ones((1, 3, 2))).dtype == ad.float64


@pytest.mark.parametrize(
    "name", ["Conv2D", "BatchNormalization", "LayerNormalization", "LSTM", "GRU"]
)
def test_a_gradient_of_a_gradient_goes_through(name: str) -> None:
    kind, shape = type(MAKERS[name]()[0]), MAKERS[name]()[1]
    size = {"Conv2D": (2, 2), "LSTM": (2,), "GRU": (2,)}.get(name, ())
    layer = kind(*size, dtype="float64")
    start, along = np.random.default_rng(3).normal(size=(2, *shape))
    layer(start)

    def slope(x: Any) -> Any:
        with ad.GradientTape() as tape:
            tape.watch(x)
            y = ad.reduce_sum(ad.tanh(layer(x, training=True)) ** 3)
        return ad.reduce_sum(tape.gradient(y, x) ** 2)

    x = ad.Variable(start)
    with ad.GradientTape() as tape:
        penalty = slope(x)
    found = float(ad.reduce_sum(tape.gradient(penalty, x) * along))
    ahead, behind = (float(slope(ad.constant(start + step * along))) for step in (1e-5, -1e-5))
    assert found == pytest.approx((ahead - behind) / 2e-5, rel=1e-5, abs=1e-9)
