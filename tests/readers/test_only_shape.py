"""A variable that was asked for its shape, and read by nothing."""

from __future__ import annotations

import pytest

from readers.test_told import told

PROGRAM = """
def mean_of(v, total):
    return total / v.shape[0]
class Mean:
    def __init__(self):
        self.data = ad.Variable([1.0, 2.0])
    def __call__(self):
        n, = self.data.shape
        return ad.ones(n) * 0.5
mean = Mean()
x, z = ad.Variable([1.0, 2.0]), ad.Variable([3.0, 4.0])
with ad.GradientTape() as tape:
    {}
    y = ad.reduce_sum({})
ad.explain(tape, y, {})
"""


@pytest.mark.parametrize(
    ("before", "inside", "source", "line"),
    [
        ("", "ad.ones(x.shape)", "x", 16),
        ("n = x.shape[0]", "ad.constant([2.0]) * n", "x", 15),
        ("", "z * float(x.shape[0])", "x", 16),
        ("noise = ad.random.normal(x.shape)", "z * noise", "x", 15),
        ("", "mean_of(x, z)", "x", 5),
        ("", "mean()", "mean.data", 10),
    ],
)
def test_only_the_shape_was_used(before: str, inside: str, source: str, line: int) -> None:
    found = told(PROGRAM.format(before, inside, source))
    assert found.cause == "only the shape" and f"Only the shape of `{source}`" in found.why
    assert found.line.number == line


@pytest.mark.parametrize(
    ("before", "inside"),
    [
        ("print(x.shape)", "z * 2.0"),
        ("", "z / float(z.shape[0])"),
        ("assert x.shape == z.shape", "z * 2.0"),
        ("", "mean_of(z, z)"),
    ],
)
def test_who_is_only_looked_at_was_not_used(before: str, inside: str) -> None:
    found = told(PROGRAM.format(before, inside, "x"))
    assert found.cause == "not used" and "ask for that if you mean it" in found.advice


def test_a_branch_that_was_not_taken_says_more_than_a_shape() -> None:
    found = told(PROGRAM.format("n = x.shape[0]", "x if n > 5 else z", "x"))
    assert found.cause == "branch not taken"
