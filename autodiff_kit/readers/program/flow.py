"""Layer 5: what was made of a source, where no tape looked.

One idea: a value that a tape does not track knows the line that made it, but not what from. That the
learner's own text tells: follow the names from the source on, and see whether that line reads one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.program.called_as import Called, whole
from autodiff_kit.readers.program.lines import Spot
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.passed import passed_on
from autodiff_kit.readers.program.spots import expression_at, key_of, statement_of
from autodiff_kit.readers.program.statement import code_of, nodes_read
from autodiff_kit.readers.program.takes import looped
from autodiff_kit.readers.program.text import Named
from autodiff_kit.readers.program.varlists import owners_of


class Flow(Called):
    """The ways of the source's value through the learner's text.

    Args:
      case: the source, the target and the tape.
    """

    def __init__(self, case: Any) -> None:
        super().__init__(case)
        self._seen: dict[Any, tuple[ast.stmt | None, str | None]] = {}
        self._arrivals: dict[Any, bool] = {}

    @cached_property
    def ends(self) -> list[ast.stmt]:
        """The statements that computed what leads to the target."""
        case = self.case
        births = [case.birth_of(case.target), *case.outsider_births()]
        computed = [place for place in case.above if case.records[place][0] is not LEAF]
        spots = once([case.spot(place) for place in computed])
        spots += once([b.spot for b in births if b.known])
        found = [statement_of(spot) for spot in spots]
        return [statement for statement in dict.fromkeys(found) if statement is not None]

    @cached_property
    def names(self) -> set[Named]:
        """The names of the source and of all that was made of it."""
        names = self.source_names | self._recorded()
        return self.text.made_of(names, passed=frozenset(passed_on(self.text, self._spots)))

    @cached_property
    def wide(self) -> set[Named]:
        """As ``names``, and all that the objects had a part in that hold the source."""
        return self.text.made_of(self.source_names | self._recorded() | self.holders)

    @cached_property
    def holders(self) -> set[Named]:
        """The names of what holds the source: a list, an object."""
        held = self.named(self.words_for_source)
        holders = {(owner, _holder(name)) for owner, name in held if _holder(name) != name}
        return holders | owners_of(
            self.text, {(o, n.split("[")[0]) for o, n in held if n[-1:] == "]"}
        )

    def reads(self, spot: Spot, names: set[Named] | None = None) -> bool:
        """Whether the expression at a spot reads the source or what was made of it.

        No if there is no text that tells.
        """
        statement, words = self._at(spot)
        if statement is None or statement not in self.text.read:
            return False
        return self.text.mentions(statement, self.names if names is None else names, words)

    def _at(self, spot: Spot) -> tuple[ast.stmt | None, str | None]:
        """The statement at a spot, and the very expression there if that can be told."""
        key = key_of(spot)
        if key not in self._seen:
            node, statement = expression_at(spot), statement_of(spot)
            words = code_of(node) if node is not None else None
            if statement is not None and names_in(node) & _bound_by_a_comprehension(statement):
                words = None  # what its own names stand for, the whole of it tells
            self._seen[key] = statement, words
        return self._seen[key]

    def reads_in(self, spot: Spot, node: ast.AST) -> bool:
        """Whether a piece of the statement at a spot reads what was made of the source."""
        statement = statement_of(spot)
        if statement is None or statement not in self.text.read:
            return False
        pieces = [node, *looped(statement, node)]
        return any(self.text.mentions(statement, self.names, code_of(one)) for one in pieces)

    def leads_on(self, statement: ast.stmt) -> bool:
        """Whether a statement reads what was made of the source and leads to the target."""
        text = self.text
        if statement not in text.read or not text.mentions(statement, self.names):
            return False
        return self.arrives(text.receivers(statement))

    def leads_to_it(self, statement: ast.stmt) -> bool:
        """Whether what a statement computes may reach the target, or is on the way to it."""
        return statement in self.ends or self.arrives(self.text.receivers(statement))

    def carries(self, event: Any) -> bool:
        """Whether what the line of an event computes may reach the target."""
        statement = statement_of(event.spot)
        if statement is None or statement not in self.text.read:
            return False
        return self.leads_to_it(statement)

    def arrives(self, names: Iterable[Named], but: frozenset[Named] = frozenset()) -> bool:
        """Whether the target may have been computed from one of the names, says the text.

        Args:
          names: where the way begins.
          but: names that it does not lead through.
        """
        begin = frozenset(names)
        if (begin, but) not in self._arrivals:
            found = self.text.made_of(set(begin), but)
            self._arrivals[begin, but] = self.ends_with(found)
        return self._arrivals[begin, but]

    def ends_with(self, names: set[Named]) -> bool:
        """Whether a statement that computed what leads to the target reads one of the names itself."""
        ends = [end for end in self.ends if end in self.text.read]
        return any(self.text.mentions(end, names) for end in ends)

    def _recorded(self) -> set[Named]:
        """The names that got what the tape saw being made of the source."""
        return {name for one in self.recorded_by() for name in self.text.receivers(one)}

    @cached_property
    def _spots(self) -> list[Spot]:
        """Where the operations stand that the tape saw making something of the source."""
        case = self.case
        places = [p for p in case.below if case.records[p][0] is not LEAF]
        return once([case.spot(place) for place in places])

    def recorded_by(self) -> list[ast.stmt]:
        """The statements whose operations the tape saw making something of the source."""
        found = [statement_of(spot) for spot in self._spots]
        return [one for one in found if one in self.text.read and not isinstance(one, ast.Return)]


def _bound_by_a_comprehension(statement: ast.stmt) -> set[str]:
    nodes = nodes_read(statement)
    return {n for one in nodes if isinstance(one, ast.comprehension) for n in names_in(one.target)}


def _holder(name: str) -> str:
    """What has a plain name: ``model`` of ``model.w``, ``parts[*]`` of ``parts[0].w``."""
    first = name.split(".")[0]
    return whole(first) if first.endswith("]") else first


def once(spots: list[Any]) -> list[Any]:
    """Each spot once."""
    return list({key_of(spot): spot for spot in spots}.values())
