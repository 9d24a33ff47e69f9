"""Layer 5: questions that were put to other tapes, inside this one's block.

One idea: what a tape computes on its way back carries the line of the question, and the learner's text
says there which tape was asked, for the derivative of what.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.asked import NOWHERE, led_to
from autodiff_kit.readers.program.lines import Line, Spot, covers, line_at, nodes_in
from autodiff_kit.readers.program.spots import called, calls_at, expression_at, statement_of

ASKS = ("gradient", "jacobian", "batch_jacobian")


class Question(NamedTuple):
    """A call of a tape's `gradient`, or of what is like it.

    file: that of the learner's in which it stands.
    spot: where it ran, as far as that is known.
    """

    file: str
    call: Any
    spot: Spot = Spot(None, -1)

    @property
    def line(self) -> Line:
        """The learner's line on which it stands."""
        return line_at(self.file, self.call.lineno)

    @property
    def statement(self) -> Any:
        """The innermost statement that it is a part of."""
        return self._around(ast.stmt)

    @property
    def function(self) -> Any:
        """The function of the learner's in which it stands, None if it is in none."""
        return self._around(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

    def _around(self, *kinds: Any) -> Any:
        found = None
        for node in nodes_in(self.file, ast.AST):  # the inner ones come later
            if isinstance(node, kinds) and any(one is self.call for one in ast.walk(node)):
                found = node
        return found

    @property
    def tape(self) -> str:
        """What the learner calls the tape that was asked."""
        return ast.unparse(self.call.func.value)

    @property
    def of(self) -> list[str]:
        """What was to be differentiated, in the learner's words."""
        return _parts(self._argument(0, "target"))

    @property
    def by(self) -> list[str]:
        """What it was to be differentiated by."""
        return _parts(self._argument(1, "sources") or self._argument(1, "source"))

    @property
    def name(self) -> str:
        """The name that the derivative was given, ``""`` if it is not one plain name."""
        target = getattr(self.statement, "targets", [None])[0]
        plain = getattr(self.statement, "value", None) is self.call
        return target.id if plain and isinstance(target, ast.Name) else ""

    def _argument(self, number: int, name: str) -> Any:
        given = {keyword.arg: keyword.value for keyword in self.call.keywords}
        return self.call.args[number] if number < len(self.call.args) else given.get(name)


def _parts(node: Any) -> list[str]:
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    return [ast.unparse(part) for part in parts if part is not None]


def question_at(spot: Spot) -> Question | None:
    """The question whose way back a spot stands for; None if it is no question."""
    calls = calls_at(spot)
    if len(calls) != 1 or not _asks(calls[0]):
        return None
    if expression_at(spot) is None:  # only a line that holds nothing else is certain
        statement = statement_of(spot)
        computing = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript)
        if getattr(statement, "value", None) is not calls[0]:
            return None
        if any(isinstance(node, computing) for node in ast.walk(calls[0])):
            return None
    return Question(spot.code.co_filename, calls[0], spot)


def _asks(call: ast.Call) -> bool:
    """Whether a call asks something for a derivative, as a tape is asked."""
    return called(call) in ASKS and isinstance(call.func, ast.Attribute)


def meant(case: Case, question: Question, text: str) -> Any:
    """What a text in a question leads to, `NOWHERE` if that cannot be told any more."""
    frame, function = case.names.frame, question.function
    if function is not None:  # its local names are at hand only there
        here = frame.f_code.co_filename == question.file and covers(function, frame.f_lineno)
        if not here or frame.f_code.co_name != getattr(function, "name", ""):
            return NOWHERE
    return led_to(text, frame)


def questions_about(file: str, name: str) -> list[Question]:
    """The questions in a file in which a name was to be differentiated."""
    return [one for one in _questions(file) if name in one.of]


def questions_by(file: str, name: str) -> list[Question]:
    """The questions in a file for a derivative by a name."""
    return [one for one in _questions(file) if name in one.by]


def _questions(file: str) -> list[Question]:
    return [Question(file, call) for call in nodes_in(file, ast.Call) if _asks(call)]
