"""A loop whose rounds each give the loss a new value: the gradient is that of the last one."""

from __future__ import annotations

import pytest

from readers.test_told import told

LOOP = """
w = ad.Variable(0.3)
seen = []
with ad.GradientTape() as tape:
    {}
    for x in [1.0, 2.0, 4.0]:
        {}
ad.explain(tape, loss, w)
"""


@pytest.mark.parametrize(
    "body", ["loss = (w * x - 1.0) ** 2", "loss = (w * x) ** 2\n        print(x)"]
)
def test_the_earlier_rounds_have_no_part_in_it(body: str) -> None:
    (words,) = told(LOOP.format("pass", body)).also
    assert words.startswith("Line 9 of ") and "ran 3 times on this tape" in words
    assert "the last round alone" in words and "`loss += ...`" in words


@pytest.mark.parametrize(
    "before, body",
    [
        ("loss = 0.0", "loss += (w * x - 1.0) ** 2"),
        ("loss = ad.constant(0.0)", "loss = loss + (w * x) ** 2"),
        ("pass", "loss = (w * x - 1.0) ** 2\n        seen.append(loss)"),
        ("loss = w", "loss = ad.tanh(loss * x)"),
        ("h = w", "h = ad.tanh(h * x); loss = h * 1.0"),
    ],
)
def test_rounds_that_lead_on_are_not_spoken_of(before: str, body: str) -> None:
    found = told(LOOP.format(before, body))
    assert not any("last round" in words for words in found.also), str(found)


def test_a_block_for_each_round_is_not_spoken_of() -> None:
    found = told("""
w = ad.Variable(0.3)
for x in [1.0, 2.0]:
    with ad.GradientTape() as tape:
        loss = (w * x) ** 2
ad.explain(tape, loss, w)
""")
    assert found.also == []
