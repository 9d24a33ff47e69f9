"""Layer 5: whether a value that this tape did not record was surely made of the source.

One idea: where a gradient flows, nothing proves that another way was lost. So a value counts as made of
the source only if the very expression that made it reads the source, or a value that counts itself.
"""

from __future__ import annotations

import ast
import builtins
from functools import cached_property
from types import ModuleType
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import NO_SLOPE
from autodiff_kit.readers.facts.questions import ASKS
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.program.asked import led_to
from autodiff_kit.readers.program.bound import PLAIN, always_made_of
from autodiff_kit.readers.program.called_as import with_wholes
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spots import called, calls_at, expression_at, key_of, statement_of
from autodiff_kit.readers.program.statement import code_of, read_by
from autodiff_kit.readers.program.takes import looped, values_in
from autodiff_kit.readers.program.text import Named
from autodiff_kit.tensor import Tensor

# What these make has no derivative, or is cut off or a copy because that is what it is for.
FROM_NOTHING = NO_SLOPE | {
    "Const", "Variable", "Fill", "StopGradient", "ReadVariableOp", "Identity",
}  # fmt: skip
_SEVERAL = (ast.Tuple, ast.List, ast.Set, ast.Dict)


class Surely:
    """What the learner's text says for certain about the values beside the tape."""

    def __init__(self, case: Case) -> None:
        self.case, self.flow = case, case.flow
        self._known: dict[Any, bool] = {}
        self._read: dict[Any, list[Tensor]] = {}
        self._texts: dict[Any, tuple[Any, str]] = {}

    @cached_property
    def source(self) -> set[Named]:
        """What the learner calls the source."""
        return self.flow.names_for(self.case.source) | self.flow.made_as

    @cached_property
    def recorded(self) -> set[Named]:
        """The names that got what the tape saw being made of the source."""
        text, found = self.flow.text, set()
        for statement in self.flow.recorded_by():
            value = getattr(statement, "value", None)
            if isinstance(statement, PLAIN) and not isinstance(value, _SEVERAL):
                found |= set(text.receivers(statement))
        return found

    @cached_property
    def at_hand(self) -> dict[str, Tensor]:
        """The floating tensors with a name that are not on this tape, without the source."""
        held, tape = self.case.held.items(), self.case.tape
        return {
            name: one for name, one in held
            if type(one) is Tensor and one is not self.case.source
            and one.dtype.is_floating and tape.find(one) < 0
        }  # fmt: skip

    def name_of(self, home: Any) -> str:
        """The learner's name of what was made there; of several that of what holds them."""
        names = [name for name, one in self.at_hand.items() if one._home == home]
        plain = [name for name in names if len(names) == 1 or not name.endswith("]")]
        return [*plain, *(name.split("[")[0] for name in names), ""][0]

    def read_at(self, spot: Any, time: float) -> list[Tensor]:
        """The values at hand, made before a time, that the expression at a spot reads."""
        key = key_of(spot)
        if key not in self._read:
            named = {name: self.flow.named(with_wholes([name])) for name in self.at_hand}
            found = [one for name, one in self.at_hand.items() if self.reads(spot, named[name])]
            self._read[key] = [] if _asks_for_a_gradient(spot) else found
        return [one for one in self._read[key] if _time(one._home) < time]

    def made_of_source(self, home: Any, paused: bool) -> bool:
        """Whether a value beside the tape was made of the source.

        Args:
          home: where it came from.
          paused: whether it was made in the block, so that what the tape saw counts as well.
        """
        if home not in self._known:
            self._known[home] = False  # as long as it is not known
            self._known[home] = self._is_made(Birth(home), paused)
        return self._known[home]

    def _is_made(self, birth: Birth, paused: bool) -> bool:
        if birth.type in FROM_NOTHING:
            return False
        spot = birth.spot
        if self.reads(spot, self.source | self.always | (self.recorded if paused else set())):
            return True
        inputs = [one._home for one in self.read_at(spot, birth.time)]
        made = any(type(one) is tuple and self.made_of_source(one, paused) for one in inputs)
        return made or self._is_a_layers(spot)

    def is_always_of_it(self, name: str) -> bool:
        """Whether each assignment to a name reads the source, so that it does not matter which."""
        return bool(self.flow.named([name]) & self.always)

    @cached_property
    def always(self) -> set[Named]:
        """The names that never got anything but what an expression made of the source."""
        return always_made_of(self.source, self.flow.text, self.case.names.frame)

    def _values(self, part: ast.AST) -> ast.AST:
        return values_in(part, self.case.names.frame)

    def reads(self, spot: Any, names: set[Named]) -> bool:
        """Whether the expression at a spot takes the value of something with one of the names."""
        key = key_of(spot)
        if key not in self._texts:
            self._texts[key] = self._text_at(spot)
        statement, words = self._texts[key]
        return bool(words and names) and self.flow.text.mentions(statement, names, words)

    def _text_at(self, spot: Any) -> tuple[Any, str]:
        """The statement at a spot, and what the expression there takes; nothing if nobody can tell."""
        statement, node = statement_of(spot), expression_at(spot)
        if statement is None or statement not in self.flow.text.read:
            return None, ""
        if node is None and not self._is_whole(statement):
            return None, ""
        parts = [node, *looped(statement, node)] if node is not None else [*read_by(statement)]
        return statement, " ; ".join(code_of(self._values(part)) for part in parts)

    def is_of_it_alone(self, spot: Any) -> bool:
        """Whether an expression names nothing but the source, or what is always made of it."""
        statement, node = statement_of(spot), expression_at(spot)
        if node is None or statement not in self.flow.text.read:
            return False
        owner = self.flow.text.owner
        known = {**vars(builtins), **self.case.names.known}
        names = {n for n in names_in(node) if not isinstance(known.get(n), (ModuleType, type))}
        return (
            bool(names) and {(owner(statement, n), n) for n in names} <= self.source | self.always
        )

    def _is_whole(self, statement: ast.stmt) -> bool:
        """Whether a statement gives one name what it computes; Python 3.10 knows no expressions."""
        targets: Any = getattr(statement, "targets", ())
        return len(targets) == 1 and isinstance(targets[0], ast.Name)

    def _is_a_layers(self, spot: Any) -> bool:
        """Whether a layer of the kit's was called that has the source among its variables."""
        node = expression_at(spot)
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            return False
        layer = led_to(ast.unparse(node.func), self.case.names.frame)
        if ".keras." not in type(layer).__module__ or not hasattr(layer, "trainable_variables"):
            return False
        return any(one is self.case.source for one in layer.trainable_variables)

    def is_given(self, spot: Any, *functions: str) -> bool:
        """Whether a call of one of some functions at a spot is given what was made of the source."""
        text, names = self.flow.text, self.source | self.recorded
        statement = statement_of(spot)
        calls = [call for call in calls_at(spot) if called(call) in functions]
        arguments = [part for c in calls for part in (*c.args, *c.keywords)]
        given = [code_of(self._values(part)) for part in arguments]
        return statement in text.read and any(text.mentions(statement, names, g) for g in given)


def _asks_for_a_gradient(spot: Any) -> bool:
    """Whether a line computes on the way back: then it computes with other values than it reads."""
    return any(called(c) in ASKS for c in calls_at(spot))


def _time(home: Any) -> float:
    return float(home[3]) if type(home) is tuple else -1.0
