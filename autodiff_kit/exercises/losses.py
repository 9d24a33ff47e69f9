"""Is a faulty loss mended? The checks of exercises 17.1 and 17.2.

One idea: each plausible other loss is a function too, and is named if its values come back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.exercises.mending import Case, mended

PENALTIES = [
    Case({"x": [0.5, 3.0, 1.5]}, 2.5, [0.0, 1.0, 1.0]),
    Case({"x": [2.0, -4.0, 1.25, 6.0]}, 6.25, [1.0, 0.0, 1.0, 1.0]),
]


def penalty(answer: Any) -> str | None:
    """A hint unless the answer adds up what lies above 1, and its gradient flows."""

    def known(rule: Any) -> Any:
        return lambda x: float(rule(np.asarray(x)))

    return mended(
        answer,
        PENALTIES,
        (
            (
                known(lambda x: np.sum(x > 1)),
                "this counts how many are above 1. Asked for is how far they are above it.",
            ),
            (
                known(lambda x: np.sum(x[x > 1])),
                "the numbers above 1 are added up whole. Subtract 1 from each of them.",
            ),
            (
                known(lambda x: np.sum(x - 1)),
                "the numbers below 1 take something away. They should count as 0.",
            ),
            (
                known(lambda x: np.maximum(x[-1] - 1, 0)),
                "only the last part counts. Does the sum begin anew in each round?",
            ),
            (
                known(lambda x: np.sum(np.abs(x - 1))),
                "the numbers below 1 count too, with their distance. They should count as 0.",
            ),
            (
                known(lambda x: np.mean(np.maximum(x - 1, 0))),
                "this is the mean of the parts. The sum is asked for.",
            ),
            (
                known(lambda x: np.sum(np.maximum(x - 1, 0) ** 2)),
                "these are the squares of the parts. Mend the gradient, and leave the value as it is.",
            ),
        ),
    )


def _error_case(w: Any, points: Any, targets: Any) -> Case:
    x, t = np.asarray(points), np.asarray(targets)
    error = (x @ np.asarray(w))[:, 0] - t
    slope = 2.0 * x.T @ error[:, None] / len(t)
    return Case({"w": w, "points": points, "targets": targets}, float(np.mean(error**2)), slope)


ERRORS = [
    _error_case([[2.0], [0.5]], [[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]], [3.0, 1.0, 7.0]),
    _error_case([[1.0], [-1.0]], [[3.0, 1.0], [0.5, 2.0], [1.0, 4.0], [2.0, 2.5]], [1, 2, -3.0, 4]),
]


def mean_error(answer: Any) -> str | None:
    """A hint unless the answer is the mean of n squared errors, one for each point."""

    def known(rule: Any) -> Any:
        return lambda w, x, t: float(rule((np.asarray(x) @ np.asarray(w))[:, 0], np.asarray(t)))

    return mended(
        answer,
        ERRORS,
        (
            (
                known(lambda p, t: np.mean((p[:, None] - t) ** 2)),
                "every prediction is still compared with every target: column minus row is a table. "
                "Print the shape of the difference; it should have n numbers.",
            ),
            (
                known(lambda p, t: np.sum((p - t) ** 2)),
                "the pairs are right now. The mean over them is asked for, not the sum.",
            ),
            (
                known(lambda p, t: (np.mean(p) - np.mean(t)) ** 2),
                "the mean was taken before the squares: errors up and down cancel.",
            ),
            (
                known(lambda p, t: np.sum((p[:, None] - t) ** 2) / len(t)),
                "divided by n, but all n times n pairs are added up. Which n of them were meant?",
            ),
            (
                known(lambda p, t: np.sqrt(np.mean((p - t) ** 2))),
                "the pairs are right now, and this is the root of what is asked for.",
            ),
            (
                known(lambda p, t: np.mean((p - t) ** 2) / 2),
                "the pairs are right now. Leave out the half: the mean of the squares is asked for.",
            ),
            (
                known(lambda p, t: np.sqrt(np.sum((p - t) ** 2))),
                "the pairs are right now. A norm is the root of a sum, and the mean is asked for.",
            ),
            (
                known(lambda p, t: np.mean(np.abs(p - t))),
                "the pairs are right now. The squares of the differences are asked for.",
            ),
        ),
    )
