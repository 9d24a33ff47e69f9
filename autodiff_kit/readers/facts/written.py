"""Layer 5: how the learner wrote an operation.

One idea: code takes the place of a whole expression, so one that is only a part of it has no text.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.spelled import Spelled, is_written, spelled


def text_of(case: Case, place: int) -> Spelled | None:
    """How the learner wrote an operation, None if it is only a part of what was written."""
    operation = case.operation(place)
    text = spelled(operation.type, case.spot(place))
    return text if is_written(text, operation.type) else None


def argument_of(case: Case, place: int, number: int) -> str:
    """How the learner wrote an input of an operation, "" if that is not known."""
    text = text_of(case, place)
    return text.arguments[number] if text is not None and number < len(text.arguments) else ""
