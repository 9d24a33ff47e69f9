"""Freezing weights under Adam and its relatives: every recorded case, of TensorFlow 1 and Keras."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from recorded_training import CASES, close, family

PROBLEM = CASES["adam.problem"]["value"]
A, B, ALL = [0, 1, 1, 0], [1, 0, 0, 1], [1, 1, 1, 1]
RATES = {"0.1": 0.1, "1e-05": 1e-5}
V1 = ad.compat.v1.train
KERAS = ad.keras.optimizers

DIFFERENT = {
    "adam.problem": "the problem, not a result",
    "adam.v1.document_order_init_before_apply": "no graphs whose variables need an initializer",
    "adam.keras3.get_slot": "the kit has get_slot on every optimizer: the experiment needs it",
    "adam.keras3.legacy": "no module keras.optimizers.legacy: compat.v1 has the old arithmetic",
    "adam.keras3.info": "slots are named as the kit's get_slot finds them, in Keras 2's form",
    "adam.keras3.indexed_slices_two_steps": "no sparse gradients; Keras 3 has other numbers",
    "adam.keras212_new.subset_unbuilt": "the error is Keras 3's, a ValueError",
    "adam.keras212_new_nojit.subset_unbuilt": "the error is Keras 3's, a ValueError",
    "adam.keras212_new.empty": "an empty list is an error, as in Keras 3",
    "adam.keras212_new_nojit.empty": "an empty list is an error, as in Keras 3",
    "adam.keras212_legacy.empty": "an empty list is an error, as in Keras 3",
    "adam.keras212_legacy_sgd.empty": "an empty list is an error, as in Keras 3",
    "adam.keras212_legacy.info": "names as in Keras 2's newer optimizers",
    "adam.keras212_legacy.subset_unbuilt": "Keras 3 asks for build; compat.v1 takes any subset",
    "adam.keras212_legacy_sgd.subset_unbuilt": "Keras 3 asks for build; compat.v1 takes any subset",
}


def gradient(w: ad.Variable, mask: list[int]) -> Any:
    """The document's loss: only the masked weights are seen by the gradient."""
    seen = np.array(mask, np.float32)
    with ad.GradientTape() as tape:
        masked = seen * w + ad.stop_gradient(abs(1 - seen) * w)
        y = ad.reduce_sum(PROBLEM["X"] * masked, axis=1)
        loss = ad.reduce_mean((y - PROBLEM["Y"]) ** 2)
    return tape.gradient(loss, w)


def step(opt: Any, w: ad.Variable, mask: list[int], expected: Any, rtol: float = 2e-6) -> None:
    found = gradient(w, mask)
    opt.apply_gradients([(found, w)])
    close(found, expected["grad"], rtol, rtol)
    close(w, expected["W"], rtol, rtol)
    for slot in opt.get_slot_names():
        close(opt.get_slot(w, slot), expected[slot], rtol, rtol)
    if "beta_powers_after" in expected:
        for power, value in zip(
            opt._get_beta_accumulators(), expected["beta_powers_after"], strict=True
        ):
            close(power, value, 0, 0)
    if "iterations" in expected:
        assert int(opt.iterations) == expected["iterations"]


def start() -> ad.Variable:
    return ad.Variable(PROBLEM["W0"], name="W")


def set_moments(opt: Any, w: ad.Variable, places: list[int], values: Any, slots: str = "mv") -> Any:
    """Give some elements of the slots other values; returns what was there."""
    before = {}
    for slot in slots:
        variable = opt.get_slot(w, slot)
        array = variable.numpy()
        before[slot] = array[places].copy()
        array[places] = values[slot] if isinstance(values, dict) else values
        variable.assign(array)
    return before


