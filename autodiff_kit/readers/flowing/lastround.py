"""Layer 5: a loop each of whose rounds gives the target's name a new value.

One idea: the same line ran several times on this tape, nothing took the earlier values any further, and
nothing in the loop reads the name. So only the last round has a part in the gradient.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.checks import only_shows
from autodiff_kit.readers.program.spots import statement_of


def last_round_words(case: Case) -> list[str]:
    """A sentence about earlier values of the target that have no part in it."""
    place = case.target_places[0] if len(case.target_places) == 1 else -1
    if place < 0:
        return []
    alike = [p for p in case.rounds(place) if p < place]
    lost = [p for p in alike if p in case.below and not case.takers.get(p)]
    if (
        not lost
        or len(lost) < len(alike)
        or _lead_on(case, lost)
        or not _is_given_anew(case, statement_of(case.spot(place)))
    ):
        return []
    name, where = case.target_name, case.line(place).where
    return [
        f"{where[0].upper()}{where[1:]} ran {len(lost) + 1} times on this tape, and each time it gave "
        f"`{name}` a new value: the gradient is that of the last round alone. If all rounds are to "
        f"count, let `{name}` begin with 0.0 before the loop, and add to it: `{name} += ...`."
    ]


def _lead_on(case: Case, lost: list[int]) -> bool:
    """Whether what a round computed goes on to the next one, as in a recurrence."""
    made = leading_to(case.records, lost) - set(lost)
    return any(case.records[p][0] is not LEAF and p in case.above for p in made)


def _is_given_anew(case: Case, statement: Any) -> bool:
    """Whether a statement in a loop gives the target's name a value that nothing in the loop reads."""
    text = case.flow.text
    if not isinstance(statement, ast.Assign) or statement not in text.read:
        return False
    named = [*text.receivers(statement)]
    loops = [one for one in text.within[statement] if isinstance(one, (ast.For, ast.While))]
    if len(named) != 1 or named[0][1] != case.target_name or not loops:
        return False
    inside = [one for one in text.read if any(part is loops[0] for part in text.within[one])]
    others = [one for one in inside if one is not statement and not only_shows(one)]
    bound = [one for one in others if named[0] in text.receivers(one)]
    return not bound and not any(text.mentions(one, set(named)) for one in [*others, statement])
