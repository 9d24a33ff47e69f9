"""The weights that are advised for a soft choice follow what was asked, and give the value back."""

from __future__ import annotations

import re

import numpy as np
import pytest

import autodiff_kit as ad
from readers.test_told import told

CHOICE = """
x, a, b = ad.Variable(2.0), ad.Variable(1.0), ad.Variable(5.0)
with ad.GradientTape() as tape:
    if {}:
        y = a * 4.0
    else:
        y = b * 3.0
ad.explain(tape, y, x)
"""
MASK = """
s, data = ad.Variable([0.2, 0.9]), ad.constant([1.0, 2.0])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.boolean_mask(data, {}))
ad.explain(tape, loss, s)
"""
SIGMOID, HUMP = "ad.sigmoid of ten times the difference", "`ad.exp(-ad.square(d / 0.1))`"


def ways(advice: str) -> tuple[bool, bool]:
    """Whether a sigmoid and whether a hump is advised, of `d` or of what is compared."""
    return SIGMOID in advice, re.search(r"ad\.exp\(-ad\.square\(.+ / 0\.1\)\)", advice) is not None


@pytest.mark.parametrize("question", ["x > 1.0", "x <= 1.0", "not x > 1.0", "ad.less(x, 1.0)"])
def test_which_is_larger_is_weighed_with_a_sigmoid(question: str) -> None:
    found = told(CHOICE.format(question))
    assert (found.cause, *ways(found.advice)) == ("condition", True, False)


@pytest.mark.parametrize("question", ["x == 2.0", "x % 2 == 0", "x != 3.0", "ad.equal(x, 2.0)"])
def test_equality_is_weighed_with_a_hump(question: str) -> None:
    found = told(CHOICE.format(question))
    assert (found.cause, *ways(found.advice)) == ("condition", False, True)
    at_equality = 0 if "!=" in question else 1
    assert f"is {at_equality} where both are equal" in found.advice and "in between" in found.advice


@pytest.mark.parametrize(
    ("question", "near"),
    [("x == 2.0", 2.05), ("x % 2 == 0", 2.05), ("x != 3.0", 2.95), ("float(x) == 2.0", 1.95)],
)
def test_equality_is_written_out_as_a_mixture_with_a_gradient(question: str, near: float) -> None:
    advice = told(CHOICE.format(question)).advice
    written = re.search(
        r" one: `(weight = .*)`, and `(y = .*)`\. The weight is (.) where both are equal and",
        advice,
    )
    assert written and " d / " not in advice, "said once, of what is compared"
    names = {"ad": ad, "x": ad.Variable(near), "a": ad.Variable(1.0), "b": ad.Variable(5.0)}
    with ad.GradientTape() as tape:
        exec(f"{written[1]}\n{written[2]}", names)
    gradient = tape.gradient(names["y"], names["x"])
    assert gradient is not None and abs(float(gradient)) > 1.0
    names["x"].assign(round(near))
    exec(written[1], names)
    assert float(names["weight"]) == float(written[3])


@pytest.mark.parametrize(
    "question",
    ["x", "(x > 1.0) & (x < 3.0)", "x > 1.0 and x == 2.0", "ad.reduce_all(ad.equal(x, 2.0))"],
)
def test_for_any_other_question_each_way_is_named_with_its_sign(question: str) -> None:
    found = told(CHOICE.format(question))
    assert (found.cause, *ways(found.advice)) == ("condition", True, True)
    assert f"for < and > {SIGMOID}" in found.advice and f"for == {HUMP}" in found.advice


@pytest.mark.parametrize(
    "question, sigmoid, hump",
    [("s > 0.3", True, False), ("s == 0.9", False, True), ("(s > 0.3) & (s != 0.9)", True, True)],
)
def test_a_mask_is_weighed_in_the_same_way(question: str, sigmoid: bool, hump: bool) -> None:
    found = told(MASK.format(question))
    assert (found.cause, *ways(found.advice)) == ("condition", sigmoid, hump)


def test_a_mask_of_what_differs_is_weighed_with_one_minus_the_hump() -> None:
    assert f"one minus {HUMP}" in told(MASK.format("s != 0.9")).advice


def test_a_derivative_that_chose_by_equality_is_not_told_of_a_sigmoid_alone() -> None:
    found = told("""
w = ad.Variable([2.0, 3.0])
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        y = ad.reduce_sum(ad.where(w == 2.0, w, 5.0))
    slope = inner.gradient(y, w)
ad.explain(outer, slope, w)
""")
    assert (found.cause, *ways(found.advice)) == ("second derivative", True, True)


def test_the_hump_put_in_place_of_an_equality_keeps_the_value() -> None:
    x1, x2 = ad.Variable(3.0), ad.Variable(3.0)
    for flag, value in ((2.0, 39.0), (3.0, 27.0)):
        d = ad.constant(flag) % 2 - 0
        weight = ad.exp(-ad.square(d / 0.1))
        mixed = weight * (4 * x1**2 + 3) + (1.0 - weight) * x2**3
        assert np.isclose(mixed.numpy(), value)


@pytest.mark.parametrize("distance", [0.3, -0.3, 1.0])
def test_the_hump_is_flat_where_it_is_said_to_be(distance: float) -> None:
    d = ad.Variable(distance)
    with ad.GradientTape() as tape:
        weight = ad.exp(-ad.square(d / 0.1))
    assert float(weight) < 2e-4 and abs(float(tape.gradient(weight, d))) < 0.01
