"""Exercises of notebook 07: None, zero, error or a gradient, and a soft count."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.counting import soft_count

OUTCOMES = {
    "round": "None",
    "sign": "zero",
    "abs": "a gradient",
    "x > 1": "None",
    "x * floor(x)": "a gradient",
}
_HINTS = {
    "round": "round is a staircase like floor, and its rule answers as that of floor does.",
    "sign": "sign is as flat as floor, but it was given a rule, and not one that returns None.",
    "abs": "abs has a corner at 0, and a slope on both sides of it.",
    "x > 1": "a comparison answers yes or no. Can a yes move by a little?",
    "x * floor(x)": "nothing passes through floor. But is there another way from x to the product?",
}


def _outcomes(answer: Any) -> str | None:
    if not isinstance(answer, dict) or set(answer) != set(OUTCOMES):
        return "a dict with the five keys is asked for, as it stands above."
    given = {key: _word(value) for key, value in answer.items()}
    allowed = {"none", "zero", "error", "a gradient"}
    odd = [value for value in given.values() if value not in allowed]
    if odd:
        return 'write "None", "zero", "error" or "a gradient" for each.'
    wrong = [key for key, right in OUTCOMES.items() if given[key] != right.casefold()]
    return f"look at {wrong[0]} again: {_HINTS[wrong[0]]}" if wrong else None


_ALSO = {"gradient": "a gradient", "0": "zero", "0.0": "zero", "zeros": "zero"}


def _word(value: Any) -> str:
    word = "none" if value is None else str(value).strip().casefold()
    return _ALSO.get(word, word)


def _right(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(10.0 * (x - 1.0)))


def _hard(x: Any) -> Any:
    return ad.reduce_sum(ad.cast(x > 1.0, ad.float32))


def _in_numpy(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(10.0 * (x.numpy() - 1.0)))


def _counted(x: Any) -> Any:
    return sum(1 for element in x if element > 1.0)


def _loop_over_numpy(x: Any) -> Any:
    return sum(ad.sigmoid(100.0 * (element - 1.0)) for element in x.numpy())


def _silent(x: Any) -> None:
    _right(x)


def _sign(x: Any) -> Any:
    return ad.reduce_sum((ad.sign(x - 1.0) + 1.0) / 2.0)


def _too_soft(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(x - 1.0))


def _below(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(-10.0 * (x - 3.0)))


def _five(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(10.0 * (x - 1.0))[:5])


def _each(x: Any) -> Any:
    return ad.sigmoid(10.0 * (x - 1.0))


def _threshold_forgotten(x: Any) -> Any:
    return ad.reduce_sum(ad.sigmoid(10.0 * x))


EXERCISES = {
    "07.1": Exercise(
        "None, zero, error or a gradient, for five expressions.",
        _outcomes,
        OUTCOMES,
        (
            ({**OUTCOMES, "sign": "None"}, "given a rule"),
            ({**OUTCOMES, "round": "zero"}, "staircase"),
            ({**OUTCOMES, "x > 1": "error"}, "by a little"),
            ({**OUTCOMES, "x * floor(x)": None}, "another way"),
            ({**OUTCOMES, "abs": "zero"}, "on both sides"),
            ({**OUTCOMES, "abs": 1.0}, "for each"),
            ("None", "a dict"),
        ),
        "None for steps and answers, zero where a rule says so, and a product has two ways.",
        dict.fromkeys(OUTCOMES, ...),
    ),
    "07.2": Exercise(
        "A soft count of the elements above 1, with a gradient.",
        soft_count,
        _right,
        (
            (_hard, "comparison, a rounding or .numpy()"),
            (_in_numpy, "comparison, a rounding or .numpy()"),
            (_loop_over_numpy, "comparison, a rounding or .numpy()"),
            (_counted, "returns 2, which is no tensor"),
            (lambda x: np.sum(x.numpy() > 1.0), "returns 2, which is no tensor"),
            (_silent, "returns nothing"),
            (lambda x: len(x), "x.shape[0]"),
            (_sign, "flat everywhere"),
            (_too_soft, "steeper"),
            (_below, "two of them are above 1"),
            (_each, "good. The count is their sum"),
            (lambda x: ad.cast(x > 1.0, ad.float32), "the sum over all elements"),
            (lambda x: 2.0 * x, "the sum over all elements"),
            (lambda x: ad.sigmoid(x - 1.0), "the sum over all elements. And near"),
            (lambda x: ad.reduce_sum(_each(x) * ad.cast(x > 1.0, ad.float32)), "just below it"),
            (lambda x: ad.reduce_sum(ad.where(x < 1.0, _each(x), 1.0)), "just above it"),
            (lambda x: _right(x) + 0.3, "Is something added"),
            (lambda x: 1.2 * _right(x), "or multiplied with it"),
            (lambda x: ad.reduce_sum(ad.sigmoid(50.0 * x - 1.0)), "two of them are above 1"),
            (lambda x: ad.sigmoid(10.0 * ad.reduce_sum(x - 1.0)), "two of them are above 1"),
            (lambda x: ad.reduce_sum(ad.sigmoid(200.0 * (x - 1.0))), "is so steep"),
            (lambda x: ad.reduce_sum(ad.sigmoid(1e6 * (x - 1.0))), "is so steep"),
            (lambda x: ad.reduce_sum(ad.sigmoid(10.0 * (x - 1.5))), "at 1 is where"),
            (lambda x: ad.reduce_sum(ad.sigmoid(10.0 * (x - 0.7))), "at 1 is where"),
            (lambda x: 2.0 + 0.0 * ad.reduce_sum(x), "four of them are above 1"),
            (lambda x: _hard(x) + 0.0 * ad.reduce_sum(x), "flat everywhere"),
            (_five, "four of them are above 1"),
            (lambda x: [_right(x)], "a tensor is asked for"),
            (lambda x: ad.reduce_mean(_each(x)), "two of them are above 1"),
            (_threshold_forgotten, "two of them are above 1"),
            (2.0, "a function"),
        ),
        "A soft step counts almost the same, and has a slope.",
    ),
}
