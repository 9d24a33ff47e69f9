"""Layer 5: the probability of a draw that moves along with what it was drawn from.

One idea: ``mean + deviation * noise`` minus ``mean`` does not depend on the mean. Who asks for the
gradient of the log-probability of what was drawn has to take it for a number that is given.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import depending_on, inputs_of, leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.mending.here import here
from autodiff_kit.readers.program.flow import names_in
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import expression_at
from autodiff_kit.tensor import Tensor

_FARTHEST = 3  # values that are gone back
_RANDOM = re.compile(r"(?<!\w)random\.\w+$")


def moves_along(case: Case, found: Finding) -> bool:
    """Whether the ways cancel at a difference of a draw and what it was drawn from; if so, say it."""
    for place in case.path:
        side = _drawn_side(case, place) if case.operation(place).type == "Sub" else None
        if side is None or not _all_ways_lead_through(case, place):
            continue
        name, spot = case.source_name, here(case, place)
        found.op, found.line = "Sub", case.line(place)
        found.why = (
            f"Both sides of this difference were computed from `{name}`, and one of them with numbers "
            f"that were drawn at random: it moves along with `{name}`, so the difference does not "
            "depend on it. The ways cancel each other."
        )
        found.advice = (
            "If what was drawn is to count as given, as when its log-probability is asked for, hold it "
            "back with ad.stop_gradient."
        )
        sides = [spot.argument(0, "x"), spot.argument(1, "y")] if spot is not None else ["", ""]
        found.fix = ""
        if spot is not None and all(sides):
            sides[1 - side] = bracketed(sides[1 - side])
            sides[side] = f"ad.stop_gradient({sides[side]})"
            found.fix = spot.instead(" - ".join(sides))
        return True
    return False


def _drawn_side(case: Case, place: int) -> int | None:
    """Which side of a difference was drawn with the source; None unless it is just one of two."""
    sides = case.operation(place).places
    if not all(one in case.below for one in sides):
        return None
    drawn = [_is_drawn(case, one) for one in sides]
    return drawn.index(True) if drawn.count(True) == 1 else None


def _is_drawn(case: Case, place: int) -> bool:
    """Whether something was drawn at random on the way to a place, or beside it."""
    for one in leading_to(case.records, [place]):
        if case.records[one][0] is LEAF:
            continue
        births = [Birth(home) for home in case.outsiders_of(one)]
        spots = [case.records[one][-2:], *((b.code, b.instruction) for b in births if b.known)]
        if any(_draws(case, spot, _FARTHEST) for spot in spots):
            return True
    return False


def _draws(case: Case, spot: Any, farthest: int) -> bool:
    """Whether an expression draws numbers, or reads some that were drawn."""
    node = expression_at(*spot)
    calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)] if node is not None else []
    if any(_RANDOM.search(ast.unparse(call.func)) for call in calls):
        return True
    read = [case.held[name] for name in names_in(node) if name in case.held] if farthest else []
    births = [Birth(one._home) for one in read if type(one) is Tensor]
    return any(_draws(case, (b.code, b.instruction), farthest - 1) for b in births if b.known)


def _all_ways_lead_through(case: Case, place: int) -> bool:
    """Whether the source has no part in the target but by this difference."""
    begin = [one for one in case.source_places if one != place]
    reached = set(begin)
    for one in range(min(begin, default=0), len(case.records)):
        if one != place and reached.intersection(inputs_of(case.records[one])):
            reached.add(one)
    behind = depending_on(case.records, [place])
    return not any(one in reached for one in case.target_places if one in behind)
