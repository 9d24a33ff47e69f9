"""A target that is not finite while its gradient is: the remark says what to do too."""

from __future__ import annotations

import pytest

from readers.test_told import columns, told

BLOCK = """
{}
with ad.GradientTape(persistent=True) as tape:
    loss = {}
ad.explain(tape, loss, x)
"""
SMALLER = "float32 ends at 3.4e38: keep the numbers smaller"


@columns
@pytest.mark.parametrize(
    ("made", "loss", "begins"),
    [
        ("x = ad.Variable(2e19)", "x * x", "Mul"),
        ("x = ad.Variable(2e19)", "x ** 2", "Pow"),
        ("x = ad.Variable([2e19, 1.0])", "ad.reduce_mean(ad.square(x))", "Square"),
        ("x = ad.Variable([3e38, 3e38])", "ad.reduce_sum(x)", "Sum"),
        ("x = ad.Variable([1e19, 1e19, 1e10])", "ad.reduce_prod(x)", "Prod"),
        ("x = ad.Variable(1e20)", "x + ad.stop_gradient(x * x)", "Mul"),
    ],
)
def test_an_overflow_with_a_finite_gradient_is_told_what_to_do(
    made: str, loss: str, begins: str
) -> None:
    found = told(BLOCK.format(made, loss))
    assert found.status == "flows"
    remark = next(one for one in found.also if "itself is not finite" in one)
    assert f"begins with {begins} at line 6" in remark and SMALLER in remark
    assert remark.count("float32 ends") == 1, "said once"


@columns
@pytest.mark.parametrize(
    ("made", "loss", "words"),
    [
        ("x, a = ad.Variable(2.0), np.array([1.0, np.inf])", "ad.reduce_sum(x + a)",
         "`a` holds inf (1 of 2 values), at line 6 of|or put other numbers in their place"),
        ("x, v = ad.Variable(2.0), ad.Variable(np.inf)", "x + v",
         "`v` itself is not finite already|Begin with finite numbers"),
        ("x, n = ad.Variable(2.0), ad.constant(0.0)", "x + ad.stop_gradient(x / n)",
         "begins with RealDiv at line 6 of|`ad.math.divide_no_nan(x, n)`."),
        ("x, f = ad.Variable(1e5), ad.float16", "x + ad.cast(ad.stop_gradient(ad.cast(x, f)), x.dtype)",
         "begins with Cast at line 6 of|float16 ends at 65504"),
    ],
)  # fmt: skip
def test_whatever_is_not_finite_has_its_advice(made: str, loss: str, words: str) -> None:
    found = told(BLOCK.format(made, loss))
    assert found.status == "flows"
    (remark,) = (one for one in found.also if one.startswith("`loss` itself is not finite"))
    assert all(part in remark for part in words.split("|")), remark


def test_a_finite_target_has_no_such_remark() -> None:
    found = told(BLOCK.format("x = ad.Variable(2e18)", "x * x"))
    assert not any("itself is not finite" in one for one in found.also)
