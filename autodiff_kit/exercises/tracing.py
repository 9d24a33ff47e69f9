"""Is it an estimate of the trace? The check of exercise 14.3.

One idea: two tables of different shapes tell every mean and sum over them apart.
"""

from __future__ import annotations

from typing import Any

import autodiff_kit as ad
from autodiff_kit.exercises.hints import a_function, boxed
from autodiff_kit.exercises.points import by_rule


def trace(answer: Any) -> str | None:
    """A hint unless the answer estimates a trace from steps and their products with the Hessian."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    points = [
        {"steps": ad.constant(steps), "h_steps": ad.constant(moved)} for steps, moved in TABLES
    ]
    result = answer(*points[0].values())
    return boxed(result) or by_rule(answer, _right_trace, points, WRONG_TRACES)


TABLES = (
    ([[1.0, 2.0], [3.0, -1.0], [0.5, 1.0]], [[4.0, 1.0], [2.0, -2.0], [1.0, 4.0]]),
    ([[2.0, -1.0, 1.0], [0.5, 3.0, -2.0]], [[1.0, 2.0, 4.0], [-1.0, 0.25, 3.0]]),
)


def _right_trace(steps: Any, moved: Any) -> Any:
    return (steps * moved).sum() / len(steps)


WRONG_TRACES = (
    (
        lambda steps, moved: (steps * moved).sum(axis=1),
        "these are the products, one for each step. Take their mean.",
    ),
    (
        lambda steps, moved: (steps * moved).mean(axis=0),
        "add the numbers of a row; this averages each column.",
    ),
    (
        lambda steps, moved: (steps * moved).mean(),
        "this is the mean of all products. Add those of a row first, then average the rows.",
    ),
    (
        lambda steps, moved: (steps * moved).sum(),
        "this is the sum over all steps. Take the mean over the rows.",
    ),
    (
        lambda steps, moved: (steps * moved).sum() / steps.shape[1],
        "this is divided by the length of a row. Take the mean over the rows.",
    ),
    (
        lambda steps, moved: steps * moved,
        "these are the products of entries: add up each row, then take the mean.",
    ),
    (
        lambda steps, moved: moved.mean(),
        "multiply step and H step entry by entry before anything is added.",
    ),
    (
        lambda steps, moved: (moved / steps).sum(axis=1).mean(),
        "the entries are multiplied, not divided: the mean of those quotients does not exist.",
    ),
)
