"""Layer 5: a target that is a plain number, because a tensor became one on the way.

One idea: such a target has no record to begin from, but the tape noted where a tensor became a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit import nest
from autodiff_kit.readers.facts.timeline import Timeline
from autodiff_kit.readers.lost.choosing import HOW
from autodiff_kit.readers.program.checks import only_shows
from autodiff_kit.readers.program.spots import statement_of

_NUMBERS = (int, float, np.generic, np.ndarray)


def became_numbers(tape: Any, target: Any) -> str:
    """Where the last tensor became a number, in a sentence; "" if none did, or the target is none."""
    if not any(isinstance(one, _NUMBERS) for one in nest.flatten(target)):
        return ""
    events = [e for e in Timeline(tape).all(*HOW) if not only_shows(statement_of(e.spot))]
    return (
        f" The last tensor that became a number here did so on {events[-1].line}" if events else ""
    )
