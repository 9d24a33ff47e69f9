"""Layer 5: what a zero began with.

One idea: each kind of operation makes zeros in its own way, and only what is certain of it is said.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import data_name, input_name
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import ANSWERS
from autodiff_kit.readers.missing.pieces import PIECES, second_derivative_of
from autodiff_kit.readers.program.lines import Line, same_statement
from autodiff_kit.readers.zero.always import minus_own_mean
from autodiff_kit.readers.zero.dropped import is_dropout
from autodiff_kit.readers.zero.hinge import is_hinge


class Nought(NamedTuple):
    """The beginning of a zero.

    kind: "dead" for a relu, "hinge" for one that is a penalty, "relu" where its inputs are not known
      any more; "clip", "dropout", "where", "condition", "cast", "saturated" or "difference"; "mean" for
      a difference from the mean over one element; "pieces" for a second derivative that is 0
      everywhere; "factor" for a constant; "leaf" for what is watched.
    place: of the operation or the leaf.
    words: what it is, as the end of a sentence.
    """

    kind: str
    place: int
    words: str


def is_nought(value: Any) -> bool:
    """Whether a value is known, and zero everywhere."""
    return value is not None and np.size(value) > 0 and not np.any(value)


def made_at(case: Case, place: int, number: int) -> Line | None:
    """Where an input that is not tracked was made, if that is another line than the operation's."""
    line = data_name(case, place, number)[1]
    return None if same_statement(line, case.line(place)) else line


def factor(case: Case, place: int, number: int, multiplied: bool) -> Nought:
    """A constant of zeros that an operation took."""
    name, made = input_name(case, place, number), made_at(case, place, number)
    what = f"`{name}`" if name else "a factor"
    everywhere = " everywhere" if np.ndim(input_value(case, place, number)) else ""
    since = f" (made at {made.where})" if made is not None else ""
    is_0 = "" if name in ("0", "0.0") else f", which is 0{everywhere}{since},"
    how = "multiplied in" if multiplied else "divided"
    return Nought("factor", place, f"{what}{is_0} is {how} at {case.line(place).where}")


def began(case: Case, place: int) -> Nought | None:
    """What an operation that made zeros of something else did, None if that is not known."""
    operation, where = case.operation(place), case.line(place).where
    if operation.definition is LEAF:
        return Nought(
            "leaf", place, f"`{case.name(place) or 'a watched value'}` itself is 0 everywhere"
        )
    if operation.type == "SelectV2" and is_dropout(case, place):
        return Nought("dropout", place, f"dropout dropped every element at {where}")
    if operation.type == "Sub" and minus_own_mean(case, operation):
        words = f"a mean over one element is subtracted from that very element at {where}"
        return Nought("mean", place, words)
    if operation.type == "ZerosLike":
        return _straight(case, place)
    kind, words = _WORDS.get(operation.type, ("", ""))
    if operation.type in ANSWERS:
        kind, words = "condition", "the condition at {where} is False everywhere"
    if kind == "cast" and not operation.attrs["source"].startswith("float"):
        return None
    if kind == "dead" and is_hinge(case, place):
        kind, words = "hinge", _BELOW
    if kind == "dead" and input_value(case, place, 0) is None:
        kind, words = "relu", _BELOW
    if kind == "clip" and not any(
        is_nought(input_value(case, place, number)) for number in range(2)
    ):
        return None
    if kind == "clip" and is_hinge(case, place):
        kind = "hinge"
    return Nought(kind, place, words.format(where=where, op=operation.type)) if kind else None


def _straight(case: Case, place: int) -> Nought | None:
    """Zeros in place of a second derivative, of something that is made of straight pieces."""
    piece = second_derivative_of(case, place)
    if not piece:
        return None
    name, reason, _ = PIECES[piece]
    where = case.line(place).where
    words = f"the derivative at {where} takes the second derivative of {name}, and {reason}"
    return Nought("pieces", place, words)


_FAR = (
    "it is the output of {op} at {where}, and every input of that is so far below 0 that the result "
    "is 0"
)
_BELOW = "it is the output of the relu at {where}, and every input of that is at or below zero"
_WORDS = {
    "Relu": ("dead", f"{_BELOW}, so the unit is dead"),
    "Maximum": ("clip", "it was cut off at 0 at {where}"),
    "Minimum": ("clip", "it was cut off at 0 at {where}"),
    "Sub": ("difference", "two equal values are subtracted at {where}"),
    "SelectV2": ("where", "where took zeros only, at {where}"),
    "Cast": ("cast", "every number is cut off to the whole number 0 at {where}"),
    "Exp": ("saturated", _FAR),
    "Sigmoid": ("saturated", _FAR),
}
