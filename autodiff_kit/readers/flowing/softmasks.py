"""Layer 5: masks in front of a softmax that do not mask what they were made for.

One idea: the numbers tell. Beside 1e9 every score is lost in rounding, so where all places of a row
were masked, or those to be kept were pushed up, different scores have equal shares; and a score times
0 is 0, which has its share of a softmax like any other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import data_name
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import SCALINGS, SOFTMAXES
from autodiff_kit.readers.facts.written import argument_of, text_of
from autodiff_kit.readers.flowing.softnoughts import Masked, nought_words, puts_far_down
from autodiff_kit.readers.program.spelled import bracketed, instead

_APART = 1e-3  # by so much scores differ that cannot have the same share by rounding


def tell_masks(case: Case, found: Finding) -> None:
    """Add to a finding what is to be said of the first such mask on the way."""
    for step in case.steps:
        if step.operation.type in SOFTMAXES:
            masked = _mask(case, step)
            words, code = _said(case, masked) if masked is not None else ("", "")
            if words:
                found.also.append(words)
                found.fix = found.fix or code
                return


def _mask(case: Case, step: Step) -> Masked | None:
    """What was put into the scores just before the softmax and is not on the tape."""
    place = _unscaled(case, step.operation.places[0])
    kind = case.kind(place)
    if kind not in ("AddV2", "Sub", "Mul", "SelectV2"):
        return None
    numbers = (1, 2) if kind == "SelectV2" else (0, 1)
    outside = [n for n in numbers if case.operation(place).places[n] < 0]
    return Masked(step, place, outside[0]) if len(outside) == 1 else None


def _unscaled(case: Case, place: int) -> int:
    """The place before a product with, or a division by, one number, as by the root of a width."""
    while case.kind(place) in SCALINGS:
        first, second = case.operation(place).places
        if first < 0 or second >= 0 or np.size(input_value(case, place, 1)) != 1:
            break
        place = first
    return place


def _said(case: Case, masked: Masked) -> tuple[str, str]:
    """A sentence and code about a mask, "" if it does what a mask does."""
    if case.operation(masked.place).type == "Mul":
        return _multiplied(case, masked)
    if case.operation(masked.place).type == "SelectV2" and not puts_far_down(case, masked):
        return nought_words(case, masked)
    lost = _lost_rows(case, masked)
    return (_swamped(case, masked, lost), "") if lost is not None and np.any(lost) else ("", "")


def _lost_rows(case: Case, masked: Masked) -> Any:
    """For each row of the softmax whether it counts, and its shares are equal where its scores are
    not; None if that is not known.
    """
    operation, arrived = case.operation(masked.place), masked.softmax.dy
    shares = case.values.get(masked.softmax.operation.place)
    inside = (3 if operation.type == "SelectV2" else 1) - masked.number
    scores = input_value(case, masked.place, inside)
    if (
        shares is None
        or scores is None
        or np.ndim(shares) == 0
        or isinstance(arrived, (list, tuple))
    ):
        return None
    if masked.softmax.operation.type == "LogSoftmax":
        shares = np.exp(shares)
    scores = np.broadcast_to(scores, np.shape(shares))
    rows, numbers, dy = (np.moveaxis(x, masked.axis, -1) for x in (shares, scores, dense(arrived)))
    top, taken = np.max(rows, axis=-1, keepdims=True), rows > 0
    alike = np.all((rows == top) | ~taken, axis=-1)
    high = np.max(np.where(taken, numbers, -np.inf), axis=-1)
    low = np.min(np.where(taken, numbers, np.inf), axis=-1)
    return alike & (high - low > _APART) & np.any(dy != 0, axis=-1)


def _swamped(case: Case, masked: Masked, lost: Any) -> str:
    where, line = case.line(masked.softmax.operation.place).where, case.line(masked.place)
    rows = f"{int(np.sum(lost))} of {lost.size} rows" if lost.size > 1 else "the only row"
    reason = "That masks every place of such a row: is the condition the wrong way round?"
    if case.operation(masked.place).type != "SelectV2":
        reason = (
            "Either that masks every place of such a row, or it adds a large number to what is to stay "
            "where it should add a large negative one to the others."
        )
    return (
        f"In {rows} of the softmax at {where} all places that have a share have the same, although "
        f"their scores differ: these are lost beside {_name(case, masked)}, which goes in at "
        f"{line.where}. {reason} These rows count in the target, and the scores in them do not."
    )


def _multiplied(case: Case, masked: Masked) -> tuple[str, str]:
    """A mask of 0 and 1 that the scores are multiplied by."""
    mask, line = input_value(case, masked.place, masked.number), case.line(masked.place)
    shape = np.shape(case.values.get(masked.place, 0.0))
    if mask is None or not shape or not np.all((mask == 0) | (mask == 1)) or not np.any(mask):
        return "", ""
    spread = np.moveaxis(np.broadcast_to(mask, shape), masked.axis, -1)
    if not np.any(np.ptp(spread, axis=-1)):
        return "", ""  # whole rows, which a softmax makes even
    name = _name(case, masked)
    words = (
        f"At {line.where} the scores are multiplied by {name}, and where that is 0 the score is 0: the "
        "softmax gives it exp(0) = 1 as its share. If those places are to be left out, that does not "
        "do it."
    )
    return words, _instead(case, masked)


def _instead(case: Case, masked: Masked) -> str:
    """The same with the scores replaced where the mask is 0, if it is written as a product."""
    text = text_of(case, masked.place)
    if text is None or "\n" in text.whole or len(text.arguments) != 2:
        return ""
    mask, scores = text.arguments[masked.number], text.arguments[1 - masked.number]
    return instead(f"ad.where({bracketed(mask)} > 0, {scores}, -1e9)", text)


def _name(case: Case, masked: Masked) -> str:
    """What the learner calls the mask."""
    name = data_name(case, masked.place, masked.number)[0]
    if name is None:
        name = argument_of(case, masked.place, masked.number)
    return f"`{name}`" if name and "\n" not in name else "the mask"
