"""Layer 5: a gradient that flows, and is so large or so small that no step of it is of use.

One idea: such numbers are no error to a tape, but a step takes the variable far away, or leaves it
where it is; the rounds, or the one step of the way back, that made it so are named.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.climbing import climb
from autodiff_kit.readers.facts.climbing import size as size_of
from autodiff_kit.readers.facts.dense import dense, finite
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.flowing.evenly import even_words
from autodiff_kit.readers.flowing.levelled import levelled_at_its_end, levelled_words
from autodiff_kit.readers.flowing.steepness import at_its_value

_LARGE = {"float16": 1e4}  # of all others 1e8
_MUCH = 1e3  # by so much one step has to change it to be named
_SMALLER = (
    "Let what is multiplied there be smaller, near 1 in size; and a step stays short with "
    "`gradients, _ = ad.clip_by_global_norm(gradients, 1.0)`."
)
_FAR = 1e6  # a variable of that size did not begin so


def size_words(case: Case) -> list[str]:
    """A sentence about a gradient whose size says that something is wrong, or nothing."""
    gradient = dense(case.gradient)
    if isinstance(gradient, dict) or not np.size(gradient) or not finite(gradient):
        return []
    largest, dtype = float(np.max(np.abs(gradient))), np.asarray(gradient).dtype.name
    value = tensor_behind(case.source)._value
    if largest >= _LARGE.get(dtype, 1e8):
        found = climb(case)
        by = f"{found.words} {_SMALLER}" if found is not None else _made_by(case, True)
        return [
            f"It is very large, {largest:.1g}, and a step by it goes far. {by}{_gone(case, value)}"
        ]
    evenly = even_words(case)
    if evenly:
        return evenly
    if np.shape(value) == np.shape(gradient) and np.array_equal(value - gradient, value):
        reason = levelled_words(case) or (
            f"either all is learnt, or it vanished on its way. {_made_by(case, False)}"
        )
        return [
            f"It is so small, {largest:.1g} at most, that `{case.source_name}` minus it is the same in "
            f"{dtype}: {reason}"
        ]
    rounded = levelled_at_its_end(case)
    return [f"Its digits are rounding: {rounded}"] if rounded else []


def _gone(case: Case, value: object) -> str:
    """What is to be said of a source that is far away itself."""
    far = size_of(value)
    if not np.isfinite(far) or far < _FAR:
        return ""
    return (
        f" `{case.source_name}` itself holds numbers up to {far:.1g}: if steps took it there, take "
        "smaller ones."
    )


def _made_by(case: Case, larger: bool) -> str:
    """The step that made it so, if one alone did, as a sentence."""
    by = [(_times(case, step), step) for step in case.steps]
    known = [(times, step) for times, step in by if times > 0 and np.isfinite(times)]
    if not known:
        return "ad.replay shows its way."
    times, step = (max if larger else min)(known, key=lambda one: one[0])
    if times < _MUCH if larger else times > 1 / _MUCH:
        return f"No step alone made it so: it came to that over {len(case.steps)} operations."
    where = case.line(step.operation.place).where
    why = at_its_value(case, step) if larger else ""
    return f"{step.operation.type} at {where} multiplies what comes back by {times:.1g}{why}."


def _times(case: Case, step: Step) -> float:
    """By how much the largest number of a gradient changes at a step; 0 if that is not known."""
    inside = [dx for _, dx in case.sent(step)]
    if isinstance(step.dy, dict) or any(isinstance(dx, dict) for dx in inside) or not inside:
        return 0.0
    before, after = size_of(step.dy), max(map(size_of, inside))
    return after / before if before else 0.0
