"""Layer 5: a short name for every place of a tape.

One idea: what the learner called it, if anything: the name that leads to it now, or the name that the
line bound which made it. Everything else is numbered, in the order that `order` says: v1, v2, …; and
of the constants that have no name const1, const2, … if there are several.
"""

from __future__ import annotations

import ast
from itertools import count
from typing import Any

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.operation import LEAF, OUTPUT
from autodiff_kit.readers.facts.names import Names, plain_name
from autodiff_kit.readers.facts.timeline import frame_of_block
from autodiff_kit.readers.program.asked import written_arguments
from autodiff_kit.readers.program.frames import looked_into
from autodiff_kit.readers.program.holders import theirs
from autodiff_kit.readers.program.lines import (
    Line,
    Spot,
    line_of,
    spot_of,
    statement_at,
    target_of,
    tree_of,
)
from autodiff_kit.readers.program.spots import bindings, key_of, span_at
from autodiff_kit.readers.shown.causes import stops
from autodiff_kit.readers.shown.order import order_for
from autodiff_kit.readers.shown.show import brief
from autodiff_kit.tensor import NOTHING, Tensor

UNNAMED = "const"
_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Labels:
    """The names of a tape's places and of the constants beside it.

    Args:
      tape: the tape.
      names: what the learner's names lead to.
      extra: further names, given by the caller.
      order: all places, in the order in which they get numbers, and how many of them are shown; if
        left out, that of the tape, and all.
    """

    def __init__(
        self,
        tape: Any,
        names: Names,
        extra: dict[str, Any] | None = None,
        order: tuple[list[int], int] | None = None,
    ) -> None:
        self.records = tape.records
        self.origins = tape.outsiders
        self._lines: dict[Any, Line] = {}
        self.tensors: list[Tensor] = []  # those that the learner has names for
        self._statements: dict[Line, tuple[Any, ...]] = {}
        self.by_identity = dict(names.by_identity)
        self.by_origin: dict[Any, str] = {}
        found = {p: n for p, n in names.by_place.items() if 0 <= p < len(self.records)}
        frame = names.frame
        for name, value in [*theirs(frame.f_globals).items(), *theirs(frame.f_locals).items()]:
            self._note_origin(name, value)
        for name, value in (extra or {}).items():
            tensor = getattr(value, "_tensor", value)
            self.by_identity[id(value)] = name
            self._note_origin(name, value)
            if tape.find(tensor) >= 0:
                found[tape.find(tensor)] = name
        everything: tuple[list[int], int] = ([*range(len(self.records))], len(self.records))
        self._order, self._shown = order if order is not None else everything
        self._named = self._with_lines(found)
        self._constants = self._numbered()

    def _note_origin(self, name: str, value: Any) -> None:
        tensor = getattr(value, "_tensor", value)
        if type(tensor) is Tensor:
            self.tensors.append(tensor)
            if type(tensor._home) is tuple:
                self.by_origin[tensor._home] = name

    def _with_lines(self, found: dict[int, str]) -> dict[int, str]:
        """Add the names that lines bound; where a name was bound again, the older ones get numbers."""
        met: dict[str, list[int]] = {}
        for place in range(len(self.records)):
            name = found.get(place) or self._bound(place)
            if name:
                name = name.replace("/", ".")  # dense/kernel reads like a division in a rule
                met.setdefault(name, []).append(place)
        named = {}
        for name, places in met.items():
            last = max((p for p in places if p in found), default=places[-1])
            others = [p for p in places if p != last]
            named[last] = name
            named.update({p: f"{name}{str(k).translate(_DIGITS)}" for k, p in enumerate(others, 1)})
        self._own = set(named)
        return self._filled(named)

    def _filled(self, named: dict[int, str]) -> dict[int, str]:
        """Add a name for what has none."""
        used, number = set(named.values()), 0
        for place in self._order:
            record = self.records[place]
            if place in named:
                continue
            if record[0] is BROADCAST or record[0] is OUTPUT:
                parent = named.get(record[1], "v")
                mark = f"[{record[6]['number']}]" if record[0] is OUTPUT else "′"
                name = parent + mark
                while name in used:
                    name += mark
            else:
                name = f"v{(number := number + 1)}"
                while name in used:
                    name = f"v{(number := number + 1)}"
            named[place] = name
            used.add(name)
        return named

    def _bound(self, place: int) -> str | None:
        """The name that was bound to the very value of a place, when it was made."""
        if self.records[place][0] is LEAF:
            return None
        spot = spot_of(self.records[place])
        after = spot_of(self.records[place + 1]) if place + 1 < len(self.records) else None
        tree, span = tree_of(spot.code.co_filename), span_at(spot)
        if tree is not None and span is not None:  # one call may leave several records
            return bindings(tree).get(span) if spot != after else None
        return self._statement(place)[-1] if self._ends(place) else None

    def _ends(self, place: int) -> bool:
        """Whether the statement that made a record made no further one, so that this is its value.

        Without columns (before Python 3.11) that is told from the order of the instructions, and not
        at all where a function of the learner's has the last word.
        """
        code, here = spot_of(self.records[place])
        near = [spot_of(record) for record in self.records[place + 1 : place + 100]]
        other = next((spot for spot in near if spot.code is code), Spot(code, -1))
        if other.instruction >= here and self._statement(place) == self._statement_of(other):
            return False
        return not near or near[0].code is code or not self._statement(place)[2]

    def _statement(self, place: int) -> tuple[Any, ...]:
        return self._statement_of(spot_of(self.records[place]))

    def _statement_of(self, spot: Spot) -> tuple[Any, ...]:
        """Where a statement begins, whether it ends with a call, and which name it binds."""
        line = self._line(spot)
        if line not in self._statements:
            node = statement_at(line.file, line.number)
            binds = isinstance(node, (ast.Assign, ast.AugAssign))
            name = target_of(node).id if binds and isinstance(target_of(node), ast.Name) else None
            calls = isinstance(getattr(node, "value", None), ast.Call)
            begins = getattr(node, "lineno", line.number)
            self._statements[line] = (line.file, begins, calls, name)
        return self._statements[line]

    def line(self, place: int) -> Line:
        """The learner's line that made a place."""
        return self._line(spot_of(self.records[place]))

    def _line(self, spot: Spot) -> Line:
        key = key_of(spot)  # two cells may hold equal code
        if key not in self._lines:
            self._lines[key] = line_of(spot)
        return self._lines[key]

    def of(self, place: int) -> str:
        """The name of a place."""
        return self._named[place]

    def is_named(self, place: int) -> bool:
        """Whether the name of a place is the learner's."""
        return place in self._own

    def is_name(self, text: str) -> bool:
        """Whether a constant's name is the learner's, and not its value."""
        return text in self.by_identity.values() or text in self.by_origin.values()

    def constant(self, place: int, value: Any) -> str:
        """The name of an input that is not tracked, or its value, or ``const``."""
        name = self.by_identity.get(id(value))
        if name is None and place < -1 and -2 - place < len(self.origins):
            name = self.by_origin.get(self.origins[-2 - place])
        if name is not None:
            return name
        kept = value is not NOTHING and value is not None
        bare = getattr(value, "_value", value)
        return brief(bare) if kept and getattr(bare, "shape", 1) == () else UNNAMED

    def _numbered(self) -> dict[tuple[int, int], str]:
        """The names of constants that have none, by the record and the input that they are."""
        keys: dict[Any, list[tuple[int, int]]] = {}
        shown = [p for p in self._order[: self._shown] if self.records[p][0] is not LEAF]
        for place in sorted(shown, key=self._is_dead_end):  # a replay shows none of these
            places, values = self._parts(place)
            for index, (at, value) in enumerate(zip(places, values, strict=True)):
                if at < 0 and self.constant(at, value) == UNNAMED:
                    keys.setdefault(self._key(place, index), []).append((place, index))
        if len(keys) < 2:
            return {}
        taken = {*self.by_identity.values(), *self.by_origin.values(), *self._named.values()}
        free = (name for k in count(1) if (name := f"{UNNAMED}{k}") not in taken)
        return {use: name for uses, name in zip(keys.values(), free, strict=False) for use in uses}

    def _is_dead_end(self, place: int) -> bool:
        """Whether no gradient passes a record, to whichever input."""
        op, attrs = self.records[place][0], self.records[place][6] or {}
        return all(stops(op, index, attrs) for index in range(len(self._parts(place)[0])))

    def _key(self, place: int, index: int) -> Any:
        """What is equal for two uses of one constant, as far as the tape can tell."""
        places, values = self._parts(place)
        if places[index] < -1 and -2 - places[index] < len(self.origins):
            return self.origins[-2 - places[index]]
        kept = values[index] is not NOTHING and values[index] is not None
        return id(values[index]) if kept else (place, index)

    def _parts(self, place: int) -> tuple[Any, Any]:
        """The places and the kept values of a record's inputs."""
        op, i, j, a, b = self.records[place][:5]
        places = i if type(i) is tuple else (i, j)[: op.arity]
        return places, a if type(a) is tuple else (a, b)[: op.arity]

    def inputs(self, place: int) -> list[str]:
        """The names of all inputs of a record."""
        return [
            self.of(p) if p >= 0 else self._constants.get((place, k)) or self.constant(p, v)
            for k, (p, v) in enumerate(zip(*self._parts(place), strict=True))
        ]

    def name_of(self, thing: Any, tape: Any) -> str:
        """The name of a tensor or a variable, on the tape or not."""
        found = self.by_identity.get(id(thing))
        if found is not None:
            return found
        if type(thing) is not Tensor:
            places = tape.variables.get(thing)
            return self.of(places[-1]) if places else plain_name(thing).replace("/", ".")
        place = tape.find(thing)
        if place >= 0:
            return self.of(place)
        home = thing._home  # that of another tape leads nowhere, and may be gone
        return self.by_origin.get(home, "the tensor") if type(home) is tuple else "the tensor"


def own_name(type_: str, attrs: Any) -> str:
    """The name of a learner's function with a gradient of its own; "" for anything else, or a "
    "lambda."""
    name = str(attrs["name"]) if type_ == "CustomGradient" else ""
    return name if name.isidentifier() else ""


def labels_for(
    asked: str,
    frame: Any,
    tape: Any,
    target: Any,
    sources: Any,
    extra: dict[str, Any] | None = None,
) -> Labels:
    """The labels for who has asked in a frame, as things are called there and at the block."""
    around = frame_of_block(frame, tape)
    with looked_into(frame, around):
        names = Names(around, tape)
        names.prefer_written(written_arguments(frame, asked), target, sources)
        return Labels(tape, names, extra, order_for(tape, target, sources))
