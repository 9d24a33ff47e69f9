"""Layer 5: values that were put into a variable, by assign or when it was made.

One idea: a variable holds a number, and a number does not know what it was computed from.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.stored import variable_name
from autodiff_kit.readers.facts.timeline import STORES, Birth
from autodiff_kit.readers.mending.rebinding import (
    begun_with_it,
    birth_of,
    copied_from_the_source,
    instead_of_assigning,
    name_at,
    packed,
    wraps_only,
)
from autodiff_kit.readers.program.carried import carried
from autodiff_kit.readers.program.spots import called, calls_at, statement_of
from autodiff_kit.readers.program.words import word_in
from autodiff_kit.tensor import Tensor

A_STEP = (
    "To differentiate through a step write it as an operation, the gradient times the learning rate "
    "taken off, give the result a name of its own, and compute `{0}` from that. A tape inside has to "
    "watch it before it differentiates by it."
)
ONLY_COUNTS = (
    " If it is there to be looked at, as a metric is, leave it so, and compute `{}` from what is added "
    "to it."
)
THROUGH_ANOTHER = " The value had come through another variable before: the same holds there."


def assigned(case: Case) -> Finding | None:
    """The value went into a variable by assign, and the target was computed from that variable."""
    made = case.stored.made_of_it
    for event in reversed(case.time.all(*STORES)):
        variable, place = event.subject
        if place not in made and not _added(case, event, made):
            continue
        if place not in made and copied_from_the_source(case, variable) is not None:
            continue  # what was added may come from that copy alone
        if _read_later(case, event) or variable is case.target:
            return _stored(case, event)
    return None


def _stored(case: Case, event: Any) -> Finding:
    place, name = event.subject[1], name_at(case, event)
    how = "assign" if place >= 0 else "assign_add or assign_sub"
    why = (
        f"The value was stored in the variable `{name}` with {how}. An assignment replaces the number "
        "and is not recorded: no gradient flows from the variable to what was assigned."
    )
    advice, code = instead_of_assigning(case, event)
    if event.kind == "step":
        advice, code = A_STEP.format(case.target_name), ""
        why = (
            f"An optimizer moved the variable `{name}` here, with a gradient that depends on "
            f"`{case.source_name}`. A step replaces the number and is not recorded: no gradient flows "
            "from the variable to what it was moved with."
        )
    if event.kind != "step" and place < 0 and not event.subject[0]._trainable:
        advice += ONLY_COUNTS.format(case.target_name)
    if place >= 0 and place not in case.below:
        advice += THROUGH_ANOTHER
    return case.none("assigned", why, code, "AssignVariableOp", event.line, advice)


def _added(case: Case, event: Any, made: set[int]) -> bool:
    """Whether something that depends on the source was added to a variable: the line tells.

    The sum that becomes the variable's value is not on the tape, only what was added is.
    """
    spot = event.spot
    if event.kind == "step" or event.subject[1] >= 0:
        return False
    place = case.stored.added_at(event)
    if place >= 0:
        return place in made
    calls = [c for c in calls_at(spot) if called(c) in ("assign_add", "assign_sub")]
    return any(_given(case, spot, call) for call in calls)


def _given(case: Case, spot: Any, call: ast.Call) -> bool:
    """Whether what is passed in a call is the source, or was made of it, says the text."""
    return any(case.flow.reads_in(spot, part) for part in (*call.args, *call.keywords))


def _read_later(case: Case, event: Any) -> bool:
    """Whether the target was computed from what a variable was assigned."""
    places = case.tape.variables.get(event.subject[0])
    if places is not None:
        later = [p for p in places if p >= event.place]
        return bool(depending_on(case.records, later) & set(case.target_places))
    if case.target_birth.time > event.time and case.flow.arrives(
        case.flow.names_for(event.subject[0])
    ):
        return True
    lines = {case.line(place) for place in case.above}  # not watched: the text has to tell
    lines |= {birth.line for birth in case.births if birth.line is not None}
    names = case.words_for(event.subject[0])
    if any(word_in(name, line.statement) for name in names for line in lines):
        return True
    begin = statement_of(event.spot, "assign")
    return begin is not None and carried(case, begin, event.code.co_filename)


def put_into_a_variable(case: Case) -> Finding | None:
    """A variable that leads to the target was made from a value that depends on the source."""
    made = case.stored.made_of_it
    for variable, birth in variables_on_the_way(case):
        if birth.line is None or variable is case.source:
            continue
        if case.time.state(birth.time) == "recording" and _began(case, variable, birth, made):
            name, code = _name_of(case, variable, birth), begun_with_it(case, variable, birth)
            twice = "" if case.stored.begun_with(variable, birth) <= case.below else THROUGH_ANOTHER
            return case.none(
                "assigned",
                f"The value was put into a new variable here, `{name}`. A variable begins with a "
                "number: no gradient flows from it to what that number was computed from.",
                code,
                line=birth.line,
                advice=_without_it(case, birth, code) + twice,
            )
    return None


def variables_on_the_way(case: Case) -> list[tuple[Any, Birth]]:
    """The variables that the target was computed from, or that it is, and where they were made."""
    found = [(v, birth_of(case, v, place)) for v, place in case.variables_read]
    if type(case.target) is not Tensor:
        found.append((case.target, case.birth_of(case.target)))
    return [(variable, birth) for variable, birth in found if birth.known]


def _without_it(case: Case, birth: Birth, code: str) -> str:
    """What to do instead of making a variable."""
    advice = "Go on with the value itself instead of a variable"
    if wraps_only(birth):
        return f"{advice}: leave this line out."
    if packed(case, birth):
        advice += "; ad.stack makes one tensor of the list"
    if "\n" in code:
        advice += (
            ". After a step it is a plain tensor, which a tape inside has to watch before it "
            "differentiates by it"
        )
    return f"{advice}."


def _name_of(case: Case, variable: Any, birth: Birth) -> str:
    """What the learner calls a variable, or called it where it was made."""
    name = case.names.of(variable)
    return (variable_name(birth) or name) if name == "Variable" else name


def _began(case: Case, variable: Any, birth: Birth, made: set[int]) -> bool:
    """Whether a variable began with what was made of the source."""
    places = case.stored.begun_with(variable, birth)
    if places:
        return places <= made
    spot = birth.spot
    calls = [call for call in calls_at(spot) if called(call) == "Variable"]
    return any(_given(case, spot, call) for call in calls)


def by_a_step(case: Case) -> str:
    """What to say if an optimizer moved a variable on the way: it may have done so with the source."""
    read = {id(variable) for variable, _ in case.variables_read}
    steps = [event for event in case.time.all("step") if id(event.subject[0]) in read]
    if not steps:
        return ""
    name, line = case.names.of(steps[-1].subject[0]), steps[-1].line
    return (
        f" If an optimizer moved `{name}` with it at {line.where}, as with a learning rate: a step is "
        f"not recorded. {A_STEP.format(case.target_name)}"
    )
