"""Layer 5: what becomes of whole numbers and answers on their way to the target.

One idea: what may stand in place of a position or an answer depends on who takes it: an index must
stay whole, hits are only counted, and a cast to a floating dtype takes anything.
"""

from __future__ import annotations

import ast

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.executed import Operation
from autodiff_kit.operation import OUTPUT
from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.floating import is_floating
from autodiff_kit.readers.facts.kinds import ANSWERS, MOVES, ROUNDING
from autodiff_kit.readers.facts.stops import cast_to
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.mending.whole import is_position_on
from autodiff_kit.readers.program.lines import Line, covers, nodes_in
from autodiff_kit.readers.program.spots import called
from autodiff_kit.readers.program.words import word_in

WRITTEN = {
    "ScatterNd": 0, "TensorScatterUpdate": 1, "TensorScatterAdd": 1, "TensorScatterSub": 1,
}  # fmt: skip
INDEXED = {"GatherV2": 1, "GatherNd": 1, "OneHot": 0, **WRITTEN}
WHOLE = ("ArgMax", "ArgMin", *ROUNDING, *ANSWERS)


def takers(case: Case, place: int) -> list[Operation]:
    """The operations on the way to the target that take a value, or what was cut or cast from it.

    It goes on as long as the values are whole numbers or answers.
    """
    found, todo, seen = [], [place], set()
    while todo:
        at = todo.pop()
        for user in case.takers.get(at, ()):
            if user in seen:
                continue
            seen.add(user)
            operation = case.operation(user)
            if operation.definition not in (BROADCAST, OUTPUT):
                found.append(operation)
            if not is_floating(case, user):
                todo.append(user)
    return found


def index_takers(case: Case, place: int) -> list[Operation]:
    """Those of them that take it for an index."""
    return [
        one for one in takers(case, place)
        if one.type in INDEXED and not is_floating(case, one.places[INDEXED[one.type]])
    ]  # fmt: skip


def read_as_number(case: Case, place: int) -> bool:
    """Whether Python took it, or what was made of it, for a whole number: ``table[i + 1]``."""
    subjects = {event.subject for event in case.time.all("int()")}
    return any(not is_floating(case, p) for p in subjects & depending_on(case.records, [place]))


def only_cast_back(case: Case, place: int) -> bool:
    """Whether it is only cast to a floating dtype, or is the target itself."""
    return all(cast_to(one) == "f" for one in takers(case, place))


def counts_hits(case: Case, operation: Operation) -> bool:
    """Whether a decision is compared for equality, as in an accuracy; or chooses 1 or 0 by that."""
    if operation.type == "SelectV2":
        place = operation.places[0]
        hits = case.kind(place) in ("Equal", "NotEqual")
        return case.gradient is None and hits and counts_hits(case, case.operation(place))
    if operation.type in ("Equal", "NotEqual"):
        return any(_is_decision(case, p) for p in operation.places if p >= 0)
    equal = [t for t in takers(case, operation.place) if t.type in ("Equal", "NotEqual")]
    return operation.type in WHOLE and bool(equal)


def _is_decision(case: Case, place: int) -> bool:
    operation = case.operation(place)
    while operation.type == "Cast" or operation.type in MOVES or operation.definition is OUTPUT:
        if operation.places[0] < 0:
            return False
        operation = case.operation(operation.places[0])
    return operation.type in WHOLE


def used_as_index(case: Case) -> Line | None:
    """The line where the source, a whole number that no tape follows, is used as an index."""
    home = tensor_behind(case.source)._home
    for place in sorted(case.above):
        operation = case.operation(place)
        at = operation.places[INDEXED[operation.type]] if operation.type in INDEXED else -1
        if at < -1 and case.tape.origin_of(at) == home:
            return case.line(place)
    lines = sorted({case.line(place) for place in case.above})
    name = case.source_name
    indexed = [x for x in lines if _is_index_on(x, name) or is_position_on(x.file, x.number, name)]
    return indexed[0] if indexed else None


def _is_index_on(line: Line, name: str) -> bool:
    """Whether a line gives something of this name to a function that takes it for an index."""
    return any(
        covers(call, line.number) and word_in(name, ast.unparse(argument))
        for call in nodes_in(line.file, ast.Call) if called(call) in _TAKING
        for argument in call.args[_TAKING[called(call)] :][:1]
    )  # fmt: skip


_TAKING = {"one_hot": 0, "gather": 1, "gather_nd": 1, "embedding_lookup": 1}  # which argument
