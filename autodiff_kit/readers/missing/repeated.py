"""Layer 5: a value that was computed a second time, for the target.

One idea: a layer that is called twice with the same input gives two tensors with the same numbers. The
tape has both, made by the same operations of the same things, and the target came from the other one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.tensor import NOTHING, Tensor

_SAID_ELSEWHERE = ("shapes", "origin", "time")


def computed_twice(case: Case) -> Finding | None:
    """The target was computed from a twin of the source, and not from the source."""
    places = [p for p in case.source_places if case.records[p][0] is not LEAF]
    if type(case.source) is not Tensor or not places or case.path:
        return None
    if not case.names.bound(case.source):
        return None  # an expression in the question is a new tensor in any case
    own = places[-1]
    same_kind = [p for p in sorted(case.above) if case.records[p][0] is case.records[own][0]]
    twins = [p for p in same_kind if _has_the_value(case, p) and _alike(case, p, own)]
    if not twins:
        return None
    name, target, line = case.source_name, case.target_name, case.line(own)
    again, operation = case.line(twins[0]), case.operation(own)
    at = "by this line too" if again == line else f"at {again.where}"
    return case.none(
        "computed twice",
        f"`{name}` was computed here. For `{target}` the same was computed again, {at}: the numbers "
        f"are the same, but it is another tensor, and nothing on the way to `{target}` was computed "
        f"from `{name}`.",
        "",
        operation.type,
        line,
        f"Compute it once, and `{target}` from that very tensor: call the layers one after the other, "
        f"the rest of them with `{name}`. Or have the function that computes `{target}` return its "
        f"own `{name}` beside the result, and ask for that.",
    )


def _has_the_value(case: Case, place: int) -> bool:
    """Whether the value at a place is known, and that of the source."""
    value = case.values.get(place)
    return value is not None and bool(np.array_equal(value, case.source._value))


def _alike(case: Case, one: int, other: int) -> bool:
    """Whether two places have the same value because they were computed from the same in one way."""
    todo, seen = [(one, other)], set()
    while todo:
        pair = todo.pop()
        if pair[0] == pair[1] or pair in seen:
            continue
        seen.add(pair)
        if not _same_step(case, *pair):
            return False
        sides = (case.operation(place).places for place in pair)
        todo += [(p, q) for p, q in zip(*sides, strict=True) if p >= 0]
    return True


def _same_step(case: Case, one: int, other: int) -> bool:
    """Whether two operations are of one kind, with the same settings and the same data beside."""
    first, second = case.records[one], case.records[other]
    if first[0] is not second[0] or first[0] is LEAF or _settings(first[6]) != _settings(second[6]):
        return False
    taken = case.operation(one).places, case.operation(other).places
    if [p >= 0 for p in taken[0]] != [q >= 0 for q in taken[1]]:
        return False
    beside = [number for number, place in enumerate(taken[0]) if place < 0]
    return all(_may_be_the_same(case, one, other, number) for number in beside)


def _settings(attrs: dict[str, Any] | None) -> str:
    said = sorted((k, repr(v)) for k, v in (attrs or {}).items() if k not in _SAID_ELSEWHERE)
    return repr(said)


def _may_be_the_same(case: Case, one: int, other: int, number: int) -> bool:
    """Whether an input that no tape tracks is the same in both, as far as anything is known of it."""
    kept = [case.operation(place).inputs[number] for place in (one, other)]
    homes = [case.origin_of(place, number) for place in (one, other)]
    if None not in homes:
        return bool(homes[0] == homes[1]) or _equal(kept)
    return any(k is None or k is NOTHING for k in kept) or _equal(kept)


def _equal(kept: list[Any]) -> bool:
    values = [one._value for one in kept if type(one) is Tensor and one is not NOTHING]
    return len(values) == 2 and bool(np.array_equal(*values))
