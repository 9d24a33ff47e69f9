"""Where two tensors leave side by side, the code keeps both."""

from __future__ import annotations

import pytest

from readers.test_told import columns, told


@columns
@pytest.mark.parametrize("up", ["ad.constant(5.0)", "ad.Variable(5.0)", "ad.constant(2.0) * 2.0"])
def test_a_constant_that_leaves_beside_it_is_kept_too(up: str) -> None:
    found = told(f"""
x = ad.Variable(3.0)
up = {up}
with ad.GradientTape() as tape:
    y = ad.constant(2 * x.numpy() * up.numpy())
ad.explain(tape, y, x)
""")
    assert found.fix.startswith("2 * x * up    # instead of "), str(found)
    assert "`x.numpy()` and `up.numpy()`" in found.advice


@columns
@pytest.mark.parametrize(
    "other", ["ad.constant(5.0, ad.float64)", "ad.constant(5)", "np.ones(1)[0]"]
)
def test_what_does_not_go_with_it_is_left_alone(other: str) -> None:
    found = told(f"""
x = ad.Variable(3.0)
other = {other}
with ad.GradientTape() as tape:
    y = ad.constant(2 * x.numpy() * {"other" if "np" in other else "other.numpy()"})
ad.explain(tape, y, x)
""")
    assert found.fix.startswith("2 * x * other") and found.fix.count("numpy()") == (
        1 if "np" in other else 3
    ), str(found)


@columns
@pytest.mark.parametrize(
    "rule",
    [
        "    def grad(up):\n        return 2 * x.numpy() * up.numpy()\n    return x * x, grad",
        "    return x * x, lambda up: 2 * x.numpy() * up.numpy()",
    ],
)
def test_a_gradient_function_keeps_what_arrives_too(rule: str) -> None:
    text = f"""
@ad.custom_gradient
def square(x):
{rule}
x = ad.Variable(3.0)
with ad.GradientTape(persistent=True) as outer:
    with ad.GradientTape() as inner:
        y = square(x)
    slope = inner.gradient(y, x)
ad.explain(outer, slope, x)
"""
    found = told(text)
    assert found.fix.startswith("2 * x * up    # instead of 2 * x.numpy()"), str(found)
    assert told(text.replace("x.numpy() * up.numpy()", "x * up")).status == "flows"
