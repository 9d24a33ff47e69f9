"""Layer 5: what the learner's text calls the source.

One idea: it has one name where it was made, another where it was passed on, and a third where the
question was asked; in a class it is an attribute of ``self``.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.cells import with_those_behind
from autodiff_kit.readers.program.lines import Spot, cell_number, codes_called, nodes_in, tree_of
from autodiff_kit.readers.program.passed import passed_on
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.text import Named, Text, text_in


class Called:
    """The names of the source in the learner's text.

    Args:
      case: the source, the target and the tape.
    """

    def __init__(self, case: Any) -> None:
        self.case = weakref.proxy(case)  # which keeps this: in a circle the tape would stay longer
        frame = case.names.frame
        self.asked = statement_of(Spot(frame.f_code, frame.f_lasti), "explain")

    @cached_property
    def text(self) -> Text:
        """The text of every file of the learner's that had a part in it, as far as it may have run."""
        text = text_in(self._file_names)
        frame = self.case.names.frame
        tree = tree_of(frame.f_code.co_filename)
        if frame.f_code.co_name != "<module>" or tree is None or self.asked not in text.read:
            return text
        if cell_number(frame.f_code.co_filename) is not None:
            return text  # it may run for the second time
        return text.without([one for one in tree.body if one.lineno > self.asked.lineno])

    @cached_property
    def files(self) -> dict[ast.stmt, str]:
        """The file or the cell that each statement stands in."""
        files = sorted(self._file_names)
        return {statement: file for file in files for statement in nodes_in(file, ast.stmt)}

    @cached_property
    def _file_names(self) -> set[str]:
        case = self.case
        births = [case.birth_of(case.source), case.target_birth]
        codes = set(codes_called(case.records, case.names.frame.f_code))
        codes |= {one.code for one in case.time.events}
        files = {code.co_filename for code in codes}
        files |= {birth.code.co_filename for birth in births if birth.known}
        files |= {code.co_filename for _, code, _, _ in case.homes_above}
        held = {code.co_filename for code in case.codes_of_held}
        # Of a notebook with many experiments only those cells that this one builds on.
        return with_those_behind(files | {one for one in held if cell_number(one) is None})

    def held_as(self, name: str) -> set[Named]:
        """A name as it stands in the text: ``losses[2]`` may be no more than ``losses``."""
        written = any(name in words for words in self.text.read.values())
        return self.named([name if written else name.split("[")[0]]) | self._in_methods(name)

    def _in_methods(self, name: str) -> set[Named]:
        """What the methods of the learner's class call an attribute, if no other object has such."""
        attribute = self._attribute(name, self.case.held.get(name))
        return {(None, f"self.{attribute}")} if attribute.isidentifier() else set()

    def _attribute(self, name: str, one: Any) -> str:
        """What an object of a learner's class calls a thing, if no other one has another thing under
        that; "" if it is so called by none.
        """
        path, _, attribute = name.rpartition(".")
        owner = led_to(path, self.case.names.frame) if is_reference(path) else None
        held = self.case.held.items()
        alone = all(other is one for n, other in held if n.endswith(f".{attribute}"))
        known = type(owner).__name__ in {kind.name for kind in self.text.classes}
        return attribute if known and alone else ""

    def named(self, names: Iterable[str]) -> set[Named]:
        """Names as they are meant where the question was asked."""
        asked = self.asked if self.asked in self.text.read else None
        return {(self.text.owner(asked, name) if asked else None, name) for name in names}

    def names_for(self, one: Any) -> set[Named]:
        """The learner's names that lead to a tensor or a variable, and to the list that it is in."""
        return self.named(with_wholes(self.case.words_for(one)))

    @property
    def words_for_source(self) -> list[str]:
        return with_wholes([*self.case.words_for(self.case.source), self.case.source_name])

    @property
    def source_names(self) -> set[Named]:
        """What the learner calls the source: where the question was asked, and where it was made."""
        return self.named(self.words_for_source) | self.made_as | self._given_to

    @cached_property
    def _given_to(self) -> set[Named]:
        """The parameters that got the source where it was made: ``Bell(ad.Variable(0.0))``."""
        birth = self.case.birth_of(self.case.source)
        spot = birth.spot
        return passed_on(self.text, [spot]) if birth.type in ("Variable", "Const") else set()

    @cached_property
    def made_as(self) -> set[Named]:
        """What the source is called where it was made, which may be in another function."""
        birth = self.case.birth_of(self.case.source)
        made = statement_of(birth.spot) if birth.known else None
        found: set[Named] = set()
        if isinstance(made, ast.Assign) and made in self.text.read:
            own = not self._given_to and not self._made_with(birth)
            if isinstance(made.value, ast.Call) and own:
                found = set(self.text.receivers(made))
        return found if birth.known else found | self._in_its_class()

    def _in_its_class(self) -> set[Named]:
        """What the methods of the object that holds the source call it, if no other object has such.

        A variable that an earlier tape watched does not know any more where it was made.
        """
        source = self.case.source
        found = {self._attribute(name, source) for name in self.case.words_for(source)} - {""}
        return {(None, f"self.{name}") for one in found for name in (one, whole(one))}

    def _made_with(self, birth: Any) -> bool:
        """Whether the line that made the source made others too, as one in a class does."""
        spot = birth.spot
        others = [one for one in self.case.held.values() if one is not self.case.source]
        births = [self.case.birth_of(other) for other in others]
        return any(b.spot == spot for b in births if b.known)


def with_wholes(names: list[str]) -> list[str]:
    """Names, and for those of parts of a list the list as a whole."""
    return [*names, *(whole(name) for name in names if name.endswith("]"))]


def whole(name: str) -> str:
    """All parts of what a name like ``parts[0]`` is one of: ``parts[*]``."""
    return name.rsplit("[", 1)[0] + "[*]" if name.endswith("]") else name
