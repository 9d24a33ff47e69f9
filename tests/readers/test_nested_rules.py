"""Functions with a gradient of their own that call one another, and derivatives through their rules."""

from __future__ import annotations

import sys

import pytest

from readers.test_told import remarks, run, told

columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns")
SLOPE = """
@ad.custom_gradient
def slope(x):
    return 3.0 * x**2, lambda dy: {}
@ad.custom_gradient
def cube(x):
    return x**3, lambda dy: dy * {}
x = ad.Variable(2.0)
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        y = 5.0 * cube(x)
    first = inner.gradient(y, x)
ad.explain(outer, first, x)
"""


def test_of_two_rules_the_one_that_returned_none_is_named() -> None:
    found = told(SLOPE.format("None", "slope(x)"))
    assert found.cause == "custom None" and "(the custom gradient of `slope`)" in found.why
    assert found.fix == "lambda dy: dy    # for example, instead of lambda dy: None"


def test_the_one_that_forgets_what_arrives_is_named() -> None:
    text = SLOPE.format("6.0 * x", "slope(x)")
    found = told(text)
    assert "The gradient function of `slope`, at line 6 of " in found.also[0]
    code, _, old = found.fix.partition("    # instead of ")
    assert remarks(told(text.replace(old, code))) == []


@columns
@pytest.mark.parametrize("taken", ["float(x)", "x.numpy()"])
def test_a_rule_that_takes_a_number_has_code_for_its_second_derivative(taken: str) -> None:
    text = SLOPE.format("dy * 6.0 * x", f"3.0 * {taken} ** 2")
    found = told(text)
    code, _, old = found.fix.partition("    # instead of ")
    assert (found.status, old) == ("none", f"dy * 3.0 * {taken} ** 2")
    better = text.replace(old, code)
    assert told(better).status == "flows"
    assert float(run(better.replace("ad.explain", "ad.replay")).gradients) == 60.0


def test_rules_that_are_right_get_no_sentence() -> None:
    found = told(SLOPE.format("dy * 6.0 * x", "slope(x)"))
    assert (found.status, remarks(found), found.fix) == ("flows", [], "")


def test_a_rule_with_a_tape_of_its_own_gets_no_sentence() -> None:
    found = told("""
@ad.custom_gradient
def clip(x):
    return ad.identity(x), lambda dy: ad.clip_by_value(dy, -1.0, 1.0)
@ad.custom_gradient
def f(x):
    def grad(dy):
        with ad.GradientTape() as tape:
            tape.watch(x)
            z = clip(x * x)
        return tape.gradient(z, x, output_gradients=dy)
    return clip(x * x), grad
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = 5.0 * f(x)
ad.explain(tape, y, x)
""")
    assert (found.status, remarks(found)) == ("flows", [])
