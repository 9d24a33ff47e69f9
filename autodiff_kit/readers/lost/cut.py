"""Layer 5: a gradient that flows, and not on all ways that its value came.

One idea: such a gradient is a number, so nobody asks; but it is not the derivative that the learner
had in mind.
"""

from __future__ import annotations

from collections.abc import Iterator

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.operation import LEAF, OUTPUT
from autodiff_kit.readers.facts.bodies import captured
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.floating import chosen_before, cut_off, is_floating
from autodiff_kit.readers.facts.kinds import NO_SLOPE
from autodiff_kit.readers.facts.surely import Surely
from autodiff_kit.readers.lost.beside import Lost, beside, followed
from autodiff_kit.readers.lost.closed import closed_before
from autodiff_kit.readers.lost.departed import departures, is_a_position
from autodiff_kit.readers.lost.drawn import draw_that_left
from autodiff_kit.readers.lost.leaving import way_of
from autodiff_kit.readers.lost.remainder import is_of_a_remainder
from autodiff_kit.readers.lost.rounds import earlier_rounds
from autodiff_kit.readers.lost.sidestored import stored
from autodiff_kit.readers.lost.taken import taken_before
from autodiff_kit.readers.program.lines import simple_statement, spot_of
from autodiff_kit.readers.program.spots import key_of

PLAIN = (BROADCAST, OUTPUT, LEAF)
SILENT = NO_SLOPE | {"SelectV2"}
MOST = 3  # sentences; who reads one way mends it, and asks again


def cut_ways(case: Case) -> list[str]:
    """A sentence for each way where the gradient is lost while it flows on another, the first few."""
    return [text for _, text in lost_ways(case)][:MOST]


def lost_ways(case: Case) -> list[Lost]:
    """The ways where a gradient is lost that a learner may have wanted, one for each line."""
    if case.lost is None:
        case.lost = _found(case)
    return list(case.lost)


def _found(case: Case) -> list[Lost]:
    surely = Surely(case)
    sides = followed(case, surely)
    found = [*departed(case), *stored(case, surely, sides), *beside(case, surely, sides)]
    found += [*_stopped(case), *closed_before(case, sides), *_captured(case)]
    found += [*taken_before(case, surely, sides), *earlier_rounds(case)]
    ways = {line and simple_statement(line) or line: (line, text) for line, text in reversed(found)}
    return list(ways.values())[::-1]


def _stopped(case: Case) -> Iterator[Lost]:
    """The operations on the tape that let nothing through to a floating value."""
    for step in reversed(case.steps):
        closed = case.closed(step)
        place, kind = step.operation.place, step.operation.type
        if not closed or kind in SILENT or within_a_call(case, place):
            continue
        if kind == "StopGradient" and (
            _is_straight_through(case, place) or chosen_before(case, place) is not None
        ):
            continue
        if is_of_a_remainder(case, place):
            continue
        cuts = [place for p in closed if is_floating(case, p)]
        cuts += [cut_off(case, p) for p in closed if kind == "Cast" and not is_floating(case, p)]
        for cut in [cut for cut in cuts if cut is not None][:1]:
            line, kind = case.line(cut), case.operation(cut).type
            yield line, _words(kind, line.where)


def _words(kind: str, where: str) -> str:
    """A sentence about an operation that lets nothing through; who wrote stop_gradient meant it to."""
    if kind == "StopGradient":
        return (
            f"There is another way, and ad.stop_gradient at {where} holds it back, as is its purpose: "
            "what goes in there counts as a constant."
        )
    return (
        f"There is another way, through {kind} at {where}, and no gradient flows there: it is taken "
        "for a constant."
    )


def _is_straight_through(case: Case, place: int) -> bool:
    """Whether it is that of ``soft + stop_gradient(hard - soft)``, where nothing is lost by mistake."""
    difference = case.operation(case.operation(place).places[0])
    users = [case.operation(user) for user in case.takers.get(place, ())]
    if difference.type != "Sub" or len(users) != 1 or users[0].type != "AddV2":
        return False
    soft = difference.places[1]
    return soft >= 0 and soft in users[0].places


def departed(case: Case) -> Iterator[Lost]:
    """The values that left the tensors, the last first."""
    for event in reversed(departures(case)):
        if is_a_position(event) or draw_that_left(case, event) is not None:
            continue
        line, how = event.line, way_of(event).how
        words = f"On another way the value left the tensors ({how}) at {line.where}: "
        yield line, f"{words}there it is taken for a constant."


def _captured(case: Case) -> Iterator[Lost]:
    """What the body of a function with its own gradient took from elsewhere than its arguments."""
    found = captured(case)
    if found is not None:
        step, place = found
        line, called = case.line(place), step.attrs["name"]
        yield (
            line,
            f"There is another way, into the body of `{called}` at {line.where}, and not through its "
            "arguments: its own gradient function (ad.custom_gradient) has none for it.",
        )


def within_a_call(case: Case, place: int) -> bool:
    """Whether an operation is a part of one call of the kit's, which means what it does."""
    near = case.records[max(0, place - 2) : place + 3]
    own, call = case.records[place][0], key_of(case.spot(place))
    alike = [r[0] for r in near if key_of(spot_of(r)) == call and r[0] not in PLAIN]
    return any(definition is not own for definition in alike)
