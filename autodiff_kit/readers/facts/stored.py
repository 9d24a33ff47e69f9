"""Layer 5: what a variable was given, found on the tape.

One idea: what stands in the brackets of ``ad.Variable(...)`` or ``assign_add(...)`` left a record of
that very expression. A line may run often: the clock tells which record belongs to which variable.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.timeline import STORES, Birth
from autodiff_kit.readers.program.lines import line_of, spot_of, tree_of
from autodiff_kit.readers.program.spots import (
    bindings,
    called,
    calls_at,
    key_of,
    span_at,
    span_of,
    statement_of,
)

_ADDING = ("assign_add", "assign_sub")


class Stored:
    """What the variables of a tape were given, as places on it.

    Args:
      case: the source, the target and the tape.
    """

    def __init__(self, case: Any) -> None:
        self.case = case
        self._begun: dict[int, set[int]] = {}  # by the variable's identity

    @cached_property
    def made_of_it(self) -> set[int]:
        """All that was made of the source, also where a variable was given it on the way."""
        case = self.case
        found, size = set(case.below), -1
        given = [(places, [*self._given(v)]) for v, places in case.tape.variables.items()]
        given = [(places, gifts) for places, gifts in given if gifts]
        while found and size != len(found):
            size = len(found)
            for places, gifts in given:
                begin = min((at for at, values in gifts if values <= found), default=None)
                later = [place for place in places if begin is not None and place >= begin]
                if not found.issuperset(later):
                    found |= depending_on(case.records, later)
        return found

    def _given(self, variable: Any) -> Iterator[tuple[int, set[int]]]:
        """What a variable was given: when, as a place, and the places of the values."""
        for event in self._assigned.get(id(variable), []):
            place = event.subject[1] if event.subject[1] >= 0 else self.added_at(event)
            if place >= 0:
                yield event.place, {place}
        birth = self.case.birth_of(variable)
        if birth.type == "Variable" and self.case.time.state(birth.time) == "recording":
            places = self.begun_with(variable, birth)
            if places:
                yield 0, places

    @cached_property
    def _assigned(self) -> dict[int, list[Any]]:
        """The assignments to each variable, by its identity."""
        found: dict[int, list[Any]] = {}
        for event in self.case.time.all(*STORES):
            found.setdefault(id(event.subject[0]), []).append(event)
        return found

    def added_at(self, event: Any) -> int:
        """The place of what an ``assign_add`` added, -1 if the tape does not tell."""
        case, spot, last = self.case, event.spot, event.place - 1
        calls = [call for call in calls_at(spot) if called(call) in _ADDING and call.args]
        if len(calls) != 1:
            return -1
        if span_at(spot) is None:  # before Python 3.11 only the line is known
            computed = last >= 0 and not isinstance(calls[0].args[0], (ast.Name, ast.Attribute))
            same = computed and line_of(case.spot(last)) == line_of(spot)
            return last if same and case.spot(last).code is event.code else -1
        before = [e.place for e in case.time.all("assign") if e.spot == spot]
        since = max((place for place in before if place < event.place), default=0)
        found = [p for p in self.places_of(event.code, calls[0].args[0]) if since <= p <= last]
        return found[-1] if found else -1

    def begun_with(self, variable: Any, birth: Birth) -> set[int]:
        """The place of the value a variable began with, or several where it may be one of them."""
        if id(variable) not in self._begun:
            self._begun[id(variable)] = self._beginnings(variable, birth)
        return self._begun[id(variable)]

    def _beginnings(self, variable: Any, birth: Birth) -> set[int]:
        calls = [c for c in calls_at(birth.spot) if called(c) == "Variable"]
        if len(calls) != 1 or not calls[0].args:
            return set()
        first, last = self.case.time.between(birth.time)
        found = [p for p in self.places_of(birth.code, calls[0].args[0]) if p < last]
        if not found or span_at(birth.spot) is None:
            return self._with_its_numbers(variable, last)
        near = [p for p in found if p >= first] or found[-1:]
        others = self._beside.get((*key_of(birth.spot), first, last), [])
        if len(others) == len(near):
            own = {p for p, other in zip(near, others, strict=True) if other is variable}
            return own or set(near)
        return set(near)

    def places_of(self, code: Any, node: ast.expr) -> list[int]:
        """The places of an expression's values; of a name, those of what was bound to it."""
        what = node.id if isinstance(node, ast.Name) else span_of(node)
        return self._by_expression.get((id(code), what), [])

    @cached_property
    def _by_expression(self) -> dict[Any, list[int]]:
        """The places of the tape by the code and the expression, or the name that got its value."""
        found: dict[Any, list[int]] = {}
        for place, record in enumerate(self.case.records):
            if record[0] is not LEAF:
                code, span = spot_of(record).code, span_at(spot_of(record))
                tree = tree_of(code.co_filename)
                name = bindings(tree).get(span) if tree is not None and span is not None else None
                for what in {span, name} - {None}:
                    found.setdefault((id(code), what), []).append(place)
        return found

    def _with_its_numbers(self, variable: Any, last: int) -> set[int]:
        """The places before another that have the variable's very numbers, if these say anything.

        What a function returned has no expression in the brackets that left a record.
        """
        numbers = np.asarray(variable._value)
        if id(variable) in self._assigned:
            return set()
        if np.unique(numbers[numbers != np.round(numbers)]).size < 2:
            return set()  # zeros and ones are alike everywhere
        return {place for place in self._by_numbers.get(_print(numbers), []) if place < last}

    @cached_property
    def _by_numbers(self) -> dict[Any, list[int]]:
        """The places of the tape by the value there, as far as it is known."""
        found: dict[Any, list[int]] = {}
        for place, value in self.case.values.items():
            found.setdefault(_print(np.asarray(value)), []).append(place)
        return found

    @cached_property
    def _beside(self) -> dict[Any, list[Any]]:
        """The variables that one expression made at about the same time, in their order."""
        case = self.case
        found: dict[Any, list[Any]] = {}
        variables = [v for v in (*case.tape.variables, case.target) if hasattr(v, "assign")]
        births = [(case.birth_of(v), v) for v in {id(v): v for v in variables}.values()]
        for birth, variable in sorted(births, key=lambda pair: pair[0].time):
            key = *key_of(birth.spot), *case.time.between(birth.time)
            found.setdefault(key, []).append(variable)
        return found


def _print(numbers: Any) -> Any:
    """What tells one array from another."""
    return numbers.shape, numbers.dtype.str, numbers.tobytes()


def variable_name(birth: Birth) -> str | None:
    """The name that got a variable where it was made: ``merged`` for ``merged = ad.Variable(...)``."""
    statement = statement_of(birth.spot)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if not isinstance(target, (ast.Name, ast.Attribute)) or not isinstance(value, ast.Call):
        return None
    return ast.unparse(target) if called(value) == "Variable" else None
