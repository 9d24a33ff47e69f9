"""Layer 5: source and target were both computed from something else.

One idea: to cut a piece out of a whole makes a new value. What is then computed from the whole was
not computed from the piece.
"""

from __future__ import annotations

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import inputs_of, leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.missing.cutout import by_the_whole


def of_one_family(case: Case) -> Finding | None:
    """Nothing uses the source, but it and the target were made of the same value."""
    if case.uses or not case.source_places or not case.target_places:
        return None
    place = case.source_places[-1]
    if case.records[place][0] is LEAF:
        return None
    elders = leading_to(case.records, list(inputs_of(case.records[place]))) & case.above
    whole = case.name(max(elders)) if elders else None
    if whole is None:
        return None
    source, target, line = case.source_name, case.target_name, case.line(place)
    fix = by_the_whole(case, case.spot(place), whole)
    piece = "the same piece of the gradient for " if fix else ""
    return case.none(
        "made of the same",
        f"`{target}` was computed from `{whole}`, and so was `{source}`, here; but nothing was "
        f"computed from `{source}`.",
        fix,
        case.operation(place).type,
        line,
        f"Ask for {piece}`{whole}`, or compute `{target}` from `{source}`.",
    )
