"""Layer 5: values that were put into a variable, by assign or when it was made.

One idea: a variable holds a number, and a number does not know what it was computed from.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_kit.readers.account import depending_on
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.lines import Line
from autodiff_kit.readers.timeline import Birth, line_of_event


def assigned(case: Case) -> Finding | None:
    """The value went into a variable by assign, and the target was computed from that variable."""
    for event in reversed(case.time.all("assign")):
        variable, place = event.subject
        if place not in case.below and not _added(case, event):
            continue
        later = [p for p in case.tape.variables.get(variable, []) if p >= event.place]
        on_the_way = bool(depending_on(case.records, later) & set(case.target_places))
        if on_the_way or variable is case.target:
            name = case.names.of(variable)
            return case.none(
                "assigned",
                f"The value was stored in the variable `{name}` with {_how(place)}. An assignment "
                "replaces the number and is not recorded: no gradient flows from the variable to what "
                "was assigned.",
                _kept(case, variable, name),
                "AssignVariableOp", line_of_event(event),
                advice="Go on with the new value itself instead of the variable.",
            )  # fmt: skip
    return None


def _how(place: int) -> str:
    return "assign" if place >= 0 else "assign_add or assign_sub"


def _added(case: Case, event: Any) -> bool:
    """Whether something that depends on the source was added to a variable: the line tells.

    The sum that becomes the variable's value is not on the tape, only what was added is.
    """
    line, place = line_of_event(event), event.subject[1]
    if place >= 0 or not re.search(r"\.assign_(add|sub)\(", line.text):
        return False
    given = re.split(r"\.assign_(?:add|sub)\(", line.text, maxsplit=1)[-1]
    names = {case.source_name} | {case.name(p) for p in case.below} - {None}
    return any(word_in(n, given) for n in names if n) or _on_line(case, line)


def _kept(case: Case, variable: Any, name: str) -> str:
    """What to write instead of an assignment, or of many that fill a variable part by part."""
    times = sum(event.subject[0] is variable for event in case.time.all("assign"))
    if times > 1:
        return f"{name} = ad.stack(parts)    # collect the parts in a list instead"
    return f"new = ...    # use this tensor from here on, not {name}"


def put_into_a_variable(case: Case) -> Finding | None:
    """A variable that leads to the target was made from a value that depends on the source."""
    for place in sorted(case.above):
        attrs = case.records[place][6] or {}
        birth = Birth(attrs.get("origin"))
        if attrs.get("variable") is None or birth.line is None or not birth.known:
            continue
        made = case.time.state(birth.time) == "recording"
        names = {case.source_name} | {case.name(p) for p in case.below} - {None}
        given = birth.line.text.split("Variable(", 1)[-1]
        if made and (any(word_in(n, given) for n in names if n) or _on_line(case, birth.line)):
            name = case.names.of(attrs["variable"])
            return case.none(
                "assigned",
                f"The value was put into a new variable here, `{name}`. A variable begins with a "
                "number: no gradient flows from it to what that number was computed from.",
                f"{name} = ...    # the tensor itself, without ad.Variable",
                line=birth.line,
                advice="Go on with the value itself instead of a variable.",
            )
    return None


def _on_line(case: Case, line: Line) -> bool:
    return any(case.line(p) == line for p in case.below - set(case.source_places))


def word_in(name: str, text: str) -> bool:
    """Whether a name stands in a piece of a program."""
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None
