"""Nested structures and broadcasting, whatever their shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_kit as ad
from autodiff_kit import nest

structures = st.recursive(
    st.integers(0, 99),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text("abc", min_size=1, max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(structures)
def test_flatten_and_pack_are_inverse(structure: Any) -> None:
    leaves = nest.flatten(structure)
    assert nest.pack_sequence_as(structure, leaves) == structure
    doubled = nest.map_structure(lambda leaf: 2 * leaf, structure)
    assert nest.flatten(doubled) == [2 * leaf for leaf in leaves]


@given(structures)
@settings(max_examples=50)
def test_gradients_come_in_the_structure_of_the_sources(structure: Any) -> None:
    sources = nest.map_structure(lambda leaf: ad.Variable(float(leaf)), structure)
    with ad.GradientTape() as tape:
        targets = [3.0 * v for v in nest.flatten(sources)]
    found = tape.gradient(targets, sources)
    assert nest.map_structure(lambda g: float(g), found) == nest.map_structure(
        lambda _: 3.0, structure
    )


@st.composite
def broadcast_shapes(draw: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    full = draw(st.lists(st.integers(0, 3), max_size=4))

    def side() -> tuple[int, ...]:
        cut = full[draw(st.integers(0, len(full))) :]
        return tuple(1 if draw(st.booleans()) else n for n in cut)

    return side(), side()


@given(broadcast_shapes())
@settings(max_examples=150)
def test_a_broadcast_product_sends_back_the_sum_of_the_other_factor(shapes: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = (ad.Variable(rng.uniform(-1.0, 1.0, shape)) for shape in shapes)
    with ad.GradientTape() as tape:
        y = a * b
    da, db = tape.gradient(y, [a, b])
    for gradient, one, other in ((da, a, b), (db, b, a)):
        spread = np.broadcast_to(other.numpy(), y.shape)
        lead = tuple(range(len(y.shape) - len(one.shape)))
        ones = tuple(i for i, n in enumerate(one.shape) if n == 1)
        expected = spread.sum(axis=lead).sum(axis=ones, keepdims=True)
        assert gradient.shape == one.shape
        np.testing.assert_allclose(gradient.numpy(), expected.reshape(one.shape), rtol=1e-12)


def test_leaves_may_come_in_a_tuple() -> None:
    x = ad.constant(1.0)
    assert nest.pack_sequence_as([x, x], (5, 6)) == [5, 6]
    assert nest.pack_sequence_as(x, (5,)) == 5
