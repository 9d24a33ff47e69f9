"""A variable whose name was given to something else, so that nothing reads it any more."""

from __future__ import annotations

import pytest

from readers.test_told import told

CELL = """
class Cell(ad.keras.layers.Layer):
    def build(self, shape):
        self.mix = self.add_weight(name="mix", shape=(3, 3), initializer="ones")
        self.out = self.add_weight(name="out", shape=(3, 3), initializer="ones")
    def call(self, x):
        {}
        return ad.matmul({}, self.out)
cell = Cell()
cell.build((None, 3))
weights = cell.trainable_variables
with ad.GradientTape() as tape:
    y = ad.reduce_sum(cell(ad.ones([2, 3])))
ad.explain(tape, y, weights[0])
"""


@pytest.mark.parametrize("value", ["ad.tanh(x)", "ad.concat([x, x], axis=0)[:2]"])
def test_an_attribute_that_is_given_to_an_inner_value(value: str) -> None:
    found = told(CELL.format(f"self.mix = {value} * self.out[0, 0]", "self.mix"))
    assert found.cause == "not used" and "made under the name `self.mix`" in found.why
    assert found.line.text == f"self.mix = {value} * self.out[0, 0]"
    assert "Give that value a name of its own" in found.advice


def test_it_is_used_where_the_value_has_its_own_name() -> None:
    assert told(CELL.format("h = ad.matmul(x, self.mix)", "h")).status == "flows"


@pytest.mark.parametrize(("line", "used"), [("h = ad.tanh(x)", "h"), ("h = self.out * 2.0", "x")])
def test_what_is_only_forgotten_was_not_replaced(line: str, used: str) -> None:
    found = told(CELL.format(line, used))
    assert found.cause == "not used" and "under the name" not in found.why


def test_a_name_in_a_loop_that_makes_several_was_not_replaced() -> None:
    found = told("""
ws = []
for k in range(3):
    w = ad.Variable(float(k))
    ws.append(w)
with ad.GradientTape() as tape:
    y = ws[1] * ws[2]
ad.explain(tape, y, ws[0])
""")
    assert found.cause == "not used" and "under the name" not in found.why
