"""Layer 5: a truth that is none for a cross entropy.

One idea: a cross entropy takes a truth from 0 to 1. With class numbers, with -1 and 1 or with the
brightness of a pixel it gives a number and a gradient all the same, and has no minimum there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.losses import (
    OF_LOGITS,
    argument_at,
    losses_of_probabilities,
    name_of,
)
from autodiff_kit.readers.program.cells import at_hand

_SPARSE = "SparseSoftmaxCrossEntropyWithLogits"
_SLACK = 1e-3


def truth_words(case: Case) -> list[str]:
    """A sentence about the last such truth on the way, or nothing."""
    for place, kind, truth in _truths(case):
        if truth is None or np.asarray(truth).dtype.kind not in "fiu" or not np.size(truth):
            continue
        outside = np.asarray(truth)[(truth < -_SLACK) | (truth > 1.0 + _SLACK)]
        if outside.size:
            return [_words(case, place, outside, _advice(kind, np.asarray(truth)))]
    return _cut_to_whole(case)


def _truths(case: Case) -> Iterator[tuple[int, str, Any]]:
    """The losses on the way with what stands for the truth there."""
    for loss in losses_of_probabilities(case):
        yield loss.bound, loss.kind, loss.truth
    for step in reversed(case.steps):
        operation = step.operation
        if operation.type in OF_LOGITS and operation.places[1] < 0:
            kind, place = OF_LOGITS[operation.type], operation.place
            yield place, kind, input_value(case, place, 1)


def _words(case: Case, place: int, outside: Any, advice: str) -> str:
    spot, one = case.spot(place), float(outside.flat[0])
    given = argument_at(spot, 0, "y_true", "labels") or "its truth"
    # After label smoothing the numbers are others than the learner's, and hardly ever whole ones.
    what = f"has {one:g} in it" if one.is_integer() else "has numbers outside in it"
    return (
        f"{name_of(spot, 'The loss')} at {case.line(place).where} takes a truth from 0 to 1, and "
        f"{given} {what}: so it has no minimum where the two are equal. {advice}"
    )


def _advice(kind: str, truth: Any) -> str:
    """What to do about a truth, as far as its numbers tell what it is."""
    if np.all((truth == -1) | (truth == 1)):
        return "Labels of -1 and 1 become 0 and 1 with (y + 1) / 2."
    whole = np.all(truth == np.round(truth)) and np.all(truth >= 0)
    if whole and np.max(truth) >= 100:  # noqa: PLR2004 - no numbers of classes, mostly
        return "Divide it by the largest number that there can be."
    if whole:
        more = " and one output for each class" if kind == "binary" else ""
        return (
            "If these are the numbers of classes, take ad.keras.losses.SparseCategoricalCrossentropy"
            f"{more}; ad.one_hot makes a truth of them."
        )
    return (
        "For numbers of any size take a squared error; numbers of classes, and labels of -1 and 1, "
        "have to be made 0 and 1 first."
    )


def _cut_to_whole(case: Case) -> list[str]:
    """A sentence about labels with decimals where class numbers are taken."""
    for step in reversed(case.steps):
        place = step.operation.place
        if step.operation.type != _SPARSE:
            continue
        spot = case.spot(place)
        given = argument_at(spot, 0, "y_true", "labels").strip("`")
        held = at_hand(given, spot.code, case.names.frame)
        value: Any = getattr(held, "_value", held)
        if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
            continue
        parts, labels = value[value != np.floor(value)], input_value(case, place, 1)
        if parts.size and np.array_equal(np.ravel(labels), value.astype(int).ravel()):
            return [
                f"{name_of(spot, 'The loss')} at {case.line(place).where} takes the numbers of "
                f"classes, and `{given}` has {float(parts[0]):g} in it: what is behind the point is "
                "cut off."
            ]
    return []
