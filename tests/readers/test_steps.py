"""What is said beside a gradient that flows when an optimizer has moved the variables in between."""

from __future__ import annotations

import pytest

from readers.test_told import run, told

UNROLLED = """
w, u, reg = ad.Variable(3.0), ad.Variable(2.0), ad.Variable(0.5)
opt = ad.keras.optimizers.SGD(0.1)
with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        loss = u * (w - 1.0) ** 2 + reg * w
    opt.apply_gradients([(inner.gradient(loss, w), w)])
    final = {}
ad.explain(tape, final, {})
"""


def test_a_step_of_the_source_itself() -> None:
    (also,) = told(UNROLLED.format("(w - 1.0) ** 2", "w")).also
    assert "`w` itself was moved by an optimizer at line 9" in also
    assert "counts as `w` itself" in also


def test_a_step_of_what_the_target_was_made_of_as_well() -> None:
    (also,) = told(UNROLLED.format("u * w", "u")).also
    assert "the variable `w` as well, which was moved by an optimizer at line 9" in also


@pytest.mark.parametrize("final, source", [("u * u", "u"), ("reg * u", "reg")])
def test_a_step_that_leads_nowhere_is_not_told(final: str, source: str) -> None:
    assert told(UNROLLED.format(final, source)).also == []


def test_a_step_after_the_loss_is_not_told() -> None:
    answer = run("""
w = ad.Variable(3.0)
opt = ad.keras.optimizers.Adam(0.1)
for _ in range(2):
    with ad.GradientTape(persistent=True) as tape:
        loss = (w - 1.0) ** 2
        opt.apply_gradients([(w * 0.1, w)])
ad.explain(tape, loss, w)
""")
    assert [finding.also for finding in answer.findings] == [[]]


def test_a_plain_tape_that_has_answered_still_knows_the_step() -> None:
    (also,) = told("""
w = ad.Variable(3.0)
opt = ad.keras.optimizers.Adam(0.1)
with ad.GradientTape() as tape:
    opt.apply_gradients([(w * 0.1, w)])
    loss = (w - 1.0) ** 2
tape.gradient(loss, w)
ad.explain(tape, loss, w)
""").also
    assert "moved by an optimizer, with a gradient that the tape tracked at line 7" in also