NAIVE: dict[str, Callable[[float], Any]] = {
    "naive": V1.AdamOptimizer,
    "sgd.masked": V1.GradientDescentOptimizer,
    "momentum0.9.masked": lambda rate: V1.MomentumOptimizer(rate, 0.9),
    "rmsprop.masked": V1.RMSPropOptimizer,
    "adagrad.masked": V1.AdagradOptimizer,
}
KERAS_NAIVE: dict[str, tuple[Callable[[float], Any], float]] = {
    "adam.keras3": (KERAS.Adam, 2e-6),
    "adam.keras212_new": (KERAS.Adam, 2e-6),
    "adam.keras212_new_nojit": (KERAS.Adam, 2e-6),
    # Keras 2's legacy optimizer rounded 1 - beta to float32 first.
    "adam.keras212_legacy": (KERAS.Adam, 5e-5),
    "adam.keras3_sgd": (KERAS.SGD, 2e-6),
    "adam.keras212_legacy_sgd": (KERAS.SGD, 2e-6),
}


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("kind", NAIVE)
def test_three_steps_of_v1(rate: str, kind: str) -> None:
    w, opt = start(), NAIVE[kind](RATES[rate])
    for mask, expected in zip((A, B, A), CASES[f"adam.v1.lr{rate}.{kind}"]["value"], strict=True):
        step(opt, w, mask, expected, 5e-6)


@pytest.mark.parametrize("name", KERAS_NAIVE)
def test_three_steps_of_keras(name: str) -> None:
    make, rtol = KERAS_NAIVE[name]
    w, opt = start(), make(0.1)
    for mask, expected in zip((A, B, A), CASES[f"{name}.naive"]["value"], strict=True):
        step(opt, w, mask, expected, rtol)


def zeroed(make: Callable[[float], Any], rate: float, expected: Any, rtol: float) -> Any:
    """Two steps, the moments of the frozen elements set to zero between them."""
    w, opt = start(), make(rate)
    step(opt, w, A, expected[0], rtol)
    saved, frozen = set_moments(opt, w, [1, 2], 0), w.numpy()[[1, 2]]
    step(opt, w, B, expected[1], rtol)
    assert np.array_equal(w.numpy()[[1, 2]], frozen)
    return w, opt, saved


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("third", ["restored_and_freeze", "all_restored", "all_not_restored"])
def test_zeroed_moments_keep_weights_where_they_are(rate: str, third: str) -> None:
    start_of = f"adam.v1.lr{rate}.zeroed_moments."
    w, opt, saved = zeroed(
        V1.AdamOptimizer, RATES[rate], CASES[start_of + "steps12"]["value"], 2e-6
    )
    if third != "all_not_restored":
        set_moments(opt, w, [1, 2], saved)
    if third == "restored_and_freeze":
        set_moments(opt, w, [0, 3], 0)
    name, mask = {
        "restored_and_freeze": ("step3_relax_1_2_restored_and_freeze_0_3", A),
        "all_restored": ("step3_relax_all_ones_restored", ALL),
        "all_not_restored": ("step3_relax_all_ones_NOT_restored", ALL),
    }[third]
    step(opt, w, mask, CASES[start_of + name]["value"], 5e-6)


@pytest.mark.parametrize("name", [n for n in KERAS_NAIVE if "sgd" not in n])
def test_zeroed_then_restored_in_keras(name: str) -> None:
    expected = CASES[f"{name}.zeroed_then_restored"]["value"]
    make, rtol = KERAS_NAIVE[name]
    w, opt, saved = zeroed(make, 0.1, expected, rtol)
    set_moments(opt, w, [1, 2], saved)
    set_moments(opt, w, [0, 3], 0)
    step(opt, w, A, expected[2], rtol)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("slot", ["m", "v"])
def test_only_one_moment_zeroed(rate: str, slot: str) -> None:
    w, opt = start(), V1.AdamOptimizer(RATES[rate])
    opt.apply_gradients([(gradient(w, A), w)])
    set_moments(opt, w, [1, 2], 0, slot)
    step(opt, w, B, CASES[f"adam.v1.lr{rate}.only_{slot}_zeroed.step2"]["value"])


def test_slots_before_and_after_the_first_step() -> None:
    expected = CASES["adam.v1.slot_before_apply"]["value"]
    w, opt = start(), V1.AdamOptimizer(0.1)
    assert opt.get_slot(w, "m") is expected["get_slot"]
    assert opt.get_slot_names() == expected["slot_names"]
    opt.apply_gradients([(gradient(w, A), w)])
    assert opt.get_slot_names() == expected["slot_names_after"]
    assert [opt.get_slot(w, slot).name for slot in "mv"] == expected["slot_var_names"]
    assert [w.name] + [v.name for v in opt.variables()] == expected["all_variables"]
    assert opt.get_slot(w, "no such slot") is expected["bad_slot"]


