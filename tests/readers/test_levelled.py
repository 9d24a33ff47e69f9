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
BEFORE = """
d, norm = L.Dense(3), L.{norm}
d(x)
fill(d)
d.bias.assign([0.0, 0.0, 0.0])
with ad.GradientTape() as tape:
    h = norm(ad.reshape(d(x), [10, 3]), **{given})
    loss = ad.reduce_mean((ad.tanh(h) - 0.3) ** 2)
ad.explain(tape, loss, d.{asked})
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


def test_so_it_is_said_of_a_bias_that_begins_at_0() -> None:
    text = HEAD + BEFORE.replace("{norm}", "BatchNormalization()")
    (words,) = told(text.format(given="{'training': True}", asked="bias")).also
    assert words.startswith("Its digits are rounding: what comes back at line 15 of"), words


@pytest.mark.parametrize(
    ("norm", "given", "asked"),
    [
        ("BatchNormalization()", "{'training': True}", "kernel"),
        ("BatchNormalization()", "{'training': False}", "bias"),
        ("LayerNormalization()", "{}", "bias"),
    ],
)
def test_a_bias_that_counts_and_a_kernel_are_not_said_to_be_rounding(
    norm: str, given: str, asked: str
) -> None:
    text = HEAD + BEFORE.replace("{norm}", norm)
    assert told(text.format(given=given, asked=asked)).also == []


def test_each_number_is_held_against_its_own_parts() -> None:
    found = told("""
b = ad.Variable([0.0, 0.0])
x = ad.constant([[1e4, 1e-4], [-1e4, 1e-4]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((b + x) * x)
ad.explain(tape, loss, b)
""")
    assert not any("rounding" in words for words in found.also), str(found)
