"""Masks in front of a softmax that do not do what masks are made for."""

from __future__ import annotations

import sys

import pytest

from readers.test_told import run, told

columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns")
HEAD = """
ad.random.set_seed(1)
T, D = 4, 3
x = ad.random.normal((2, T, D))
Wq, Wk, Wv = (ad.Variable(ad.random.normal((D, D))) for _ in range(3))
lengths = ad.constant([4, 2])
keep = (ad.range(T)[ad.newaxis, :] < lengths[:, ad.newaxis])[:, ad.newaxis, :]
mask = ad.cast(keep, ad.float32)
causal = ad.linalg.band_part(ad.ones((T, T)), -1, 0)
"""
ASK = """
    loss = ad.reduce_mean((ad.nn.softmax(scores) @ (x @ Wv)) ** 2)
ad.explain(tape, loss, Wq)
"""
SCORES = """
with ad.GradientTape() as tape:
    scores = ad.matmul(x @ Wq, x @ Wk, transpose_b=True)
    scores = {}"""


def program(scores: str) -> str:
    """A layer of attention with these scores."""
    return HEAD + SCORES.format(scores) + ASK


SWAMPED = {
    "scores + (1.0 - mask) * 1e9": ("4 of 8 rows", "a large number to what is to stay"),
    "scores + mask * -1e9": ("4 of 8 rows", "masks every place of such a row"),
    "scores - 1e10 * causal": ("2 of 8 rows", "masks every place of such a row"),
    "scores / np.sqrt(3.0) + causal * -1e9": ("2 of 8 rows", "masks every place of such a row"),
    "ad.where(keep, -1e9, scores)": ("4 of 8 rows", "is the condition the wrong way round?"),
}


@pytest.mark.parametrize("scores", SWAMPED)
def test_scores_that_are_lost_beside_a_mask_are_told(scores: str) -> None:
    rows, reason = SWAMPED[scores]
    found = told(program(scores))
    (words,) = found.also
    assert found.status == "flows" and found.fix == ""
    assert f"In {rows} of the softmax at line 16 of " in words and reason in words, words
    assert "goes in at line 15 of " in words


@columns
@pytest.mark.parametrize(
    "scores", ["scores * mask", "mask * scores", "scores * mask / np.sqrt(3.0)"]
)
def test_a_score_times_0_is_not_left_out_and_the_code_leaves_it_out(scores: str) -> None:
    found = told(program(scores))
    assert "`mask`, and where that is 0 the score is 0" in found.also[0]
    code, _, old = found.fix.partition("    # instead of ")
    assert old in scores and told(program(scores.replace(old, code))).also == []


NOUGHTS = [
    "ad.where(keep, scores, 0.0)",
    "ad.where(mask > 0, scores, 0)",
    "ad.where(causal == 0, 0.0, scores)",
    "ad.where(keep, scores / 2.0, 0.0) / np.sqrt(3.0)",
]


@columns
@pytest.mark.parametrize("scores", NOUGHTS)
def test_a_0_in_the_place_of_a_score_is_told_and_the_code_leaves_it_out(scores: str) -> None:
    found = told(program(scores))
    assert "At line 15 of " in found.also[0] and "exp(0) = 1 as its share" in found.also[0]
    code, _, old = found.fix.partition("    # instead of ")
    assert old in scores and told(program(scores.replace(old, code))).also == []


@columns
def test_noughts_that_are_a_tensor_are_told_without_code() -> None:
    found = told(program("ad.where(keep, scores, ad.zeros((T, T)))"))
    assert "exp(0) = 1 as its share" in found.also[0] and found.fix == ""


HEALTHY = [
    "scores + (1.0 - mask) * -1e9",
    "scores + (1.0 - causal) * -1e9",
    "ad.where(keep, scores, -1e9)",
    "scores * 0.5",
    "scores - 10.0",
    "ad.where(ad.constant(False), 0.0, scores)",
    "ad.where(causal[:, :1] > 0, scores, 0.0)",
    "ad.nn.dropout(scores, 0.7, seed=1)",
    "ad.where(scores > 0.0, scores, 0.0)",
    "ad.where(scores < 0.5, 0.0, scores)",
    "scores * causal[:1, :1]",
    "scores * ad.reshape(causal[:, :1], (T, 1))",
]


@pytest.mark.parametrize("scores", HEALTHY)
def test_a_mask_that_masks_gets_no_sentence(scores: str) -> None:
    found = told(program(scores))
    assert (found.status, found.also, found.fix) == ("flows", [], "")


def test_rows_of_padding_that_do_not_count_get_no_sentence() -> None:
    found = told(
        program("scores + (1.0 - mask * ad.transpose(mask, [0, 2, 1])) * -1e9").replace(
            "** 2)\n", "** 2 * ad.transpose(mask, [0, 2, 1]))\n"
        )
    )
    assert (found.status, found.also) == ("flows", [])


def test_values_are_not_told_of_since_their_way_is_sound() -> None:
    text = program("scores + mask * -1e9").replace("loss, Wq)", "loss, Wv)")
    assert run(text).findings[0].also == []
