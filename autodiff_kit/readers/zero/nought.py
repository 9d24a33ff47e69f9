"""Layer 5: why a value is zero everywhere.

One idea: a square and a product are flat where what is squared, or the other factor, is zero, and that
zero has a beginning of its own: from the value the way goes back through zeros to the first of them.
"""

from __future__ import annotations

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.floating import maker
from autodiff_kit.readers.facts.kinds import PRODUCTS, ZERO_OF_ZEROS
from autodiff_kit.readers.zero.began import Nought, began, factor, is_nought

# Zero where all of their inputs are.
_SUMS = frozenset("AddN AddV2 BiasAdd ConcatV2 Maximum Minimum Pack SelectV2 Sub".split())


def nought(case: Case, place: int) -> Nought | None:
    """Where the zeros of a value began, None if it is not zero everywhere or that is not known."""
    found: list[Nought | None] = []
    factors: set[int] = set()  # what a product took
    todo, seen = [place] if is_nought(case.values.get(place)) else [], set()
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        operation = maker(case, place)
        numbers = _zeros_from(case, operation)
        inside = [operation.places[n] for n in numbers if operation.places[n] >= 0]
        todo += inside
        is_product = operation.type in PRODUCTS
        if is_product or (operation.definition is BROADCAST and place in factors):
            factors.update(inside)
        if numbers and not inside:
            found.append(factor(case, operation.place, numbers[0], is_product))
        elif not numbers:
            found.append(began(case, place))
    known = [one for one in found if one is not None]
    return min(known, key=lambda one: _rank(one, factors), default=None)


def _rank(one: Nought, factors: set[int]) -> tuple[int, int]:
    """Of several beginnings the most telling first.

    That a state or a bias begins at zero is usual, that weights do is not.
    """
    if one.kind == "leaf":
        return 1 if one.place in factors else 3, one.place
    return 2 if one.kind == "factor" else 0, one.place


def _zeros_from(case: Case, operation: Operation) -> list[int]:
    """The inputs that an operation's zeros came from, by number; none if they began there."""
    if operation.type == "Cast" and operation.attrs["source"] == "bool":
        return [0]  # also where the condition is not known any more
    count = len(operation.places)
    zeros = [n for n in range(count) if is_nought(input_value(case, operation.place, n))]
    if operation.type in PRODUCTS:
        return zeros
    if operation.type in _SUMS:
        return [n for n in _zero_summands(operation, zeros) if operation.places[n] >= 0]
    return [0] if operation.type in ZERO_OF_ZEROS and 0 in zeros else []


def _zero_summands(operation: Operation, zeros: list[int]) -> list[int]:
    """The inputs of a sum that are zero, of which some may not be known any more."""
    every = [*range(len(operation.places))]
    if operation.type == "SelectV2":
        return [1, 2] if {1, 2} <= set(zeros) else []
    if operation.type in ("AddV2", "BiasAdd", "Sub") and zeros:
        return every  # 0 and what makes 0 with it
    return every if zeros == every else []
