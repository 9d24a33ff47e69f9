"""What is said of functions that bring their own gradient, and of what is inside of them."""

from __future__ import annotations

import pytest

from readers.test_told import told

SINE = """
{}@ad.custom_gradient
def f(x):
    return {}, lambda dy: dy * np.cos(np.asarray(x))
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    y = ad.reduce_sum({})
ad.explain(tape, y, x)
"""
HELPER = "def value(x):\n    return ad.constant(np.sin(np.asarray(x)))\n"


@pytest.mark.parametrize(
    "before, value, after",
    [
        ("", "ad.constant(np.sin(x.numpy()))", "f(x * 1.0)"),
        (HELPER, "value(x)", "f(x) * x"),
        ("", "x * float(x[0])", "f(x)"),
    ],
)
def test_what_leaves_the_tensors_in_a_body_is_not_lost(before: str, value: str, after: str) -> None:
    found = told(SINE.format(before, value, after))
    assert (found.status, found.also) == ("flows", [])


@pytest.mark.parametrize("after", ["f(x) * value(x)", "f(x * float(x[0]))"])
def test_what_leaves_outside_of_it_is(after: str) -> None:
    found = told(SINE.format(HELPER, "value(x)", after))
    assert found.status == "flows" and "left the tensors" in str(found.also)


CAPTURED = """
w, x = ad.Variable(2.0, name="w"), ad.Variable(3.0, name="x")
@ad.custom_gradient
def line(x):
    z = {}
    return z + 1.0, lambda dy: dy * h
with ad.GradientTape() as tape:
    h = ad.exp(w)
    y = {}
ad.explain(tape, y, w)
"""


def test_what_a_body_takes_from_outside_gets_no_gradient() -> None:
    found = told(CAPTURED.format("h * x", "line(x) * 2.0"))
    assert (found.status, found.cause, found.op) == ("none", "not an argument", "Mul")
    assert found.line.number == 7 and "argument of `line`" in found.advice and not found.fix


def test_nor_where_another_way_has_one() -> None:
    found = told(CAPTURED.format("h * x", "line(x) * h"))
    assert found.status == "flows" and "into the body of `line` at line 7" in str(found.also)


@pytest.mark.parametrize(
    "body, target",
    [
        ("x * ad.stop_gradient(h)", "line(x) * h"),
        ("ad.where(h > 3.0, x, 0.0)", "line(x) * h"),
        ("x + 0.0", "line(h) * h"),
        ("x * w", "line(w) * h"),
    ],
)
def test_what_had_no_gradient_there_loses_none(body: str, target: str) -> None:
    found = told(CAPTURED.format(body, target))
    assert (found.status, found.also) == ("flows", [])


def test_the_result_that_was_not_made_of_it_is_not_blamed() -> None:
    found = told(CAPTURED.format("h * x", "0.0\n    y = pair(x)[1]").replace(
        "with ad", "@ad.custom_gradient\ndef pair(x):\n    "
        "return (x * h, x * 2.0), lambda a, b: a * h + 2.0 * b\nwith ad", 1))  # fmt: skip
    assert found.cause == "not on the way"


def test_what_only_chooses_beside_it_is_told_after_it() -> None:
    found = told(CAPTURED.format("h * x", "line(x) * ad.one_hot(ad.argmax([0.0, w]), 2)[0]"))
    assert found.cause == "not an argument" and "(ArgMax)" in str(found.also)
