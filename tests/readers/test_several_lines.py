"""A statement that goes over several lines is one place, and is shown so that it says something."""

from __future__ import annotations

from typing import Any

import pytest

from readers.test_told import told

SETTING = "x = ad.Variable([1.0, 2.0])\nwith ad.GradientTape() as tape:\n    loss = "
ASKED = "\nad.explain(~tape, loss, x~)\n"


def spread(expression: str) -> Any:
    """What is said of a loss, with a line break where a ~ stands."""
    return told(f"{SETTING}{expression}{ASKED}".replace("~", "\n        "))


@pytest.mark.parametrize(
    "expression, shown",
    [
        ("ad.constant(~np.mean(~x~)~* 2.0)", "np.mean(x) * 2.0"),
        ("ad.constant((~x * 2.0~).numpy())", "(x * 2.0).numpy()"),
        ("ad.reduce_sum(~ad.floor(  # down~x))", "ad.floor(x)"),
        ("ad.reduce_sum(~ad.floor(x),~axis=None)", "ad.floor(x),"),
        ("ad.floor(~x)", "loss = ad.floor(x)"),
    ],
)
def test_the_expression_is_shown_in_one_line(expression: str, shown: str) -> None:
    found = spread(expression)
    assert found.line.shown == shown and f": {shown}" in str(found), str(found)
    assert f"`{shown}`" in found._repr_markdown_()


def test_what_is_too_long_for_one_line_stays_as_it_stands() -> None:
    found = spread(f"ad.reduce_sum(~ad.floor(~x{' + 0.25' * 20}))")
    assert found.line.shown == found.line.text == "ad.floor(", str(found)


def test_two_exits_of_one_statement_are_one_way() -> None:
    found = spread("(~np.mean(x)~/ np.std(x)~) * x[0]")
    assert sum("left the tensors" in text for text in found.also) == 1, str(found)
    lost = spread("ad.constant(~np.mean(x)~/ np.std(x))")
    assert lost.status == "none" and not lost.also, str(lost)


def test_data_of_the_same_statement_was_not_made_elsewhere() -> None:
    found = spread("ad.reduce_sum(~x~* (~[1.0, 1.0]~/ ad.constant([0.0, 1.0])))")
    assert found.status == "not finite" and not found.also, str(found)


def test_a_name_is_looked_for_in_the_whole_statement() -> None:
    loss = "(~fast * 3.0~) ** 2\nfast = fast * 0.5\nad.explain(tape, loss, fast)\n"
    setting = SETTING.replace("with", "fast = x - 0.1 * x\nwith", 1)
    found = told(f"{setting}{loss}".replace("~", "\n        "))
    assert "`loss` was computed from is what `fast` meant before" in found.why, str(found)
