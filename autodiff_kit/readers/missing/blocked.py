"""Layer 5: an operation that lets nothing through, and another one before it.

One idea: what stands in the place of the last one mends nothing as long as the one before it is there.
A rounding can be left out where what is rounded is compared softly anyway.
"""

from __future__ import annotations

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import ANSWERS, NO_SLOPE, ROUNDING
from autodiff_kit.readers.facts.stops import cast_to
from autodiff_kit.readers.mending.here import here
from autodiff_kit.readers.program.spelled import bracketed

_CLOSED = NO_SLOPE | ROUNDING | {"FloorDiv", "StopGradient", "RandomShuffle"}


def with_the_one_before(
    case: Case, operation: Operation, advice: str, code: str
) -> tuple[str, str]:
    """Advice and code for an operation, such that the code mends even if another stands before it."""
    first = _blocked_before(case, operation)
    if first is None:
        return advice, code
    left_out = _left_out(case, first, code) if code else ""
    where = case.line(first.place).where
    if left_out:
        return (
            f"{advice} {first.type} is left out there: it has no gradient either.".strip(),
            left_out,
        )
    return f"{advice} Before it {first.type} ({where}) lets no gradient through either.".strip(), ""


def _blocked_before(case: Case, operation: Operation) -> Operation | None:
    """The first operation after which no gradient comes to another; None if one would."""
    taken, open_places = _compared(case, operation), _open(case)
    if not taken or any(place in open_places for place in taken):
        return None
    for place in sorted(leading_to(case.records, taken) & case.on_path):
        one = case.operation(place)
        if _is_closed(one) and any(p in open_places for p in one.places):
            return one
    return None


def _compared(case: Case, operation: Operation) -> list[int]:
    """What an operation takes of the source's; of a condition, what is compared for it."""
    todo = list(operation.places[:1] if operation.type == "SelectV2" else operation.places)
    found = []
    while todo:
        place = todo.pop()
        one = case.operation(place) if place in case.below else None
        if one is not None and (one.type in ANSWERS or one.definition is BROADCAST):
            todo += one.places
        elif one is not None:
            found.append(place)
    return found


def _open(case: Case) -> set[int]:
    """The places from which a gradient would come back to the source."""
    found = set(case.source_places)
    for place in case.path:
        one = case.operation(place)
        taken = one.places[1:] if one.type == "SelectV2" else one.places
        if not _is_closed(one) and any(p in found for p in taken):
            found.add(place)
    return found


def _is_closed(operation: Operation) -> bool:
    return cast_to(operation) != "f" if operation.type == "Cast" else operation.type in _CLOSED


def _left_out(case: Case, rounding: Operation, code: str) -> str:
    """The code without the rounding in it, "" if it is not written there."""
    spot = here(case, rounding.place) if rounding.type in ROUNDING else None
    argument = spot.argument(0, "x") if spot is not None else ""
    lines = [line.partition("    # ") for line in code.splitlines()]
    if spot is None or not argument or not any(spot.whole in body for body, _, _ in lines):
        return ""
    written = [(body.replace(spot.whole, bracketed(argument)), *rest) for body, *rest in lines]
    return "\n".join("".join(parts) for parts in written)
