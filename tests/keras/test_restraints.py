"""Clipped gradients, weights that decay, and class numbers as rows: TensorFlow 2.21's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad

optimizers = ad.keras.optimizers
GRADIENTS = [([3.0, 4.0, -12.0], 0.5), ([0.1, 0.0, 0.2], -7.0), ([0.0, 0.0, 0.0], 0.0)]


def steps(optimizer: Any, gradients: Any = GRADIENTS) -> list[float]:
    """Where two variables are after a step along each of the gradients."""
    a, b = ad.Variable([1.0, -2.0, 3.0]), ad.Variable(5.0)
    for one, other in gradients:
        optimizer.apply_gradients([(ad.constant(one), a), (ad.constant(other), b)])
    return [*a.numpy().tolist(), float(b)]


# What TensorFlow 2.21 makes of it; learning rate 0.1.
o, BOTH = optimizers, {"weight_decay": 0.3, "clipnorm": 1.0}
RECORDED: list[tuple[Any, list[float]]] = [
    (lambda: o.SGD(0.1, clipnorm=1.5), [0.9553846, -2.0461538, 3.1184616, 5.0999999]),
    (lambda: o.SGD(0.1, clipvalue=0.7), [0.92, -2.0699999, 3.05, 5.02]),
    (lambda: o.SGD(0.1, global_clipnorm=2.0), [0.9510246, -2.0614929, 3.1787677, 5.1922116]),
    (lambda: o.SGD(0.1, weight_decay=0.3), [0.620703, -2.2017062, 3.8476992, 5.1953197]),
    (lambda: o.SGD(0.1, **BOTH), [0.8812599, -1.8542968, 2.8054714, 4.6133194]),
    (lambda: o.Adam(0.1, clipnorm=1.5), [0.7492397, -2.2187986, 3.1987073, 4.9876208]),
    (lambda: o.Adam(0.1, clipvalue=0.7), [0.7637287, -2.2187991, 3.1779621, 4.9383507]),
    (lambda: o.Adam(0.1, global_clipnorm=2.0), [0.7732711, -2.2187989, 3.214658, 5.0272794]),
    (lambda: o.Adam(0.1, weight_decay=0.3), [0.6975351, -2.0362256, 2.9467201, 4.590332]),
    (lambda: o.Adam(0.1, **BOTH), [0.6598413, -2.0362236, 2.9187691, 4.5330877]),
    (lambda: o.RMSprop(0.1, clipnorm=1.5), [0.5916541, -2.316227, 3.2686281, 4.9852843]),
    (lambda: o.RMSprop(0.1, clipvalue=0.7), [0.6366845, -2.3162274, 3.2250354, 4.9455581]),
    (lambda: o.RMSprop(0.1, global_clipnorm=2.0), [0.6631772, -2.3162274, 3.3059134, 4.9998164]),
    (lambda: o.RMSprop(0.1, weight_decay=0.3), [0.6043631, -2.1228848, 3.0301697, 4.571866]),
    (lambda: o.RMSprop(0.1, **BOTH), [0.4876929, -2.1228831, 2.9672608, 4.5429697]),
    (lambda: o.Adagrad(0.1, clipnorm=1.5), [0.9053105, -2.0824943, 3.0835454, 5.0085106]),
    (lambda: o.Adagrad(0.1, clipvalue=0.7), [0.8959578, -2.0911322, 3.0659344, 4.9918609]),
    (lambda: o.Adagrad(0.1, global_clipnorm=2.0), [0.9124252, -2.0889301, 3.0955124, 5.0750809]),
    (lambda: o.Adagrad(0.1, weight_decay=0.3), [0.8158877, -1.9191434, 2.8304608, 4.5804996]),
    (lambda: o.Adagrad(0.1, **BOTH), [0.8332015, -1.8909613, 2.8075531, 4.5673285]),
    (lambda: o.AdamW(0.1), [0.7757769, -2.2162941, 3.2128789, 5.0171957]),
    (lambda: o.AdamW(0.1, 0.2, beta_1=0.8), [0.7336887, -2.0854883, 3.0244353, 4.7357216]),
    (lambda: o.SGD(0.1, 0.9, True, weight_decay=0.1), [-0.074538, -3.2978339, 6.9287853, 6.5655408]),
]  # fmt: skip


@pytest.mark.parametrize(("make", "expected"), RECORDED)
def test_tensorflows_numbers(make: Any, expected: list[float]) -> None:
    np.testing.assert_allclose(steps(make()), expected, rtol=2e-6)


def test_gradients_that_are_not_finite() -> None:
    gradients = [GRADIENTS[0], ([float("inf"), 1.0, 2.0], 1.0)]
    found = steps(optimizers.SGD(0.1, clipnorm=1.5), gradients)
    assert np.isnan(found).tolist() == [True, False, False, False]
    assert np.isfinite(steps(optimizers.SGD(0.1, clipvalue=0.7), gradients)).all()
    assert np.isnan(steps(optimizers.SGD(0.1, global_clipnorm=2.0), gradients)).all()


@pytest.mark.parametrize("restraint", ["clipnorm", "clipvalue", "global_clipnorm", "weight_decay"])
def test_what_a_mask_freezes_stays_and_does_not_count(restraint: str) -> None:
    w = ad.Variable([1.0, 1.0])
    optimizer = optimizers.SGD(1.0, **{restraint: 0.5})
    optimizer.apply_gradients([(ad.constant([2.0, float("nan")]), w)], mask=[[True, False]])
    assert w.numpy().tolist() == [-1.5 if restraint == "weight_decay" else 0.5, 1.0]


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="Only one of `clipnorm`"):
        optimizers.Adam(clipnorm=1.0, clipvalue=1.0)
    with pytest.raises(ValueError, match="weight_decay"):
        optimizers.AdamW(weight_decay=None)
    with pytest.raises(TypeError, match="lr"):
        optimizers.SGD(lr=0.1)


def test_class_numbers_as_rows() -> None:
    rows = ad.keras.utils.to_categorical
    assert rows([[0], [2]]).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert rows([[0, 1]], 3).shape == (1, 2, 3) and rows(2, 4).tolist() == [0, 0, 1, 0]
    assert rows([1, 0]).dtype == np.float64 and rows(ad.constant([1, 0])).dtype == ad.float32
    with pytest.raises(IndexError):
        rows([0, 5], 3)
