"""The `[]` operator against NumPy's, for any shape and any basic index; and reads that add up."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, basic_indices

import autodiff_kit as ad


@st.composite
def arrays_and_keys(draw: Any) -> tuple[Any, Any]:
    shape = draw(array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
    key = draw(basic_indices(shape, max_dims=6, allow_newaxis=True, allow_ellipsis=True))
    return np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape) + 1.0, key


@given(arrays_and_keys())
def test_a_part_is_numpys_part(case: tuple[Any, Any]) -> None:
    array, key = case
    expected = array[key]
    found = ad.constant(array)[key].numpy()
    assert type(found) is (np.ndarray if expected.shape else np.float64)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(ad.Variable(array)[key].numpy(), expected)


@given(arrays_and_keys())
def test_the_gradient_lies_where_the_part_was(case: tuple[Any, Any]) -> None:
    array, key = case
    x = ad.Variable(array)
    with ad.GradientTape() as outer:
        with ad.GradientTape() as tape:
            y = x[key] * x[key]
        first = tape.gradient(y, x)
    second = outer.gradient(first, x)
    where = np.zeros_like(array)
    where[key] = 1.0
    np.testing.assert_array_equal(first.numpy(), 2.0 * array * where)
    np.testing.assert_array_equal(second.numpy(), 2.0 * where)


def test_many_reads_add_up_among_other_uses() -> None:
    x = ad.Variable(np.arange(1.0, 6.0))
    with ad.GradientTape() as tape:
        y = x[0] * x[1] + ad.reduce_sum(x[1:4]) + ad.reduce_sum(x * x) + x[-1]
        y += ad.reduce_sum(ad.gather(x, [0, 0, 4])) + ad.gather_nd(x, [2])
    expected = 2.0 * np.arange(1.0, 6.0) + [2, 1, 0, 0, 1] + [0, 1, 1, 1, 0] + [2, 0, 1, 0, 1]
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), expected)


def test_a_tensor_is_read_in_a_loop() -> None:
    x = ad.constant([[1.0, 2.0], [3.0, 4.0]])
    with ad.GradientTape() as tape:
        tape.watch(x)
        a, b = x
        y = ad.reduce_sum(a * b)
    assert tape.gradient(y, x).numpy().tolist() == [[3.0, 4.0], [1.0, 2.0]]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ((0, 0, 0, 0), "Index out of range using input dim 3; input has only 3 dims"),
        ((..., 5), "slice index 5 of dimension 2 out of bounds."),
        ((None, slice(None), -9), "slice index -6 of dimension 1 out of bounds."),
        ((0, slice(None, None, 0)), "strides[1] must be non-zero"),
    ],
)
def test_a_key_that_does_not_fit_says_where(key: Any, words: str) -> None:
    with pytest.raises(ad.errors.InvalidArgumentError, match=re.escape(words)):
        ad.zeros([2, 3, 4])[key]


def test_no_gradient_of_unique_is_an_error_that_says_so() -> None:
    x = ad.Variable([1.0, 2.0, 1.0])
    for op, type_ in ((ad.unique, "Unique"), (ad.unique_with_counts, "UniqueWithCounts")):
        with ad.GradientTape() as tape:
            y = op(x).y
        with pytest.raises(LookupError, match=f"gradient registry has no entry for: {type_}"):
            tape.gradient(y, x)


def test_small_products_have_tensorflows_last_digit() -> None:
    """A sum in order; a processor's own order would change the last bit of some of these."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        a = rng.uniform(-20, 20, (1, 4)).astype(np.float32)
        b = rng.uniform(-20, 20, (4, 3)).astype(np.float32)
        in_order = np.zeros((1, 3), np.float32)
        for k in range(4):
            in_order = in_order + a[:, k : k + 1] * b[k]
        np.testing.assert_array_equal((ad.constant(a) @ b).numpy(), in_order)


def test_reading_keeps_neither_the_whole_nor_the_part() -> None:
    """The tape holds shapes and keys only."""
    x = ad.Variable(np.ones(1000))
    with ad.GradientTape(persistent=True) as tape:
        y = x[3:5]
    (row,) = [record for record in tape.records if record[0].type == "StridedSlice"]
    assert all(tensor._value is None for tensor in row[3:6])
    assert tape.gradient(y, x).numpy().sum() == 2.0
