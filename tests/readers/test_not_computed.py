"""Parts of an expression that Python did not compute: a sieve that held all back, `and` and `or`."""

from __future__ import annotations

import pytest

from readers.test_told import told

TEXT = """
w, z, xs, n = ad.Variable(2.0), ad.Variable(1.0), [1.0, 2.0, 3.0], {n}
with ad.GradientTape() as tape:
    {lines}
    loss = z * z + part
ad.explain(tape, loss, w)
"""


@pytest.mark.parametrize(
    "lines, words",
    [
        (
            "part = sum(w * x for x in xs if x > 10)",
            "with the condition `x > 10`, which held for none of its elements. A tape",
        ),
        (
            "part = sum([w * x for x in xs if x > 10 if x < 11])",
            "`x > 10` and `x < 11`, which held",
        ),
        ("part = sum(w * x for y in [xs] for x in y if x > 10)", "unless there was nothing to go"),
        (
            "part = sum({x: w * x for x in xs if x < n}.values())",
            "with the condition `x < n`, which",
        ),
    ],
)
def test_a_condition_that_lets_nothing_through_is_named(lines: str, words: str) -> None:
    found = told(TEXT.format(lines=lines, n=0))
    assert found.cause == "loop never ran" and words in found.why, str(found)
    assert "something in it" not in found.advice and "Print what is compared" in found.advice


def test_what_was_empty_is_told_before_its_condition() -> None:
    found = told(TEXT.replace("[1.0, 2.0, 3.0]", "[]").format(
        lines="part = sum(w * x for x in xs if x > 10)", n=0
    ))  # fmt: skip
    assert "`xs` is empty" in found.why and "something in it" in found.advice, str(found)


@pytest.mark.parametrize(
    "lines, n, words",
    [
        (
            "part = n and w ** 2",
            0,
            "behind `and`, and Python does not compute that where what stands",
        ),
        ("part = n and (z and ad.reduce_sum(w * 2.0))", 0, "before it is false"),
        ("part = n or w ** 2", 1, "behind `or`"),
    ],
)
def test_what_and_and_or_left_out_is_told(lines: str, n: int, words: str) -> None:
    found = told(TEXT.format(lines=lines, n=n))
    assert found.cause == "branch not taken" and words in found.why, str(found)


@pytest.mark.parametrize(
    "lines",
    ["part = 1.0 if z is not None and w is not None else 0.0", "part = n and z * 2.0"],
)
def test_where_the_source_is_not_computed_with_nothing_is_left_out(lines: str) -> None:
    found = told(TEXT.format(lines=lines, n=1))
    assert found.cause == "not used", str(found)


@pytest.mark.parametrize(
    "lines",
    ["part = n and w ** 2", "part = sum(w * x for x in xs if x > 1)", "part = 0 or w * 2.0"],
)
def test_what_ran_flows(lines: str) -> None:
    assert told(TEXT.format(lines=lines, n=1)).status == "flows"
