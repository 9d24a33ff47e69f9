"""Layer 5: the largest of several, marked with 1, and its number.

One idea: `weights == ad.reduce_max(weights)` is a one-hot vector, and `ad.argmax` its position. What
they are for tells what may stand in their place: a sample keeps its values, a class gets an entropy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import DIFFERENCES, SAME_NUMBERS
from autodiff_kit.readers.mending.here import Here, here
from autodiff_kit.readers.mending.taken import only_cast_back, takers
from autodiff_kit.readers.program.asked import is_reference

MARKED = (
    "It marks the largest of {0}, weights that add up to one. Keep the values, and on the way back "
    "pretend that they had been {0} itself (straight through)."
)
WEIGHED = (
    "The positions make a mask. Multiply it by weights that have a gradient: the choice stays, and "
    "what was chosen counts by its weight."
)
CLASSES = (
    "It is compared with whole numbers here. If these are classes, their numbers are no sizes: take "
    "the cross entropy for the loss (ad.nn.sparse_softmax_cross_entropy_with_logits, of the labels and "
    "of the scores before any softmax), and no position. Otherwise"
)


def marked_largest(case: Case, operation: Operation, spot: Here | None) -> tuple[str, str]:
    """What to say where softmax's result is compared with its own largest; "" if it is not so."""
    if operation.type != "Equal" or spot is None or not only_cast_back(case, operation.place):
        return "", ""
    first, second = operation.places
    number = 0 if _is_largest_of(case, second, first) else 1
    weights = operation.places[number]
    if number and not _is_largest_of(case, first, second):
        return "", ""
    name = spot.text.arguments[number] if spot.text and len(spot.text.arguments) == 2 else ""
    if case.operation(weights).type != "Softmax" or not is_reference(name):
        return "", ""
    hard = f"ad.cast({spot.whole}, {name}.dtype)"
    code = spot.instead(f"{name} + ad.stop_gradient({hard} - {name})")
    return MARKED.format(name), code


def are_weights(case: Case, operation: Operation) -> bool:
    """Whether what the largest is taken of are weights already: a softmax made them along that axis."""
    place = operation.places[0]
    if operation.type not in ("ArgMax", "TopKV2") or case.kind(place) != "Softmax":
        return False
    value, along = case.values.get(place), case.operation(place).attrs["axis"]
    return value is not None and along in (-1, np.ndim(value) - 1)


def marked_by_position(
    case: Case, operation: Operation, taker: Operation, weights: str
) -> tuple[str, str]:
    """The same for the one-hot vector of the position of the largest of some weights."""
    spot = here(case, taker.place)
    one_dtype = case.values[operation.places[0]].dtype == np.float32  # as that of a one-hot vector
    if spot is None or not one_dtype or not is_reference(weights):
        code = spot.instead(weights) if spot is not None else ""
        return f"Put the weights {weights} in place of the one-hot vector.", code
    code = spot.instead(f"{weights} + ad.stop_gradient({spot.whole} - {weights})")
    return MARKED.format(weights), code


def weighed_mask(
    case: Case, operation: Operation, taker: Operation, spot: Here | None
) -> tuple[str, str]:
    """What to do with the mask of the k largest, which one-hot vectors were added up to."""
    users = [case.operation(user) for user in case.takers.get(taker.place, ())]
    scores = spot.argument(0, "input") if spot is not None else ""
    if taker.type != "OneHot" or [one.type for one in users] != ["Sum"] or not is_reference(scores):
        return "", ""
    value, mask = case.values.get(operation.places[0]), here(case, users[0].place)
    shape, (vectors,) = getattr(value, "shape", ()), users[0].attrs["shapes"]
    # Of shape (..., k, n), which is summed up over the k.
    same = (*vectors[:-2], *vectors[-1:]) == shape and users[0].attrs["axis"] == (len(shape) - 1,)
    if mask is None or not same or mask.code is not case.spot(operation.place).code:
        return "", ""
    weights = scores if are_weights(case, operation) else f"ad.nn.softmax({scores})"
    return WEIGHED, mask.instead(f"{mask.whole} * {weights}")


def _is_largest_of(case: Case, place: int, of: int) -> bool:
    """Whether a value is the largest element of another."""
    if place < 0 or of < 0:
        return False
    operation = case.operation(place)
    while operation.type in SAME_NUMBERS and operation.places[0] >= 0:
        operation = case.operation(operation.places[0])
    return operation.type == "Max" and operation.places[0] == of


def like_labels(case: Case, operation: Operation) -> bool:
    """Whether a position is subtracted from whole numbers in its own range, as labels are."""
    value = case.values.get(operation.places[0])
    axis = operation.attrs.get("axis", -1)
    if operation.type != "ArgMax" or value is None or not np.ndim(value):
        return False
    classes = np.shape(value)[axis]
    casts = [one.place for one in takers(case, operation.place) if one.type == "Cast"]
    users = [case.operation(user) for place in casts for user in case.takers.get(place, ())]
    return any(_is_from_labels(case, user, casts, classes) for user in users)


def _is_from_labels(case: Case, user: Operation, casts: list[int], classes: int) -> bool:
    if user.type not in DIFFERENCES or len(user.places) != 2:
        return False
    number = 0 if user.places[0] in casts else 1
    other: Any = input_value(case, user.place, 1 - number)
    if other is None:  # the rule of a difference needs neither, but the three are one sum
        position, left = (case.values.get(p) for p in (user.places[number], user.place))
        if user.type != "Sub" or position is None or left is None:
            return False
        other = position - left if number == 0 else position + left
    numbers = np.asarray(other)
    whole = numbers == np.round(numbers)
    return numbers.size > 1 and bool(np.all(whole & (numbers >= 0) & (numbers < classes)))
