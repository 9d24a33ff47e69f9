"""Losses: what is handed to them, in which order, and as what."""

from __future__ import annotations

import re

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit import keras
from readers.test_told import columns, run, told
from readers.test_truth import mended, plain

LOSSES = "ad.keras.losses."
OF_TWO = [
    "MeanSquaredError()", "MeanAbsoluteError()", "Huber()", "BinaryCrossentropy()",
    "CategoricalCrossentropy()", "BinaryCrossentropy(from_logits=True)", "mse", "mae", "huber",
    "binary_crossentropy", "categorical_crossentropy",
]  # fmt: skip
Z = "z = ad.Variable([[0.2, 0.8], [0.3, 0.7]])\nlab = ad.constant([[0.0, 1.0], [1.0, 0.0]])\n"
TAPE = "with ad.GradientTape() as tape:\n    "


@pytest.mark.parametrize("arguments", ["lab, z", "z, lab", "lab, y_pred=z"])
@pytest.mark.parametrize("loss", OF_TWO)
def test_a_variable_in_a_loss_leaves_no_tensors(loss: str, arguments: str) -> None:
    found = told(
        f"{Z}lf = {LOSSES}{loss}\n{TAPE}loss = ad.reduce_mean(lf({arguments}))\n"
        "ad.explain(tape, loss, z)\n"
    )
    assert found.status == "flows" and "left the tensors" not in str(found), str(found)


def test_what_stays_a_constant_zero_is_no_truth_that_was_exchanged() -> None:
    found = told(
        f"{Z}{TAPE}kept = ad.multiply(z, ad.zeros([2, 2]))\n    loss = ad.reduce_sum(kept + z)\n"
        "ad.explain(tape, loss, z)\n"
    )
    assert "exchanged" not in str(found), str(found)


def test_a_list_of_variables_in_a_loss_leaves_no_tensors() -> None:
    found = told(
        "a, b = ad.Variable(0.5), ad.Variable(0.25)\n"
        f"{TAPE}loss = {LOSSES}MeanSquaredError()([0.0, 1.0], [a, b])\nad.explain(tape, loss, a)\n"
    )
    assert (found.status, found.also) == ("flows", []), str(found)


def test_the_ranks_of_a_loss_are_still_made_one() -> None:
    mse = ad.keras.losses.MeanSquaredError()
    column, row = ad.Variable([[1.0], [2.0]]), ad.Variable([1.0, 2.0])
    for truth in (row, [1.0, 2.0], np.array([1.0, 2.0]), (1.0, 2.0), [row[0], row[1]]):
        assert float(mse(truth, column)) == 0.0


ONE = "z = ad.Variable([[8.0], [-30.0]])\nlab = ad.constant([[0.0], [1.0]])\n"
THREE = "z = ad.Variable([[8.0, 1.0, -3.0], [-30.0, 2.0, 1.0]])\nlab = ad.constant([2, 0])\n"
ONE_HOT = f"{THREE}lab = ad.one_hot(lab, 3)\n"
SATURATED = [
    (ONE, "bce = «ad.keras.losses.BinaryCrossentropy()»", "bce(lab, z)"),
    (ONE, "", "«ad.keras.losses.BinaryCrossentropy()(lab, z)»"),
    (ONE, "", "ad.reduce_mean(«ad.keras.losses.binary_crossentropy(lab, z)»)"),
    (ONE, "", "ad.reduce_mean(«ad.keras.losses.binary_crossentropy(lab, z, False)»)"),
    (THREE, "", "«ad.keras.losses.SparseCategoricalCrossentropy()(lab, z)»"),
    (THREE, "", "«ad.keras.losses.SparseCategoricalCrossentropy(reduction='sum')(lab, y_pred=z)»"),
    (ONE_HOT, "", "ad.reduce_mean(«ad.keras.losses.categorical_crossentropy(lab, z)»)"),
    (ONE_HOT, "", "«ad.keras.losses.CategoricalCrossentropy(axis=-1)(lab, z)»"),
]  # fmt: skip


@columns
@pytest.mark.parametrize(("data", "made", "line"), SATURATED)
def test_logits_that_are_cut_off_are_named_and_mended(data: str, made: str, line: str) -> None:
    text = f"{data}{made}\n{TAPE}loss = {line}\nad.explain(tape, loss, z)\n"
    found = told(plain(text))
    assert (found.status, found.cause, found.op) == ("zero", "cut off", None), str(found)
    assert "takes probabilities" in found.why and "of `z` " in found.why, str(found)
    assert "clip" not in str(found) and "Minimum" not in str(found), str(found)
    fix = found.fix
    if made:
        assert fix.startswith("bce = ")
        fix = fix.removeprefix("bce = ")
    assert told(mended(text, fix)).status == "flows"
    assert not told(mended(text, fix)).also


def test_logits_in_a_loss_are_named_where_columns_are_not_known_too() -> None:
    found = told(
        f"{ONE}{TAPE}loss = {LOSSES}BinaryCrossentropy()(lab, z)\nad.explain(tape, loss, z)\n"
    )
    assert "takes probabilities" in found.why and "from_logits=True" in found.advice + found.fix


