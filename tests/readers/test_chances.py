"""Draws among classes, and vectors of equal eigenvalues: what healthy programs must not be told, and
whether the code that is given has the gradient that it promises.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from readers.test_explain import run

LOGITS = """import autodiff_kit as ad
logits = ad.Variable([[0.1, 0.2, 0.5]])
rewards = ad.constant([1.0, 2.0, 4.0])
with ad.GradientTape() as tape:
    action = ad.random.categorical(logits, 1)
"""
LOSS = "    loss = -ad.reduce_sum(ad.gather(rewards, action))\n"
ASKED = "ad.explain(tape, loss, logits)\n"


def test_the_mean_over_all_draws_is_the_gradient_of_the_mean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fix = run(LOGITS + LOSS + ASKED).findings[0].fix
    mended = f"{LOGITS}{LOSS}    {fix}\nanswer = tape.gradient(loss, logits).numpy()\n"
    chances = np.exp([0.1, 0.2, 0.5]) / np.sum(np.exp([0.1, 0.2, 0.5]))
    mean: Any = 0.0
    for k in range(3):
        monkeypatch.setattr(ad.random, "categorical", lambda *_, k=k: ad.constant([[k]], ad.int64))
        mean = mean + chances[k] * run(mended)
    costs = np.array([-1.0, -2.0, -4.0])
    np.testing.assert_allclose(mean, [chances * (costs - chances @ costs)], rtol=1e-5)


BONUS = " + 0.01 * ad.reduce_sum(ad.nn.softmax(logits) * ad.nn.log_softmax(logits))\n"
RIGHT = {
    "gather": "ad.gather(ad.nn.log_softmax(logits), action, axis=1, batch_dims=1)",
    "one_hot": "ad.reduce_sum(ad.one_hot(action[:, 0], 3) * ad.nn.log_softmax(logits))",
    "a position": "ad.nn.log_softmax(logits)[0, action[0, 0]]",
    "Python's position": "ad.nn.log_softmax(logits)[0, int(action[0, 0])]",
    "NumPy's position": "ad.nn.log_softmax(logits)[0, action.numpy()[0, 0]]",
    "cross entropy": "-ad.nn.sparse_softmax_cross_entropy_with_logits(action[:, 0], logits)",
}


@pytest.mark.parametrize("bonus", ["\n", BONUS])
@pytest.mark.parametrize("how", RIGHT)
def test_a_draw_that_is_learnt_from_is_not_spoken_of(how: str, bonus: str) -> None:
    loss = f"    loss = -ad.reduce_sum({RIGHT[how]} * ad.gather(rewards, action)){bonus}"
    (found,) = run(LOGITS + loss + ASKED).findings
    assert found.status == "flows" and not found.also, str(found)


def test_what_a_game_returns_is_a_number_of_python_and_that_is_right() -> None:
    text = LOGITS.replace(
        "ad.random.categorical(logits, 1)", "ad.random.categorical(logits, 1).numpy()"
    )
    loss = (
        "    reward = [1.0, 2.0, 4.0][action[0, 0]]\n    loss = -reward * ad.nn.log_softmax(logits)"
    )
    (found,) = run(f"{text}{loss}[0, action[0, 0]]\n{ASKED}").findings
    assert found.status == "flows" and not found.also, str(found)


def test_a_bonus_alone_hides_that_nothing_is_learnt_from_the_draw() -> None:
    (found,) = run(LOGITS + LOSS.rstrip() + BONUS + ASKED).findings
    assert found.status == "flows"
    (words,) = found.also
    assert "the probability of what was drawn enters nowhere" in words and "REINFORCE" in words


def test_a_draw_that_is_only_looked_at_is_not_spoken_of() -> None:
    loss = "    print(action.shape)\n    loss = ad.reduce_sum(ad.nn.softmax(logits) * rewards)\n"
    (found,) = run(LOGITS + loss + ASKED).findings
    assert found.status == "flows" and not found.also, str(found)


MATRIX = """import autodiff_kit as ad
a = ad.Variable({})
with ad.GradientTape() as tape:
    w, v = ad.linalg.eigh(a)
    loss = ad.reduce_sum({})
ad.explain(tape, loss, a)
"""
NEAR = "[[1.0, 1e-6, 0.0], [1e-6, 1.0, 0.0], [0.0, 0.0, 3.0]]"
TABLE = "[[1.0, 2.0, 3.0], [2.0, 5.0, 1.0], [0.3, 1.0, 2.0]]"


@pytest.mark.parametrize(
    "matrix, result",
    [
        ("ad.eye(3)", "w ** 2"),
        ("ad.linalg.diag([1.0, 1.0, 3.0])", "v[:, 2] * [1.0, 2.0, 3.0]"),
        ("[[1.0, 0.1], [0.1, 1.0]]", "v[0] * [1.0, 2.0]"),
        (NEAR, f"ad.matmul(v[:, :2], v[:, :2], transpose_b=True) * {TABLE}"),
        (NEAR, f"ad.einsum('ij,j,kj->ik', v, ad.exp(w), v) * {TABLE}"),
    ],
)
def test_vectors_that_do_not_turn_towards_each_other_are_not_spoken_of(
    matrix: str, result: str
) -> None:
    (found,) = run(MATRIX.format(matrix, result)).findings
    assert found.status == "flows" and not found.also, str(found)
