"""Zeros and negative numbers together, which a mask or a `where` was to leave out."""

from __future__ import annotations

import pytest

from readers.test_told import columns, told

TEXT = """
x, w = ad.Variable({data}), ad.Variable([3.0, 3.0, 3.0])
mask = ad.constant([0.0, 0.0, 1.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum({value})
ad.explain(tape, y, x)
"""


@columns
@pytest.mark.parametrize("data", ["[0.0, -1.0, 2.0]", "[-1.0, 0.0, 2.0]"])
@pytest.mark.parametrize(
    "value, code",
    [
        ("mask * ad.math.log(x)", "ad.math.xlogy(mask, x)"),
        ("ad.math.log(x) * mask / 2.0", "ad.math.xlogy(mask, x)"),
        ("mask * (-w * ad.math.log(x))", "ad.math.log(ad.where(x > 0, x, 1.0))"),
        ("mask * ad.math.log(x) ** 2", "ad.math.log(ad.where(x > 0, x, 1.0))"),
        ("mask * (x ** 0.5)", "ad.where(x > 0, x, 1.0) ** 0.5"),
        ("ad.where(x >= 0, ad.math.log(x), 0.0)", "ad.math.log(ad.maximum(x, 1e-7))"),
    ],
)
def test_the_code_mends_both(value: str, code: str, data: str) -> None:
    found = told(TEXT.format(data=data, value=value))
    assert found.status == "not finite" and "look at why" not in found.advice, str(found)
    new, _, old = found.fix.partition("    # instead of ")
    assert new == code and old in value, str(found)
    mended = told(TEXT.format(data=data, value=value.replace(old, new)))
    assert mended.status == "flows" and "not finite" not in str(mended), str(mended)


@columns
@pytest.mark.parametrize(
    "value",
    [
        "ad.math.log(x)",
        "w * ad.math.log(x)",
        "(1.0 - mask) * ad.math.log(x)",  # the mask is the other way round
        "ad.where(x < 1, ad.math.log(x), 0.0)",
        "mask * ad.math.log(x) + ad.math.log(x)",
    ],
)
def test_a_negative_number_that_counts_is_told_as_before(value: str) -> None:
    found = told(TEXT.format(data="[0.0, -1.0, 2.0]", value=value))
    assert found.status == "not finite" and not found.fix, str(found)
    assert "look at why the argument is below 0" in found.advice


@columns
def test_a_value_that_is_not_finite_though_the_gradient_is_gets_code_too() -> None:
    found = told(TEXT.format(data="[0.0, -1.0, 2.0]", value="mask * ad.sqrt(x)"))
    assert found.status == "flows" and "`y` itself is not finite" in found.also[0]
    assert found.also[0].endswith("does no harm: `ad.sqrt(ad.where(x > 0, x, 1.0))`."), str(found)
    value = "mask * ad.sqrt(ad.where(x > 0, x, 1.0))"
    assert told(TEXT.format(data="[0.0, -1.0, 2.0]", value=value)).also == []