DATA = """
x = ad.constant([[1.0, 2.0], [2.0, -1.0], [0.5, 0.5]])
model = ad.keras.Sequential([ad.keras.layers.Dense({0}, activation={1!r},
    kernel_initializer=lambda shape, dtype=None: ad.constant({2}))])
loss_of = ad.keras.losses.{3}
with ad.GradientTape() as tape:
    out = model(x)
    loss = loss_of({4})
ad.explain(tape, loss, model.layers[0].kernel)
"""
W1, W3 = "[[0.7], [0.1]]", "[[0.4, 1.0, 0.2], [-0.5, 0.3, 0.1]]"
BINARY, SPARSE = "[[0.0], [1.0], [1.0]]", "[0, 2, 1]"


def trained(*parts: object) -> str:
    found = told(DATA.format(*parts))
    assert found.status == "flows", str(found)
    return " ".join(found.also)


@pytest.mark.parametrize(
    ("units", "weights", "loss", "labels", "last"),
    [
        (1, W1, "BinaryCrossentropy()", BINARY, "a sigmoid"),
        (3, W3, "SparseCategoricalCrossentropy()", SPARSE, "a softmax"),
        (3, W3, "CategoricalCrossentropy()", f"ad.one_hot({SPARSE}, 3)", "a softmax"),
    ],
)
def test_logits_of_which_some_are_cut_off_deserve_a_word(
    units: int, weights: str, loss: str, labels: str, last: str
) -> None:
    outs = {1: "sigmoid", 3: "softmax"}
    said = trained(units, None, weights, loss, f"{labels}, out")
    assert "takes probabilities" in said and "from_logits=True" in said and last in said
    assert not trained(units, outs[units], weights, loss, f"{labels}, out")
    known = loss.replace("()", "(from_logits=True)")
    assert not trained(units, None, weights, known, f"{labels}, out")


def test_weights_above_0_that_a_loss_divides_by_their_sum_are_no_fault() -> None:
    labels = f"ad.one_hot({SPARSE}, 3)"
    assert not trained(3, None, W3, "CategoricalCrossentropy()", f"{labels}, ad.exp(out)")


def test_a_saturated_sigmoid_before_a_loss_is_no_clip_of_the_learners() -> None:
    found = told(f"""
z = ad.Variable([[100.0], [-200.0]])
with ad.GradientTape() as tape:
    p = ad.sigmoid(z)
    loss = {LOSSES}BinaryCrossentropy()([[0.0], [1.0]], p)
ad.explain(tape, loss, z)
""")
    assert found.cause == "cut off" and "near to 0 or 1" in found.why and not found.fix
    assert "Leave the sigmoid out" in found.advice and "from_logits=True" in found.advice


def test_a_clip_and_a_logarithm_of_the_learners_own_are_theirs() -> None:
    found = told("""
z = ad.Variable([8.0, -30.0])
with ad.GradientTape() as tape:
    p = ad.clip_by_value(z, 1e-7, 1.0 - 1e-7)
    loss = -ad.reduce_sum(ad.math.log(p))
ad.explain(tape, loss, z)
""")
    assert "clip_by_value" in found.why and "probabilities" not in str(found), str(found)


def test_a_loop_that_does_the_same_three_things_is_no_loss() -> None:
    found = told("""
from functools import partial
z = ad.Variable([8.0, 30.0])
with ad.GradientTape() as tape:
    p = z * 1.0
    for step in (partial(ad.minimum, y=5.0), partial(ad.maximum, y=1.0), partial(ad.math.log)):
        p = step(p)
    loss = ad.reduce_sum(p)
ad.explain(tape, loss, z)
""")
    assert found.status == "zero" and "probabilities" not in str(found), str(found)


def test_an_element_that_a_loss_cuts_off_is_not_held_by_a_clip() -> None:
    found = told(f"""
z = ad.Variable([[0.5], [-30.0]])
with ad.GradientTape() as tape:
    loss = {LOSSES}BinaryCrossentropy()([[0.0], [1.0]], z)
ad.explain(tape, loss, z)
""")
    assert "takes probabilities" in str(found) and "clip_by_value" not in str(found), str(found)


@columns
@pytest.mark.parametrize(
    ("units", "last", "weights", "loss", "truth"),
    [
        (1, "sigmoid", W1, "BinaryCrossentropy()", BINARY),
        (1, None, W1, "BinaryCrossentropy(from_logits=True)", BINARY),
        (3, "softmax", W3, "CategoricalCrossentropy()", f"ad.one_hot({SPARSE}, 3)"),
        (3, None, W3, "CategoricalCrossentropy(from_logits=True)", f"ad.one_hot({SPARSE}, 3)"),
    ],
)
def test_a_truth_and_a_prediction_that_were_exchanged(
    units: int, last: str | None, weights: str, loss: str, truth: str
) -> None:
    assert "were exchanged" in trained(units, last, weights, loss, f"out, {truth}")
    assert not trained(units, last, weights, loss, f"{truth}, out")


