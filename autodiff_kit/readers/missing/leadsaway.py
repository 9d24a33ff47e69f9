"""Layer 5: a source that was used, and not for the target.

One idea: nothing else was found. What was made of the source ends somewhere, and that is told.
"""

from __future__ import annotations

import re

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.ended import counts_once, end_of
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.questions import ASKS
from autodiff_kit.readers.missing.assigning import by_a_step
from autodiff_kit.readers.missing.differentiated import places_differentiated, question_of
from autodiff_kit.readers.missing.ownsecond import made_by_its_rule, of_its_own


def _falls_out(case: Case) -> Finding | None:
    """The target is a derivative of what was made of the source, and the source is not in it."""
    line, name, target = case.target_birth.line, case.source_name, case.target_name
    asked = line is not None and re.search(rf"\.({'|'.join(ASKS)})\(", line.statement)
    if not asked or case.target_places:
        return None
    question = question_of(case)
    places = places_differentiated(case, question) if question is not None else None
    certain = bool(places and case.below.intersection(places))
    may = (
        ""
        if certain
        else (
            f" Or what was differentiated was not computed from it in the block of `{case.tape_name}`."
        )
    )
    advice = "If a derivative of zero is what is meant, ask for it."
    if not certain:
        advice = (
            "Look where what was differentiated was computed. If that was inside the block, the "
            'derivative is zero: ask for it with unconnected_gradients="zero".'
        )
    advice += of_its_own(case)
    return case.none(
        "not on the way",
        f"`{target}` is a gradient, and `{name}` does not occur in it any more, as when what was "
        f"differentiated is linear in `{name}`.{may}",
        case.zero if certain else "",
        line=line,
        advice=advice,
    )


def _written_at(case: Case, place: int) -> str:
    """The operation that the learner wrote there: a number that is stretched is so for another."""
    later = range(place, len(case.records)) if case.operation(place).definition is BROADCAST else ()
    there = [p for p in later if case.spot(p) == case.spot(place)]
    written = [p for p in there if case.operation(p).definition is not BROADCAST]
    return case.operation((written or [place])[0]).type


def not_on_the_way(case: Case) -> Finding | None:
    """Nothing else was found: source and target are both there, and nothing connects them."""
    name, target = case.source_name, case.target_name
    derivative = made_by_its_rule(case) or _falls_out(case)
    if derivative is not None:
        return derivative
    if case.uses:
        place = min(set(case.uses) - case.conditions, default=case.uses[0])
        both = " If both values are to count, add them up." if counts_once(case) else ""
        return case.none(
            "not on the way",
            f"`{name}` was used here, but on the tape nothing that was made of it leads to `{target}`."
            f"{end_of(case)}",
            "",
            _written_at(case, place), case.line(place),
            f"If `{target}` is to depend on `{name}`, go on with what was made of it; otherwise do not "
            f"ask for it.{both}",
        )  # fmt: skip
    line = case.line(case.source_places[0]) if case.source_places else None
    after = f", after {line.where}, where the tape began to watch it" if line is not None else ""
    return case.none(
        "not on the way",
        f"Nothing on the tape uses `{name}`, so as far as it knows `{target}` was not computed from "
        "it.",
        "",
        line=line,
        advice=f"If `{target}` is to depend on `{name}`, compute it from that inside the block{after}."
        f"{by_a_step(case)}",
    )
