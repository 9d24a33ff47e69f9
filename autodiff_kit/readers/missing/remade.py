"""Layer 5: another variable than the one that was asked for.

One idea: the tape knows which variables the target was computed from. One that was made in the block,
and to which no name leads any more, is made anew each time, and the learner holds an older one.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.names import plain_name
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.program.spots import called, calls_at


def another_variable(case: Case) -> Finding | None:
    """The target was computed from a variable that was made in the block, or that has the same name."""
    others = _others(case)
    for variable, _, birth in others:
        if birth.line is not None and case.time.state(birth.time) == "recording":
            if _same_spot(birth, case.birth_of(case.source)) or not _is_held(case, variable):
                return _made_anew(case, birth)
    name = plain_name(case.source)
    for variable, place, _ in others:
        if plain_name(variable) == name and (name != "Variable" or not _is_held(case, variable)):
            return _namesake(case, case.line(place).where)
    return None


def _others(case: Case) -> list[tuple[Any, int, Birth]]:
    """The other variables that lead to the target, with their places and where they were made."""
    found = []
    for variable, places in case.tape.variables.items():
        places = [place for place in places if place in case.above]
        if places and variable is not case.source:
            found.append((variable, places[0], case.birth_of(variable)))
    return found


def _same_spot(one: Birth, other: Birth) -> bool:
    return one.known and one.spot == other.spot


def _is_held(case: Case, variable: Any) -> bool:
    return any(one is variable for one in case.held.values())


def _made_anew(case: Case, birth: Birth) -> Finding:
    name, target = case.source_name, case.target_name
    written = [called(call) for call in calls_at(birth.spot)]
    anew = "If a new layer is made for each call, so are its variables."
    if "Variable" in written:
        anew = "Each time this line runs, it makes a new one."
    return case.none(
        "not used",
        f"The tape never saw `{name}` being read: `{target}` was computed from another variable, which "
        f"was made here, in the block of `{case.tape_name}`. {anew}",
        "",
        line=birth.line,
        advice="Make the variable, or the layer that holds it, once and before the block, and let each "
        "call use that one.",
    )


def _namesake(case: Case, where: str) -> Finding:
    name = plain_name(case.source)
    what = "of that name" if name != "Variable" else "that no name leads to any more"
    found = case.none(
        "not used",
        f"The tape never saw `{case.source_name}` being read, so as far as it knows "
        f"`{case.target_name}` does not depend on it.",
        "",
        line=case.entered,
        advice=f"Use `{case.source_name}` itself on the way to `{case.target_name}`, or ask for the "
        "variable that was used.",
    )
    found.also.append(
        f"The tape watched another variable {what}, first read at {where}: is that the one you mean?"
    )
    return found
