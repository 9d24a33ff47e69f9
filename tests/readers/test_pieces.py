"""A column that was cut out of the data is not what the model was called with."""

from __future__ import annotations

import pytest

from readers.test_told import told

CUT = """
data = ad.constant([[0.1, 0.2], [0.3, 0.5]])
net = ad.keras.Sequential([ad.keras.layers.Dense(3, "tanh"), ad.keras.layers.Dense(1)])
with ad.GradientTape(persistent=True) as tape:
    {}
    {}
    u = net({})
ad.explain(tape, u, x)
"""
CUTS = ["x = data[:, 1:2]", "t, x = data[:, 0:1], data[:, 1:2]", "t, x = ad.unstack(data, axis=1)"]


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("watch", ["tape.watch(x)", "pass"])
def test_the_whole_went_into_the_model_and_not_the_piece(cut: str, watch: str) -> None:
    found = told(CUT.format(cut, watch, "data"))
    assert (found.cause, found.line.text) == ("made of the same", cut)
    assert "`x` was cut out of `data` here, and `u` was computed from `data`" in found.why
    assert ("Watch `x` first thing in the block" in found.advice) == (watch == "pass")
    assert "Join the pieces inside the block" in found.advice and "(u, data)" in found.fix


def test_put_together_again_it_flows() -> None:
    together = "ad.concat([t, x], axis=1)"
    assert told(CUT.format(CUTS[1], "tape.watch(x)", together)).status == "flows"


def test_the_whole_in_another_block_before() -> None:
    text = CUT.format(CUTS[0], "tape.watch(x)", "data")
    before = (
        "with ad.GradientTape() as old:\n    old.watch(data)\n    v = ad.reduce_sum(data ** 2)\n"
    )
    assert told(text.replace("with", f"{before}with", 1)).cause == "made of the same"


def test_a_piece_that_is_used_and_not_watched_is_not_told_that_it_is_not() -> None:
    found = told(CUT.format(CUTS[0], "pass", "data * ad.sin(x)"))
    assert (found.cause, found.fix.split("    #")[0]) == ("not watched", "tape.watch(x)")


def test_a_piece_of_something_else_is_no_piece_of_the_whole() -> None:
    other = "other = ad.constant([[1.0, 2.0]]); x = other[:, 0:1]"
    assert "cut out of" not in told(CUT.format(other, "tape.watch(x)", "data")).why
