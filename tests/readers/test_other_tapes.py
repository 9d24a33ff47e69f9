"""A tape that is asked for what another tape recorded."""

from __future__ import annotations

import pytest

from readers.test_told import told

ROUNDS = """
w = ad.Variable(1.0)
tapes, losses = [], []
for x in (1.0, 2.0, 3.0):
    with ad.GradientTape() as tape:
        loss = w * x
    {keep}
    losses.append(loss)
{after}
ad.explain(tape, losses[0], w)
"""


def test_the_tape_of_an_earlier_round_is_called_by_the_way_to_it() -> None:
    found = told(ROUNDS.format(keep="tapes.append(tape)", after=""))
    assert found.cause == "another tape" and "`tapes[0]`, not by `tape`" in found.why
    assert found.fix == "tapes[0].gradient(losses[0], w)"


def test_two_tapes_of_one_name_are_told_apart_if_no_way_leads_to_the_other() -> None:
    keep = "tapes.append(lambda kept=tape: kept)"
    found = told(ROUNDS.format(keep=keep, after=""))
    assert found.cause == "another tape" and "`tape`, not by `tape`" not in found.why
    assert "another round" in found.why and "around the whole loop" in found.advice
    assert not found.fix


OTHER = """
w, b = ad.Variable(1.0), ad.Variable(2.0)
with ad.GradientTape() as first:
    a = w * w
with ad.GradientTape() as second:
    loss = w * 3.0
ad.explain(first, {}, loss)
"""


def test_target_and_source_are_exchanged_and_the_tape_is_another_too() -> None:
    found = told(OTHER.format("w"))
    assert found.cause == "exchanged" and "`loss` was computed from `w`" in found.why
    assert found.fix.startswith("second.gradient(loss, w)")


@pytest.mark.parametrize("target", ["b", "ad.Variable(5.0)"])
def test_a_variable_that_no_tape_read_is_no_reason_to_fail(target: str) -> None:
    found = told(OTHER.format(target))
    assert (found.status, found.cause) == ("none", "not watched")


@pytest.mark.parametrize(
    ("before", "inside", "after", "also"),
    [
        ("", "", "z = h * 2.0", "`z` is a target too, computed after the block of `tape` had ended"),
        ("z = w * 5.0", "", "", "`z` is a target too, computed before the block of `tape` began"),
        (
            "with ad.GradientTape() as other:\n    z = w * 5.0", "", "",
            "`z` is a target too, computed while another tape recorded",
        ),
        (
            "", "with tape.stop_recording():\n        z = h * 3.0", "",
            "`z` is a target too, computed while tape.stop_recording() had paused the tape",
        ),
        ("", "z = h * 3.0", "", ""),
        ("z = ad.constant(0.0)", "", "", ""),
        ("", "z = 0.1 * ad.reduce_sum(data)", "", ""),
    ],
)  # fmt: skip
def test_a_target_that_the_tape_does_not_know_adds_nothing(
    before: str, inside: str, after: str, also: str
) -> None:
    found = told(f"""
w, data = ad.Variable(1.0), ad.constant([1.0, 2.0])
{before}
with ad.GradientTape() as tape:
    h = w * w
    {inside}
{after}
ad.explain(tape, [h, z], w)
""")
    found.also = [text for text in found.also if "are added up" not in text]
    assert found.status == "flows" and bool(found.also) == bool(also)
    assert not also or also in found.also[0] and "adds nothing to this gradient" in found.also[0]


def test_many_targets_of_other_tapes_are_counted() -> None:
    text = ROUNDS.format(keep="tapes.append(tape)", after="").replace("losses[0]", "losses")
    found = told(text)
    assert "`losses[0]` and `losses[1]` are targets too, computed while another" in found.also[0]
    found = told(text.replace("3.0)", "3.0, 4.0, 5.0)"))
    assert "`losses[0]` and 3 more are targets too" in found.also[0]
