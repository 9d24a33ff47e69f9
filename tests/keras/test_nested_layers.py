"""Layers in layers, several inputs, `training` and `mask`: what TensorFlow 2.21 does with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad

layers, Sequential = ad.keras.layers, ad.keras.Sequential


class Block(layers.Layer):
    """A Sequential, lists, a dict and a tuple of layers, and variables of its own."""

    def __init__(self) -> None:
        super().__init__(name="block")
        self.first = Sequential([layers.Dense(2, name="s1"), layers.Dense(2, name="s2")])
        self.row = [layers.Dense(2, name="l1")]
        self.named = {"a": layers.Dense(2, name="d1")}
        self.nested = (layers.Dense(2, name="t1"), [[layers.Dense(2, name="t2")]])
        self.again = self.row
        self.row.append(layers.Dense(2, name="l2"))

    def build(self, input_shape: Any) -> None:
        self.state = self.add_weight((1,), name="state", trainable=False)
        self.add_weight((1,), name="kept nowhere")

    def call(self, x: Any) -> Any:
        x = self.first(x)
        for layer in [*self.row, self.named["a"], self.nested[0], self.nested[1][0][0]]:
            x = layer(x)
        return x


def test_variables_of_layers_inside_are_the_layers() -> None:
    block = Block()
    block(ad.ones([1, 2]))
    names = [v.name.removesuffix(":0").split("/") for v in block.variables]
    inside = ["s1", "s2", "l1", "l2", "d1", "t1", "t2"]
    assert [first for first, _ in names] == ["block"] * 2 + [n for n in inside for _ in "kb"]
    assert [second for _, second in names[:4]] == ["kept nowhere", "state", "kernel", "bias"]
    assert len(block.trainable_variables) == 15 and len(block.non_trainable_variables) == 1
    assert block.count_params() == 7 * 6 + 2
    block.set_weights([np.zeros(v.shape) for v in block.variables])
    assert not any(weight.any() for weight in block.get_weights())


def test_freezing_reaches_the_layers_inside() -> None:
    block = Block()
    block(ad.ones([1, 2]))
    block.trainable = False
    assert block.trainable_variables == [] and len(block.non_trainable_variables) == 16
    assert not block.row[0].trainable and not block.first.layers[0].kernel.trainable
    block.trainable = True
    assert len(block.trainable_variables) == 15 and not block.state.trainable
    block.row[1].trainable = False
    assert len(block.trainable_variables) == 13


def test_a_layer_that_knows_the_one_around_it() -> None:
    inner, outer = layers.Dense(1), Block()
    inner.around, outer.inner = outer, inner
    inner([[1.0]])
    assert len(outer.variables) == 2
    outer.trainable = False
    assert not inner.trainable


def test_a_layer_in_training() -> None:
    net = Block()
    x, opt = ad.ones([4, 2]), ad.keras.optimizers.SGD(0.01)
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean((net(x) - 1.0) ** 2)
    gradients = tape.gradient(loss, net.trainable_variables)
    assert sum(g is not None for g in gradients) == 14  # all but the one that nothing uses
    opt.apply_gradients(
        [p for p in zip(gradients, net.trainable_variables, strict=True) if p[0] is not None]
    )
    assert ad.reduce_mean((net(x) - 1.0) ** 2) < loss


def test_only_keras_variables_are_tracked_as_attributes() -> None:
    class Scale(layers.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.plain = ad.Variable(1.0)
            self.one, self.more = ad.keras.Variable(2.0), [ad.keras.Variable(3.0, trainable=False)]

        def call(self, x: Any) -> Any:
            return x * self.one * self.more[0] * self.plain

    scale = Scale()
    with ad.GradientTape() as tape:
        y = ad.reduce_sum(scale(ad.ones([2])))
    assert scale.variables == [scale.one, scale.more[0]]
    assert scale.trainable_variables == [scale.one]
    one, other, plain = tape.gradient(y, [scale.one, scale.more[0], scale.plain])
    assert (one.numpy(), other, plain.numpy()) == (6.0, None, 12.0)


def test_a_variable_that_was_made_untrainable_stays_unwatched() -> None:
    variable = ad.keras.Variable(3.0, trainable=False)
    variable.trainable = True
    with ad.GradientTape() as tape:
        y = variable * 2.0
    assert variable.trainable and tape.gradient(y, variable) is None


def test_minimize_leaves_the_frozen_alone() -> None:
    layer, w = layers.Dense(1, kernel_initializer="ones"), ad.Variable(1.0)
    layer([[1.0]])
    layer.trainable = False
    optimizer = ad.compat.v1.train.GradientDescentOptimizer(0.5)
    optimizer.minimize(lambda: ad.reduce_sum(layer([[1.0]])) * w)
    assert (float(layer.kernel[0, 0]), float(w)) == (1.0, 0.5)


def test_model() -> None:
    class Net(ad.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.parts = [layers.Dense(2), layers.Dense(1)]

        def call(self, x: Any, training: bool | None = None) -> Any:
            return self.parts[1](self.parts[0](x))

    net = Net()
    net(ad.ones([1, 2]))
    assert (
        net.name.startswith("net") and net.layers == net.parts and len(net.trainable_variables) == 4
    )
    assert isinstance(Sequential(), ad.keras.Model)
    for name in ("compile", "fit"):
        assert not hasattr(net, name)
        with pytest.raises(AttributeError, match=f"no `{name}`.*ad.GradientTape"):
            getattr(Sequential(), name)
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'kernel'$"):
        net.kernel  # noqa: B018
    with pytest.raises(TypeError, match="for deriving from"):
        ad.keras.Model(inputs=1, outputs=2)


def test_a_layer_without_the_init_of_layers() -> None:
    class Forgetful(layers.Layer):
        def __init__(self) -> None:
            self.part = layers.Dense(1)

    with pytest.raises(RuntimeError, match=r"forgot to call `super\(\).__init__\(\)`"):
        Forgetful()([[1.0]])
    with pytest.raises(ValueError, match="unique names"):
        Sequential([layers.Dense(1, name="a"), layers.Dense(1, name="a")])
    with pytest.raises(ValueError, match="`trainable` to be a boolean"):
        layers.Dense(1, trainable=1)


class Product(layers.Layer):
    """The product of two tensors in a list, a tuple, a dict or a list in a list."""

    def build(self, input_shape: Any) -> None:
        self.shapes = input_shape

    def call(self, inputs: Any) -> Any:
        a, b = inputs.values() if isinstance(inputs, dict) else inputs
        return a * (b[0] if isinstance(b, list) else b)


A, B = ad.Variable([[1.0, 2.0]]), ad.Variable([[3.0, 4.0]])
STRUCTURES = {"list": [A, B], "tuple": (A, B), "dict": {"a": A, "b": B}, "nested": [A, [B]]}


@pytest.mark.parametrize("name", STRUCTURES)
def test_several_tensors_keep_their_gradients(name: str) -> None:
    layer = Product()
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum(layer(STRUCTURES[name]))
    for gradient, expected in zip(tape.gradient(loss, [A, B]), [[[3, 4]], [[1, 2]]], strict=True):
        assert np.array_equal(gradient, expected)
    assert type(layer.shapes) is type(STRUCTURES[name])
    assert ad.nest.flatten(layer.shapes) == [1, 2, 1, 2]


def called(call: Any, *args: Any, **kwargs: Any) -> Any:
    """What a layer with this `call` returns."""
    return type("Odd", (layers.Layer,), {"call": call})()(*args, **kwargs)


def test_what_is_cast() -> None:
    given = [
        ad.constant([1]),
        ad.constant([1.0], ad.float64),
        np.ones(2),
        np.array([1], np.int64),
        ad.fill([1], True),
    ]
    dtypes = called(lambda self, inputs: [x.dtype.name for x in inputs], given)
    assert dtypes == ["int32", "float32", "float32", "int64", "bool"]
    table = ad.Variable([[1.0], [2.0]])
    found = called(lambda self, ids: ad.nn.embedding_lookup(table, ids), np.array([1, 0]))
    assert found.numpy().tolist() == [[2.0], [1.0]]
    assert called(lambda self, x: x * 2.0, [[1, 2]]).dtype == ad.float32


def test_more_arguments() -> None:
    mask, x = ad.constant([True, False]), ad.ones([2])
    chosen = called(lambda self, q, v, mask=None: ad.where(mask, q, v), x, 2.0 * x, mask=mask)
    assert chosen.numpy().tolist() == [1.0, 2.0]
    assert called(lambda self, q, scale: q * scale, x, scale=[3.0, 4.0]).numpy().tolist() == [3, 4]
    assert called(lambda self, q, v: v.dtype, x, v=np.ones(2)) == ad.float32
    assert called(lambda self, q: q, q=x).numpy().tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="unexpected keyword argument 'w'"):
        called(lambda self, q: q, x, w=1.0)
    with pytest.raises(
        ValueError, match=r"Layer \"d\" expects 1 input\(s\), but it received a list"
    ):
        layers.Dense(1, name="d")([ad.ones([1, 2]), ad.ones([1, 2])])


def test_a_call_with_a_gradient_of_its_own() -> None:
    class Reversed(layers.Layer):
        @ad.custom_gradient
        def call(self, x: Any) -> Any:
            return ad.identity(x), lambda dy: -dy

    x = ad.Variable([1.0, 2.0])
    with ad.GradientTape() as tape:
        y = ad.reduce_sum(Reversed()(x))
    assert tape.gradient(y, x).numpy().tolist() == [-1.0, -1.0]


def test_several_tensors_in_build() -> None:
    class Attention(layers.Layer):
        def build(self, query_shape: Any, value_shape: Any) -> None:
            self.shapes = query_shape, value_shape

        def call(self, query: Any, value: Any, mask: Any = None) -> Any:
            return query, value

    layer = Attention()
    layer(ad.ones([2, 3]), ad.ones([2, 4]), mask=ad.ones([2]))
    assert layer.shapes == ((2, 3), (2, 4)) == layer.output_shape
    Attention.build = lambda self, key_shape, value_shape: None  # type: ignore[assignment, misc]
    with pytest.raises(
        ValueError, match="tensors for query_shape, value_shape.*asks for `key_shape`"
    ):
        Attention()(ad.ones([2, 3]), ad.ones([2, 4]))


class Noisy(layers.Layer):
    def call(self, x: Any, training: bool = False) -> Any:
        return x * 3.0 if training else x


class Eager(layers.Layer):
    def call(self, x: Any, training: bool = True) -> Any:
        return x * 5.0 if training else x


class Around(layers.Layer):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def call(self, x: Any) -> Any:
        return self.inner(x)


class Knowing(Around):
    def call(self, x: Any, training: bool = False) -> Any:
        return self.inner(x)


class Calm(Around):
    def call(self, x: Any, training: Any = None) -> Any:
        return self.inner(x, training=False)


@pytest.mark.parametrize(
    ("make", "training", "expected"),
    [
        (Noisy, True, 3.0), (Noisy, None, 1.0), (Eager, False, 1.0),
        (lambda: Sequential([Noisy()]), True, 3.0),
        (lambda: Sequential([Sequential([Noisy()]), layers.Dropout(0.0)]), True, 3.0),
        (lambda: Sequential([Eager()]), False, 1.0),
        (lambda: Around(Noisy()), True, 3.0),
        (lambda: Around(Sequential([Noisy()])), True, 3.0),
        (lambda: Calm(Noisy()), True, 1.0),
        (lambda: layers.Activation("linear"), True, 1.0),
    ],
)  # fmt: skip
def test_training_gets_to_the_layers_inside(make: Any, training: Any, expected: float) -> None:
    assert make()(ad.ones([1]), training=training).numpy().tolist() == [expected]


def test_what_training_is_if_nobody_says() -> None:
    for layer, expected in (
        (Noisy(), 1.0), (Eager(), 5.0), (Sequential([Eager()]), 5.0), (Around(Eager()), 5.0),
        (Knowing(Eager()), 1.0),
    ):  # fmt: skip
        assert layer(ad.ones([1])).numpy().tolist() == [expected]
    Around(Noisy())(ad.ones([1]), training=True)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'training'"):
        called(lambda self, x, training: x, ad.ones([1]))
    with pytest.raises(KeyError):
        Around(lambda x: {}[x])(ad.ones([1]), training=True)
    assert Noisy()(ad.ones([1])).numpy().tolist() == [1.0]


def test_a_mask_goes_to_the_first_layer_that_takes_one() -> None:
    class Masked(layers.Layer):
        def call(self, x: Any, mask: Any = None) -> Any:
            return x if mask is None else x * ad.cast(mask, ad.float32)

    model = Sequential([layers.Flatten(), Masked(), Masked()])
    shown = model(ad.ones([1, 2]), mask=ad.constant([[True, False]]))
    assert shown.numpy().tolist() == [[1.0, 0.0]]
