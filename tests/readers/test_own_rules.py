"""A rule of the learner's own through which a gradient flows is named, once in an answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autodiff_kit import registry
from readers.test_told import run

OWN = """
@ad.custom_gradient
def cube(x):
    def grad(dy):
        return dy * 2.0 * x
    return x ** 3, grad
@ad.RegisterGradient("Mine")
def mine(op, dy):
    return dy
@ad.custom_gradient
def half(x, c):
    return x * c, lambda dy: (dy, None)
w, b = ad.Variable(2.0), ad.Variable(1.5)
with ad.GradientTape() as tape:
    with ad.gradient_override_map({{"Floor": "Mine"}}):
        h = ad.floor(b)
    y = {}
ad.explain(tape, y, [w, b])
"""
HIS = "On its way lies the gradient function of your `cube` (line 6 of"


@pytest.fixture(autouse=True)
def registry_as_before() -> Iterator[None]:
    """What a program registers is forgotten after the test."""
    before = dict(registry.GRADIENTS)
    yield
    registry.GRADIENTS.clear()
    registry.GRADIENTS.update(before)


@pytest.mark.parametrize(
    "made, first, second",
    [
        ("cube(w) * b", HIS, ""),
        ("cube(b) * w", "", HIS),
        ("cube(w * b)", HIS, ""),
        ("h * w", "", "your rule `Mine` for Floor (line 9 of"),
        ("cube(w) * h", HIS, "your rule `Mine` for Floor"),
        ("cube(h) * w", "", "), and 1 more: what it returns is taken"),
        ("ad.stop_gradient(cube(w)) * b + w", "", ""),
        ("half(b, w) + w", "", "the gradient function of your `half`"),
        ("ad.recompute_grad(ad.tanh)(w) + ad.grad_pass_through(ad.tanh)(b)", "", ""),
    ],
)
def test_a_rule_of_ones_own_on_the_way_is_named_once(made: str, first: str, second: str) -> None:
    for found, words in zip(run(OWN.format(made)).findings, (first, second), strict=True):
        told = " ".join(found.also)
        assert found.status == "flows" and words in told, str(found)
        assert ("ad.test.compute_gradient compares it" in told) == bool(words), str(found)


def test_of_a_rule_that_forgets_what_arrives_nothing_more_is_said() -> None:
    (first, _) = run(
        OWN.format("cube(w) * b").replace("return dy * 2.0 * x", "return 2.0 * x")
    ).findings
    (told,) = first.also
    assert "never uses `dy`" in told and "compute_gradient" not in told
