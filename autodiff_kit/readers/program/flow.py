"""Layer 5: what was made of a source, where no tape looked.

One idea: a value that a tape does not track knows the line that made it, but not what from. That the
learner's own text tells: follow the names from the source on, and see whether that line reads one.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.carried import Named, Text, code_of, nodes_read, text_in
from autodiff_kit.readers.program.lines import tree_of
from autodiff_kit.readers.program.nodes import nodes_of
from autodiff_kit.readers.program.passed import passed_on
from autodiff_kit.readers.program.spots import expression_at, statement_of
from autodiff_kit.readers.program.varlists import owners_of

Spot = tuple[Any, int]  # a code object and an instruction of it


class Flow:
    """The ways of the source's value through the learner's text.

    Args:
      case: the source, the target and the tape.
    """

    def __init__(self, case: Any) -> None:
        self.case = weakref.proxy(case)  # which keeps this: in a circle the tape would stay longer
        frame = case.names.frame
        self._seen: dict[Any, tuple[ast.stmt | None, str | None]] = {}
        self._arrivals: dict[Any, bool] = {}
        self.asked = statement_of(frame.f_code, frame.f_lasti, "explain")

    @cached_property
    def ends(self) -> list[ast.stmt]:
        """The statements that computed what leads to the target."""
        case = self.case
        births = [case.birth_of(case.target), *case.outsider_births()]
        computed = [place for place in case.above if case.records[place][0] is not LEAF]
        spots = _once([case.records[place][-2:] for place in computed])
        spots += _once([(b.code, b.instruction) for b in births if b.known])
        found = [statement_of(*spot) for spot in spots]
        return [statement for statement in dict.fromkeys(found) if statement is not None]

    @cached_property
    def text(self) -> Text:
        """The text of every file of the learner's that had a part in it."""
        return text_in(self._file_names)

    @cached_property
    def files(self) -> dict[ast.stmt, str]:
        """The file or the cell that each statement stands in."""
        trees = {file: tree_of(file) for file in sorted(self._file_names)}
        nodes = [(node, file) for file, tree in trees.items() if tree for node in nodes_of(tree)]
        return {node: file for node, file in nodes if isinstance(node, ast.stmt)}

    @cached_property
    def _file_names(self) -> set[str]:
        case = self.case
        codes = {record[-2] for record in case.records} | {e.code for e in case.time.events}
        births = [case.target_birth, case.birth_of(case.source), *case.outsider_births()]
        codes |= {b.code for b in births if b.known} | {case.names.frame.f_code}
        return {code.co_filename for code in codes | case.codes_of_held}

    @cached_property
    def names(self) -> set[Named]:
        """The names of the source and of all that was made of it."""
        names = self._source_names() | self._recorded()
        return self.text.made_of(names, passed=frozenset(passed_on(self.text, self._spots)))

    @cached_property
    def wide(self) -> set[Named]:
        """As ``names``, and all that the objects had a part in that hold the source."""
        held = self.named(self._names_of_source())
        holders = {(owner, _holder(name)) for owner, name in held if _holder(name) != name}
        holders |= owners_of(self.text, {(o, n.split("[")[0]) for o, n in held if n[-1:] == "]"})
        return self.text.made_of(self._source_names() | self._recorded() | holders)

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
        key = id(spot[0]), spot[1]
        if key not in self._seen:
            node, statement = expression_at(*spot), statement_of(*spot)
            words = code_of(node) if node is not None else None
            if statement is not None and names_in(node) & _bound_by_a_comprehension(statement):
                words = None  # what its own names stand for, the whole of it tells
            self._seen[key] = statement, words
        return self._seen[key]

    def reads_in(self, spot: Spot, node: ast.AST) -> bool:
        """Whether a piece of the statement at a spot reads what was made of the source."""
        statement = statement_of(*spot)
        if statement is None or statement not in self.text.read:
            return False
        pieces = [node, *_iterated(statement, names_in(node))]
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
        statement = statement_of(event.code, event.instruction)
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
            found, text = self.text.made_of(set(begin), but), self.text
            ends = [end for end in self.ends if end in text.read]
            self._arrivals[begin, but] = any(text.mentions(end, found) for end in ends)
        return self._arrivals[begin, but]

    def held_as(self, name: str) -> set[Named]:
        """A name as it stands in the text: ``losses[2]`` may be no more than ``losses``."""
        written = any(name in words for words in self.text.read.values())
        return self.named([name if written else name.split("[")[0]]) | self._in_methods(name)

    def _in_methods(self, name: str) -> set[Named]:
        """What the methods of the learner's class call an attribute, if no other object has such."""
        path, _, attribute = name.rpartition(".")
        kinds = {kind.name for kind in self.text.classes}
        if not path or not attribute.isidentifier() or not is_reference(path):
            return set()
        if type(led_to(path, self.case.names.frame)).__name__ not in kinds:
            return set()
        held = self.case.held
        others = [n for n in held if n.endswith(f".{attribute}")]
        same = all(held[other] is held.get(name) for other in others)
        return {(None, f"self.{attribute}")} if same else set()

    def named(self, names: Iterable[str]) -> set[Named]:
        """Names as they are meant where the question was asked."""
        asked = self.asked if self.asked in self.text.read else None
        return {(self.text.owner(asked, name) if asked else None, name) for name in names}

    def names_for(self, one: Any) -> set[Named]:
        """The learner's names that lead to a tensor or a variable, and to the list that it is in."""
        held = [name for name, other in self.case.held.items() if other is one]
        return self.named([*held, *(whole(name) for name in held if name.endswith("]"))])

    def _names_of_source(self) -> list[str]:
        held = [name for name, other in self.case.held.items() if other is self.case.source]
        names = [*held, self.case.source_name]
        return [*names, *(whole(name) for name in names if name.endswith("]"))]

    def _source_names(self) -> set[Named]:
        """What the learner calls the source: where the question was asked, and where it was made."""
        return self.named(self._names_of_source()) | self.made_as | self._given_to

    @cached_property
    def _given_to(self) -> set[Named]:
        """The parameters that got the source where it was made: ``Bell(ad.Variable(0.0))``."""
        birth = self.case.birth_of(self.case.source)
        spot = (birth.code, birth.instruction)
        return passed_on(self.text, [spot]) if birth.type in ("Variable", "Const") else set()

    @cached_property
    def made_as(self) -> set[Named]:
        """What the source is called where it was made, which may be in another function."""
        birth = self.case.birth_of(self.case.source)
        made = statement_of(birth.code, birth.instruction) if birth.known else None
        found: set[Named] = set()
        if isinstance(made, (ast.Assign, ast.AnnAssign)) and made in self.text.read:
            own = not self._given_to and not self._made_with(birth)
            if isinstance(made.value, ast.Call) and own:
                found = set(self.text.receivers(made))
        return found if birth.known else found | self._in_its_class()

    def _in_its_class(self) -> set[Named]:
        """What the methods of the object that holds the source call it, if no other object has such.

        A variable that an earlier tape watched does not know any more where it was made.
        """
        held, found = self.case.held, set()
        kinds = {kind.name for kind in self.text.classes}
        for name in [name for name, one in held.items() if one is self.case.source and "." in name]:
            path, _, attribute = name.rpartition(".")
            kind = type(led_to(path, self.case.names.frame)).__name__
            others = [n for n in held if n.endswith(f".{attribute}")]
            if kind in kinds and all(held[other] is self.case.source for other in others):
                found |= {(None, f"self.{attribute}"), (None, f"self.{whole(attribute)}")}
        return found

    def _made_with(self, birth: Any) -> bool:
        """Whether the line that made the source made others too, as one in a class does."""
        spot = birth.code, birth.instruction
        others = [one for one in self.case.held.values() if one is not self.case.source]
        births = [self.case.birth_of(other) for other in others]
        return any((b.code, b.instruction) == spot for b in births if b.known)

    def _recorded(self) -> set[Named]:
        """The names that got what the tape saw being made of the source."""
        return {name for one in self.recorded_by() for name in self.text.receivers(one)}

    @cached_property
    def _spots(self) -> list[Spot]:
        """Where the operations stand that the tape saw making something of the source."""
        case = self.case
        places = [p for p in case.below if case.records[p][0] is not LEAF]
        return _once([case.records[place][-2:] for place in places])

    def recorded_by(self) -> list[ast.stmt]:
        """The statements whose operations the tape saw making something of the source."""
        found = [statement_of(*spot) for spot in self._spots]
        return [one for one in found if one in self.text.read and not isinstance(one, ast.Return)]


