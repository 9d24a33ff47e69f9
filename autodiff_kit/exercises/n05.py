"""Exercises of notebook 05: three ways to choose, and a safe inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.inverting import safe_inverse
from autodiff_kit.teaching.guesses import as_numbers
from autodiff_kit.teaching.values import plain, same

OTHERS = {"where": 0.0, "cond on a tape": None, "cond in a graph": 0.0}


def _the_other_source(answer: Any) -> str | None:
    if not isinstance(answer, dict) or set(answer) != set(OTHERS):
        return "a dict with the three keys is asked for, as it stands above."
    given = {key: plain(as_numbers(value)) for key, value in answer.items()}
    if given["where"] is None:
        return "where computes both and has both on the tape. What does its rule send to the other?"
    if given["cond on a tape"] is not None:
        return "only one of the two functions of cond is called. What can a tape know of the other?"
    if given["cond in a graph"] is None or same(given["cond in a graph"], "dead"):
        return "a graph holds both branches. What is put in where only a dead gradient arrives?"
    if not same(given["where"], 0.0):
        return "at where, z was not chosen: no change of z changes the result."
    if not same(given["cond in a graph"], 0.0):
        return "in the graph, z is not chosen either: no change of z changes the result."
    return None


def _slopes_of_where(answer: Any) -> str | None:
    known = (
        ([0.0, 2.0, 4.0], "that is the slope of x² everywhere. Where does x > 1 hold?"),
        ([3.0, 2.0, 4.0], "is 1 > 1?"),
        ([3.0, 5.0, 4.0], "nothing is added up at 1: one of the two is chosen. Is 1 > 1?"),
        ([0.0, 3.0, 4.0], "these are the values. Asked for is the slope."),
        ([0.0, 0.0, 4.0], "where x > 1 does not hold, 3x is chosen, and its slope is not 0."),
        ([3.0, 3.0, 3.0], "at 2 the condition holds: there x² is chosen."),
        ([3.0, None, 4.0], "at 1, too, one of the two is chosen, and has a slope there. Is 1 > 1?"),
    )
    if same(answer, [3.0, 3.0, 4.0]):
        return None
    for mistake, hint in known:
        if same(answer, mistake):
            return hint
    if isinstance(answer, (list, tuple)) and any(part is None for part in answer):
        return "None is said where nothing is computed. Here one of the two is chosen, everywhere."
    if np.shape(plain(answer)) != (3,):
        return "three numbers are asked for, one for each element of x."
    return "for each element: which of the two is chosen, and what is its slope there?"


def _right(x: Any) -> Any:
    safe = ad.where(x > 0, x, 1.0)
    return ad.where(x > 0, 1.0 / safe, 0.0)


def _trap(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / x, 0.0)


def _once(x: Any) -> Any:
    return 1.0 / ad.where(x > 0, x, 1.0)


def _not_zero(x: Any) -> Any:
    return ad.math.divide_no_nan(1.0, x)


def _a_little_more(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / (x + 0.1), 0.0)


def _a_grain_more(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / (x + 1e-8), 0.0)


def _a_tiny_grain_more(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / (x + 1e-12), 0.0)


def _a_grain_more_than_its_size(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / (ad.abs(x) + 1e-12), 0.0)


def _over_its_square(x: Any) -> Any:
    return ad.nn.relu(x) / (x**2 + 1e-30)


def _no_smaller_than_a_grain(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / ad.maximum(x, 1e-6), 0.0)


def _no_smaller_than_one(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / ad.maximum(x, 1.0), 0.0)


def _above_three(x: Any) -> Any:
    return ad.where(x > 3.0, 1.0 / ad.where(x > 3.0, x, 1.0), 0.0)


def _tangent(x: Any) -> Any:
    return ad.where(x > 0, 0.5 - x / 16.0, 0.0)


def _element_by_element(x: Any) -> Any:
    return [1.0 / element if element > 0 else 0.0 * element for element in x]


@ad.custom_gradient
def _forgets_what_arrives(x: Any) -> Any:
    y = _right(x)
    return y, lambda upstream: -y * y


def _left_the_tape(x: Any) -> Any:
    return ad.constant(np.where(x.numpy() > 0, 1.0 / np.where(x.numpy() > 0, x.numpy(), 1.0), 0.0))


def _safe_above(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / ad.where(x > 0, 1.0, x), 0.0)


def _exchanged(x: Any) -> Any:
    return ad.where(x > 0, 0.0, _once(x))


def _safe_below_0_only(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / ad.where(x >= 0, x, 1.0), 0.0)


def _one_answer_for_all(x: Any) -> Any:
    return 1.0 / x if ad.reduce_all(x > 0) else ad.zeros_like(x)


def _square_held_fast(x: Any) -> Any:
    safe = ad.where(x > 0, x, 1.0)
    return ad.where(x > 0, x / ad.stop_gradient(safe * safe), 0.0)


def _bare(x: Any) -> Any:
    return 1.0 / x


def _changes_x(x: Any) -> Any:
    x.assign(_right(x))
    return ad.identity(x)


EXERCISES = {
    "05.1": Exercise(
        "The gradient for the value that was not chosen, by where, by cond on a tape and in a graph.",
        _the_other_source,
        OTHERS,
        (
            ({**OTHERS, "where": None}, "has both on the tape"),
            ({**OTHERS, "cond on a tape": 0.0}, "can a tape know"),
            ({**OTHERS, "cond in a graph": None}, "dead gradient"),
            ({**OTHERS, "cond in a graph": "dead"}, "dead gradient"),
            ({**OTHERS, "where": 1.0}, "not chosen"),
            ({**OTHERS, "cond on a tape": "zero"}, "can a tape know"),
            ([0.0, None, 0.0], "a dict"),
        ),
        "Zero where the other branch is known, None where it never ran.",
        dict.fromkeys(OTHERS, ...),
    ),
    "05.2": Exercise(
        "The gradient of where(x > 1, x², 3x) at 0, 1 and 2.",
        _slopes_of_where,
        [3.0, 3.0, 4.0],
        (
            ([0, 2, 4], "everywhere"),
            ([3, 2, 4], "is 1 > 1?"),
            ([0, 3, 4], "the values"),
            ([0, 0, 4], "is not 0"),
            ([3, 3, 3], "at 2"),
            ([3, None, 4], "at 1, too"),
            ([None, 3, 4], "one of the two is chosen, everywhere"),
            (4.0, "three numbers"),
            ([1, 1, 1], "for each element"),
        ),
        "The slope of whichever was chosen.",
        [..., ..., ...],
    ),
    "05.3": Exercise(
        "A function 1/x where x > 0, else 0, with a gradient that is finite everywhere.",
        safe_inverse,
        _right,
        (
            (_trap, "safe before"),
            (_once, "choose once more"),
            (_not_zero, "only x > 0 counts"),
            (_a_little_more, "should be [0, 0, 0.25]"),
            (_left_the_tape, "ad's operations"),
            (_changes_x, "changes x itself"),
            (_bare, "still in there"),
            (_no_smaller_than_one, "at x = [0.5, -1, 1/8192, 3] the values"),
            (_a_grain_more, "divide by x itself"),
            (_a_tiny_grain_more, "at x = -1e-12 the value is 0.0 and the gradient nan"),
            (_a_grain_more_than_its_size, "right as long as x is not very small"),
            (_over_its_square, "right as long as x is not very small"),
            (_safe_above, "it is meant for the others"),
            (_exchanged, "just the other way round"),
            (_safe_below_0_only, "also where x is 0"),
            (_one_answer_for_all, "ad.where chooses for each"),
            (_square_held_fast, "should be -1/16"),
            (_no_smaller_than_a_grain, "divide by x itself"),
            (_above_three, "at x = [0.5, -1, 1/8192, 3] the values"),
            (_tangent, "at x = [0.5, -1, 1/8192, 3] the values"),
            (_element_by_element, "ad.stack makes one"),
            (_forgets_what_arrives, "[2, 3, 1, -9] arriving"),
            (0.25, "a function"),
        ),
        "Each value is chosen, and nothing infinite finds its way back to x.",
    ),
}
