"""Layer 5: what was computed while the tape was paused.

One idea: the value knows that it was made then; if it is not at hand any more, the text of the
`stop_recording` block tells what was made there and where it went.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.missing.apart import computed_from, values_made
from autodiff_kit.readers.program.lines import Line, line_at
from autodiff_kit.readers.program.reach import blocks_at


def computed_while_paused(case: Case, wide: bool = False) -> Finding | None:
    """Something on the way from the source to the target was computed in a `stop_recording` block.

    Args:
      wide: whether it is enough that the object that holds the source had a part in it.
    """
    stops = case.time.all("stop")
    if case.path or not stops:
        return None
    made = values_made(case, ("stopped",), wide)
    if made:
        stops = [case.time.last("stop", before=made[-1].time)]
    used = next((found for stop in reversed(stops) for found in _used(case, stop)), None)
    if made:
        one = made[-1] if used else min(made, key=lambda one: one.time)  # where the way went in
        return _finding(case, computed_from(case, one), stops[0], used[1] if used else one.line)
    if used:
        return _finding(case, f"`{case.source_name}`, or what was made of it, was used", *used)
    return None


def pauses(case: Case) -> list[str]:
    """A sentence about the pauses of the tape, for one who is told that it did not see something."""
    where = [stop.line.where for stop in case.time.all("stop")]
    lines = ", ".join(dict.fromkeys(where[:3]))
    begin = f"{case.tape_name}.stop_recording() paused the tape at {lines}"
    return [f"{begin}: what was computed meanwhile is not on it."] if where else []


def _used(case: Case, stop: Any) -> Iterator[tuple[Any, Line]]:
    """The lines in one paused block that lead from the source to the target, as the text says."""
    begin = stop.line
    if any(birth.time > stop.time for birth in case.births):
        for statement in _within(begin):
            if case.flow.leads_on(statement):
                yield stop, line_at(begin.file, statement.lineno)


def _within(begin: Line) -> Iterator[ast.stmt]:
    """The plain statements in the block that begins at a line."""
    for block in blocks_at(begin.file, begin.number):
        for node in (node for part in block.body for node in ast.walk(part)):
            if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                yield node


def _finding(case: Case, how: str, stop: Any, line: Any) -> Finding:
    where = stop.line.where
    return case.none(
        "recording stopped",
        f"{how} here, while {case.tape_name}.stop_recording() had paused the tape ({where}): so this "
        "tape does not know what it was made of.",
        "",
        line=line,
        advice="Move what is to have a gradient out of that block.",
    )
