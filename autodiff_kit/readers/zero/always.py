"""Layer 5: a value that cannot change, whatever it is computed from.

One idea: some operations have one possible result for certain shapes. If every way from the source to
the target leads through such a place, nothing else is the cause.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import BOUNDS, DIFFERENCES, SAME_NUMBERS, SOFTMAXES
from autodiff_kit.readers.facts.losses import loss_with
from autodiff_kit.readers.zero.itself import WITH_ITSELF, with_itself
from autodiff_kit.readers.zero.softmaxes import one_class, one_entry

_ENTROPIES = ("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")
_ONE = "the axis has length 1, so its softmax is 1, whatever goes in."
MORE = "Take the mean over more elements: a larger batch, or another axis."
_SAME = SAME_NUMBERS | {"StopGradient"}


def always_the_same(case: Case) -> Finding | None:
    """If every way from the source leads through a value that cannot change."""
    walls = {place: said for place in case.path if (said := _says(case, place))}
    if not walls or not _shut(case, set(walls)):
        return None
    place = min(walls)
    why, advice = walls[place]
    return Finding(
        case.source_name, "zero", "always the same", f"The gradient is zero because {why}", advice,
        op=None if _is_bound(case, place) else case.operation(place).type, line=case.line(place),
    )  # fmt: skip


def _is_bound(case: Case, place: int) -> bool:
    """Whether an operation is a bound inside a loss, which the learner did not write."""
    return case.operation(place).type in BOUNDS


def _shut(case: Case, walls: set[int]) -> bool:
    """Whether no gradient could reach the source around these places."""
    reached = set(case.source_places)
    for step in reversed(case.account.steps):
        place = step.operation.place
        if place not in walls and any(p in reached and dx is not None for p, dx in step.pairs):
            reached.add(place)
    return not reached & set(case.target_places)


def _says(case: Case, place: int) -> tuple[str, str] | None:
    operation = case.operation(place)
    if operation.type in SOFTMAXES:
        shape = _shape(case, place)
        axis = operation.attrs["axis"]
        if shape and shape[axis] == 1:
            return _ONE, one_entry(case, operation, shape, axis)
    if operation.type in _ENTROPIES:
        shape, axis = _logits(case, operation), operation.attrs.get("axis", -1)
        if shape and shape[axis] == 1:
            return f"there is one class only: {_ONE}", one_entry(case, operation, shape, axis)
    loss = loss_with(case, place) if _is_bound(case, place) else None
    if loss is not None and loss.kind != "binary" and np.shape(loss.prediction)[-1:] == (1,):
        return one_class(loss)
    if operation.type in WITH_ITSELF and operation.places[0] == operation.places[1] >= 0:
        return with_itself(case, operation)
    if operation.type in DIFFERENCES and minus_own_mean(case, operation):
        return (
            "a mean over one element is subtracted from that very element, which leaves 0, whatever it "
            "is: the axis of the mean has length 1 (a batch of one, for example).",
            MORE,
        )
    return None


def _shape(case: Case, place: int) -> tuple[int, ...]:
    """The shape of a value, () if it is not known."""
    return np.asarray(case.values.get(place, 0.0)).shape


def _logits(case: Case, operation: Operation) -> tuple[int, ...]:
    """The shape of the logits, () if that is not known any more."""
    shapes = [_shape(case, place) for place in operation.places if place in case.below]
    return next((shape for shape in shapes if shape), ())


def minus_own_mean(case: Case, operation: Operation) -> bool:
    """Whether an operation subtracts the mean over an axis of length 1 from what it is the mean of."""
    first, second = (case.before(place, *_SAME) for place in operation.places)
    if first < 0 or case.kind(second) != "Mean":
        return False
    mean: Any = case.operation(second)
    axes, value = mean.attrs["axis"], case.values.get(mean.places[0])
    lengths = [np.shape(value)[axis] for axis in axes] if value is not None else [0]
    return case.before(mean.places[0], *_SAME) == first and math.prod(lengths) == 1
