"""Layer 5: a softmax that cannot move, and what would let it.

One idea: an axis of length 1 and a probability of 1 have several causes (one unit, another axis, a
mask, a temperature), and each has its own remedy; which it is can be seen in what goes in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import input_name
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import SCALINGS
from autodiff_kit.readers.facts.losses import LossCall

_SIGMOID = (
    "One unit needs a sigmoid: give its logits to ad.nn.sigmoid_cross_entropy_with_logits, or use "
    "ad.sigmoid; a softmax needs one unit for each class, at least two."
)
_ONE_KEY = (
    "If these are scores of queries for keys, there is one key only, and all attention goes to it, "
    "whatever the scores are: two keys or more are needed, or no softmax. Look at the shapes of what "
    "is multiplied there."
)
_ON_SCORES = ("RealDiv", "Mul", "AddV2", "Broadcast")  # a scale, and a mask
_TOP = "Only the largest one was given to it. Take the softmax over all of them first, and top_k after."
_LOGITS = (
    "Give the logits to the cross entropy instead of the probabilities: "
    "ad.nn.softmax_cross_entropy_with_logits does both in one."
)
_APART = (
    "The logits are too far apart: smaller weights or inputs, or a division, bring them together."
)
_MASK = (
    "Without what is {how} the logits it would not be saturated. If that is a mask, it leaves one "
    "entry of the row, and the softmax of one entry is 1, whatever it is: look at the mask."
)
# What goes into these has the rows that come out; what goes into a matmul has other ones.
_ELEMENTWISE = ("AddV2", "SelectV2", "Mul", "RealDiv")


def one_entry(case: Case, operation: Operation, shape: tuple[int, ...], axis: int) -> str:
    """What to do about a softmax along an axis of length 1."""
    before, is_last = operation.places[0], axis % len(shape) == len(shape) - 1
    if is_last and case.kind(before) == "Output":
        if case.kind(case.operation(before).places[0]) == "TopKV2":
            return _TOP
    if not is_last and shape[-1] > 1:
        return f"The last axis has {shape[-1]} entries: for a softmax along it write axis=-1."
    if _compares(case, before):
        return _ONE_KEY
    if max(shape) == 1:
        return (
            "If each example is compared with the others of a batch, a single one has none to be "
            f"compared with: take a larger batch. If these are classes: {_SIGMOID}"
        )
    return _SIGMOID + _another_axis(shape, axis % len(shape))


def one_class(loss: LossCall) -> tuple[str, str]:
    """Why a loss of one class out of several says nothing of a single one, and what to do."""
    return (
        f"{loss.name} compares several classes, and {loss.given} has one: its share of the sum over "
        "the classes is 1, whatever it is.",
        "One unit needs a sigmoid and ad.keras.losses.BinaryCrossentropy (or its from_logits=True); "
        "this loss needs one unit for each class, at least two.",
    )


def _compares(case: Case, place: int) -> bool:
    """Whether scores are products of two things of each example, as of queries and keys."""
    place = case.before(place, *_ON_SCORES)
    if case.kind(place) not in ("MatMul", "BatchMatMulV2", "Einsum"):
        return False
    operation = case.operation(place)
    values = [input_value(case, operation.place, n) for n in range(len(operation.places))]
    ranks = [np.ndim(value) for value in values if value is not None]
    turned = operation.attrs.get("transpose_b") or operation.attrs.get("adj_y")
    with_weights = any(case.kind(one) == "Watch" for one in operation.places)
    return bool(turned and not with_weights) or len(ranks) == 2 and min(ranks) > 2  # noqa: PLR2004


def _another_axis(shape: tuple[int, ...], axis: int) -> str:
    """Another axis to choose along; the first of several is that of the examples mostly."""
    if len(shape) == 2:  # noqa: PLR2004
        size = shape[1 - axis]
        return (
            f" If it is to choose among the {size} of the other axis, name that axis (not where these "
            "are the examples of a batch)."
        )
    others = [n for n, size in enumerate(shape) if n and size > 1 and n != axis]
    if len(others) != 1:
        return " If it is to choose among those of another axis, name that axis."
    n = others[0]
    return f" If it is to choose among the {shape[n]} of axis {n}, write axis={n}."


def too_sure(case: Case, place: int, rows: Any) -> str:
    """What to do about a softmax that gives 1 in each of some rows; ``rows`` has True for each."""
    before = case.operation(place).places[0]
    steeper = case.operation(before) if before >= 0 else None
    own = [n for n, p in enumerate(steeper.places if steeper else ()) if p in case.leads]
    if steeper is not None and len(own) == 1 and steeper.type in _ELEMENTWISE:
        number = _of_the_logits(case, steeper, own[0])
        logits, axis = input_value(case, before, number), case.operation(place).attrs["axis"]
        is_near = logits is not None and _are_near(logits, axis, rows)
        said = _steeper(case, steeper, number, is_near) if is_near or logits is None else ""
        if said:
            return said
    after = depending_on(case.records, [place]) & case.on_path
    return _LOGITS if any(case.operation(p).type == "Log" for p in after) else _APART


def _of_the_logits(case: Case, operation: Operation, own: int) -> int:
    """Which input the logits are; the one on the way is the temperature, if that is learned."""
    if operation.type not in SCALINGS or _unstretched_size(case, operation, own) != 1:
        return own
    return 1 - own


def _are_near(logits: Any, axis: int, rows: Any) -> bool:
    """Whether the largest two of each row are so near each other that no probability is 1."""
    if np.ndim(logits) != np.ndim(rows) + 1:
        return False  # they were stretched, and have no such rows
    logits = np.moveaxis(logits, axis, -1)[rows]
    if not logits.size or logits.shape[-1] < 2:
        return False
    ordered = np.sort(logits, axis=-1)
    return bool(np.all(ordered[..., -1] - ordered[..., -2] < 10.0))


def _steeper(case: Case, operation: Operation, own: int, is_near: bool) -> str:
    """What the last operation before the softmax did to logits, which are near each other without."""
    if operation.type in ("AddV2", "SelectV2") and is_near:
        return _MASK.format(
            how="added to" if operation.type == "AddV2" else "put in place of some of"
        )
    number = 1 - own
    if operation.type not in SCALINGS or (operation.type == "RealDiv" and own):
        return ""
    value = input_value(case, operation.place, number)
    if value is None or _unstretched_size(case, operation, number) != 1:
        return ""
    factor = float(np.ravel(value)[0])
    times = factor if operation.type == "Mul" else 1.0 / factor if factor else np.inf
    if times < 10.0:
        return ""
    name = input_name(case, operation.place, number)
    called = f"`{name}`, which is {factor:g}," if name and name.isidentifier() else f"{factor:g},"
    how = "divided" if operation.type == "RealDiv" else "multiplied"
    return f"The logits are {how} by {called} and that makes it {times:g} times as steep."


def _unstretched_size(case: Case, operation: Operation, number: int) -> int:
    """The number of elements of an input before it was broadcast."""
    place = operation.places[number]
    if case.kind(place) == "Broadcast":
        return int(np.prod(case.operation(place).attrs["shape"]))
    return int(np.size(input_value(case, operation.place, number)))
