"""Layer 2: the way back for many seeds at once.

One idea: the rules of operations that work element by element do not care how many elements there
are. So the gradients of all rows of a Jacobian go back as one array with an axis more, in one step
instead of one for each row; only at other operations the rows are taken one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.opdef import OpDef
from autodiff_kit.operation import OUTPUT

MOST = 1 << 22  # elements in one stack of gradients; beyond, row by row costs less than the memory


def all_rows(records: list[Any], place: int, seeds: Any, wanted: set[int]) -> Any:
    """The gradients at the wanted places, for each a stack with one entry for each seed.

    Args:
      records: the tape's list.
      place: the target's.
      seeds: an array, one seed behind the other.
      wanted: the sources' places.

    Returns:
      A dict with what arrived, or None if the rows have to go back one after the other.
    """
    stacks, first = {place: seeds}, min(wanted)
    if not all(fits(record[0]) for record in records[first + 1 : place + 1]):
        return None
    for here in range(place, first, -1):
        dy = stacks.get(here) if here in wanted else stacks.pop(here, None)
        if dy is None:
            continue
        if dy.size > MOST:
            return None
        for source, dx in steps(records[here], dy):
            so_far = stacks.get(source)
            stacks[source] = dx if so_far is None else so_far + dx
    return stacks


def fits(op: OpDef) -> bool:
    """Whether there is a rule for each of the inputs, and one output."""
    return op.pull is None and op.arity <= 2 and op is not OUTPUT


def steps(record: Any, dy: Any) -> Iterator[tuple[int, Any]]:
    """The inputs' places and what one operation sends there."""
    op, i, j, a, b, y, attrs, _, _ = record
    values = [a, b, y] if op.arity == 2 else [a, y]
    for number, source in enumerate((i, j)):
        if source >= 0:
            dx = one_rule(op, number, dy, [value._value for value in values], attrs or {})
            if dx is not None:
                yield source, dx


def one_rule(op: Any, number: int, dy: Any, values: list[Any], attrs: Any) -> Any:
    """What the rule of one input makes of a whole stack."""
    if op.elementwise:
        stretched = [None if v is None else np.broadcast_to(v, dy.shape) for v in values]
        return op.vjps[number](dy, *stretched)
    if op.stacked:
        return op.stacked[number](dy, *values, **attrs)
    parts = [op.vjps[number](row, *values, **attrs) for row in dy]
    if parts[0] is None:
        return None
    return np.stack(parts)
