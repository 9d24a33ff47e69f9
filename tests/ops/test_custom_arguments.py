"""Functions that bring their own gradient: what they may be called with, and what their body may do."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad

# What TensorFlow 2.21 takes by position, though it has no gradient.
COUNTED = {
    "string": "double", "bytes": b"double", "int": 2, "bool": True, "complex": 1j,
    "array": np.ones(3), "strings": np.array(["a", "b"]), "shape": ad.TensorShape([1, 2]),
    "dict": {"mode": "double"}, "scalar": np.float64(2.0),
}  # fmt: skip
REFUSED = [None, len, int, object(), ad.float32, slice(1, 2), {1}, ...]


@pytest.mark.parametrize("name", COUNTED)
def test_what_counts_among_the_arguments(name: str) -> None:
    seen = []

    @ad.custom_gradient
    def scaled(mode: Any, x: Any, again: Any) -> Any:
        seen.extend([mode, again])
        return x * 2.0, lambda dy: (None, dy * 5.0, None)

    given, x = COUNTED[name], ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = scaled(given, x, given)
    assert float(y) == 6.0 and float(tape.gradient(y, x)) == 5.0
    assert seen[0] is given and seen[1] is given, "the body gets what was given"


@pytest.mark.parametrize("given", REFUSED)
@pytest.mark.parametrize("kind", ["custom_gradient", "recompute_grad", "grad_pass_through"])
def test_what_has_no_place_among_the_arguments(kind: str, given: Any) -> None:
    ran = []

    def body(x: Any, mode: Any = "none") -> Any:
        ran.append(mode)
        y = x * 2.0
        return (y, lambda dy: dy * 5.0) if kind == "custom_gradient" else y

    f, x = getattr(ad, kind)(body), ad.Variable(3.0)
    with ad.GradientTape() as tape:
        with pytest.raises(ValueError, match="body takes tensors.* by its keyword"):
            f(x, given)
        assert not ran, "refused before anything runs"
        y = f(x, mode=given)
    slope = {"custom_gradient": 5.0, "recompute_grad": 2.0, "grad_pass_through": 1.0}[kind]
    assert ran == [given] and float(tape.gradient(y, x)) == slope


def test_the_number_of_gradients_counts_strings() -> None:
    @ad.custom_gradient
    def scaled(mode: str, x: Any) -> Any:
        wrong = {"few": lambda dy: dy, "shape": lambda dy: (None, ad.ones([2]))}
        return x * 2.0, wrong[mode]

    x = ad.Variable(3.0)
    for mode, words in (("few", "return 2 gradients, but returned 1"), ("shape", "Input index: 1")):
        with ad.GradientTape() as tape:
            y = scaled(mode, x)
        with pytest.raises(ValueError, match=words):
            tape.gradient(y, x)


def test_recompute_grad_runs_the_second_time_with_what_it_had_the_first_time() -> None:
    seen = []

    def power(mode: str, x: Any, n: int, table: Any) -> Any:
        seen.append((mode, n, table))
        return x**n if mode == "power" else x

    x, table = ad.Variable(3.0), np.ones(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nobody watches the integers
        with ad.GradientTape() as tape:
            y = ad.recompute_grad(power)("power", x, 2, table)
        assert float(tape.gradient(y, x)) == 6.0
    assert seen == [("power", 2, table)] * 2 and type(seen[1][1]) is int


def test_recompute_grad_of_the_same_tensor_twice_and_of_integers() -> None:
    x, i = ad.Variable([3.0, 4.0]), ad.constant([0, 0, 1])
    w = ad.Variable(2.0)

    def f(a: Any, where: Any, parts: Any) -> Any:
        return ad.reduce_sum(ad.gather(a, where) * w) + ad.reduce_sum(parts["b"] * parts["a"])

    for g in (f, ad.recompute_grad(f)):
        with ad.GradientTape() as tape:
            y = g(x, i, {"a": x, "b": x})
        dx, dw = tape.gradient(y, [x, w])
        assert dx.numpy().tolist() == [10.0, 10.0] and float(dw) == 10.0


def test_forward_mode_inside_a_custom_gradient() -> None:
    w = ad.Variable(5.0)

    @ad.custom_gradient
    def f(x: Any) -> Any:
        with ad.autodiff.ForwardAccumulator(x, ad.ones_like(x)) as acc:
            y = x * x * x * w
        slope = acc.jvp(y)
        return y, lambda dy, variables: (dy * slope, [dy * x**3.0])

    x = ad.Variable(2.0)
    with ad.GradientTape() as outer:
        with ad.GradientTape() as tape:
            y = f(x)
        first = tape.gradient(y, [x, w])
    assert [float(g) for g in first] == [60.0, 8.0]
    assert float(outer.gradient(first[0], x)) == 60.0


def test_a_loop_gives_back_containers_of_the_same_kind() -> None:
    start = [0, {"a": 1.0, "b": (2.0,)}]
    found = ad.while_loop(lambda i, _: i < 2, lambda i, parts: (i + 1, dict(parts)), start)
    assert float(found[1]["b"][0]) == 2.0
    for wrong, error in (
        ({"a": 1.0, "b": [2.0]}, TypeError), ({"a": 1.0}, ValueError), ([1.0, (2.0,)], TypeError),
    ):  # fmt: skip
        with pytest.raises(error, match="same nested structure.*what body returned"):
            ad.while_loop(lambda i, _: i < 2, lambda i, _, wrong=wrong: (i + 1, wrong), start)
