"""Layer 5: what the tape itself knows about one source and one target.

One idea: which places lie between the two, and what each of them took. No name and no line of the
learner's program is needed for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import Account, Step, depending_on, inputs_of, leading_to
from autodiff_kit.readers.program.lines import Spot, spot_of
from autodiff_kit.tensor import Tensor


class Ways:
    """The ways from a source to the target on a tape.

    Args:
      account: the way back, written down.
      number: which of the account's sources.
    """

    def __init__(self, account: Account, number: int) -> None:
        self.account, self.tape, self.records = account, account.tape, account.records
        self.source = account.request.sources[number]

    @cached_property
    def target(self) -> Any:
        """The target, or the first of several that is on the tape."""
        targets = self.account.request.targets
        return next((t for t in targets if self.places_of_target(t)), targets[0])

    def places_of_target(self, target: Any) -> list[int]:
        """Where a target is on the tape, whatever its dtype."""
        place = self.tape.find(tensor_behind(target))
        return [place] if place >= 0 else []

    @cached_property
    def source_places(self) -> list[int]:
        """Where the source is on the tape, as long as the tape has its records."""
        return [p for p in self.account.places(self.source) if p < len(self.records)]

    @cached_property
    def target_places(self) -> list[int]:
        """Where the targets are on the tape."""
        places = [p for t in self.account.request.targets for p in self.places_of_target(t)]
        return [p for p in places if p < len(self.records)]

    @cached_property
    def below(self) -> set[int]:
        """Everything that was computed from the source, and the source."""
        return depending_on(self.records, self.source_places)

    @cached_property
    def above(self) -> set[int]:
        """Everything that the target was computed from, and the target."""
        return leading_to(self.records, self.target_places)

    @cached_property
    def on_path(self) -> set[int]:
        """The places on the ways from the source to the target."""
        return self.below & self.above

    @cached_property
    def path(self) -> list[int]:
        """The same, in order."""
        return sorted(self.on_path)

    def leads_around(
        self, is_wall: Callable[[int], bool], starts: Iterable[int] | None = None
    ) -> bool:
        """Whether a way to the target, from the source or from other places, goes through no wall."""
        reached = set(self.source_places if starts is None else starts)
        for place in self.path:
            if not reached.isdisjoint(self.operation(place).places) and not is_wall(place):
                reached.add(place)
        return not reached.isdisjoint(self.target_places)

    @cached_property
    def leads(self) -> set[int]:
        """The places from which a gradient can reach the source, be it zero."""
        found = set(self.source_places)
        for step in reversed(self.account.steps):
            if any(place in found and dx is not None for place, dx in step.pairs):
                found.add(step.operation.place)
        return found

    @cached_property
    def steps(self) -> list[Step]:
        """The steps of the way back that are on the ways from the source to the target."""
        return [step for step in self.account.steps if step.operation.place in self.on_path]

    def sent(self, step: Step) -> list[tuple[int, Any]]:
        """What a step sends back to what was made of the source, by place."""
        return [(p, dx) for p, dx in step.pairs if p in self.below and dx is not None]

    def closed(self, step: Step) -> list[int]:
        """The places of what was made of the source to which a step sends nothing."""
        return [p for p, dx in step.pairs if p in self.below and dx is None]

    @cached_property
    def uses(self) -> list[int]:
        """The places of the operations that took the source as an input."""
        own = set(self.source_places)
        return [p for p, one in enumerate(self.records) if not own.isdisjoint(inputs_of(one))]

    @property
    def is_used(self) -> bool:
        """Whether any operation on the tape took the source."""
        return bool(self.uses)

    @cached_property
    def takers(self) -> dict[int, list[int]]:
        """For each value the operations on the way to the target that take it, in their order."""
        found: dict[int, list[int]] = {}
        for place in sorted(self.above):
            for taken in set(inputs_of(self.records[place])):
                found.setdefault(taken, []).append(place)
        return found

    @property
    def variables_read(self) -> list[tuple[Any, int]]:
        """The variables that the target was computed from, each with the place where it was read."""
        read = [(self.records[p][6], p) for p in sorted(self.above)]
        found = [(attrs.get("variable"), place) for attrs, place in read if attrs]
        return [(variable, place) for variable, place in found if variable is not None]

    def untracked(self, place: int) -> list[tuple[int, Any]]:
        """The untracked inputs of one operation: their places, and what the tape keeps of them."""
        i, j, a, b = self.records[place][1:5]
        if type(i) is not tuple and i >= 0 and j >= 0:
            return []
        sides = zip(i, a, strict=True) if type(i) is tuple else ((i, a), (j, b))
        return [(at, kept) for at, kept in sides if at < 0]

    def outsiders_of(self, place: int) -> list[Any]:
        """The notes of where the untracked inputs of one operation came from."""
        homes = [self._origin(at, kept) for at, kept in self.untracked(place)]
        return [home for home in homes if type(home) is tuple]

    @cached_property
    def homes_above(self) -> list[Any]:
        """The same of all operations that lead to the target, in their order."""
        return [home for place in sorted(self.above) for home in self.outsiders_of(place)]

    def origin_of(self, place: int, number: int) -> Any:
        """Where an untracked input of an operation came from."""
        operation = self.operation(place)
        return self._origin(operation.places[number], operation.inputs[number])

    def _origin(self, at: int, kept: Any) -> Any:
        """The same for its place: the tape knows, or else the tensor if it is kept."""
        return self.tape.origin_of(at) if at < -1 else getattr(kept, "_home", None)

    def operation(self, place: int) -> Operation:
        """The operation at a place."""
        return Operation(self.records, place)

    def spot(self, place: int) -> Spot:
        """The learner's code that called the operation at a place."""
        return spot_of(self.records[place])

    def rounds(self, place: int) -> list[int]:
        """The places of an operation and of its other rounds, if a loop ran that code again."""
        own, records = self.records[place], enumerate(self.records)
        same = [p for p, one in records if one[-2] is own[-2] and one[-1] == own[-1]]
        return [p for p in same if self.kind(p) == own[0].type]

    def kind(self, place: int) -> str:
        """The type of the operation at a place, "" for one that is not on the tape."""
        return str(self.records[place][0].type) if place >= 0 else ""

    def before(self, place: int, *kinds: str) -> int:
        """The place before operations of some types, each of which is gone through to its first input;
        below 0 if that is not on the tape.
        """
        while self.kind(place) in kinds:
            place = self.operation(place).places[0]
        return place


def tensor_behind(one: Any) -> Any:
    """The tensor itself, or the one that a variable holds."""
    return one if type(one) is Tensor else one._tensor
