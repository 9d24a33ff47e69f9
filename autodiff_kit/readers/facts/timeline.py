"""Layer 5: what a tape was doing at any time.

One idea: the kit has a clock that ticks for every event of a tape and for every tensor that no tape
recorded, so the two can be put in order.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import Any, NamedTuple

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.program.lines import Line, Spot, line_of

STORES = ("assign", "step")  # a variable got a value: from the learner, or from an optimizer
_NEXT = {"enter": "recording", "resume": "recording", "stop": "stopped", "exit": "left"}


class Event(NamedTuple):
    """Something besides operations that happened to a tape, as the tape noted it."""

    kind: str
    place: int
    time: int
    code: Any
    instruction: int
    subject: Any

    @property
    def spot(self) -> Spot:
        """The learner's code that did it."""
        return Spot(self.code, self.instruction)

    @property
    def line(self) -> Line:
        """The learner's line at which it happened."""
        return line_of(self.spot)


class Timeline:
    """The events of one tape in order."""

    def __init__(self, tape: Any) -> None:
        self.events = [Event(*row) for row in tape.events]
        self._records = tape.records

    def state(self, time: int) -> str:
        """What the tape did then: "not begun", "recording", "stopped" or "left"."""
        now = "not begun"
        for event in self.events:
            if event.time > time:
                break
            now = _NEXT.get(event.kind, now)
        return now

    def between(self, time: int) -> tuple[int, int]:
        """The places on the tape between which a time lies, as far as what has a time tells."""
        index = bisect_left(self._marks, (time, -1))
        before = self._marks[index - 1][1] if index else 0
        return before, self._marks[index][1] if index < len(self._marks) else len(self._records)

    @cached_property
    def _marks(self) -> list[tuple[int, int]]:
        """The times of the events and of what was watched, with their places, in order."""
        leaves = [(p, record[6]) for p, record in enumerate(self._records) if record[0] is LEAF]
        marks = [(attrs["time"], place) for place, attrs in leaves]
        return sorted([*marks, *((event.time, event.place) for event in self.events)])

    def last(self, *kinds: str, before: float = float("inf")) -> Any:
        """The last event of some kinds before a time, or None."""
        found = [e for e in self.events if e.kind in kinds and e.time < before]
        return found[-1] if found else None

    def all(self, *kinds: str) -> list[Any]:
        """All events of some kinds."""
        return [e for e in self.events if e.kind in kinds]


class Birth:
    """Where and when a tensor that this tape did not record came to be."""

    def __init__(self, home: Any) -> None:
        self.known = type(home) is tuple
        note: tuple[str, Any, int, int] = home if self.known else ("", None, 0, 0)
        self.type, self.code, instruction, self.time = note
        self.spot = Spot(self.code, instruction)

    @cached_property
    def line(self) -> Line | None:
        """The learner's line that made it."""
        return line_of(self.spot) if self.known else None

    @property
    def computed(self) -> bool:
        """Whether an operation made it, not the learner's ``ad.constant`` or ``ad.Variable``."""
        return self.known and self.type not in ("Const", "Variable")


def frame_of_block(frame: Any, tape: Any) -> Any:
    """The frame around one that asks in which the block of a tape stands; else the frame itself.

    A helper that asks for others has names of its own; where the block stands, the learner's are. All
    cells of a notebook have the same names.
    """
    entered, around = Timeline(tape).last("enter"), frame
    while around is not None and entered is not None:
        code = around.f_code
        if code is entered.code or code.co_name == entered.code.co_name == "<module>":
            return around
        around = around.f_back
    return frame
