"""Layer 5: a gradient of a gradient whose inner block had ended before the outer one began.

One idea: the outer tape then saw only the way back through the inner one. What that uses of the source
itself has a gradient, and what was computed of it in the inner block is a constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.timeline import Birth, Timeline
from autodiff_kit.readers.lost.beside import Lost, kept_of_others
from autodiff_kit.readers.program.spots import key_of
from autodiff_kit.recorder import Recorder
from autodiff_kit.request import places_of
from autodiff_kit.tensor import Tensor


def closed_before(case: Case, sides: list[Any]) -> Iterator[Lost]:
    """The ways that were lost in the block of a tape at hand that had ended before."""
    began, spots = case.time.last("enter"), None
    for name, other in other_tapes(case):
        times = Timeline(other)
        left = times.last("exit")
        if left is None or left.time > began.time or not places_of(other, case.source):
            continue
        for event in times.all("gradient"):
            spots = spots or _with_something_unseen(case, sides)
            if case.time.state(event.time) == "recording" and key_of(event[3:5]) in spots:
                yield event.line, _sentence(case, name, event.line.where)


def _sentence(case: Case, name: str, where: str) -> str:
    return (
        f"The block of `{name}` had ended before the block of `{case.tape_name}` began, so what was "
        f"computed from `{case.source_name}` in it is not on `{case.tape_name}`: where the gradient "
        f"that was asked for at {where} uses that, it is taken for a constant. Put one with block into "
        "the other."
    )


def other_tapes(case: Case) -> list[tuple[str, Any]]:
    """The other tapes that a name leads to, with their names."""
    known = case.names.known.items()
    return [(n, t) for n, t in known if isinstance(t, Recorder) and t is not case.tape]


def _with_something_unseen(case: Case, sides: list[Any]) -> set[Any]:
    """The instructions that computed with something that only another tape knows, or none."""
    unseen = [case.spot(p) for p in case.on_path if kept_of_others(case, p)]
    homes = [Birth(home).spot for home in sides if type(home) is not Tensor]
    return {key_of(spot) for spot in (*unseen, *homes)}