def names_in(node: ast.AST | None) -> set[str]:
    """The plain names that stand in a piece of the text."""
    nodes = ast.walk(node) if node is not None else ()
    return {one.id for one in nodes if isinstance(one, ast.Name)}


def _bound_by_a_comprehension(statement: ast.stmt) -> set[str]:
    nodes = nodes_read(statement)
    return {n for one in nodes if isinstance(one, ast.comprehension) for n in names_in(one.target)}


def _iterated(statement: ast.stmt, names: set[str]) -> Iterator[ast.expr]:
    """What the comprehensions of a statement go through to give values to some names."""
    for loop in nodes_read(statement):
        if isinstance(loop, ast.comprehension) and names & names_in(loop.target):
            zipped = getattr(loop.iter, "args", []) if code_of(loop.iter)[:4] == "zip(" else []
            targets = getattr(loop.target, "elts", [])
            if targets and len(zipped) == len(targets):
                pairs = zip(targets, zipped, strict=True)
                yield from (given for target, given in pairs if names & names_in(target))
            else:
                yield loop.iter


def _holder(name: str) -> str:
    """What has a plain name: ``model`` of ``model.w``, ``parts[*]`` of ``parts[0].w``."""
    first = name.split(".")[0]
    return whole(first) if first.endswith("]") else first


def whole(name: str) -> str:
    """All parts of what a name like ``parts[0]`` is one of: ``parts[*]``."""
    return name.rsplit("[", 1)[0] + "[*]" if name.endswith("]") else name


def _once(spots: list[Any]) -> list[Any]:
    """Each spot once; equal code may stand elsewhere."""
    return list({(id(spot[0]), spot[1]): spot for spot in spots}.values())
