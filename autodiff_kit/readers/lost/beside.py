"""Layer 5: values beside the tape that surely lead to the target, and were surely made of the source.

One idea: an input that the tape does not track leads to where it came from, and the expression there to
what it was made of. What was computed in the block is followed, what was made elsewhere is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.others import block_of, line_on, tape_name
from autodiff_kit.readers.facts.surely import Surely
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.program.lines import Line
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.recorder import Home
from autodiff_kit.request import places_of
from autodiff_kit.tensor import Tensor

Lost = tuple[Line | None, str]  # where, and a sentence


def beside(case: Case, surely: Surely, sides: list[Any]) -> Iterator[Lost]:
    """The ways that were lost because a value on them was not made on this tape; see `followed`."""
    for one in sides:
        if type(one) is Tensor:
            yield from _on_another_tape(case, surely, one)
        elif _is_whole(surely, one) and not is_of_the_last_round(case, one):
            yield from _unseen(case, surely, one)


def followed(case: Case, surely: Surely) -> list[Any]:
    """What the target was computed from beside the tape: the notes of where it came from, or a tensor
    that another tape recorded.
    """
    todo, found = _inputs(case, surely), {}
    while todo:
        one = todo.pop()
        key = one[3] if type(one) is tuple else id(one)
        birth = Birth(one)
        if key not in found and birth.known and case.time.state(birth.time) == "recording":
            read = surely.read_at(birth.spot, birth.time)
            todo += [t._home if type(t._home) is tuple else t for t in read]
        found[key] = one
    return list(found.values())


def _inputs(case: Case, surely: Surely) -> list[Any]:
    """The same for the operations on the tape alone."""
    found: list[Any] = []
    others = any(type(one._home) is Home for one in surely.at_hand.values())
    for place in sorted(case.above):
        if not case.untracked(place):
            continue
        found += case.outsiders_of(place)
        found += kept_of_others(case, place)
        if others and -1 in case.operation(place).places:
            read = surely.read_at(case.spot(place), float("inf"))
            found += [one for one in read if type(one._home) is Home]
    return found


def kept_of_others(case: Case, place: int) -> list[Tensor]:
    """The inputs of an operation that another tape recorded, and this one not, as far as kept."""
    kept = [one for _, one in case.untracked(place)]
    return [one for one in kept if type(getattr(one, "_home", None)) is Home]


def _is_whole(surely: Surely, home: Any) -> bool:
    """Whether a value is surely a floating one: a cast may have made a position of it."""
    return Birth(home).type != "Cast" or bool(surely.name_of(home))


def is_of_the_last_round(case: Case, home: Any) -> bool:
    """Whether a value is carried from one round of a loop to the next, as the state of a stream is."""
    if case.time.state(home[3]) != "not begun":
        return False
    block, made, within = block_of(case.tape), statement_of(Birth(home).spot), case.flow.text.within
    if block not in within or made not in within or made.lineno <= block.lineno:
        return False
    return bool({*map(id, within[block])} & {*map(id, within[made])})


def _unseen(case: Case, surely: Surely, home: Any) -> Iterator[Lost]:
    birth = Birth(home)
    state = case.time.state(birth.time)
    words = {
        "not begun": f"before the block of `{case.tape_name}` began",
        "stopped": f"while {case.tape_name}.stop_recording() had paused the tape",
        "left": f"between two blocks of `{case.tape_name}`",
    }.get(state)
    if words is None or not surely.made_of_source(home, state != "not begun"):
        return
    how = "is a gradient that was taken" if birth.type == "Gradient" else "was computed"
    where = birth.line.where if birth.line is not None else ""
    yield birth.line, f"{_part(case, surely.name_of(home))} {how} at {where}, {words}: {TAKEN}"


TAKEN = "there it is taken for a constant."


def _part(case: Case, name: str) -> str:
    """The beginning of a sentence about something that the target was computed from as well."""
    also = f"`{case.target_name}` was computed from "
    return f"{also}`{name}` as well, and `{name}`" if name else f"{also}a value as well that"


def _on_another_tape(case: Case, surely: Surely, one: Tensor) -> Iterator[Lost]:
    if one._home in case.tape.former_homes:
        yield from _forgotten(case, surely, one)
    other: Any = one._home() if type(one._home) is Home else None
    if other is None or one._home in case.tape.former_homes or not one.dtype.is_floating:
        return
    if block_of(other) is block_of(case.tape):
        return  # the state of a stream, carried from one round of a loop to the next
    name = next((name for name, held in surely.at_hand.items() if held is one), "")
    places = places_of(other, case.source)
    if other.released or not places:
        if not name or not surely.is_always_of_it(name):
            return
    elif one._index not in depending_on(other.records, places):
        return
    line, called = line_on(other, one), tape_name(case, other)
    by = f"`{called}`" if called else "another tape"
    where = f" (line {line.number})" if line is not None else ""
    yield (
        line,
        f"{_part(case, name)} was recorded by {by}{where}, not by `{case.tape_name}`: {TAKEN}",
    )


def _forgotten(case: Case, surely: Surely, one: Tensor) -> Iterator[Lost]:
    """A value that the tape knew before a reset."""
    name = next((name for name, held in surely.at_hand.items() if held is one), "")
    reset = case.time.last("reset").line
    if name and surely.is_always_of_it(name):
        before = f"was computed before {case.tape_name}.reset() at {reset.where}"
        yield reset, f"{_part(case, name)} {before}: {TAKEN}"
