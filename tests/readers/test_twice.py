"""Probabilities given to a cross entropy that wants logits: told, and nothing where all is right."""

from __future__ import annotations

import pytest

from readers.test_told import run

HEAD = """
L, losses = ad.keras.layers, ad.keras.losses
x = ad.constant(np.cos(np.arange(12) * 0.37).reshape(4, 3), ad.float32)
y = np.array([0, 1, 1, 0])
w, v = ad.Variable(np.cos(np.arange(6.0)).reshape(3, 2)), ad.Variable(ad.ones((3, 1)) * 0.3)
x = ad.cast(x, ad.float64)
v = ad.Variable(ad.cast(v, ad.float64))
with ad.GradientTape() as tape:
    loss = ad.reduce_mean({})
ad.explain(tape, loss, {})
"""
SOFTMAX = "softmax by itself, and what goes in there is a softmax already, that at line 11 of "
SIGMOID = "sigmoid by itself, and what goes in there is a sigmoid already, that at line 11 of "
TWICE = [
    (
        "losses.SparseCategoricalCrossentropy(from_logits=True)(y, ad.nn.softmax(x @ w))",
        "w",
        SOFTMAX,
    ),
    ("losses.CategoricalCrossentropy(True)(ad.one_hot(y, 2), L.Softmax()(x @ w))", "w", SOFTMAX),
    ("losses.BinaryCrossentropy(from_logits=True)(y, ad.sigmoid(x @ v))", "v", SIGMOID),
    ("losses.BinaryCrossentropy(from_logits=True)(y, ad.sigmoid(x @ v)[:, 0])", "v", ""),
    ("losses.BinaryCrossentropy(True)(y, ad.squeeze(ad.sigmoid(x @ v), 1))", "v", SIGMOID),
]
ONCE = [
    ("losses.SparseCategoricalCrossentropy(from_logits=True)(y, x @ w)", "w"),
    ("losses.SparseCategoricalCrossentropy()(y, ad.nn.softmax(x @ w))", "w"),
    ("losses.CategoricalCrossentropy()(ad.one_hot(y, 2), ad.nn.softmax(x @ w))", "w"),
    ("losses.BinaryCrossentropy()(y, ad.sigmoid(x @ v))", "v"),
    ("losses.BinaryCrossentropy(from_logits=True)(y, ad.sigmoid(x @ v) * 4.0 - 2.0)", "v"),
    (
        "ad.nn.softmax_cross_entropy_with_logits(labels=ad.nn.softmax(x @ w), logits=x @ w)",
        "w",
    ),
    ("ad.nn.softmax_cross_entropy_with_logits(ad.one_hot(y, 2), ad.nn.softmax(x @ w, 0))", "w"),
]


@pytest.mark.parametrize(("loss", "source", "words"), TWICE)
def test_a_second_softmax_or_sigmoid_is_told(loss: str, source: str, words: str) -> None:
    (found,) = run(HEAD.format(loss, source)).findings
    assert found.status == "flows"
    assert any(words in one for one in found.also) if words else found.also == []
    if words:
        bound = "above 0.73" if "Softmax" in found.also[0] else "below 0.5 or above 0.73"
        assert f"no probability comes {bound}. " in found.also[0]


@pytest.mark.parametrize(("loss", "source"), ONCE)
def test_logits_and_what_is_no_probability_get_no_sentence(loss: str, source: str) -> None:
    (found,) = run(HEAD.format(loss, source)).findings
    assert (found.status, found.also) == ("flows", [])
