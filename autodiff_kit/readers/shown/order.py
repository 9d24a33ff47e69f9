"""Layer 5: in which order what has no name gets its number.

One idea: what is shown gets the first numbers, so that none is missing in a replay: the ways between
sources and target, then what else leads to the target, then the rest of the tape.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nest
from autodiff_kit.readers.facts.account import depending_on, leading_to
from autodiff_kit.request import places_of


def order_for(tape: Any, target: Any, sources: Any) -> tuple[list[int], int]:
    """All places of a tape in this order, and how many lead to the target; all, if there is none."""
    records = tape.records
    if target is None:
        return [*range(len(records))], len(records)
    to_target = leading_to(records, _places(tape, target))
    asked = _places(tape, sources) if sources is not None else []
    between = to_target & depending_on(records, asked) if asked else set()
    order = sorted(range(len(records)), key=lambda p: (p not in between, p not in to_target, p))
    return order, len(to_target)


def _places(tape: Any, things: Any) -> list[int]:
    found = [places_of(tape, thing) for thing in nest.flatten(things)]
    return [place for places in found for place in places if place >= 0]
