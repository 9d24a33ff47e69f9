"""A layer counts the variables that Keras made for it; what else it holds is trained by nobody."""

from __future__ import annotations

from typing import Any

import pytest

import autodiff_kit as ad
from readers.test_explain import run as asked_of


def run(text: str) -> Any:
    return asked_of("import autodiff_kit as ad\n" + text)


UNIT = """
class Unit(ad.keras.{kind}):
    def __init__(self):
        super().__init__()
        self.w = {made}
        self.out = ad.keras.layers.Dense(1)
    def call(self, x):
        return {value}
unit = Unit()
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(unit(ad.constant([[1.0, 2.0]])) ** 2)
ad.explain(tape, loss, {asked})
"""
PLAIN = "ad.Variable([[0.5], [0.25]])"
COUNTED = ("self.add_weight((2, 1), 'ones')", "ad.keras.Variable([[0.5], [0.25]])")


def of(made: str, asked: str, value: str = "x @ self.w", kind: str = "layers.Layer") -> str:
    return str(run(UNIT.format(made=made, asked=asked, value=value, kind=kind)))


@pytest.mark.parametrize("kind", ["layers.Layer", "Model"])
@pytest.mark.parametrize("listed", ["trainable_variables", "trainable_weights", "variables"])
def test_an_empty_list_names_what_the_layer_holds(kind: str, listed: str) -> None:
    said = of(PLAIN, f"unit.{listed}", kind=kind)
    assert f"`unit.{listed}` is empty, though `unit` holds `unit.w`: a layer counts what" in said
    assert all("is empty" not in of(made, f"unit.{listed}", kind=kind) for made in COUNTED)


def test_an_empty_list_of_a_list_says_what_there_may_be() -> None:
    said = of(PLAIN, "[*unit.trainable_variables]")
    assert said.startswith("There is no source to explain") and "add_weight" in said


@pytest.mark.parametrize(
    "value", ["self.out(x * ad.transpose(self.w))", "x @ self.w + 0.0 * self.out(x)"]
)
def test_one_that_no_optimizer_will_get_is_told(value: str) -> None:
    said = of(PLAIN, "unit.w", value)
    assert "a gradient flows" in said and "`unit.w` is not among `unit.trainable_variables`" in said
    assert "leaves `unit.w` as it is" in said


def test_nothing_is_said_of_one_that_counts() -> None:
    for made in COUNTED:
        assert "not among" not in of(made, "unit.w")
        assert "not among" not in of(made, "unit.out.variables", "self.out(x)")


def test_nothing_is_said_of_one_beside_the_layer() -> None:
    text = """
factor = ad.Variable(2.0)
layer = ad.keras.layers.Dense(1)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(factor * layer([[1.0, 2.0]]))
ad.explain(tape, loss, [factor, *layer.trainable_variables])
"""
    assert "not among" not in str(run(text))


def test_objects_that_are_no_layers_hide_what_they_hold() -> None:
    text = """
class Block:
    def __init__(self, make):
        self.w = make([[0.5, 0.0], [0.0, 0.5]])
class Net(ad.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block(ad.keras.Variable) for _ in range(2)]
        self.out = ad.keras.layers.Dense(1)
    def call(self, x):
        for block in self.blocks:
            x = x @ block.w
        return self.out(x)
net = Net()
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(net(ad.constant([[1.0, 2.0]])) ** 2)
ad.explain(tape, loss, net.blocks[1].w)
"""
    assert "is not among `net.trainable_variables`" in str(run(text))


def test_the_optimizer_says_so_of_an_empty_list() -> None:
    with pytest.raises(
        ValueError, match=r"grads_and_vars is empty.*add_weight or ad\.keras\.Variable"
    ):
        ad.keras.optimizers.SGD().apply_gradients([])
