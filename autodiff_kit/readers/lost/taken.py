"""Layer 5: a gradient that was taken before the block began, and went into the target.

One idea: the text that asked for it need not name the source; but the tape that was asked saw the
source being used, so what it gave may depend on it, and here it is a constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.surely import FROM_NOTHING, Surely
from autodiff_kit.readers.facts.timeline import Birth, Timeline
from autodiff_kit.readers.lost.beside import Lost, is_of_the_last_round
from autodiff_kit.readers.lost.closed import other_tapes
from autodiff_kit.request import places_of


def taken_before(case: Case, surely: Surely, sides: list[Any]) -> Iterator[Lost]:
    """The ways through a gradient of another tape that saw the source, and had been asked before."""
    homes = [one for one in sides if type(one) is tuple and not is_of_the_last_round(case, one)]
    for home, tape in given_before(case, surely, homes):
        line = Birth(home).line
        if line is not None and not surely.made_of_source(home, False):
            yield line, _sentence(case, tape, line.where)


def given_before(case: Case, surely: Surely, homes: list[Any]) -> list[tuple[Any, str]]:
    """The gradients that values were made of before the block, where a tape at hand gave them that
    saw the source; each with the tape's name.
    """
    todo, seen, found = [*homes], set(), []
    while todo:
        home = todo.pop()
        birth = Birth(home)
        if home in seen or birth.type in FROM_NOTHING or case.time.state(birth.time) != "not begun":
            continue
        seen.add(home)
        tape = _that_gave(case, birth) if birth.type == "Gradient" else ""
        found += [(home, tape)] if tape else []
        read = surely.read_at(birth.spot, birth.time)
        todo += [one._home for one in read if type(one._home) is tuple]
    return found


def _that_gave(case: Case, birth: Birth) -> str:
    """The name of the tape at hand that gave a gradient, if it saw the source; "" if none did."""
    asked = []
    for name, other in other_tapes(case):
        for event in Timeline(other).all("gradient"):
            if event.spot == birth.spot and event.time < birth.time:
                asked.append((event.time, name, bool(places_of(other, case.source))))
    _, last, saw = max(asked, default=(0, "", False))  # the same line may have asked others since
    return last if saw else ""


def _sentence(case: Case, tape: str, where: str) -> str:
    return (
        f"`{case.target_name}` was computed from a gradient as well that `{tape}` gave at {where}, "
        f"before the block of `{case.tape_name}` began. Where that depends on `{case.source_name}`, it "
        "is taken for a constant: if it is to count, put one with block into the other."
    )
