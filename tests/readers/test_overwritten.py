"""An array that a tensor was turned into so that something can be written into it."""

from __future__ import annotations

import pytest

from readers.test_told import columns, told

BLOCK = """
w = ad.Variable([1.0, 2.0, 3.0])
with ad.GradientTape() as tape:
    e = w * 2.0
    row = {}
    {}
    loss = ad.reduce_sum({})
ad.explain(tape, loss, w)
"""


@columns
@pytest.mark.parametrize("made", ["e.numpy()", "np.array(e)", "(e * w).numpy()"])
@pytest.mark.parametrize("write", ["row[2:] = 0.0", "row[row > 3.0] = 1.0", "row[0] += 1.0"])
def test_leaving_the_array_out_would_leave_nothing_to_write_into(made: str, write: str) -> None:
    found = told(BLOCK.format(made, write, "ad.convert_to_tensor(row)"))
    assert (found.cause, found.fix) == ("left the tensors", "")
    part = write.split(" = ")[0].split(" +=")[0]
    assert f"`row` is an array so that `{part}` can be written (line 8" in found.advice
    assert "row * mask" in found.advice and "ad.where(mask, new, old)" in found.advice


@pytest.mark.parametrize(
    ("made", "loss"),
    [
        ("e", "row * ad.constant([1.0, 1.0, 0.0])"),
        ("e", "ad.where([True, False, False], 1.0, row)"),
    ],
)
def test_the_advice_mends_it(made: str, loss: str) -> None:
    assert told(BLOCK.format(made, "pass", loss)).status == "flows"


@columns
@pytest.mark.parametrize("write", ["pass", "rows = [0.0]; rows[0] = 1.0"])
def test_an_array_that_nobody_writes_into_is_left_out(write: str) -> None:
    found = told(BLOCK.format("e.numpy()", write, "ad.convert_to_tensor(row)"))
    assert found.fix.startswith("e    #") and "array so that" not in found.advice


def test_a_list_can_be_written_into_itself() -> None:
    found = told(
        BLOCK.format("[v.numpy() for v in ad.unstack(e)]", "row[0] = 1.0", "ad.constant(row)")
    )
    assert found.cause == "left the tensors" and "array so that" not in found.advice


@columns
def test_a_copy_of_a_model_begins_with_numbers() -> None:
    found = told("""
def make():
    layer = ad.keras.layers.Dense(1)
    layer(ad.ones([1, 2]))
    return layer
one, other = make(), make()
with ad.GradientTape() as tape:
    other.set_weights(one.get_weights())
    loss = ad.reduce_sum(other(ad.ones([1, 2])) ** 2)
ad.explain(tape, loss, one.kernel)
""")
    assert found.cause == "left the tensors" and found.fix == ""
    assert "compute with these what the layers do" in found.advice