def test_subsets_in_v1() -> None:
    a, b = ad.Variable([0.0, 0.0], name="wa"), ad.Variable([0.0, 0.0], name="wb")
    opt = V1.AdamOptimizer(0.1)
    opt._make_slots(b)
    for turn, expected in enumerate(CASES["adam.v1.subset_apply_gradients"]["value"]):
        w = ad.stack([b[0], a[0], a[1], b[1]])
        with ad.GradientTape() as tape:
            tape.watch(w)
            y = ad.reduce_sum(PROBLEM["X"] * w, axis=1)
            loss = ad.reduce_mean((y - PROBLEM["Y"]) ** 2)
        g = tape.gradient(loss, w)
        pair = (g[1:3], a) if turn != 1 else (ad.stack([g[0], g[3]]), b)
        opt.apply_gradients([pair])
        for variable, letter in ((a, "a"), (b, "b")):
            close(variable, expected[f"w{letter}"], 2e-6)
            for slot in "mv":
                close(opt.get_slot(variable, slot), expected[f"{slot}_{letter}"], 2e-6)
        for power, value in zip(opt._get_beta_accumulators(), expected["beta_powers"], strict=True):
            close(power, value, 0, 0)


def test_v1_in_eager_mode() -> None:
    expected = CASES["adam.v1.eager"]["value"]
    w, opt = start(), V1.AdamOptimizer(0.1)
    opt.apply_gradients([(ad.constant([0.0, 1.0, -2.0, 0.0]), w)])
    close(w, expected["W"])
    close(opt.get_slot(w, "m"), expected["m"])
    close(opt.get_slot(w, "v"), expected["v"])
    assert opt.get_slot_names() == expected["names"]


def test_the_name_that_never_was() -> None:
    assert CASES["adam.v1.tf.AdamOptimizer"]["raises"] == "AttributeError"
    assert not hasattr(ad, "AdamOptimizer")


def test_none_is_skipped_in_v1() -> None:
    w, u, opt = start(), ad.Variable([0.0], name="U"), V1.AdamOptimizer(0.1)
    with pytest.warns(ad.GradientWarning, match=r"Gradients do not exist for variables \['U:0'\]"):
        opt.apply_gradients([(gradient(w, A), w), (None, u)])
    assert CASES["adam.v1.none_gradient_skipped"]["value"] == {"U_grad": None, "U_slot": None}
    assert opt.get_slot(u, "m") is None and u.numpy() == 0


def test_all_none_and_nothing_in_v1() -> None:
    u, opt = ad.Variable([0.0], name="U"), V1.AdamOptimizer(0.1)
    start_of = "No gradients provided for any variable"
    assert CASES["adam.v1.all_none"]["message"].startswith(start_of)
    with pytest.raises(ValueError, match=start_of):
        opt.apply_gradients([(None, u)])
    with pytest.raises(ValueError, match=CASES["adam.v1.empty"]["message"]):
        opt.apply_gradients([])


TWO = {
    "adam.keras3": (KERAS.Adam, 2e-6),
    "adam.keras3_sgd": (KERAS.SGD, 2e-6),
    "adam.keras212_new": (KERAS.Adam, 2e-6),
    "adam.keras212_new_nojit": (KERAS.Adam, 2e-6),
    "adam.keras212_legacy": (KERAS.Adam, 5e-5),
    "adam.keras212_legacy_sgd": (KERAS.SGD, 2e-6),
}


def two() -> tuple[ad.Variable, ad.Variable]:
    return ad.Variable([0.0, 0.0], name="wa"), ad.Variable([0.0, 0.0], name="wb")


@pytest.mark.parametrize("name", [n for n in TWO if f"{n}.subset_built" in CASES])
def test_subsets_after_build(name: str) -> None:
    (a, b), opt = two(), TWO[name][0](0.1)
    opt.build([a, b])
    ones = ad.constant([1.0, 1.0])
    expected = CASES[f"{name}.subset_built"]["value"]
    for pair, values in zip(((ones, a), (ones * -3.0, b), (ones, a)), expected["W"], strict=True):
        opt.apply_gradients([pair])
        close(a, values[0])
        close(b, values[1])
    assert int(opt.iterations) == expected["iterations"]


