"""Layer 5: where a whole table of numbers becomes one.

One idea: a table that is only added up is nothing but its parts; whoever weighs it, or takes it row by
row, has a use for it as a table.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import TOTALS
from autodiff_kit.readers.flowing.sizes import shape_put_in


def taken_whole(case: Case, place: int) -> int | None:
    """The place where the whole table becomes one number, with nothing in between that tells of a
    purpose; None if there is no such place on one of its ways.
    """
    found, todo = [], [place]
    while todo:
        at = todo.pop()
        takers = case.takers.get(at, ())
        if at in case.target_places or not takers:
            return None
        for taker in takers:
            if case.operation(taker).type in TOTALS:
                if not _comes_to_a_number(case, taker):
                    return None
                found.append(taker)
            elif case.operation(taker).definition.elementwise and not _has_table(case, taker):
                todo.append(taker)
            else:
                return None
    return max(found)


def _comes_to_a_number(case: Case, place: int) -> bool:
    """Whether a sum is over all, or over one axis and then at once over the other."""
    if len(case.operation(place).attrs["axis"]) == 2:
        return True
    takers = case.takers.get(place, ())
    return bool(takers) and all(case.operation(taker).type in TOTALS for taker in takers)


def _has_table(case: Case, place: int) -> bool:
    """Whether another table goes in from outside: who has one, such as a mask of pairs, means it."""
    places = case.operation(place).places
    outside = [number for number, at in enumerate(places) if at < 0]
    return any(len(shape_put_in(case, place, number) or ()) == 2 for number in outside)
