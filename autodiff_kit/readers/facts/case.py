"""Layer 5: everything that is known about one source and one target, gathered once.

One idea: the causes are tested one after the other, and each test is a question to this.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.facts.account import (
    Account,
    leading_to,
    value_of,
)
from autodiff_kit.readers.facts.between import codes_between
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.names import Names
from autodiff_kit.readers.facts.others import record_of
from autodiff_kit.readers.facts.spoiling import Check, certainly_spoilt
from autodiff_kit.readers.facts.stored import Stored
from autodiff_kit.readers.facts.timeline import Birth, Timeline, line_of_event
from autodiff_kit.readers.facts.values import values_of
from autodiff_kit.readers.facts.ways import Ways, tensor_of
from autodiff_kit.readers.program.checks import is_check
from autodiff_kit.readers.program.flow import Flow
from autodiff_kit.readers.program.holders import inside, theirs
from autodiff_kit.readers.program.lines import Line, line_of
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.words import word_in
from autodiff_kit.recorder import Home
from autodiff_kit.tensor import Tensor


class Case(Ways):
    """One source, the target, and the tape between them.

    Args:
      account: the way back, written down.
      number: which of the account's sources.
      names: the learner's names.
      source_name, target_name: what the learner calls the two.
    """

    def __init__(
        self, account: Account, number: int, names: Names, source_name: str, target_name: str
    ) -> None:
        super().__init__(account, number)
        self.names = names
        self.source_name, self.target_name = source_name, target_name
        self.tape_name = names.by_identity_of(account.tape) or "tape"
        self.gradient = value_of(account.results[number])
        self.time = Timeline(account.tape)
        self.lost: Any = None  # what `cut.lost_ways` has found, which two readers ask for

    @cached_property
    def source_birth(self) -> Birth:
        """Where the source came from, if this tape did not record it."""
        return self.birth_of(self.source, self.tape)

    def birth_of(self, one: Any, but: Any = None) -> Birth:
        """Where a tensor or the value of a variable came from, also if a tape other than one
        watches it.
        """
        home, place = tensor_of(one)._home, tensor_of(one)._index
        tape = home() if type(home) is Home else None
        if tape is not None and tape is not but and place < len(tape.records):
            home = (tape.records[place][6] or {}).get("origin", home)
        return Birth(home)

    @cached_property
    def flow(self) -> Flow:
        """What the learner's text tells about the source's way."""
        return Flow(self)

    @cached_property
    def stored(self) -> Stored:
        """What the tape knows about what variables were given."""
        return Stored(self)

    @cached_property
    def target_birth(self) -> Birth:
        """Where the target came from, if this tape did not record it."""
        return Birth(tensor_of(self.target)._home)

    @cached_property
    def conditions(self) -> set[int]:
        """The places that a Python condition was computed from, be it only a check."""
        return leading_to(self.records, [e.subject for e in self.time.all("bool()")])

    @cached_property
    def decisions(self) -> list[Any]:
        """The events of Python conditions; a check decides nothing about the target."""
        events = self.time.all("bool()")
        return [e for e in events if not is_check(statement_of(e.code, e.instruction))]

    @cached_property
    def held(self) -> dict[str, Any]:
        """The tensors and variables that the learner's names lead to, by name."""
        known = theirs(self.names.known)
        found = dict(inside(known))
        return {**found, **{name: value for name, value in known.items() if is_tensor(value)}}

    def names_of(self, one: Any) -> list[str]:
        """The learner's names that lead to a tensor or a variable."""
        return [name for name, other in self.held.items() if other is one]

    @property
    def end(self) -> float:
        """The time at which the target was there: what was made later did not go into it."""
        left = self.time.last("exit")
        if self.target_birth.known or left is None:
            return self.target_birth.time if self.target_birth.known else float("inf")
        return float(left.time)

    @cached_property
    def made_elsewhere(self) -> dict[Any, set[int]]:
        """On other tapes the places of what was made of the source, as far as it was asked for."""
        return {}

    @property
    def codes_of_held(self) -> set[Any]:
        """The code that made what the names lead to, if it may lie between source and target."""
        return codes_between(self)

    @property
    def values(self) -> dict[int, Any]:
        """The value at each place, as far as it is known or can be computed once more."""
        if self.account.values is None:
            at_hand = [*self.held.values(), *self.account.request.targets, self.source]
            self.account.values = values_of(self.tape, [tensor_of(one) for one in at_hand])
        return self.account.values

    def spoilt(self, well: Check) -> set[int]:
        """The places whose value is not known any more, and certainly not well."""
        if well not in self._spoilt:
            self._spoilt[well] = certainly_spoilt(self.records, self.values, well)
        return self._spoilt[well]

    @cached_property
    def _spoilt(self) -> dict[Check, set[int]]:
        return {}

    @cached_property
    def constants(self) -> dict[Any, Any]:
        """The values that are not on the tape and have a name, by where they came from."""
        tensors = [tensor_of(one) for one in self.held.values()]
        return {t._home: t._value for t in tensors if type(t._home) is tuple}

    @property
    def entered(self) -> Line | None:
        """The line at which the tape's block begins."""
        event = self.time.last("enter")
        return line_of_event(event) if event is not None else None

    @property
    def would_be_seen(self) -> bool:
        """Whether a use of the source would be on the tape: it is watched, or would be when read."""
        return bool(self.source_places) or self.watched_by_itself

    @property
    def watched_by_itself(self) -> bool:
        """Whether the tape watches the source as soon as it is read."""
        trainable = type(self.source) is not Tensor and self.source._trainable
        return bool(trainable and self.tape.watches_variables)

    def made_after(self, birth: Birth) -> bool:
        """Whether something was made when the tape's block had ended."""
        left = self.time.last("exit")
        return birth.known and left is not None and birth.time > left.time

    def outsider_births(self) -> list[Birth]:
        """Where the untracked inputs of the operations that lead to the target came from."""
        return [Birth(o) for place in sorted(self.above) for o in self.outsiders_of(place)]

    @property
    def births(self) -> list[Birth]:
        """Where the target came from, and what else leads to it and is not on the tape."""
        return [birth for birth in (self.target_birth, *self.outsider_births()) if birth.known]

    def birth_of_input(self, place: int, number: int) -> Birth:
        """Where an untracked input of an operation came from."""
        return Birth(self.origin_of(place, number))

    def took(self, one: Any) -> bool:
        """Whether an operation that leads to the target took from outside the value that a tensor or a
        variable has now.
        """
        home = tensor_of(one)._home
        return any(home in self.outsiders_of(place) for place in self.above)

    def mentions(self, name: str, skip: Any = None) -> bool:
        """Whether a line that leads to the target, other than ``skip``, has this name in it."""
        lines = {self.line(place) for place in self.above} | {self.target_birth.line}
        record = record_of(tensor_of(self.target))
        lines |= {line_of(*record[-2:])} if record is not None else set()
        return any(word_in(name, line.text) for line in lines if line is not None and line != skip)

    def line(self, place: int) -> Line:
        """The learner's line of the operation at a place."""
        return line_of(*self.records[place][-2:])

    def name(self, place: int) -> str | None:
        """The learner's name of the value at a place."""
        return self.names.by_place.get(place)

    @property
    def replay(self) -> str:
        """Code that shows the way back step by step."""
        return f"ad.replay({self.tape_name}, {self.target_name}, {self.source_name})"

    @property
    def zero(self) -> str:
        """Code that asks for zeros where no gradient flows."""
        asked = f"{self.target_name}, {self.source_name}"
        return f'{self.tape_name}.gradient({asked}, unconnected_gradients="zero")'

    def none(
        self,
        cause: str,
        why: str,
        fix: str,
        op: str | None = None,
        line: Any = None,
        advice: str = "",
    ) -> Finding:
        """A finding that says why the gradient is None."""
        return Finding(self.source_name, "none", cause, why, advice, fix, op, line)
