"""Layer 5: a short name for every place of a tape.

One idea: what the learner called it, if anything: the name that leads to it now, or the name that the
line bound which made it. Everything else is numbered in the order in which it was made: v1, v2, …
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from autodiff_kit.operation import BROADCAST, NOTHING, OUTPUT
from autodiff_kit.readers.account import inputs_of
from autodiff_kit.readers.lines import Line, assigned_name, line_of
from autodiff_kit.readers.names import Names
from autodiff_kit.readers.show import brief
from autodiff_kit.tensor import Tensor

_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_line = lru_cache(maxsize=4096)(line_of)
_assigned = lru_cache(maxsize=4096)(assigned_name)


class Labels:
    """The names of a tape's places and of the constants beside it.

    Args:
      tape: the tape.
      names: what the learner's names lead to.
      extra: further names, given by the caller.
    """

    def __init__(self, tape: Any, names: Names, extra: dict[str, Any] | None = None) -> None:
        self.records = tape.records
        self.origins = tape.outsiders
        self.by_identity = dict(names.by_identity)
        self.by_origin: dict[Any, str] = {}
        found = {p: n for p, n in names.by_place.items() if 0 <= p < len(self.records)}
        frame = names.frame
        for name, value in [*frame.f_globals.items(), *frame.f_locals.items()]:
            if not name.startswith("_"):
                self._note_origin(name, value)
        for name, value in (extra or {}).items():
            tensor = getattr(value, "_tensor", value)
            self.by_identity[id(value)] = name
            self._note_origin(name, value)
            if tape.find(tensor) >= 0:
                found[tape.find(tensor)] = name
        self._named = self._with_lines(found)

    def _note_origin(self, name: str, value: Any) -> None:
        tensor = getattr(value, "_tensor", value)
        if type(tensor) is Tensor and type(tensor._home) is tuple:
            self.by_origin[tensor._home] = name

    def _with_lines(self, found: dict[int, str]) -> dict[int, str]:
        """Add the names that lines bound; a name that is met again gets a number."""
        met: dict[str, list[int]] = {}
        for place in range(len(self.records)):
            name = found.get(place) or (self._bound(place) if self._ends_line(place) else None)
            if name:
                met.setdefault(name, []).append(place)
        return self._filled({
            place: name if len(places) == 1 else f"{name}{str(k).translate(_DIGITS)}"
            for name, places in met.items()
            for k, place in enumerate(places, 1)
        })  # fmt: skip

    def _filled(self, named: dict[int, str]) -> dict[int, str]:
        """Add a name for what has none."""
        used, count = set(named.values()), 0
        for place, record in enumerate(self.records):
            if place in named:
                continue
            if record[0] is BROADCAST or record[0] is OUTPUT:
                parent = named.get(record[1], "v")
                mark = f"[{record[6]['number']}]" if record[0] is OUTPUT else "′"
                name = parent + mark
                while name in used:
                    name += mark
            else:
                name = f"v{(count := count + 1)}"
                while name in used:
                    name = f"v{(count := count + 1)}"
            named[place] = name
            used.add(name)
        return named

    def _ends_line(self, place: int) -> bool:
        """Whether the next record was made by another instruction, so that this one made the value."""
        record = self.records[place]
        if place + 1 == len(self.records):
            return True
        following = self.records[place + 1]
        return following[7] is not record[7] or self.line(place + 1) != self.line(place)

    def _bound(self, place: int) -> str | None:
        if self.records[place][0].type == "Watch":
            return None
        return _assigned(self.line(place))

    def line(self, place: int) -> Line:
        """The learner's line that made a place."""
        return _line(*self.records[place][7:9])

    def of(self, place: int) -> str:
        """The name of a place."""
        return self._named[place]

    def constant(self, place: int, value: Any) -> str:
        """The name of an input that is not tracked, or its value, or ``const``."""
        name = self.by_identity.get(id(value))
        if name is None and place < -1 and -2 - place < len(self.origins):
            name = self.by_origin.get(self.origins[-2 - place])
        if name is not None:
            return name
        kept = value is not NOTHING and value is not None
        bare = getattr(value, "_value", value)
        return brief(bare) if kept and getattr(bare, "shape", 1) == () else "const"

    def inputs(self, place: int) -> list[str]:
        """The names of all inputs of a record."""
        op, i, j, a, b = self.records[place][:5]
        places = i if type(i) is tuple else (i, j)[: op.arity]
        values = a if type(a) is tuple else (a, b)[: op.arity]
        return [
            self.of(p) if p >= 0 else self.constant(p, v)
            for p, v in zip(places, values, strict=True)
        ]


__all__ = ["Labels", "inputs_of"]
