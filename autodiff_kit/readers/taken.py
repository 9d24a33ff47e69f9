"""Layer 5: what becomes of whole numbers and answers on their way to the target.

One idea: what may stand in place of a position or an answer depends on who takes it: an index must
stay whole, hits are only counted, and a cast to a floating dtype takes anything.
"""

from __future__ import annotations

from autodiff_kit.dtypes import as_dtype
from autodiff_kit.operation import BROADCAST, OUTPUT, Operation
from autodiff_kit.readers.account import inputs_of
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.floating import is_floating
from autodiff_kit.readers.stops import ANSWERS

INDEXED = {"GatherV2": 1, "GatherNd": 1, "OneHot": 0, "TensorScatterUpdate": 1}
WHOLE = ("ArgMax", "ArgMin", "Round", "Rint", "Floor", "Ceil", *ANSWERS)


def takers(case: Case, place: int) -> list[Operation]:
    """The operations on the way to the target that take a value, or what was cut or cast from it.

    It goes on as long as the values are whole numbers or answers.
    """
    found, todo, seen = [], [place], set()
    while todo:
        at = todo.pop()
        for user in range(at + 1, len(case.records)):
            if user in seen or user not in case.above or at not in inputs_of(case.records[user]):
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


def only_cast_back(case: Case, place: int) -> bool:
    """Whether it is only cast to a floating dtype, or is the target itself."""
    return all(
        one.type == "Cast" and as_dtype(one.attrs["dtype"]).is_floating
        for one in takers(case, place)
    )


def counts_hits(case: Case, operation: Operation) -> bool:
    """Whether a decision is compared for equality, as in an accuracy."""
    if operation.type in ("Equal", "NotEqual"):
        return any(_is_decision(case, p) for p in operation.places if p >= 0)
    equal = [t for t in takers(case, operation.place) if t.type in ("Equal", "NotEqual")]
    return operation.type in WHOLE and bool(equal)


def _is_decision(case: Case, place: int) -> bool:
    operation = case.operation(place)
    while operation.type == "Cast" or operation.definition in (BROADCAST, OUTPUT):
        if operation.places[0] < 0:
            return False
        operation = case.operation(operation.places[0])
    return operation.type in WHOLE
