"""The gradient checker, and the coin toss of checking floor: every recorded case, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from recorded_training import CASES, family

v1 = ad.compat.v1.test


def detour(x: Any) -> Any:
    return x - (x - ad.floor(x))


def override(x: Any) -> Any:
    with ad.gradient_override_map({"Floor": "Identity"}):
        return ad.floor(x)


def identity_override(x: Any) -> Any:
    with ad.gradient_override_map({"Floor": "Identity"}):
        return ad.identity(ad.floor(x))


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "detour": detour,
    "override": override,
    "identity_override": identity_override,
    "ste": ad.relax.straight_through,
}
POINTS = [key for key in CASES if key.startswith("cge.") and key.split(".")[1] in FUNCTIONS]
POINTS = [key for key in POINTS if "seeds_0_11" not in key and "delta" not in key]
DELTAS = [key for key in CASES if key.startswith("cge.") and ".delta_" in key]

DIFFERENT = {
    "cge.numeric_values_seen": "four million samples; test_which_entries_jump has the two limits",
    "cge.2000_seed_histogram_emulated": "done without the checker; the twelve seeds are checked",
    "cge.check_emulation_matches_tf": "about the recording",
}


@pytest.mark.parametrize("key", POINTS)
def test_jacobians_and_error_at_a_point(key: str) -> None:
    f, case = FUNCTIONS[key.split(".")[1]], CASES[key]["value"]
    x = ad.constant(case["x"])
    theoretical, numeric = v1.compute_gradient(x, [2], f, [2], x_init_value=case["x"])
    assert np.array_equal(theoretical, case["theoretical"]) and theoretical.dtype == np.float32
    assert np.array_equal(numeric, case["numeric"]) and numeric.dtype == np.float32
    error = ad.test.compute_gradient_error(x, [2], f, [2], x_init_value=case["x"])
    assert error == case["error"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_coin_toss(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = np.random.get_state()  # noqa: NPY002 - the checker draws from this stream, as TensorFlow's
    found: dict[str, list[int]] = {}
    try:
        for seed in range(12):
            np.random.seed(seed)  # noqa: NPY002
            error = ad.test.compute_gradient_error(
                ad.ones([50, 7]), [50, 7], FUNCTIONS[name], [50, 7]
            )
            found.setdefault(str(float(error)), []).append(seed)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    assert found == CASES[f"cge.{name}.50x7_seeds_0_11"]["value"]["errors"]


def test_which_entries_jump() -> None:
    seen = CASES["cge.numeric_values_seen"]["value"]
    for x, jumps in (
        (seen["x_hit_low_max"], True), (seen["x_hit_high_min"], True), (0.001, False), (0.998, False),
    ):  # fmt: skip
        _, numeric = v1.compute_gradient(ad.ones([1]), [1], detour, [1], x_init_value=[x])
        assert (numeric[0, 0] > 499) == jumps


@pytest.mark.parametrize("key", DELTAS)
def test_another_delta(key: str) -> None:
    """The smaller the step, the larger the jump looks: half of 1 / delta."""
    f, delta = FUNCTIONS[key.split(".")[1]], float(key.split("delta_")[1].removesuffix(".ones"))
    ones = np.ones(2, np.float32)
    error = ad.test.compute_gradient_error(ad.constant(ones), [2], f, [2], ones, delta)
    np.testing.assert_allclose(error, CASES[key]["value"], 1e-6)


def test_the_detour_has_the_value_of_floor() -> None:
    case = CASES["cge.detour_forward"]["value"]
    assert np.array_equal(detour(ad.constant(case["x"])).numpy(), case["y"])
    assert np.array_equal(ad.floor(ad.constant(case["x"])).numpy(), case["floor"])
    many = np.random.default_rng(0).uniform(-1e3, 1e3, 10**5).astype(np.float32)
    assert CASES["cge.detour_forward.exact_on_9e6_samples"]["value"]["max_abs_diff"] == 0
    assert np.array_equal(detour(ad.constant(many)).numpy(), np.floor(many))


def test_plain_floor_cannot_be_checked() -> None:
    assert CASES["cge.plain_floor"]["raises"] == "AssertionError"
    with pytest.raises(AssertionError, match=CASES["cge.plain_floor"]["message"]):
        ad.test.compute_gradient_error(ad.ones([2]), [2], ad.floor, [2])


def test_square() -> None:
    error = ad.test.compute_gradient_error(ad.ones([2]), [2], ad.square, [2], [0.3, 0.7])
    assert 0 < error < 1e-3 and CASES["cge.square"]["value"] < 1e-3


def test_the_second_form() -> None:
    for key, f, at in (
        ("cge.v2.square_eager", ad.square, [0.5, 2.0]),
        ("cge.v2.floor_eager", ad.floor, [0.5, 2.0]),
    ):
        theoretical, numeric = ad.test.compute_gradient(f, [ad.constant(at)])
        expected = CASES[key]["value"]
        assert isinstance(theoretical, tuple) and isinstance(numeric, tuple)
        np.testing.assert_array_equal(theoretical[0], expected["theoretical"][0])
        np.testing.assert_array_equal(numeric[0], expected["numeric"][0])


def test_every_recorded_case_is_met() -> None:
    met = {*POINTS, *(f"cge.{name}.50x7_seeds_0_11" for name in FUNCTIONS)}
    met |= {*DELTAS, "cge.detour_forward", "cge.detour_forward.exact_on_9e6_samples"}
    met |= {"cge.plain_floor", "cge.square", "cge.v2.square_eager", "cge.v2.floor_eager"}
    assert family("cge.") - met - set(DIFFERENT) == set()


def test_several_arguments_and_shapes() -> None:
    x, y = np.arange(6.0).reshape(2, 3), np.array([1.0, -1.0, 2.0])
    theoretical, numeric = ad.test.compute_gradient(
        lambda a, b: ad.reduce_sum(a * b, axis=1), [x, y]
    )
    assert [t.shape for t in theoretical] == [(2, 6), (2, 3)]
    assert ad.test.max_error(theoretical, numeric) < 1e-9


def test_a_list_moves_one_and_keeps_the_others() -> None:
    x, y = ad.constant([1.0, 2.0]), ad.constant([3.0, 4.0])
    pairs = v1.compute_gradient([x, y], [[2], [2]], lambda a, b: a * b, [2], delta=0.5)
    assert np.array_equal(pairs[0][0], np.diag([3.0, 4.0])) and np.array_equal(
        pairs[1][0], np.diag([1.0, 2.0])
    )
    assert ad.test.compute_gradient_error([x, y], [[2], [2]], lambda a, b: a * b, [2]) < 1e-2


def test_no_elements() -> None:
    theoretical, numeric = ad.test.compute_gradient(ad.square, [np.zeros((0, 2))])
    assert theoretical[0].shape == numeric[0].shape == (0, 0)
    assert ad.test.max_error(theoretical, numeric) == 0


def test_a_wrong_gradient_is_seen() -> None:
    @ad.custom_gradient
    def wrong(x: Any) -> Any:
        return ad.sin(x), lambda dy: dy * ad.cos(x) * 1.01

    theoretical, numeric = ad.test.compute_gradient(wrong, [np.array([0.5, 1.0])])
    assert ad.test.max_error(theoretical, numeric) > 1e-3


def test_errors() -> None:
    with pytest.raises(ValueError, match="`x` must be a list or tuple"):
        ad.test.compute_gradient(ad.sin, ad.constant(1.0))
    with pytest.raises(AssertionError, match="unsupported type int32 of argument 0"):
        ad.test.compute_gradient(ad.square, [ad.constant(1)])
    with pytest.raises(TypeError, match="y must be the function"):
        ad.test.compute_gradient_error(ad.ones([1]), [1], ad.ones([1]), [1])
    with pytest.raises(AssertionError, match="x_shape"):
        ad.test.compute_gradient_error(ad.ones([1]), [1], ad.sin, [1], x_init_value=[1.0, 2.0])
    with pytest.raises(AssertionError, match="y_shape"):
        ad.test.compute_gradient_error(ad.ones([1]), [1], ad.sin, [2])
    with pytest.raises(ValueError, match="graphs"):
        ad.test.compute_gradient_error(ad.ones([1]), [1], ad.sin, [1], extra_feed_dict={})
