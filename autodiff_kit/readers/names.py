"""Layer 5: what the learner calls things.

One idea: a tensor has no name, but the learner's variables do; they are looked up where the reader
was called.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.lines import covers, segment, tree_of


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
        for name, value in [*frame.f_globals.items(), *frame.f_locals.items()]:
            if not name.startswith("_"):
                self._take(name, value, tape)
        for variable, places in tape.variables.items():
            for place in places:
                self.by_place[place] = self.by_identity.get(id(variable), plain_name(variable))

    def _take(self, name: str, value: Any, tape: Any) -> None:
        if is_tensor(value):
            self.by_identity[id(value)] = name
            place = tape.find(value) if type(value).__name__ == "Tensor" else -1
            if place >= 0:
                self.by_place[place] = name
        elif type(value) in (list, tuple):
            for number, one in enumerate(value):
                if is_tensor(one) and id(one) not in self.by_identity:
                    self._take(f"{name}[{number}]", one, tape)
        elif type(value) is dict:
            for key, one in value.items():
                if is_tensor(one) and id(one) not in self.by_identity:
                    self._take(f"{name}[{key!r}]", one, tape)

    def of(self, one: Any, written: str | None = None) -> str:
        """The learner's name of a tensor or variable, or what was written in the call."""
        found = self.by_identity.get(id(one))
        if found is not None:
            return found
        if written:
            return written
        return plain_name(one) if hasattr(one, "name") else "the tensor"

    def by_identity_of(self, thing: Any) -> str | None:
        """The learner's name of any object, for example of the tape."""
        for scope in (self.frame.f_locals, self.frame.f_globals):
            for name, value in scope.items():
                if value is thing and not name.startswith("_"):
                    return str(name)
        return None

    def bound(self, one: Any) -> bool:
        """Whether some name of the learner's leads to this very tensor."""
        return id(one) in self.by_identity


def plain_name(variable: Any) -> str:
    """A variable's own name without ``:0``."""
    return str(variable.name).split(":")[0]


def written_arguments(frame: Any, function: str) -> list[str]:
    """The arguments of the call of ``function`` that the frame is at, as the learner wrote them."""
    tree = tree_of(frame.f_code.co_filename)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and covers(node, frame.f_lineno):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name == function:
                return [segment(frame.f_code.co_filename, a) for a in _arguments(node)]
    return []


def _arguments(call: ast.Call) -> list[ast.AST]:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    order = ("tape", "target", "sources")
    return [*call.args, *(named[name] for name in order if name in named)]


def written_parts(text: str, count: int) -> list[str | None]:
    """``[x, y + 1]`` as its parts, if it was written as a display with that many of them."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return [None] * count
    if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) == count:
        return [ast.get_source_segment(text.strip(), one) for one in node.elts]
    return [text.strip()] if count == 1 and not isinstance(node, ast.Dict) else [None] * count
