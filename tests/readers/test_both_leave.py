"""Where two tensors leave side by side, the code keeps both."""

from __future__ import annotations

import pytest

from readers.test_told import columns, run, told


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


RESIDUAL = """
w, b, t = ad.Variable(0.7), ad.Variable(0.1), ad.Variable([0.1, 0.5])
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        u = ad.tanh(w * t) + b
    du = inner.gradient(u, t)
    {}
ad.explain(tape, loss, [w, b])
"""


@columns
@pytest.mark.parametrize(
    "line, code",
    [
        ("loss = ad.reduce_sum((du.numpy() + u.numpy()) ** 2)", "ad.reduce_sum((du + u) ** 2)"),
        (
            "loss = ad.reduce_sum(ad.constant(du.numpy() - np.sin(u.numpy())))",
            "ad.reduce_sum(du - ad.sin(u))",
        ),
    ],
)
def test_each_source_gets_the_same_whole_mend(line: str, code: str) -> None:
    answer = run(RESIDUAL.format(line))
    for found in answer.findings:
        assert found.fix.startswith(code) and "`du.numpy()` and " in found.advice, str(found)
    assert "same:  b" in str(answer)
    mended = run(RESIDUAL.format(f"loss = {code}"))
    assert [one.status for one in mended.findings] == ["flows", "flows"]


@columns
def test_what_leaves_twice_is_named_once() -> None:
    found = told("""
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = ad.constant(x.numpy() * 2.0 + x.numpy() ** 2)
ad.explain(tape, y, x)
""")
    assert "in several places of this line, `x.numpy()` each time." in found.advice