def test_a_prediction_of_the_truths_kind_and_soft_labels_are_not_exchanged() -> None:
    soft = "[[0.25], [0.5], [0.75]]"
    assert not trained(1, "sigmoid", W1, "BinaryCrossentropy()", f"out, {soft}")
    assert "exchanged" not in trained(1, None, W1, "MeanSquaredError()", f"out, {BINARY}")


@pytest.mark.parametrize(
    ("units", "last", "weights", "loss", "truth", "words"),
    [
        (1, "sigmoid", W1, "BinaryCrossentropy()", "[[-1.0], [1.0], [1.0]]", "(y + 1) / 2"),
        (1, None, W1, "BinaryCrossentropy(from_logits=True)", "[[-1.0], [1.0], [1.0]]", "(y + 1)"),
        (1, "sigmoid", W1, "BinaryCrossentropy()", "[[0], [255], [17]]", "Divide it"),
        (1, "sigmoid", W1, "BinaryCrossentropy()", "[[0], [2], [1]]", "one output for each class"),
        (3, "softmax", W3, "CategoricalCrossentropy()", "[[0, 2, 1]] * 3", "SparseCategorical"),
        (1, "sigmoid", W1, "BinaryCrossentropy()", "[[0.5], [2.5], [1]]", "a squared error"),
    ],
)
def test_a_truth_that_is_not_from_0_to_1(
    units: int, last: str | None, weights: str, loss: str, truth: str, words: str
) -> None:
    said = trained(units, last, weights, loss, f"{truth}, out")
    assert "takes a truth from 0 to 1" in said and words in said
    if "logits" not in loss:
        smooth = loss.replace("()", "(label_smoothing=0.2)")
        said = trained(units, last, weights, smooth, f"{truth}, out")
        assert "has numbers outside in it" in said and "have to be made 0 and 1 first" in said


@columns
def test_labels_with_decimals_are_cut_to_class_numbers() -> None:
    text = DATA.replace("loss_of =", "y = ad.constant({5})\nloss_of =")
    for labels, is_told in (("[0.9, 1.0, 2.0]", True), ("[0.0, 1.0, 2.0]", False)):
        found = told(
            text.format(3, "softmax", W3, "SparseCategoricalCrossentropy()", "y, out", labels)
        )
        assert ("`y` has 0.9 in it" in str(found)) == is_told, str(found)


@pytest.mark.parametrize(
    "loss", ["CategoricalCrossentropy", "SparseCategoricalCrossentropy", "categorical_crossentropy"]
)
def test_one_unit_for_several_classes_does_not_get_from_logits(loss: str) -> None:
    called = f"{loss}()" if loss[0].isupper() else loss
    labels = "[0, 0]" if loss[0] == "S" else "[[0.0], [1.0]]"
    found = told(
        f"z = ad.Variable([[-0.5], [0.5]])\n{TAPE}"
        f"loss = ad.reduce_sum({LOSSES}{called}({labels}, z))\nad.explain(tape, loss, z)\n"
    )
    assert (found.cause, found.op) == ("always the same", None), str(found)
    assert "One unit needs a sigmoid" in found.advice and not found.fix


@pytest.mark.parametrize(
    ("z", "words"),
    [("[[-1.0, -2.0]]", "nothing but 0"), ("[[1.0, 0.0], [-1.0, -2.0]]", "nothing but 0")],
)
def test_shares_of_nothing(z: str, words: str) -> None:
    found = told(
        f"z = ad.Variable({z})\n{TAPE}p = ad.nn.relu(z)\n"
        f"    loss = {LOSSES}CategoricalCrossentropy()(ad.ones_like(p), p)\nad.explain(tape, loss, z)\n"
    )
    assert found.status == "not finite" and words in found.advice, str(found)
    assert "divides them by their sum" in found.advice


def test_numbers_that_add_up_to_nothing() -> None:
    found = told(
        f"z = ad.Variable([[-1.0, 1.0]])\n{TAPE}"
        f"loss = {LOSSES}CategoricalCrossentropy()([[0.0, 1.0]], z)\nad.explain(tape, loss, z)\n"
    )
    assert "numbers add up to 0" in found.advice and "from_logits=True" in found.advice, str(found)


def test_every_loss_of_the_kit_is_tried_here() -> None:
    names = {name for name in keras.losses.__all__ if name not in ("Loss", "MAE", "MSE")}
    tried = {re.sub(r"\W.*", "", one) for one in OF_TWO} | {"SparseCategoricalCrossentropy"}
    tried |= {"sparse_categorical_crossentropy", "mean_squared_error", "mean_absolute_error"}
    assert names == tried
    assert run(f"{Z}{TAPE}loss = {LOSSES}SparseCategoricalCrossentropy()([1, 0], z)\n"
               "ad.explain(tape, loss, z)\n").findings[0].also == []  # fmt: skip
