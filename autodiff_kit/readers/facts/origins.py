"""Layer 5: when and where all that came to be which has to do with a source and a target.

One idea: what a tape does not track has a note of its beginning, and the tape has its events; both have
a time and a line of the learner's.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from autodiff_kit.readers.facts.account import Account, leading_to
from autodiff_kit.readers.facts.timeline import Birth, Timeline
from autodiff_kit.readers.facts.ways import Ways, tensor_behind
from autodiff_kit.readers.program.checks import is_check
from autodiff_kit.readers.program.lines import Line, line_of
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.recorder import Home
from autodiff_kit.tensor import Tensor


class Origins(Ways):
    """The beginnings of a source, a target and what lies between them.

    Args:
      account: the way back, written down.
      number: which of the account's sources.
    """

    def __init__(self, account: Account, number: int) -> None:
        super().__init__(account, number)
        self.time = Timeline(account.tape)

    @cached_property
    def source_birth(self) -> Birth:
        """Where the source came from, if this tape did not record it."""
        return self.birth_of(self.source, self.tape)

    @cached_property
    def target_birth(self) -> Birth:
        """Where the target came from, if this tape did not record it."""
        return Birth(tensor_behind(self.target)._home)

    def birth_of(self, one: Any, but: Any = None) -> Birth:
        """Where a tensor or the value of a variable came from, also if a tape other than one
        watches it.
        """
        home, place = tensor_behind(one)._home, tensor_behind(one)._index
        tape = home() if type(home) is Home else None
        if tape is not None and tape is not but and place < len(tape.records):
            home = (tape.records[place][6] or {}).get("origin", home)
        return Birth(home)

    def birth_of_input(self, place: int, number: int) -> Birth:
        """Where an untracked input of an operation came from."""
        return Birth(self.origin_of(place, number))

    def outsider_births(self) -> list[Birth]:
        """Where the untracked inputs of the operations that lead to the target came from."""
        return [Birth(home) for home in self.homes_above]

    @property
    def births(self) -> list[Birth]:
        """Where the target came from, and what else leads to it and is not on the tape."""
        return [birth for birth in (self.target_birth, *self.outsider_births()) if birth.known]

    def took(self, one: Any) -> bool:
        """Whether an operation that leads to the target took from outside the value that a tensor or a
        variable has now.
        """
        home = tensor_behind(one)._home
        return home in self.homes_above

    @property
    def end(self) -> float:
        """The time at which the target was there: what was made later did not go into it."""
        left = self.time.last("exit")
        if self.target_birth.known or left is None:
            return self.target_birth.time if self.target_birth.known else float("inf")
        return float(left.time)

    def made_after(self, birth: Birth) -> bool:
        """Whether something was made when the tape's block had ended."""
        left = self.time.last("exit")
        return birth.known and left is not None and birth.time > left.time

    @property
    def entered(self) -> Line | None:
        """The line at which the tape's block begins."""
        event = self.time.last("enter")
        return event.line if event is not None else None

    @property
    def would_be_seen(self) -> bool:
        """Whether a use of the source would be on the tape: it is watched, or would be when read."""
        return bool(self.source_places) or self.watched_by_itself

    @property
    def watched_by_itself(self) -> bool:
        """Whether the tape watches the source as soon as it is read."""
        trainable = type(self.source) is not Tensor and self.source._trainable
        return bool(trainable and self.tape.watches_variables)

    @cached_property
    def conditions(self) -> set[int]:
        """The places that a Python condition was computed from, be it only a check."""
        return leading_to(self.records, [e.subject for e in self.time.all("bool()")])

    @cached_property
    def decisions(self) -> list[Any]:
        """The events of Python conditions; a check decides nothing about the target."""
        events = self.time.all("bool()")
        return [e for e in events if not is_check(statement_of(e.spot))]

    def line(self, place: int) -> Line:
        """The learner's line of the operation at a place."""
        return line_of(self.spot(place))
