"""Layer 5: shapes (n, 1) and (n,) that met, so that a loss compares each with each.

One idea: NumPy's rules make a table of n times n of them, its mean is a number like any other, and its
gradient flows. It is said where the whole table went into one number, and nobody made the (n, 1) on
purpose, as with ``x[:, None]``.
"""

from __future__ import annotations

from typing import NamedTuple

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import depending_on, inputs_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.infinite import made_of
from autodiff_kit.readers.facts.kinds import DIFFERENCES
from autodiff_kit.readers.facts.written import argument_of
from autodiff_kit.readers.flowing.sizes import UNKNOWN, shape_put_in
from autodiff_kit.readers.flowing.spread import shape_by_value
from autodiff_kit.readers.flowing.summed import taken_whole
from autodiff_kit.readers.program.words import word_in

_ON_PURPOSE = ("None", "newaxis", "expand_dims", "reshape", "meshgrid", "broadcast_to")
_SHAPING = (
    "ExpandDims",
    "Reshape",
    "StridedSlice",
    "BroadcastTo",
    "Broadcast",
    "Pack",
    "Transpose",
)


class Side(NamedTuple):
    """One of the two inputs: its shape, its place before it was spread, and how it is written."""

    shape: tuple[int, ...]
    place: int
    text: str
    by_value: bool = False  # a row then may be (1, n) as well


def crossed_words(case: Case) -> list[str]:
    """A sentence about the first such table on the way, or nothing."""
    for place in case.path:
        record = case.records[place]
        if not any(case.records[at][0] is BROADCAST for at in inputs_of(record)):
            continue  # as most operations of a long chain are
        if record[0].broadcasts and len(case.operation(place).places) == 2:
            sides = _sides(case, place)
            reduced = taken_whole(case, place) if sides is not None else None
            if sides is not None and reduced is not None:
                return [_words(case, place, sides, reduced)]
    return []


def tell_crossed(case: Case, found: Finding) -> None:
    """The same beside a gradient that is zero: in such a table ways may cancel that are none."""
    words = crossed_words(case)
    found.also += words
    if words and found.cause == "cancelled":
        found.advice, found.fix = "Give both one shape first, as said above, and ask again.", ""


def _sides(case: Case, place: int) -> tuple[Side, Side] | None:
    """The two inputs, if one is (n, 1), by nobody's purpose, and the other (n,)."""
    if not any(_is_square(case, at) for at in _spread(case, place)):
        return None  # nothing more is looked at: values may have to be computed again for it
    first, second = (_side(case, place, number) for number in (0, 1))
    if first is None or second is None or {len(first.shape), len(second.shape)} != {1, 2}:
        return None
    number = int(len(second.shape) == 2)
    column, row = (first, second) if number == 0 else (second, first)
    n = row.shape[0]
    itself = row.place >= 0 and (
        row.place in depending_on(case.records, [column.place]) or _written_in(column, row)
    )
    if column.shape != (n, 1) or itself:
        return None
    meant = _of_leaves(case, place, (first, second)) or _on_purpose(case, place, number, column)
    return None if meant else (first, second)


def _written_in(column: Side, row: Side) -> bool:
    """Whether the row is written with the column's text, as a second call in ``f(x) - f(x)[:, 0]``."""
    return bool(column.text) and word_in(column.text, row.text)


def _of_leaves(case: Case, place: int, sides: tuple[Side, Side]) -> bool:
    """Whether what is learnt goes in just as it is, as in a table of rows and columns, or an outer
    product; a difference of it and data is a loss.
    """
    tracked = [side.place for side in sides if side.place >= 0]
    leaves = all(case.records[at][0] is LEAF for at in tracked)
    return leaves and (len(tracked) == 2 or case.operation(place).type not in DIFFERENCES)


def _spread(case: Case, place: int) -> list[int]:
    """The inputs of an operation that were spread."""
    places = case.operation(place).places
    return [at for at in places if at >= 0 and case.records[at][0] is BROADCAST]


def _is_square(case: Case, at: int) -> bool:
    """Whether a row or a column was spread to as many columns or rows as it has numbers."""
    attrs = case.operation(at).attrs
    n = max(attrs["shape"], default=1)
    return n > 1 and attrs["to"] == (n, n) and attrs["shape"] in ((n,), (n, 1))


def _side(case: Case, place: int, number: int) -> Side | None:
    """One of the inputs, None if its shape is not known, or it was not spread."""
    operation = case.operation(place)
    at, written = operation.places[number], argument_of(case, place, number)
    text = "" if "\n" in written else written
    if at < 0:
        shape = shape_put_in(case, place, number)
        by_value = shape is None and not any(word in text for word in _ON_PURPOSE)
        if by_value:
            shape = shape_by_value(case, place, number)
        n = max(case.operation(spread).attrs["to"][0] for spread in _spread(case, place))
        known = tuple([n if length == UNKNOWN else length for length in shape or ()])
        return Side(known, at, text, by_value) if known else None
    if case.records[at][0] is not BROADCAST:
        return None
    spread = case.operation(at)
    return Side(tuple(spread.attrs["shape"]), spread.places[0], text)


def _on_purpose(case: Case, place: int, number: int, side: Side) -> bool:
    """Whether the (n, 1) was made to be spread, or nobody can tell that it was not."""
    if any(word in side.text for word in _ON_PURPOSE):
        return True
    at = side.place
    if at < 0:
        made = made_of(case, place, number)
        shaped = case.birth_of_input(place, number).type in _SHAPING
        return shaped or made is not None and any(word in made.whole for word in _ON_PURPOSE)
    while case.operation(at).definition.elementwise:
        inside = [p for p in case.operation(at).places if p >= 0]
        if len(inside) != 1:
            break
        at = inside[0]
    return case.operation(at).type in _SHAPING


def _words(case: Case, place: int, sides: tuple[Side, Side], reduced: int) -> str:
    kind, line = case.operation(place).type, case.line(place)
    n = max(sides[0].shape[0], sides[1].shape[0])
    shown = " and ".join(_shown(case, side) for side in sides)
    other = case.line(reduced)
    where = "there" if other == line else f"at {other.where}"
    return (
        f"{kind} at {line.where} takes {shown}: that makes a table of shape ({n}, {n}), each with "
        f"each, and {case.operation(reduced).type} {where} takes all of it. If each belongs with one "
        f"only, give both one shape{_mend(sides)}."
    )


def _shown(case: Case, side: Side) -> str:
    shape = str(tuple(int(n) for n in side.shape))
    name = (case.name(side.place) if side.place >= 0 else None) or side.text
    if side.by_value and len(side.shape) == 1:
        shape = f"({side.shape[0]},) or (1, {side.shape[0]})"
    return f"`{name}` of shape {shape}" if name else f"a value of shape {shape}"


def _mend(sides: tuple[Side, Side]) -> str:
    """How to write the one that is data, or else the one that is (n, 1), in the shape of the other."""
    outside = [number for number, side in enumerate(sides) if side.place < 0]
    number = outside[0] if outside else int(len(sides[1].shape) == 2)
    text, to = sides[number].text, "[-1]" if len(sides[number].shape) == 2 else "[-1, 1]"
    return f": `ad.reshape({text}, {to})` in place of `{text}`" if text else ""
