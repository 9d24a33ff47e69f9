"""A gradient that is nothing but rounding, since what is added everywhere changes nothing."""

from __future__ import annotations

import pytest

from readers.test_told import told

HEAD = """
L = ad.keras.layers
x = ad.constant(np.cos(np.arange(30) * 0.37).reshape(2, 5, 3), ad.float32)
def fill(layer):
    for i, v in enumerate(layer.trainable_variables):
        v.assign(0.3 * np.sin(np.arange(np.size(v.numpy())) * 1.7 + i + 1.0).reshape(v.shape))
"""
ATTENTION = """
q, k, v = L.Dense(3), L.Dense(3), L.Dense(3)
for layer in (q, k, v):
    layer(x)
    fill(layer)
with ad.GradientTape() as tape:
    weights = ad.nn.softmax(ad.matmul(q(x), k(x), transpose_b=True))
    loss = ad.reduce_mean((weights @ v(x)) ** 2)
ad.explain(tape, loss, k.bias)
"""
FITTED = """
X = np.linspace(-1.0, 1.0, 8).reshape(8, 1)
Y = 2.0 * X + 0.5 + 0.1 * (-1.0) ** np.arange(8).reshape(8, 1)
w, b = ad.Variable([[2.0]]), ad.Variable([0.5])
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((ad.constant(X, ad.float32) @ w + b - ad.constant(Y, ad.float32)) ** 2)
ad.explain(tape, loss, b)
"""
VANISHED = """
b = ad.Variable([0.5, 0.7, 0.9])
with ad.GradientTape() as tape:
    h = x + b
    for _ in range(20):
        h = h * 0.3
    loss = ad.reduce_mean(h)
ad.explain(tape, loss, b)
"""


@pytest.mark.parametrize("text", [ATTENTION, FITTED])
def test_a_sum_that_is_0_but_for_rounding_is_not_said_to_have_vanished(text: str) -> None:
    found = told(HEAD + text)
    (words,) = found.also
    assert found.status == "flows" and "its sum there is 0 but for rounding" in words, words
    assert "where all is learnt, and where a constant that is added changes nothing" in words
    assert "vanished" not in words and "multiplies what comes back" not in words


def test_what_vanished_is_still_said_to_have_vanished() -> None:
    (words,) = told(HEAD + VANISHED).also
    assert "or it vanished on its way. No step alone made it so" in words
