"""Layer 5: what a variable was given, found on the tape.

One idea: what stands in the brackets of ``ad.Variable(...)`` or ``assign_add(...)`` left a record of
that very expression. A line may run often: the clock tells which record belongs to which variable.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.account import depending_on
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.lines import line_of, tree_of
from autodiff_kit.readers.spots import bindings, called, calls_at, span_at, span_of, statement_of
from autodiff_kit.readers.timeline import Birth

_ADDING = ("assign_add", "assign_sub")


def made_of_it(case: Case) -> set[int]:
    """All that was made of the source, also where a variable was given it on the way."""
    found, size = set(case.below), -1
    while found and size != len(found):
        size = len(found)
        for variable, places in case.tape.variables.items():
            begin = min(
                (at for at, values in _given(case, variable) if values <= found), default=None
            )
            later = [place for place in places if begin is not None and place >= begin]
            found |= depending_on(case.records, later) if not found.issuperset(later) else set()
    return found


def _given(case: Case, variable: Any) -> Iterator[tuple[int, set[int]]]:
    """What a variable was given: when, as a place, and the places of the values."""
    for event in case.time.all("assign"):
        if event.subject[0] is variable:
            place = event.subject[1] if event.subject[1] >= 0 else added_at(case, event)
            if place >= 0:
                yield event.place, {place}
    birth = case.birth_of(variable)
    if birth.known and birth.type == "Variable" and case.time.state(birth.time) == "recording":
        places = begun_with(case, variable, birth)
        if places:
            yield 0, places


def added_at(case: Case, event: Any) -> int:
    """The place of what an ``assign_add`` added, -1 if the tape does not tell."""
    spot, last = (event.code, event.instruction), event.place - 1
    calls = [call for call in calls_at(*spot) if called(call) in _ADDING and call.args]
    if len(calls) != 1:
        return -1
    if span_at(*spot) is None:  # before Python 3.11 only the line is known
        computed = last >= 0 and not isinstance(calls[0].args[0], (ast.Name, ast.Attribute))
        same = computed and line_of(*case.records[last][-2:]) == line_of(*spot)
        return last if same and case.records[last][-2] is event.code else -1
    before = [e.place for e in case.time.all("assign") if (e.code, e.instruction) == spot]
    since = max((place for place in before if place < event.place), default=0)
    found = [p for p in places_of(case, event.code, calls[0].args[0]) if since <= p <= last]
    return found[-1] if found else -1


def begun_with(case: Case, variable: Any, birth: Birth) -> set[int]:
    """The place of the value that a variable began with, or several where it may be one of them."""
    calls = [
        c for c in calls_at(birth.code, birth.instruction) if called(c) == "Variable" and c.args
    ]
    if len(calls) != 1:
        return set()
    first, last = case.time.between(birth.time)
    found = [p for p in places_of(case, birth.code, calls[0].args[0]) if p < last]
    if not found or span_at(birth.code, birth.instruction) is None:
        return _with_its_numbers(case, variable, last)
    near = [p for p in found if p >= first] or found[-1:]
    others = _made_beside(case, birth, first, last)
    if len(others) == len(near):
        return {p for p, other in zip(near, others, strict=True) if other is variable} or set(near)
    return set(near)


def places_of(case: Case, code: Any, node: ast.expr) -> list[int]:
    """The places of an expression's values; of a name, those of what was bound to it."""
    tree = tree_of(code.co_filename)
    spots = [(p, record) for p, record in enumerate(case.records) if record[-2] is code]
    spots = [(p, record) for p, record in spots if record[0] is not LEAF]
    if isinstance(node, ast.Name) and tree is not None:
        bound = bindings(tree)
        return [p for p, record in spots if bound.get(span_at(*record[-2:]) or ()) == node.id]
    return [p for p, record in spots if span_at(*record[-2:]) == span_of(node)]


def _with_its_numbers(case: Case, variable: Any, last: int) -> set[int]:
    """The places before another that have the variable's very numbers, if these say anything.

    What a function returned has no expression in the brackets that left a record.
    """
    if any(event.subject[0] is variable for event in case.time.all("assign")):
        return set()
    numbers = np.asarray(variable._value)
    if np.unique(numbers[numbers != np.round(numbers)]).size < 2:
        return set()  # zeros and ones are alike everywhere
    known = {p: np.asarray(value) for p, value in case.values.items() if p < last}
    return {p for p, value in known.items() if np.array_equal(value, numbers)}


def _made_beside(case: Case, birth: Birth, first: int, last: int) -> list[Any]:
    """The variables that the same expression made at about the same time, in their order."""
    known = {
        v: case.birth_of(v) for v in (*case.tape.variables, case.target) if hasattr(v, "assign")
    }
    spot = birth.code, birth.instruction
    same = [(b.time, v) for v, b in known.items() if b.known and (b.code, b.instruction) == spot]
    near = [(time, v) for time, v in same if case.time.between(time) == (first, last)]
    return [variable for _, variable in sorted(near, key=lambda pair: pair[0])]


def bound_name(birth: Birth) -> str | None:
    """The name that got a variable where it was made: ``merged`` for ``merged = ad.Variable(...)``."""
    statement = statement_of(birth.code, birth.instruction)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if not isinstance(target, (ast.Name, ast.Attribute)) or not isinstance(value, ast.Call):
        return None
    return ast.unparse(target) if called(value) == "Variable" else None
