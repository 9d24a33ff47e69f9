"""Layer 5: the recorded graph as nodes and edges, before anybody draws it.

One idea: an edge is where a gradient flows back, or could, or cannot; the last kind knows its cause.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import Account, depending_on, leading_to
from autodiff_kit.readers.shown.causes import cause, stops
from autodiff_kit.readers.shown.labels import Labels, own_name

FLOWS, COULD, STOPS = "flows", "could flow", "stops"


@dataclass
class Node:
    """A variable, a watched constant, a constant, an operation, or several folded into one.

    roles: "source", "target", or nothing.
    named: whether the learner gave it its name.
    count, operations, watched: how many nodes, operations, and watched values it stands for.
    """

    key: Any
    kind: str
    name: str
    type: str = ""
    line: str = ""
    roles: list[str] = field(default_factory=list)
    named: bool = False
    place: int = -1
    count: int = 1
    operations: int = 0
    watched: int = 0


@dataclass
class Edge:
    """From an input to the operation that used it; a gradient travels the other way."""

    start: Any
    end: Any
    kind: str = COULD
    cause: str = ""


class Graph:
    """What was recorded between sources and target, or all of it if no target is given."""

    def __init__(self, tape: Any, labels: Labels, account: Account | None) -> None:
        self.tape, self.labels, self.account = tape, labels, account
        self.records = tape.records
        self.nodes: dict[Any, Node] = {}
        self.edges: list[Edge] = []
        self.steps = {s.operation.place: s for s in account.steps} if account else {}
        self._find_ways()
        for place in sorted(self.shown):
            self._add(place)
        self._add_roles()

    def _find_ways(self) -> None:
        account = self.account
        everything = set(range(len(self.records)))
        self.shown, self.live = everything, everything
        if account is None:
            return
        sources = [account.places(s) for s in account.request.sources]
        flat = [place for places in sources for place in places]
        to_target = leading_to(self.records, self._targets())
        leaves = [p for p, record in enumerate(self.records) if record[0] is LEAF]
        self.live = self._leading_back(flat if sources else leaves)
        lost = [p for places in sources if not to_target & set(places) for p in places]
        self.shown = to_target | depending_on(self.records, lost) if lost else to_target

    def _leading_back(self, sources: list[int]) -> set[int]:
        """The places from which a gradient that arrives there comes to one of the sources."""
        live = set(sources)
        for place in sorted(self.steps):
            if any(p in live for p, dx in self.steps[place].pairs if dx is not None):
                live.add(place)
        return live

    def _targets(self) -> list[int]:
        targets = self.account.request.targets if self.account else []
        places = [self.tape.find(getattr(t, "_tensor", t)) for t in targets]
        return [place for place in places if place >= 0]

    @property
    def left_out(self) -> int:
        """How many records neither lead to the target nor show where a source's way ends."""
        return len(self.records) - len(self.shown)

    @property
    def depth(self) -> int:
        """How many nodes the longest way through the graph has."""
        before: dict[Any, list[Any]] = {}
        for edge in self.edges:
            before.setdefault(edge.end, []).append(edge.start)
        depths: dict[Any, int] = {}
        for key in self.nodes:  # in the order of the tape; a folded node may be used before its end
            depths[key] = 1 + max(
                (depths.get(start, 1) for start in before.get(key, [])), default=0
            )
        return max(depths.values(), default=0)

    def _add(self, place: int) -> None:
        op, attrs = self.records[place][0], self.records[place][6]
        line = self.labels.line(place)
        kind, type_ = "operation", own_name(op.type, attrs) or op.type
        if op is LEAF:
            kind, type_ = ("watched constant" if attrs["variable"] is None else "variable"), ""
        named = self.labels.is_named(place)
        name = self.labels.of(place)
        if op is BROADCAST:
            type_ = f"Broadcast to {attrs['to']}"
        node = self.nodes[place] = Node(place, kind, name, type_, str(line), [], named, place)
        if op is LEAF:
            node.watched = 1
            return
        node.operations = 1
        for index, start in enumerate(self._starts(place)):
            if type(start) is tuple or start in self.shown:
                self.edges.append(self._edge(start, place, index))

    def _starts(self, place: int) -> list[Any]:
        """The nodes that the inputs of a record are; constants get theirs here."""
        op, i, j = self.records[place][:3]
        places = i if type(i) is tuple else (i, j)[: op.arity]
        return [
            start if start >= 0 else self._constant(start, place, index)
            for index, start in enumerate(places)
        ]

    def _constant(self, start: int, place: int, index: int) -> Any:
        name = self.labels.inputs(place)[index]
        named = name != "const" and self.labels.is_name(name)
        key: Any = ("constant", place, index)
        origin = self.tape.origin_of(start)
        if origin is not None:
            key = ("constant", *origin[2:])
        elif named:
            key = ("constant", name)
        self.nodes.setdefault(key, Node(key, "constant", name, named=named))
        return key

    def _edge(self, start: Any, end: int, index: int) -> Edge:
        op, attrs = self.records[end][0], self.records[end][6] or {}
        if type(start) is tuple:
            return Edge(start, end, STOPS)
        step = self.steps.get(end)
        if step is not None:
            if step.pairs[index][1] is None:
                return Edge(start, end, STOPS, cause(op, index, attrs))
            return Edge(start, end, FLOWS if start in self.live else COULD)
        if end == self._refused():
            return Edge(start, end, STOPS, "its rule stops with an error")
        if stops(op, index, attrs):
            return Edge(start, end, STOPS, cause(op, index, attrs))
        unknown = self.account is None or end < self._refused()
        return Edge(start, end, COULD if unknown else STOPS)

    def _refused(self) -> int:
        """The place where the way back ended in an error, so that nobody knows what is before it."""
        account = self.account
        if account is None or account.stuck is None or type(account.error) is LookupError:
            return -1
        return account.stuck

    def _add_roles(self) -> None:
        if self.account is None:
            return
        request = self.account.request
        for role, things in (("source", request.sources), ("target", request.targets)):
            for thing in things:
                for node in self._nodes_of(thing):
                    if role not in node.roles:
                        node.roles.append(role)

    def _nodes_of(self, thing: Any) -> list[Node]:
        """The nodes that a source or a target is; one that is not on the tape gets a node now."""
        places = [p for p in self.account.places(thing) if p in self.nodes]  # type: ignore[union-attr]
        if places:
            return [self.nodes[p] for p in places]
        name = self.labels.name_of(thing, self.tape)
        home = getattr(thing, "_tensor", thing)._home
        keys = [("constant", *home[2:])] if type(home) is tuple else []
        found = [k for k in (*keys, ("constant", name)) if k in self.nodes]
        key = found[0] if found else ("absent", id(thing))
        self.nodes.setdefault(key, Node(key, "not on this tape", name))
        for edge in self.edges:
            if edge.start == key:
                edge.cause = "not watched"
        return [self.nodes[key]]
