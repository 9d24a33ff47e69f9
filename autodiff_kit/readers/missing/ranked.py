"""Layer 5: which of several ways that end is told first, where no gradient flows at all.

One idea: a position, a condition and a comparison have no gradient in a right program either. So a
value that got lost, which a right program does not have, is told before them, and the others as well.
"""

from __future__ import annotations

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import NO_SLOPE, SHAPE_ONLY
from autodiff_kit.readers.lost.cut import MOST, lost_ways
from autodiff_kit.readers.lost.departed import left_the_tensors
from autodiff_kit.readers.mending.taken import index_takers
from autodiff_kit.readers.missing.assigning import assigned, put_into_a_variable
from autodiff_kit.readers.missing.closure import not_an_argument
from autodiff_kit.readers.program.lines import Line, same_statement

_CHOOSING = NO_SLOPE | {"SelectV2", "OneHot", "TopKV2"}
_ENDS = (
    "no gradient",
    "cast to int",
    "stop_gradient",
    "condition",
    "only the shape",
    "custom None",
)
_LEAKS = (
    "left the tensors",
    "assigned",
    "recording stopped",
    "outside the tape",
    "another tape",
    "not an argument",
)


def only_chooses(case: Case, operation: Operation) -> bool:
    """Whether an operation through which no gradient flows is one that a right program has too."""
    if operation.type == "Cast":
        return bool(index_takers(case, operation.place))
    return operation.type in _CHOOSING


def a_leak_first(case: Case, choice: Finding) -> Finding:
    """A value that got lost, if there is one, instead of what only chooses."""
    lost = lost_ways(case)
    if not lost or choice.line is None:
        return choice
    leak = left_the_tensors(case) or assigned(case) or put_into_a_variable(case)
    leak = leak or not_an_argument(case)
    if leak is None or leak.cause not in _LEAKS:
        leak = _beside(case, *lost[0])
    leak.also.append(_CHOICE.format(where=choice.line.where, op=choice.op))
    return leak


def choosing(case: Case, operations: list[Operation]) -> list[str]:
    """A sentence about the first way that ends where something is only chosen."""
    ends = [one for one in operations if one.type not in SHAPE_ONLY]
    return [_CHOICE.format(where=case.line(one.place).where, op=one.type) for one in ends[:1]]


_CHOICE = (
    "Another way ends at {where} ({op}), as it may in a right program: no gradient flows to what only "
    "chooses."
)


def _beside(case: Case, line: Line | None, why: str) -> Finding:
    advice = (
        f"Compute everything between `{case.source_name}` and `{case.target_name}` inside one with "
        "block, while the tape records."
    )
    return case.none("outside the tape", why, "", line=line, advice=advice)


def with_others(case: Case, found: Finding) -> Finding:
    """A finding about a None, with the other ways on which a value got lost, a few of them."""
    if found.cause in (*_ENDS, *_LEAKS):
        others = [text for line, text in lost_ways(case) if not same_statement(line, found.line)]
        found.also[:0] = others[: MOST - 1 - len(found.also)]
    return found
