"""Layer 5: a gradient that flows, and not on all ways that its value came.

One idea: such a gradient is a number, so nobody asks; but it is not the derivative that the learner
had in mind.
"""

from __future__ import annotations

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.operation import LEAF, OUTPUT
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.departed import departures
from autodiff_kit.readers.floating import is_floating
from autodiff_kit.readers.leaving import way_of
from autodiff_kit.readers.stops import NEVER_FLOATING, SHAPE_ONLY
from autodiff_kit.readers.timeline import line_of_event

PLAIN = (BROADCAST, OUTPUT, LEAF)
_NOTHING_LOST = frozenset((*NEVER_FLOATING, *SHAPE_ONLY, "SelectV2"))


def cut_ways(case: Case) -> list[str]:
    """A sentence for the first way where no gradient flows, and one for the last out of the tensors."""
    said = []
    for step in reversed(case.account.steps):
        operation = step.operation
        closed = [p for p, dx in step.pairs if dx is None and p in case.below]
        if operation.place in case.on_path and operation.type not in _NOTHING_LOST:
            if any(is_floating(case, p) for p in closed) and not _within(case, operation.place):
                where = case.line(operation.place).where
                said.append(
                    f"There is another way, through {operation.type} at {where}, and no gradient "
                    "flows there: it is taken for a constant."
                )
                break
    for event in departures(case)[-1:]:
        said.append(
            f"On another way the value left the tensors ({way_of(event).how}) at "
            f"{line_of_event(event).where}: there it is taken for a constant."
        )
    return said


def _within(case: Case, place: int) -> bool:
    """Whether an operation is a part of one call of the kit's, which means what it does."""
    near = case.records[max(0, place - 2) : place + 3]
    own = case.records[place]
    alike = [r for r in near if r[-2] is own[-2] and r[-1] == own[-1] and r[0] not in PLAIN]
    return any(r[0] is not own[0] for r in alike)
