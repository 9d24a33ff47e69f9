"""Layer 5: a dropout, however it was called.

One idea: dropout leaves a product and a choice on the tape, both at the learner's one call, which is no
`where`: `ad.nn.dropout`, a layer, or a model that has such a layer in it.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.program.spots import called, calls_at

SMALLER_RATE = "The next draw drops others. With so few elements take a smaller rate."


def is_dropout(case: Case, place: int) -> bool:
    """Whether a choice on the tape is that of a dropout."""
    operation, here = case.operation(place), case.spot(place)
    if operation.type != "SelectV2":
        return False
    names = {called(call) for call in calls_at(here)}
    if "dropout" in names or not names or "where" in names:
        return "dropout" in names and "where" not in names
    _, scaled, zero = operation.places
    if scaled < 0 or zero >= 0 or case.spot(scaled) != here:
        return False
    share = input_value(case, scaled, 1) if case.operation(scaled).type == "Mul" else None
    return share is not None and np.ndim(share) == 0 and float(share) > 1.0


def dropped(case: Case, place: int, found: Finding) -> Finding | None:
    """If it was a dropout that let nothing through: that is what is spoken of."""
    if not is_dropout(case, place):
        return None
    found.op, found.line = "SelectV2", case.line(place)
    found.why = (
        "At dropout (SelectV2) the gradient became zero: every element that a gradient arrived at was "
        "dropped."
    )
    found.advice = SMALLER_RATE
    return found
