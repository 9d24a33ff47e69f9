"""What is said of frozen layers, and of variables that were made with trainable=False."""

from __future__ import annotations

from typing import Any

import pytest

import autodiff_kit as ad
from readers.test_told import told

HEAD = """class Scale(ad.keras.layers.Layer):
    def build(self, input_shape):
        self.factor = self.add_weight((), "ones", trainable=False, name="factor")
    def call(self, inputs):
        return inputs * self.factor
x = ad.ones([1, 3])
"""


def found(text: str) -> Any:
    return told(HEAD + text)


FROZEN = "layer.trainable = False\n"
TAPE = "with ad.GradientTape() as tape:\n    y = ad.reduce_sum(layer(x))\n"
ASK = "ad.explain(tape, y, layer.kernel)\n"
FREEZINGS = {
    "after the first call": "layer = ad.keras.layers.Dense(4)\nlayer(x)\n" + FROZEN + TAPE,
    "before the first call": "layer = ad.keras.layers.Dense(4)\n" + FROZEN + TAPE,
    "from the start": "layer = ad.keras.layers.Dense(4, trainable=False)\n" + TAPE,
}


@pytest.mark.parametrize("text", FREEZINGS.values(), ids=FREEZINGS)
def test_a_frozen_layer_has_its_gradients(text: str) -> None:
    finding = found(text + ASK)
    assert finding.status == "flows"
    assert finding.also == [
        "`layer.kernel` is frozen (trainable = False), which does not keep gradients from it: it is "
        "only not among the `trainable_variables`."
    ]


def test_frozen_for_the_block_only() -> None:
    finding = found(FREEZINGS["after the first call"] + "layer.trainable = True\n" + ASK)
    assert (finding.status, finding.also) == ("flows", [])


def test_a_state_that_was_there_before_the_block_is_watched_first_thing_inside() -> None:
    text = "layer = Scale()\nlayer(x)\n" + TAPE + ASK.replace("kernel", "factor")
    finding = found(text)
    assert (finding.cause, finding.line.number) == ("not trainable", 5)
    assert finding.fix == "tape.watch(layer.factor)    # first thing inside the with block"
    watched = TAPE.replace("tape:\n", f"tape:\n    {finding.fix}\n")
    assert found(text.replace(TAPE, watched)).status == "flows"


def test_a_state_that_is_made_inside_the_block_cannot_be_watched_there() -> None:
    finding = found("layer = Scale()\n" + TAPE + ASK.replace("kernel", "factor"))
    assert (finding.cause, finding.line.number) == ("not trainable", 5)
    assert "call it once" in finding.advice and "watch" not in finding.fix
    new, old = finding.fix.split("    # instead of ")
    assert "trainable=False" in old and old.replace(", trainable=False", "") == new


def test_a_variable_that_is_made_inside_the_block_is_watched_there() -> None:
    text = "with ad.GradientTape() as tape:\n    v = ad.Variable(2.0, trainable=False)\n    y = v * v\n"
    finding = found(text + "ad.explain(tape, y, v)\n")
    assert finding.fix == "tape.watch(v)    # right after it is made"
    mended = text.replace("    y =", f"    {finding.fix}\n    y =")
    assert found(mended + "ad.explain(tape, y, v)\n").status == "flows"


def test_code_stands_only_where_the_tape_has_its_name() -> None:
    text = (
        "def made():\n    v = ad.Variable(2.0, trainable=False)\n    return v\n"
        "with ad.GradientTape() as tape:\n    v = made()\n    y = v * v\n"
        "ad.explain(tape, y, v)\n"
    )
    finding = found(text)
    assert "watch" not in finding.fix and "watch it first thing inside" in finding.advice
    new, old = finding.fix.split("    # instead of ")
    assert found(text.replace(old, new)).status == "flows"


def test_a_plain_variable_is_never_frozen() -> None:
    variable = ad.Variable(1.0)
    with pytest.raises(AttributeError):
        variable.trainable = False  # type: ignore[misc]


def test_a_frozen_kernel_is_not_said_to_be_watched_late() -> None:
    found = told("""
layer = ad.keras.layers.Dense(1, use_bias=False)
layer([[1.0, 2.0]])
layer.trainable = False
with ad.GradientTape() as tape:
    h = ad.ones([layer.kernel.shape[0]])
    loss = ad.reduce_sum(h) * ad.reduce_sum(layer([[1.0, 2.0]])).numpy()
ad.explain(tape, loss, layer.kernel)
""")
    assert found.cause != "watched late" and "numpy()" in found.why, str(found)
