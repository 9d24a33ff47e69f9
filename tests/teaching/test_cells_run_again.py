"""A notebook's cell may be run again: what it registers takes the place of what it registered."""

import pytest

import autodiff_kit as ad
from autodiff_kit.registry import GRADIENTS

CELL = """
@ad.RegisterGradient("TestCellRunAgain")
def {name}(op, dy):
    return {factor} * dy
"""


@pytest.fixture
def cells():
    yield {"ad": ad, "_ih": []}
    GRADIENTS.pop("TestCellRunAgain", None)


def gradient():
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape, ad.gradient_override_map({"Square": "TestCellRunAgain"}):
        y = ad.square(x)
    return float(tape.gradient(y, x))


def test_the_same_function_takes_its_own_place(cells):
    exec(CELL.format(name="rule", factor=5.0), cells)
    assert gradient() == 5.0
    exec(CELL.format(name="rule", factor=7.0), cells)
    assert gradient() == 7.0


def test_another_function_does_not(cells):
    exec(CELL.format(name="rule", factor=5.0), cells)
    with pytest.raises(KeyError, match="Registering two gradient with name 'TestCellRunAgain'"):
        exec(CELL.format(name="other", factor=7.0), cells)
    assert gradient() == 5.0


def test_outside_a_notebook_a_name_is_taken_once(cells):
    del cells["_ih"]
    exec(CELL.format(name="rule", factor=5.0), cells)
    with pytest.raises(KeyError, match="Registering two gradient"):
        exec(CELL.format(name="rule", factor=7.0), cells)
