"""Layer 5: what the learner calls things.

One idea: a tensor has no name, but the learner's variables do; they are looked up where the reader
was called.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nest
from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.program.asked import is_reference, led_to, written_parts
from autodiff_kit.readers.program.holders import inside, parts, theirs
from autodiff_kit.readers.program.looped import left_by_a_loop
from autodiff_kit.tensor import Tensor


class Names:
    """Names of tensors, variables and places of a tape, as seen from one frame.

    Args:
      frame: where the learner called the reader.
      tape: the tape whose places are to be named.
    """

    def __init__(self, frame: Any, tape: Any) -> None:
        self.frame = frame
        self.by_identity: dict[int, str] = {}
        self.by_place: dict[int, str] = {}
        self.ways: dict[int, str] = {}  # to what is kept in something, whatever it is called
        self.kept: dict[int, str] = {}  # the same for what is an attribute: `model.out.kernel`
        self._tape, self._tape_written = tape, ""  # as where it was asked: `self.tape`
        near, far = frame.f_locals, frame.f_globals
        self.known = {**near, **far, **near}  # the near ones first
        for name, value in theirs({**far, **near}).items():
            if is_tensor(value):
                self._take(name, value)
        for name, value in inside(theirs(self.known)):
            self.ways.setdefault(id(value), name)
            if "." in name and name[-1] != "]":
                self.kept.setdefault(id(value), name)
            known = self.by_identity.get(id(value))
            better = known is None or left_by_a_loop(known, frame)
            if better and not has_own_name(value, name):
                self._take(name, value)
        for variable, places in tape.variables.items():
            for place in places:
                self.by_place[place] = self.by_identity.get(id(variable), plain_name(variable))

    def _take(self, name: str, value: Any) -> None:
        self.by_identity[id(value)] = name
        place = self._tape.find(value) if type(value) is Tensor else -1
        if place >= 0:
            self.by_place[place] = name

    def prefer_written(self, written: list[str], target: Any, sources: Any) -> list[str | None]:
        """Take the names from the question itself; returns how each source was written."""
        if len(written) < 3 or sources is None:
            return [None] * len(nest.flatten(sources))
        if is_reference(written[0]) and led_to(written[0], self.frame) is self._tape:
            self._tape_written = written[0]
        flat = nest.flatten(sources)
        parts = written_parts(written[2], sources, len(flat))
        targets = nest.flatten(target)
        asked = [*zip(parts, flat, strict=True)]
        asked += zip(written_parts(written[1], target, len(targets)), targets, strict=True)
        for text, one in asked:
            if text and is_reference(text) and is_tensor(one):
                self._prefer(text, one)
        return parts

    def _prefer(self, text: str, one: Any) -> None:
        leads_there = led_to(text, self.frame) is one
        known = self.by_identity.get(id(one))
        nameless = type(one) is not Tensor and known is None and not has_own_name(one)
        if leads_there or nameless or known is not None and left_by_a_loop(known, self.frame):
            self._take(text, one)
            for place in self._tape.variables.get(one, ()) if type(one) is not Tensor else ():
                self.by_place[place] = text

    def of(self, one: Any, written: str | None = None) -> str:
        """The learner's name of a tensor or variable, or what was written in the call."""
        found = self.by_identity.get(id(one))
        if found is not None:
            return found
        if written:
            return written
        return plain_name(one) if hasattr(one, "name") else "the tensor"

    def by_identity_of(self, thing: Any) -> str | None:
        """The learner's name of any object, for example of the tape, or the way to it: ``tapes[0]``."""
        for scope in (self.frame.f_locals, self.frame.f_globals):
            names = [name for name, value in theirs(scope).items() if value is thing]
            if names:
                return next((name for name in names if name[:1] != "_"), names[0])
        if thing is self._tape and self._tape_written:
            return self._tape_written
        known = theirs(self.known).items()
        ways = (way for name, value in known for way, part in parts(name, value) if part is thing)
        return next(ways, None)

    def in_code(self, name: str, one: Any, asked: str) -> str:
        """What to write for a thing in code, ``""`` if there is nothing that means it.

        Args:
          name: what it is called in words, for example ``dense/kernel``.
          one: the tensor or variable.
          asked: an expression that gives it, ``""`` if there is none.
        """
        if is_reference(name) and led_to(name, self.frame) is one:
            return name
        own = type(one) is not Tensor and name == plain_name(one)
        if own or name == "the tensor" or "/" in name:
            return self.ways.get(id(one), asked)
        return name

    def kept_as(self, one: Any, name: str, written: str) -> str:
        """What else a variable is called that is one of a list: ``model.out.kernel``.

        A number in a list of all the variables of a model says little about which one it is.

        Args:
          one: the variable.
          name: its name with a number, as ``model.trainable_variables[4]``.
          written: what the learner wrote; who wrote the number knows which it is.
        """
        if type(one) is Tensor or name[-1:] != "]" or name in written:
            return ""
        own = plain_name(one) if has_own_name(one) else ""
        return self.kept.get(id(one), own)

    def bound(self, one: Any) -> bool:
        """Whether some name of the learner's leads to this very tensor."""
        return id(one) in self.by_identity


def plain_name(variable: Any) -> str:
    """A variable's own name without ``:0``."""
    return str(variable.name).split(":")[0]


def has_own_name(one: Any, path: str = ".") -> bool:
    """Whether the learner gave a variable a name, which says more than where it is kept."""
    return "." in path and type(one) is not Tensor and plain_name(one) != "Variable"
