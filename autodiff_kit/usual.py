"""Layer 2: the usual question to a tape, answered in few steps.

One idea: nearly every question has one target, and sources that were watched and have one place each.
To ask many functions for what is so simple here would take longer than a small gradient itself. Any
other question is a `Request`, which would answer this one just the same.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import request  # its `LARGE` is another one in some tests
from autodiff_kit.backward import go_back
from autodiff_kit.forms import form_of
from autodiff_kit.health import SOUND, healthy
from autodiff_kit.lines import ASKING, origin, tick
from autodiff_kit.operation import LEAF
from autodiff_kit.operators import CLASSES
from autodiff_kit.request import RAW_RULES, of_its_own, ones_of
from autodiff_kit.tensor import Tensor, recording, tensor_of


def usual(tape: Any, target: Any, sources: list[Any], frame: Any) -> list[Tensor | None] | None:
    """The gradient for each source. None, and nothing is touched, if the question is another one.

    Args:
      tape: the tape, which is not recording.
      target: what may be a target.
      sources: what may be sources.
      frame: the one that called `gradient`.
    """
    home, aliases, records = tape.home, tape.aliases, tape.records
    if type(target) is not Tensor or tape.largest >= request.LARGE or not RAW_RULES:
        return None
    last = target._index if target._home is home else aliases.get(target, -1)
    if last < 0 or (target._form or form_of(target)).kind != "f":
        return None
    places, first = [], last
    for source in sources:
        if type(source) is Tensor:
            place = source._index if source._home is home else aliases.get(source, -1)
        elif type(source) in CLASSES:
            read = tape.variables.get(source, ())
            place = read[0] if len(read) == 1 else -1
        else:
            return None
        if place < 0 or records[place][0] is not LEAF:
            return None
        places.append(place)
        if place < first:
            first = place
    if not places:
        return None
    frame = tape._note("gradient", frame)
    found = _totals(records, last, target._form, places, first, frame)
    if not tape.persistent:
        tape._used = True
        if healthy(found):
            tape._release([target], sources.copy(), SOUND)
    return found


def _totals(
    records: list[Any], last: int, form: Any, places: list[int], first: int, frame: Any
) -> list[Tensor | None]:
    """The way back from ``last`` to ``places``, of which ``first`` is the first; what arrived there."""
    grads: list[Any] = [None] * len(records)
    arrived = bytearray(len(records))
    arrived[last] = 1
    ones = form.one or ones_of(form)
    found: list[Tensor | None] = []
    watching = recording()
    if not watching:
        grads[last] = ones
        go_back(records, grads, arrived, last, first, True, ones)
        made_by = origin("Gradient", frame)
        for place in places:
            total = grads[place]
            found.append(None if total is None else tensor_of(total, made_by))
        return found
    outer = watching[0]
    end, began = len(outer.records), tick()
    grads[last] = seed = tensor_of(ones)
    seed._form = form
    asked = ASKING.set(frame)
    try:
        go_back(records, grads, arrived, last, first, False, seed)
    finally:
        ASKING.reset(asked)
    for place in places:
        total = grads[place]
        if total is not None and (total._index < end or total._home is not outer.home):
            total = of_its_own(total, began, frame)
        found.append(total)
    return found
