"""Where two operations in a row let nothing through, mending one of them is not enough."""

from __future__ import annotations

import re

import pytest

from readers.test_told import columns, run, told

HEAD = "x = ad.Variable([0.2, 0.8])\nwith ad.GradientTape() as tape:\n"
ASKED = "\nad.explain(tape, loss, x)\n"


@columns
@pytest.mark.parametrize(
    ("line", "code"),
    [
        (
            "ad.reduce_sum(ad.cast(«ad.round(x) > 0.5», ad.float32))",
            "ad.sigmoid(10.0 * (x - 0.5))",
        ),
        (
            "ad.reduce_sum(«ad.where(ad.math.ceil(x - 0.5) >= 1.0, 3.0, 1.0)»)",
            "ad.sigmoid(10.0 * ((x - 0.5) - 1.0))",
        ),
    ],
)
def test_a_rounding_is_left_out_of_what_is_compared_softly(line: str, code: str) -> None:
    text = f"{HEAD}    loss = {line}{ASKED}"
    found = told(text.replace("«", "").replace("»", ""))
    assert code in found.fix and "is left out there" in found.advice
    *before, last = found.fix.split("    # instead")[0].splitlines()
    put = re.sub("«.*»", lambda _: last, text).replace(
        "    loss", "".join(f"    {b}\n" for b in before) + "    loss"
    )
    assert told(put).status == "flows"


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (
            "h = ad.round(x)\n    loss = ad.reduce_sum(ad.cast(h > 0.5, ad.float32))",
            "Round (line 5",
        ),
        (
            "h = ad.stop_gradient(x)\n    loss = ad.reduce_sum(ad.floor(h * 3.0))",
            "StopGradient (line 5",
        ),
        (
            "h = ad.math.ceil(x)\n    loss = ad.cast(ad.reduce_sum(ad.cast(h, ad.int32)), ad.float32)",
            "Ceil (line 5",
        ),
    ],
)
def test_otherwise_the_other_one_is_named_and_there_is_no_code(lines: str, word: str) -> None:
    found = told(f"{HEAD}    {lines}{ASKED}")
    assert found.fix == "" and f"Before it {word}" in found.advice


@pytest.mark.parametrize(
    "line",
    [
        "ad.reduce_sum(ad.where(ad.logical_not(x > 0.5), 3.0, 1.0))",
        "ad.reduce_sum(ad.floor(x * 3.0) * ad.floor(x))",
        "ad.reduce_sum(ad.cast(ad.round(x) > x * 2.0, ad.float32))",
    ],
)
def test_one_that_stands_alone_is_mended_as_before(line: str) -> None:
    assert "Before it" not in told(f"{HEAD}    loss = {line}{ASKED}").advice


CHOICE = """
p, y = ad.Variable([0.2, 0.8]), ad.constant([1.0, 1.0])
with ad.GradientTape() as tape:
    wrong = ad.where(ad.not_equal(ad.round(p), y), {}, {})
    loss = ad.reduce_sum(wrong)
ad.explain(tape, loss, p)
"""


@pytest.mark.parametrize(
    "branches",
    [("ad.ones_like(p)", "ad.zeros_like(p)"), ("1.0", "0.0"), ("1.0", "ad.zeros_like(p)")],
)
def test_that_a_shape_was_asked_for_is_not_all_that_was_used(branches: tuple[str, str]) -> None:
    found = told(CHOICE.format(*branches))
    assert found.cause == "condition" and "Only the shape" not in str(found)
    assert "A count of hits only goes up when a decision flips" in found.advice


def test_a_choice_between_values_is_no_count() -> None:
    found = told(CHOICE.format("ad.square(p)", "ad.zeros_like(p)"))
    assert found.status == "flows" and "count of hits" not in str(run(CHOICE.format("p", "0.0")))


def test_where_only_the_shape_is_used_that_is_told() -> None:
    found = told(f"{HEAD}    loss = ad.reduce_sum(ad.ones_like(x) * 2.0){ASKED}")
    assert found.cause == "only the shape"
