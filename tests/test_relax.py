"""Relaxations of floor: recorded values, derivatives against differences, and what each is good for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from recorded_training import CASES, family

relax = ad.relax
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "floor": relax.floor,
    "detour": relax.detour,
    "piecewise_linear_w0.1": relax.piecewise_linear,
    "sigmoid_nearest_k20": relax.sigmoid_nearest,
    "sigmoid_sum_k20": relax.sigmoid_sum,
    "straight_through": relax.straight_through,
    "fourier_N8": relax.fourier,
    "cast_chain_times_x": lambda x: x * ad.cast(ad.cast(x, ad.int32), ad.float32),
}
SMOOTH: dict[str, Callable[[Any], Any]] = {
    "piecewise_linear": partial(relax.piecewise_linear, width=0.3),
    "sigmoid_nearest": partial(relax.sigmoid_nearest, sharpness=7.0),
    "sigmoid_sum": partial(relax.sigmoid_sum, sharpness=7.0),
    "sigmoid_sum_flat": partial(relax.sigmoid_sum, sharpness=0.5),
    "fourier": partial(relax.fourier, terms=3),
    "detour": relax.detour,
    "filtered": relax.filtered,
    "filtered_wide": partial(relax.filtered, width=6),
    "filtered_first_axis": partial(relax.filtered, axis=0),
}
EXACT = {"floor", "detour", "piecewise_linear_w0.1", "straight_through", "cast_chain_times_x"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_value_and_gradient_as_recorded(name: str) -> None:
    case = CASES[f"relax.{name}"]["value"]
    x = ad.Variable(case["x"])
    with ad.GradientTape() as tape:
        y = FUNCTIONS[name](x)
    gradient = tape.gradient(y, x)
    if name in EXACT:
        assert np.array_equal(y.numpy(), case["y"])
    np.testing.assert_allclose(y.numpy(), case["y"], 1e-6, 3e-7)
    if case["g"] is None:
        assert gradient is None
        return
    np.testing.assert_allclose(gradient.numpy(), case["g"], 1e-6, 3e-6)


def test_every_recorded_case_is_met() -> None:
    assert family("relax.") == {f"relax.{name}" for name in FUNCTIONS}


@pytest.mark.parametrize("name", SMOOTH)
def test_the_gradient_is_a_true_derivative(name: str) -> None:
    x = np.random.default_rng(1).uniform(-3.0, 3.0, (4, 6))
    theoretical, numeric = ad.test.compute_gradient(SMOOTH[name], [x], delta=1e-6)
    assert ad.test.max_error(theoretical, numeric) < 1e-6 * (1 + np.abs(numeric[0]).max())
    if name != "detour":
        assert np.abs(theoretical[0]).max() > 0.1


@pytest.mark.parametrize("name", [n for n in SMOOTH if n not in ("detour", "piecewise_linear")])
def test_second_derivatives(name: str) -> None:
    x = np.random.default_rng(2).uniform(-3.0, 3.0, (2, 5))

    def slope(x: Any) -> Any:
        with ad.GradientTape() as tape:
            tape.watch(x)
            y = ad.reduce_sum(ad.sin(SMOOTH[name](x)))
        return tape.gradient(y, x)

    theoretical, numeric = ad.test.compute_gradient(slope, [x], delta=1e-6)
    assert ad.test.max_error(theoretical, numeric) < 1e-5 * (1 + np.abs(numeric[0]).max())


@pytest.mark.parametrize(
    "limit",
    [lambda x: relax.piecewise_linear(x, 1e-9), lambda x: relax.sigmoid_sum(x - 1e-3, 1e5),
     lambda x: relax.sigmoid_nearest(x, 1e5)],
)  # fmt: skip
def test_the_limit_is_floor(limit: Any) -> None:
    x = np.random.default_rng(3).uniform(-5.0, 5.0, 200)
    x = x[np.abs(x - np.round(x)) > 0.01]
    np.testing.assert_allclose(limit(ad.constant(x)).numpy(), np.floor(x), atol=1e-9)


def test_a_flat_sum_of_sigmoids_is_a_line() -> None:
    x = np.linspace(-4, 4, 33)
    np.testing.assert_allclose(relax.sigmoid_sum(x, 0.3).numpy(), x - 0.5, atol=1e-9)


def test_the_filter_averages_floor_over_time() -> None:
    rng = np.random.default_rng(4)
    x = np.cumsum(rng.normal(size=30))
    fine = np.floor(np.interp((np.arange(29 * 4000) + 0.5) / 4000, np.arange(30), x)).reshape(
        29, 4000
    )
    means = np.concatenate([[np.floor(x[0])], fine.mean(axis=1), [np.floor(x[-1])]])
    np.testing.assert_allclose(relax.filtered(x).numpy(), (means[:-1] + means[1:]) / 2, atol=2e-3)


def test_the_filter_on_a_constant_series_and_on_integers() -> None:
    assert relax.filtered([1.5, 1.5, 1.5]).numpy().tolist() == [1.0, 1.0, 1.0]
    x = ad.Variable([2.0, 2.0, 2.0])
    with ad.GradientTape() as tape:
        y = relax.filtered(x)
    assert np.isfinite(tape.gradient(y, x).numpy()).all()


def test_straight_through_with_another_slope() -> None:
    x = ad.Variable([0.95, 0.5])
    with ad.GradientTape() as tape:
        y = relax.straight_through(x, like=relax.piecewise_linear)
    assert y.numpy().tolist() == [0.0, 0.0]
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), [10.0, 0.0])
    with pytest.raises(TypeError, match="like must be a function"):
        relax.straight_through(x, like=relax.piecewise_linear(x))


@pytest.mark.parametrize("name", [*SMOOTH, "straight_through"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_dtype_stays(name: str, dtype: str) -> None:
    f = SMOOTH.get(name, relax.straight_through)
    assert f(ad.constant([0.5, 1.5], dtype)).dtype == dtype


def test_training_something_that_must_be_2_or_5() -> None:
    """Floor passes no gradient; a relaxation finds the number whose floor is wanted."""
    for f in (relax.straight_through, partial(relax.sigmoid_sum, sharpness=4.0)):
        x, opt = ad.Variable([0.3, 7.8]), ad.keras.optimizers.SGD(0.05)
        target = ad.constant([2.0, 5.0])
        for _ in range(200):
            with ad.GradientTape() as tape:
                loss = ad.reduce_sum((f(x) - target) ** 2)
            opt.apply_gradients([(tape.gradient(loss, x), x)])
        assert np.floor(x.numpy()).tolist() == [2.0, 5.0]


def test_errors() -> None:
    for call in (
        lambda: relax.piecewise_linear([1.0], 0.0), lambda: relax.piecewise_linear([1.0], 1.5),
        lambda: relax.sigmoid_sum([1.0], 0.0), lambda: relax.sigmoid_nearest([1.0], -1.0),
        lambda: relax.fourier([1.0], -1), lambda: relax.filtered([1.0], 3),
        lambda: relax.filtered([1.0], axis=1), lambda: relax.filtered(1.0),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="must|axis"):
            call()
    with pytest.raises(ad.errors.InvalidArgumentError, match="int32; use ad.cast"):
        relax.detour([1, 2])
