"""A gradient too large for any step: where it grew, from what to what, and why."""

from __future__ import annotations

import numpy as np
import pytest

from readers.test_told import run, told

SIZE = "and a step by it goes far."
ROUNDS = {
    "a recurrent net in a class": (
        "On its way back through 39 rounds of MatMul at line 8 of ",
        "it grew from 1 to 1e+15, about 2.5 times in each.",
        """
class Cell:
    def __init__(self):
        self.W, self.U = ad.Variable(ad.eye(3) * 2.5), ad.Variable(ad.ones((2, 3)))
    def step(self, h, x):
        return ad.nn.relu(ad.matmul(h, self.W) + ad.matmul(x, self.U))
cell = Cell()
h = ad.zeros((1, 3))
with ad.GradientTape() as tape:
    for t in range(40):
        h = cell.step(h, ad.ones((1, 2)))
    loss = ad.reduce_sum(h)
ad.explain(tape, loss, cell.U)
""",
    ),
    "a product of parts": (
        "On its way back through 25 rounds of Mul at line 7 of ",
        "it grew from 1 to 3e+11, about 3 times in each.",
        """
x = ad.Variable([3.0] * 25)
with ad.GradientTape() as tape:
    p = ad.constant(1.0)
    for i in range(25): p = p * x[i]
ad.explain(tape, p, x)
""",
    ),
    "layers one after the other": (
        "On its way back through 12 rounds of MatMul at line 7 of ",
        "about 8 times in each.",
        """
ws = [ad.Variable(ad.ones((8, 8))) for _ in range(12)]
with ad.GradientTape() as tape:
    h = ad.ones((1, 8))
    for w in ws: h = ad.nn.relu(h @ w)
    loss = ad.reduce_mean(h)
ad.explain(tape, loss, ws[0])
""",
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_rounds_in_which_it_grew_are_told_with_their_line(name: str) -> None:
    where, sizes, text = ROUNDS[name]
    found = told(text)
    (words,) = found.also
    assert found.status == "flows" and SIZE in words and where in words and sizes in words, words
    assert "`gradients, _ = ad.clip_by_global_norm(gradients, 1.0)`" in words


def test_rounds_are_told_of_an_overflow_too() -> None:
    found = told("""
x = ad.Variable(1e-30)
with ad.GradientTape() as tape:
    y = x
    for _ in range(25):
        y = y * 1e2
ad.explain(tape, y, x)
""")
    assert (found.status, found.cause) == ("not finite", "overflow")
    assert "rounds of Mul at line 8 of " in found.also[0] and "100 times in each" in found.also[0]


def test_rounds_are_told_of_a_value_that_overflowed() -> None:
    found = told("""
W = ad.Variable(ad.eye(2) * 50.0)
with ad.GradientTape() as tape:
    h = ad.ones((1, 2))
    for t in range(30):
        h = h @ W + 1.0
    loss = ad.reduce_mean(h)
ad.explain(tape, loss, W)
""")
    assert (found.status, found.cause) == ("not finite", "value not finite")
    assert "rounds of MatMul at line 8 of " in found.also[0] and "50 times in each" in found.also[0]


def test_terms_beside_one_another_are_no_rounds() -> None:
    found = told("""
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = 0.0
    for i in range(12, 0, -1):
        y = y + ad.exp(i * x)
ad.explain(tape, y, x)
""")
    (words,) = found.also
    assert "rounds" not in words and "Exp at line 8 of " in words and "at 24:" in words


def test_a_value_that_jumps_is_not_said_to_have_grown_in_rounds() -> None:
    found = told("""
x = ad.Variable(1.0)
with ad.GradientTape() as tape:
    y = x
    for power in (0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 300.0):
        y = y * 10.0 ** power
    loss = ad.exp(y) * y
ad.explain(tape, loss, x)
""")
    assert found.status == "not finite" and found.also == []


STEPS = {
    "exp": ("Exp at line 5 of ", "since exp grows so at 50:", "ad.exp(x)", [50.0, 1.0]),
    "a logarithm": ("Log at line 5 of ", "is that steep at 1e-10:", "ad.math.log(x)", [1e-10, 1.0]),
    "a divisor": ("RealDiv at line 5 of ", "the divisor comes down to 1e-06:", "1.0 / x", [1e-6, 1.0]),
    "a power": ("Pow at line 5 of ", "comes down to 1e-05: keep it away", "x ** -2", [1e-5, 1.0]),
    "data": (
        "at line 5 of ", "if that is the data's size, scale it", "(3e4 * x - 3e9) ** 2", [1.0, 2.0],
    ),
    "a product": ("Prod at line 5 of ", "add logarithms instead", "ad.reduce_prod(x)", [5.0] * 30),
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_one_step_that_made_it_so_is_told_with_its_value(name: str) -> None:
    where, why, code, start = STEPS[name]
    found = told(f"""
x = ad.Variable({start}); sums = ad.reduce_sum
with ad.GradientTape() as tape: loss = sums({code})
ad.explain(tape, loss, x)
""")
    (words,) = found.also
    assert SIZE in words and where in words and why in words, words


def test_a_variable_that_ran_away_is_told_so() -> None:
    found = told("""
w, opt = ad.Variable(1.0), ad.keras.optimizers.SGD(1.5)
for _ in range(8):
    with ad.GradientTape(persistent=True) as tape:
        loss = (3.0 * w - 2.0) ** 2
    opt.apply_gradients([(tape.gradient(loss, w), w)])
with ad.GradientTape() as tape:
    loss = (3.0 * w - 2.0) ** 2
ad.explain(tape, loss, w)
""")
    assert "`w` itself holds numbers up to" in found.also[0] and "take smaller" in found.also[0]


HEALTHY = {
    "a recurrent net that keeps the size": """
x = ad.Variable([[0.0, 1.0], [-1.0, 0.0]])
with ad.GradientTape() as tape:
    h = ad.ones((1, 2))
    for t in range(50):
        h = ad.tanh(h @ x + 0.1)
    loss = ad.reduce_mean(h ** 2)
ad.explain(tape, loss, x)
""",
    "a large sum of squares": """
data = np.random.RandomState(0).normal(size=(5000, 3)).astype("f") * 10.0
x = ad.Variable([[1.0], [2.0], [3.0]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum((data @ x - 100.0) ** 2)
ad.explain(tape, loss, x)
""",
    "a growing loop of few rounds": """
x = ad.Variable(1.0)
with ad.GradientTape() as tape:
    y = x
    for _ in range(10):
        y = y * 4.0
ad.explain(tape, y, x)
""",
}


@pytest.mark.parametrize("name", HEALTHY)
def test_a_gradient_that_a_step_can_use_gets_no_sentence(name: str) -> None:
    text = HEALTHY[name]
    found = told(text)
    assert found.status == "flows" and found.also == []
    gradient = run(text.replace("ad.explain", "ad.replay")).gradients.numpy()
    assert np.max(np.abs(gradient)) < 1e8
