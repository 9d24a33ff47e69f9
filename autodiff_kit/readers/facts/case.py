"""Layer 5: everything that is known about one source and one target, gathered once.

One idea: the causes are tested one after the other, and each test is a question to this.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.facts.account import Account, leading_to, value_of
from autodiff_kit.readers.facts.between import codes_between
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.names import Names
from autodiff_kit.readers.facts.origins import Origins
from autodiff_kit.readers.facts.others import record_of
from autodiff_kit.readers.facts.spoiling import Check, certainly_spoilt
from autodiff_kit.readers.facts.stored import Stored
from autodiff_kit.readers.facts.values import values_of
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.program.flow import Flow
from autodiff_kit.readers.program.holders import inside, theirs
from autodiff_kit.readers.program.lines import line_of, spot_of
from autodiff_kit.readers.program.words import word_in


class Case(Origins):
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
        first, *others = account.request.targets or [None]
        known = not others or self.target is first
        self.source_name = source_name
        self.target_name = target_name if known else names.of(self.target, target_name)
        self.tape_name = names.by_identity_of(account.tape) or "tape"
        self.gradient = value_of(account.results[number])
        self.lost: Any = None  # what `cut.lost_ways` has found, which two readers ask for
        # On other tapes the places of what was made of the source, as far as they were asked for.
        self.made_elsewhere: dict[Any, set[int]] = {}
        self._spoilt: dict[Check, set[int]] = {}

    @cached_property
    def flow(self) -> Flow:
        """What the learner's text tells about the source's way."""
        return Flow(self)

    @cached_property
    def stored(self) -> Stored:
        """What the tape knows about what variables were given."""
        return Stored(self)

    @cached_property
    def held(self) -> dict[str, Any]:
        """The tensors and variables that the learner's names lead to, by name."""
        known = theirs(self.names.known)
        found = dict(inside(known))
        return {**found, **{name: value for name, value in known.items() if is_tensor(value)}}

    def words_for(self, one: Any) -> list[str]:
        """The learner's names that lead to a tensor or a variable."""
        return [name for name, other in self.held.items() if other is one]

    @property
    def codes_of_held(self) -> set[Any]:
        """The code that made what the names lead to, if it may lie between source and target."""
        return codes_between(self)

    @property
    def values(self) -> dict[int, Any]:
        """The value at each place, as far as it is known or can be computed once more."""
        if self.account.values is None:
            at_hand = [*self.held.values(), *self.account.request.targets, self.source]
            self.account.values = values_of(self.tape, [tensor_behind(one) for one in at_hand])
        return self.account.values

    def spoilt(self, well: Check) -> set[int]:
        """The places whose value is not known any more, and certainly not well."""
        if well not in self._spoilt:
            self._spoilt[well] = certainly_spoilt(self.records, self.values, well)
        return self._spoilt[well]

    @cached_property
    def constants(self) -> dict[Any, Any]:
        """The values that are not on the tape and have a name, by where they came from."""
        tensors = [tensor_behind(one) for one in self.held.values()]
        return {t._home: t._value for t in tensors if type(t._home) is tuple}

    def mentions(self, name: str, skip: Any = None) -> bool:
        """Whether a line that leads to the target, other than ``skip``, has this name in it."""
        lines = {self.line(place) for place in self.above} | {self.target_birth.line}
        record = record_of(tensor_behind(self.target))
        lines |= {line_of(spot_of(record))} if record is not None else set()
        return any(
            word_in(name, line.statement) for line in lines if line is not None and line != skip
        )

    def name(self, place: int) -> str | None:
        """The learner's name of the value at a place."""
        return self.names.by_place.get(place)

    def target_after(self, place: int) -> tuple[Any, str]:
        """The target that a place leads to, the first of several, and its name."""
        for target in self.account.request.targets if place in self.above else ():
            if place in leading_to(self.records, self.places_of_target(target)):
                return target, self.target_name if target is self.target else self.names.of(target)
        return self.target, self.target_name

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
