"""Layer 5: how the learner wrote an operation that is to be mended.

One idea: code takes the place of a whole expression, so one that is only a part of it has no text.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.spelled import Spelled, is_written, spelled


def text_of(case: Case, place: int) -> Spelled | None:
    """How the learner wrote an operation, None if it is only a part of what was written."""
    operation = case.operation(place)
    text = spelled(operation.type, *case.records[place][-2:])
    return text if is_written(text, operation.type) else None
