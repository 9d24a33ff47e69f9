"""A vector that was asked for by a vector: the gradient of its sum, where the Jacobian may be meant."""

from __future__ import annotations

import pytest

from readers.test_told import told

TEXT = """
x, b = ad.Variable([2.0, 1.0]), ad.Variable(3.0)
A = ad.constant([[1.0, 2.0], [3.0, 4.0]])
with ad.GradientTape() as tape:
    {} = {}
ad.explain(tape, {}, {})
"""


@pytest.mark.parametrize(
    "made",
    ["ad.stack([x[0] * x[1] - 4.0, x[0] - x[1]])", "ad.linalg.matvec(A, x)", "x / ad.norm(x)"],
)
def test_equations_of_several_unknowns_are_told_of_the_jacobian(made: str) -> None:
    found = told(TEXT.format("r", made, "r", "x"))
    (words,) = found.also
    assert words == (
        "`r` has 2 elements, and this is the gradient of their sum. For the derivatives of each of "
        "them take tape.jacobian(r, x)."
    )


@pytest.mark.parametrize(
    "name, made, source",
    [
        ("r", "ad.sin(x) * b", "x"),
        ("r", "ad.stack([x[0] ** 2, x[1] ** 3])", "x"),
        ("r", "ad.reduce_sum(x * x)", "x"),
        ("r", "A @ x[:, None]", "x"),
        ("r", "x * b", "b"),
        ("losses", "ad.linalg.matvec(A, x)", "x"),
        ("r", "ad.reduce_sum(x) * ad.ones([20])", "x"),
    ],
)
def test_where_nothing_is_mixed_or_a_loss_is_meant_nothing_is_said(
    name: str, made: str, source: str
) -> None:
    found = told(TEXT.format(name, made, name, source))
    assert found.status == "flows" and not found.also, str(found)


def test_who_asks_for_the_jacobian_already_is_not_told_of_it() -> None:
    text = TEXT.format("r", "ad.linalg.matvec(A, x)", "r", "x").replace("()", "(persistent=True)")
    assert told(text).also
    assert not told(text.replace("ad.explain", "J = tape.jacobian(r, x)\nad.explain")).also
