"""Layer 5: other tapes than the one that was asked.

One idea: a tape knows the line of its block, and the learner's name of it stands there, even when it
has let go of its records.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.timeline import Timeline
from autodiff_kit.readers.program.lines import Line, line_of, spot_of
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.recorder import Home
from autodiff_kit.request import places_of
from autodiff_kit.tensor import Tensor


def recorder(one: Any) -> Any:
    """The tape that recorded a tensor first, None if there was none or it is gone."""
    return one._home() if type(one) is Tensor and type(one._home) is Home else None


def record_of(one: Any) -> Any:
    """The record that made a tensor on the tape that recorded it first, as far as it is kept."""
    tape = recorder(one)
    return tape.records[one._index] if tape is not None and one._index < len(tape.records) else None


def came_from(one: Any, other: Any) -> bool | None:
    """Whether one was computed from another; None if no tape that recorded both is there."""
    for tape in (recorder(other), recorder(one)):
        if tape is not None and not tape.released:
            made, begun = places_of(tape, one), places_of(tape, other)
            if made and begun:
                return bool(depending_on(tape.records, begun).intersection(made))
    return None


def line_on(tape: Any, one: Tensor) -> Line | None:
    """Where a tape recorded a tensor, or at least where its block begins."""
    record = record_of(one)
    if record is not None:
        return line_of(spot_of(record))
    entered = Timeline(tape).last("enter") if tape is not None else None
    return entered.line if entered is not None else None


def block_of(tape: Any) -> Any:
    """The `with` statement in which a tape recorded, None if it has none."""
    entered = Timeline(tape).last("enter")
    return statement_of(entered.spot) if entered is not None else None


def tape_name(case: Any, tape: Any) -> str | None:
    """What the learner calls a tape: by a name at hand, or in the `with` that it stands in."""
    if tape is None:
        return None
    name = case.names.by_identity_of(tape)
    if name is not None:
        return str(name)
    block = block_of(tape)
    items = block.items if isinstance(block, ast.With) else []
    named = [item.optional_vars.id for item in items if isinstance(item.optional_vars, ast.Name)]
    return named[0] if len(named) == 1 else None
