"""Layer 5: a division that the learner never wrote, for it is a step of a derivative.

One idea: who takes a derivative inside the block gets the steps of the rules on the tape, at the line
of the question. What they divide by tells whose rule it was, and that operation is to be mended.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.questions import question_at
from autodiff_kit.readers.mending.safe import mend_of_slope
from autodiff_kit.readers.not_finite.mends import Mend
from autodiff_kit.readers.not_finite.quotients import mend_of_quotient

_BY_ARGUMENT = {"Log": 0, "RealDiv": 1}  # whose rule divides by this argument


def slope_divided(case: Case, place: int) -> Mend | None:
    """What to do where the slope of another operation is infinite; None if it is not of that kind."""
    question = question_at(case.spot(place))
    if question is None:
        return None
    owner = _owner(case, place)
    if owner is None:  # nothing on this tape leads to it, so that it knows no more
        of = " and ".join(question.of)
        return (
            f"This is a step of the derivative of `{of}`: some slope on the way to that is infinite, "
            "as those of a logarithm and a root are at 0. Keep what goes in there away from such a "
            "place.",
            "",
        )
    quotient = case.kind(owner) == "RealDiv"
    advice, code = (
        mend_of_quotient(case, owner) if quotient else mend_of_slope(case, case.operation(owner))
    )
    return (
        f"This is a step of the derivative: the slope of {case.kind(owner)} at "
        f"{case.line(owner).where}, which is infinite there. {advice}",
        code,
    )


def _owner(case: Case, place: int) -> int | None:
    """The operation whose rule divides here."""
    if case.kind(place) == "SqrtGrad":
        root = case.operation(place).places[0]
        return root if case.kind(root) == "Sqrt" else None
    there = _home(case, place, len(case.operation(place).places) - 1)
    written = [p for p in range(place) if case.kind(p) in _BY_ARGUMENT]
    owners = [p for p in written if _home(case, p, _BY_ARGUMENT[case.kind(p)]) == there]
    asked = (p for p in owners if there is not None and question_at(case.spot(p)) is None)
    return next(asked, None)


def _home(case: Case, place: int, number: int) -> Any:
    """Which value an argument is, on the tape or not; None if that is not known."""
    at = case.operation(place).places[number]
    return at if at >= 0 else case.origin_of(place, number)