@pytest.mark.parametrize("name", ["adam.keras3", "adam.keras3_sgd"])
def test_subsets_without_build(name: str) -> None:
    (a, b), opt = two(), TWO[name][0](0.1)
    opt.apply_gradients([(ad.constant([1.0, 1.0]), a)])
    recorded = CASES[f"{name}.subset_unbuilt"]
    assert recorded["raises"] == "ValueError"
    with pytest.raises(ValueError, match="Unknown variable: <Variable 'wb:0'") as error:
        opt.apply_gradients([(ad.constant([1.0, 1.0]), b)])
    assert recorded["message"].split(". This")[1].rstrip(".")[:100] in str(error.value)


@pytest.mark.parametrize("name", TWO)
def test_one_gradient_is_none(name: str) -> None:
    (a, b), opt = two(), TWO[name][0](0.1)
    with pytest.warns(ad.GradientWarning) as warnings:
        opt.apply_gradients([(ad.constant([1.0, 1.0]), a), (None, b)])
    for variable, value in zip((a, b), CASES[f"{name}.one_none"]["value"], strict=True):
        close(variable, value, TWO[name][1])
    for text in CASES[f"{name}.one_none"].get("warnings", []):
        assert text.removeprefix("UserWarning: ") in str(warnings[0].message)


@pytest.mark.parametrize("name", TWO)
def test_every_gradient_is_none(name: str) -> None:
    (a, b), opt = two(), TWO[name][0](0.1)
    recorded = CASES[f"{name}.all_none"]
    assert recorded["raises"] == "ValueError"
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        opt.apply_gradients([(None, a), (None, b)])


@pytest.mark.parametrize("name", ["adam.keras3", "adam.keras3_sgd"])
def test_nothing_to_apply(name: str) -> None:
    assert CASES[f"{name}.empty"]["raises"] == "ValueError"
    with pytest.raises(ValueError, match="empty"):
        TWO[name][0](0.1).apply_gradients([])


@pytest.mark.parametrize("name", [*[n for n in TWO if n != "adam.keras3"], "adam.v1"])
def test_rows_without_a_gradient_keep_moving(name: str) -> None:
    """The kit has no sparse gradients: these are the same steps with zeros in the other rows."""
    w = ad.Variable(np.zeros((3, 2), np.float32))
    opt = V1.AdamOptimizer(0.1) if name == "adam.v1" else TWO[name][0](0.1)
    for row in (0, 1):
        g = np.zeros((3, 2), np.float32)
        g[row] = [4.0, 6.0]
        opt.apply_gradients([(g, w)])
    close(w, CASES[f"{name}.indexed_slices_two_steps"]["value"], 1e-5)


@pytest.mark.parametrize("name", ["adam.keras212_new", "adam.keras212_new_nojit"])
def test_names_and_defaults(name: str) -> None:
    expected = CASES[f"{name}.info"]["value"]
    w, opt = start(), KERAS.Adam()
    opt.apply_gradients([(gradient(w, A), w)])
    names = [v.name for v in opt.variables]
    assert [n for n in names if n != "learning_rate:0"] == expected["variables"]
    assert (opt.epsilon, int(opt.iterations)) == (expected["epsilon"], expected["iterations"])


def test_every_recorded_case_is_met() -> None:
    met = {
        *(f"adam.v1.lr{rate}.{kind}" for rate in RATES for kind in NAIVE),
        *(f"{name}.naive" for name in KERAS_NAIVE),
        *(f"{n}.zeroed_then_restored" for n in KERAS_NAIVE if "sgd" not in n),
        *family("adam.v1.lr0.1.zeroed_moments."), *family("adam.v1.lr1e-05.zeroed_moments."),
        *(f"adam.v1.lr{rate}.only_{slot}_zeroed.step2" for rate in RATES for slot in "mv"),
        "adam.v1.slot_before_apply", "adam.v1.subset_apply_gradients", "adam.v1.eager",
        "adam.v1.tf.AdamOptimizer", "adam.v1.none_gradient_skipped", "adam.v1.all_none",
        "adam.v1.empty",
        *(f"{n}.subset_built" for n in TWO), *(f"{n}.one_none" for n in TWO),
        *(f"{n}.all_none" for n in TWO), *(f"{n}.indexed_slices_two_steps" for n in [*TWO, "adam.v1"]),
        *(f"adam.{n}.{k}" for n in ("keras3", "keras3_sgd") for k in ("subset_unbuilt", "empty")),
        "adam.keras212_new.info", "adam.keras212_new_nojit.info",
    }  # fmt: skip
    assert family("adam.") - met - set(DIFFERENT) == set()
