"""Is the mean distance mended? The check of exercise 17.3.

One idea: a point may lie far away, on the place itself, or next to it, and each of these counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.mending import Case, mended, near
from autodiff_kit.exercises.on_a_point import pulls
from autodiff_kit.teaching.values import quoted, same

NEXT_TO_IT = (
    [3e-4, 4e-4],
    [[0.0, 0.0]],
)  # further than any guard under the root that is good enough


def _case(w: Any, points: Any, aside: str = "") -> Case:
    away = np.asarray(w) - np.asarray(points)
    length = _lengths(away)
    slope = np.mean(away / np.where(length > 0, length, 1.0)[:, None], axis=0)
    return Case({"w": w, "points": points}, float(np.mean(length)), slope, aside)


def _lengths(away: Any) -> Any:
    return np.sqrt(np.sum(away**2, axis=1))


ON_A_POINT = (
    "(Here w lies on one of the points. If it was None before: this is the fault that it hid.)"
)
CASES = [
    _case([0.5, 2.0], [[3.5, 6.0], [-4.5, -10.0]]),
    _case([0.0, 0.0], [[3.0, 4.0], [0.0, 0.0], [-5.0, 12.0]], ON_A_POINT),
    _case([1.0, 2.0], [[1.0, 2.0], [1.0, 2.0], [4.0, -2.0], [1.0, 7.0], [-2.0, 6.0]]),
    _case([0.01, 0.0], [[0.0, 0.0], [0.03, 0.02]]),
]


def _known(rule: Callable[[Any], Any]) -> Callable[..., float]:
    """A wrong value, by what it makes of the differences between the place and the points."""
    return lambda w, points: float(rule(np.asarray(w) - np.asarray(points)))


MISTAKES = (
    (
        _known(lambda a: np.mean(np.sum(a**2, axis=1))),
        "these are the squares of the distances: mend the root, do not leave it out.",
    ),
    (_known(lambda a: np.sum(_lengths(a))), "this is the sum. The mean is asked for."),
    (
        _known(lambda a: np.sum(_lengths(a)) / 2.0),
        "this is divided by 2, however many points there are. Take the mean over all of them.",
    ),
    (
        _known(lambda a: np.mean(_lengths(a)[_lengths(a) > 0])),
        "a point on which w lies is left out of the mean. Its distance is 0, and it counts.",
    ),
    (
        _known(lambda a: np.mean(np.where(_lengths(a) > 0, _lengths(a), 1.0))),
        "the argument of the root is safe now, but a point on which w lies counts with the distance 1 "
        "of the safe number. It should be 0: choose once more, after the root.",
    ),
    (
        _known(lambda a: np.sqrt(np.sum(np.mean(a, axis=0) ** 2))),
        "this is the distance to the middle of all points, not the mean of the distances.",
    ),
    (
        _known(lambda a: np.sqrt(np.mean(np.sum(a**2, axis=1)))),
        "this is the root of the mean square. Take the root for each point, then the mean.",
    ),
    (
        _known(lambda a: np.mean(np.sqrt(np.sum(a**2, axis=0)))),
        "the squares are added up over all points. Add up the two of each point: axis=1.",
    ),
    (
        _known(lambda a: np.mean(np.sum(np.abs(a), axis=1))),
        "differences along both axes are added up. A distance is the root of their squares.",
    ),
)


def mean_distance(answer: Any) -> str | None:
    """A hint unless the answer is the mean distance, with its gradient, also on and next to a point."""
    wrong = mended(
        answer,
        CASES,
        MISTAKES,
        nearly="near: all values and gradients are right within a hundredth. If a number is added "
        "under the root, make it smaller, as 1e-12.",
    )
    if wrong and callable(answer) and near(answer, CASES[0]):
        return pulls(answer) or wrong
    return wrong or _next_to_a_point(answer)


def _next_to_a_point(answer: Any) -> str | None:
    """A hint if a place that lies very near to a point is taken to lie on it."""
    place, points = NEXT_TO_IT
    w = ad.Variable(place)
    with ad.GradientTape() as tape:
        y = answer(w, ad.constant(points))
    slope = tape.gradient(y, w)
    if same(y, 5e-4, 0.01) and same(slope, [0.6, 0.8], 0.01):
        return None
    return (
        "right so far, but for w = [0.0003, 0.0004] and the point [0, 0] the distance is 0.0005, the "
        f"gradient [0.6, 0.8]; yours are {quoted(y)} and {quoted(slope)}. There w lies next to the "
        "point, not on it: treat a point by itself only if its distance is 0."
    )
