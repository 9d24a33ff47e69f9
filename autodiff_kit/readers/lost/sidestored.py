"""Layer 5: a gradient that flows, while on another way its value was put into a variable.

One idea: of each value of a variable that leads to the target the tape knows the last assignment before
it was read, and where the variable was made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.surely import Surely
from autodiff_kit.readers.facts.timeline import STORES, Birth
from autodiff_kit.readers.lost.beside import Lost
from autodiff_kit.readers.mending.rebinding import birth_of
from autodiff_kit.readers.program.spots import calls_at, statement_of
from autodiff_kit.readers.program.statement import code_of
from autodiff_kit.tensor import Tensor

_MOVES = ("assign_add", "assign_sub")


def stored(case: Case, surely: Surely, sides: list[Any]) -> Iterator[Lost]:
    """The ways that were lost in a variable: assigned to it, or what it began with."""
    for variable, place in _read(case, surely):
        for event in _assigned_before(case, variable, place):
            if event.subject[1] in case.below or _is_moved(surely, event):
                yield event.line, _assigned(case, variable, event)
                break
        birth = birth_of(case, variable, place)
        if birth.known and variable is not case.source:
            yield from _begun(case, surely, birth, case.names.of(variable))
    for home in sides:
        if type(home) is not Tensor and home[0] == "Variable":
            yield from _begun(case, surely, Birth(home), "")


def _read(case: Case, surely: Surely) -> Iterator[tuple[Any, int]]:
    """The variables that lead to the target, each with the place where it was read."""
    yield from case.variables_read
    events = [e for e in case.time.all(*STORES) if e.subject[0] not in case.tape.variables]
    for event in {id(e.subject[0]): e for e in events}.values():
        variable = event.subject[0]
        names = case.flow.names_for(variable) | _assigned_as(case, surely, event)
        for place in sorted(case.above):
            if surely.reads(case.spot(place), names):
                yield variable, place


def _assigned_as(case: Case, surely: Surely, event: Any) -> set[Any]:
    """What the variable is called where it was assigned, unless another one is assigned there too to
    which it does not apply.
    """
    spot, text = event.spot, surely.flow.text
    statement = statement_of(spot)
    alike = [e for e in case.time.all(*STORES) if e.spot == spot]
    if statement not in text.read or any(e.subject[1] not in case.below for e in alike):
        return set()
    owners = [code_of(c.func.value) for c in calls_at(spot) if isinstance(c.func, ast.Attribute)]
    return {(text.owner(statement, name), name) for name in owners}


def _assigned_before(case: Case, variable: Any, place: int) -> Iterator[Any]:
    """The assignments that made the value which was read at a place, the last first."""
    for event in reversed(case.time.all(*STORES)):
        if event.subject[0] is variable and event.place <= place:
            yield event
            if not _only_moves(event):
                return


def _only_moves(event: Any) -> bool:
    if event.kind == "step":
        return True
    return event.subject[1] < 0 and any(word in event.line.statement for word in _MOVES)


def _is_moved(surely: Surely, event: Any) -> bool:
    """Whether what was added to a variable was made of the source: the line tells."""
    return event.subject[1] < 0 and surely.is_given(event.spot, *_MOVES)


def _assigned(case: Case, variable: Any, event: Any) -> str:
    name, where = case.names.of(variable), event.line.where
    if event.kind == "step":
        return _stepped(case, name, where, variable is case.source)
    if variable is case.source:
        return (
            f"`{name}` itself was assigned at {where}, from a value that depends on it. No gradient "
            f"flows through an assignment: what was read after it counts as `{name}` itself."
        )
    return (
        f"`{case.target_name}` was computed from the variable `{name}` as well, which was assigned at "
        f"{where} from a value that depends on `{case.source_name}`: no gradient flows through that."
    )


def _stepped(case: Case, name: str, where: str, itself: bool) -> str:
    moved = f"moved by an optimizer at {where}, with a gradient that depends on"
    if itself:
        return (
            f"`{name}` itself was {moved} it. No gradient flows through a step: what was read after "
            f"it counts as `{name}` itself."
        )
    return (
        f"`{case.target_name}` was computed from the variable `{name}` as well, which was {moved} "
        f"`{case.source_name}`: no gradient flows through that."
    )


def _begun(case: Case, surely: Surely, birth: Birth, name: str) -> Iterator[Lost]:
    if case.time.state(birth.time) != "recording" or birth.line is None:
        return
    if surely.is_given(birth.spot, "Variable"):
        called = f"the variable `{name}`" if name else "a variable"
        words = (
            f"`{case.target_name}` was computed from {called} as well, made at {birth.line.where} of "
            f"a value that depends on `{case.source_name}`: no gradient flows from a variable to what "
            "it began with."
        )
        yield birth.line, words
