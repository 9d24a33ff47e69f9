"""Losses and their gradients, as TensorFlow computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from recorded_training import KERAS

losses = ad.keras.losses


@pytest.mark.parametrize("row", KERAS["losses"])
def test_value_and_gradient(row: Any) -> None:
    x = ad.constant(row["prediction"])
    with ad.GradientTape() as tape:
        tape.watch(x)
        loss = getattr(losses, row["name"])(**row["options"])(row["truth"], x, row["weight"])
    np.testing.assert_allclose(loss.numpy(), row["value"], 2e-6, 1e-7)
    np.testing.assert_allclose(tape.gradient(loss, x).numpy(), row["gradient"], 5e-6, 1e-7)


def test_a_column_and_a_vector_do_not_become_a_square() -> None:
    truth, column = np.zeros(3, np.float32), np.ones((3, 1), np.float32)
    assert losses.mean_squared_error(truth, column).shape == (3,)
    assert losses.mean_squared_error(column, truth).shape == (3,)


@pytest.mark.parametrize("truth", [[0.0, 1.0, 1.0], np.array([0, 1, 1])])
def test_the_classes_make_one_shape_of_labels_and_a_column_as_keras_does(truth: object) -> None:
    column = ad.constant([[0.2], [0.7], [0.9]])
    assert float(losses.BinaryCrossentropy()(truth, column)) == pytest.approx(0.22839, abs=1e-5)
    logits = losses.BinaryCrossentropy(from_logits=True, reduction="none")(truth, column)
    expected = losses.binary_crossentropy(np.reshape(truth, (3, 1)), column, from_logits=True)
    assert logits.numpy().tolist() == expected.numpy().tolist()
    labels = ad.reshape(ad.cast(truth, ad.float32), (3, 1))
    assert float(losses.BinaryCrossentropy()(labels, column[:, 0])) == pytest.approx(
        0.22839, abs=1e-5
    )
    one_hot = ad.constant([[[1.0], [0.0]]])
    assert losses.CategoricalCrossentropy()(one_hot, ad.constant([[0.5, 0.5]])).shape == ()
    with pytest.raises(ValueError, match="must have the same shape"):
        losses.BinaryCrossentropy()([0.0, 1.0], column)


def test_float64_stays_float64() -> None:
    x = ad.constant([[0.25, 0.75]], ad.float64)
    for loss in (losses.MeanSquaredError(), losses.Huber(), losses.CategoricalCrossentropy()):
        assert loss([[0, 1]], x).dtype == ad.float64


def test_errors() -> None:
    with pytest.raises(ValueError, match="Invalid value for argument `reduction`"):
        losses.MeanSquaredError(reduction="average")
    for name in ("binary_crossentropy", "categorical_crossentropy"):
        with pytest.raises(ValueError, match="must have the same shape"):
            getattr(losses, name)([[1.0, 0.0]], [[0.5, 0.25, 0.25]])
    with pytest.raises(ValueError, match="up until the last dimension"):
        losses.sparse_categorical_crossentropy([0, 1, 1], [[0.5, 0.5]])


def test_no_examples() -> None:
    assert float(losses.MeanSquaredError()(np.zeros((0, 2)), np.zeros((0, 2)))) == 0.0
