"""Sums and lists over the rounds of a loop, each of which has a block of its own."""

from __future__ import annotations

import pytest

from readers.test_told import told

HEAD = """w = ad.Variable([0.1, -0.1])
data = [([1.0, 2.0], 1.0), ([2.0, -1.0], 0.0), ([0.5, 0.5], 1.0)]
"""
LOOP = (
    HEAD
    + """
total = {begin}
for xs, y in data:
    with ad.GradientTape() as tape:
        loss = (ad.reduce_sum(w * xs) - y) ** 2
        {add}
ad.explain(tape, total, w)
"""
)
WORDS = "`total` adds up the rounds of a loop, each with a block of its own"
AROUND = (
    "Put the block around the whole loop, or ask the tape in each round and add up the gradients."
)


@pytest.mark.parametrize("begin", ["0.0", "0", "ad.constant(0.0)", "1.5"])
@pytest.mark.parametrize("add", ["total = total + loss", "total += loss", "total = loss + total"])
def test_a_sum_over_several_blocks_is_the_last_ones_alone(begin: str, add: str) -> None:
    found = told(LOOP.format(begin=begin, add=add))
    assert found.status == "flows"
    (also,) = found.also
    assert WORDS in also and "`tape` knows the last round alone" in also and AROUND in also


def test_the_advice_gives_the_whole_gradient() -> None:
    found = told(
        HEAD
        + """
total = 0.0
with ad.GradientTape() as tape:
    for xs, y in data:
        loss = (ad.reduce_sum(w * xs) - y) ** 2
        total = total + loss
ad.explain(tape, total, w)
"""
    )
    assert (found.status, found.also) == ("flows", [])


HEALTHY = {
    "one round": "for xs, y in data[:1]:\n    with ad.GradientTape() as tape:\n"
    "        total = total + ad.reduce_sum(w * xs)",
    "begun anew in each round": "for xs, y in data:\n    total = 0.0\n"
    "    with ad.GradientTape() as tape:\n        total = total + ad.reduce_sum(w * xs)",
    "a loop in the block": "for _ in range(2):\n    with ad.GradientTape() as tape:\n"
    "        total = 0.0\n"
    "        for xs, y in data:\n            total = total + ad.reduce_sum(w * xs)",
    "a regulariser": "for xs, y in data:\n    with ad.GradientTape() as tape:\n"
    "        loss = ad.reduce_sum(w * xs)\n        total = loss + ad.nn.l2_loss(w)",
}


@pytest.mark.parametrize("text", HEALTHY.values(), ids=HEALTHY)
def test_nothing_is_said_where_all_is_in_the_block(text: str) -> None:
    found = told(f"{HEAD}total = 0.0\n{text}\nad.explain(tape, total, w)\n")
    assert (found.status, found.also) == ("flows", [])


def test_the_state_of_a_stream_is_its_own_affair() -> None:
    found = told(
        HEAD
        + """
h = ad.constant(0.0)
for xs, y in data:
    with ad.GradientTape() as tape:
        h = h + ad.tanh(ad.reduce_sum(w * xs))
        loss = (h - y) ** 2
ad.explain(tape, loss, w)
"""
    )
    assert (found.status, found.also) == ("flows", [])


AFTER = {
    "total += loss": "    total += loss\n",
    "total = total + loss": "    total = total + loss\n",
    "a mean of a list": "    losses.append(loss)\ntotal = ad.reduce_mean(losses)\n",
    "a sum of a list": "    losses.append(loss)\ntotal = sum(losses)\n",
}


@pytest.mark.parametrize("text", AFTER.values(), ids=AFTER)
def test_what_is_put_together_after_the_blocks_wants_one_block(text: str) -> None:
    found = told(
        f"{HEAD}total = 0.0\nlosses = []\nfor xs, y in data:\n"
        "    with ad.GradientTape() as tape:\n        loss = (ad.reduce_sum(w * xs) - y) ** 2\n"
        f"{text}ad.explain(tape, total, w)\n"
    )
    assert found.cause == "outside the tape" and AROUND in found.advice and not found.fix


def test_a_line_after_the_last_block_is_only_to_be_indented() -> None:
    found = told(
        f"{HEAD}for xs, y in data:\n    with ad.GradientTape() as tape:\n"
        "        loss = (ad.reduce_sum(w * xs) - y) ** 2\n    total = loss * 2.0\n"
        "ad.explain(tape, total, w)\n"
    )
    assert "Indent that line" in found.advice and found.fix


def test_a_list_that_each_round_begins_anew_is_no_list_of_rounds() -> None:
    found = told(
        f"{HEAD}for step in range(2):\n    losses = []\n    with ad.GradientTape() as tape:\n"
        "        for xs, y in data:\n            losses.append((ad.reduce_sum(w * xs) - y) ** 2)\n"
        "total = ad.reduce_mean(losses)\nad.explain(tape, total, w)\n"
    )
    assert found.cause == "outside the tape" and AROUND not in found.advice
