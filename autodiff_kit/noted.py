"""Layer 1: records of results that are there already.

One idea: `operation.run` computes and records. A public function that has just checked its arguments
can call its kernel in the shortest way itself; all that is left then is to note what was done.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

from autodiff_kit.convert import calling_frame, tick
from autodiff_kit.operation import (
    NOTHING,
    OpDef,
    overriding,
    places_on,
    run,
    settle,
    spread,
)
from autodiff_kit.tensor import FORMS, Tensor, recording

_getframe = sys._getframe
_new = Tensor.__new__


def noted(op: OpDef, x: Tensor, result: Any, attrs: dict[str, Any]) -> Tensor:
    """The result of an operation of one tensor, with a record on every tape that tracks it.

    Args:
      op: the kind of operation.
      x: its input.
      result: what its kernel made of it.
      attrs: the attributes, with the ``shapes`` if its rule asks for them; a dict of the record's own.
    """
    if overriding() is not None:
        return _again(op, (x,), attrs)
    frame: Any = _getframe(2)  # whoever called the public function
    if "__autodiff_kit__" in frame.f_globals:
        frame = calling_frame(frame)
    out = None
    for tape in recording():
        i = x._index if x._home is tape.home else tape.aliases.get(x, -1)
        if i >= 0:
            records = tape.records
            if out is None:
                out = _new(Tensor)
                out._value, out._home, out._index = result, tape.home, len(records)
                out._form = FORMS.get(type(result))
            else:
                tape.aliases[out] = len(records)
            keep_x, keep_y = op.needs[0]
            records.append(
                (op, i, -1, x if keep_x else NOTHING, NOTHING, out if keep_y else NOTHING,
                 attrs, frame.f_code, frame.f_lasti)
            )  # fmt: skip
    if out is None:
        out = _new(Tensor)
        out._value, out._index, out._form = result, -1, FORMS.get(type(result))
        out._home = op.type, frame.f_code, frame.f_lasti, tick()
    return out


def noted_two(op: OpDef, x: Tensor, y: Tensor, result: Any, attrs: dict[str, Any] | None) -> Tensor:
    """As `noted`, for an operation of two tensors that does not broadcast."""
    if overriding() is not None:
        return _again(op, (x, y), attrs)
    frame: Any = _getframe(2)
    if "__autodiff_kit__" in frame.f_globals:
        frame = calling_frame(frame)
    out = None
    for tape in recording():
        home = tape.home
        i = x._index if x._home is home else tape.aliases.get(x, -1)
        j = y._index if y._home is home else tape.aliases.get(y, -1)
        if j < 0:
            if i < 0:
                continue
            j = tape.outside(y)
            keep_a, keep_b, keep_y = op.needs[0]
        elif i < 0:
            i = tape.outside(x)
            keep_a, keep_b, keep_y = op.needs[1]
        else:
            keep_a, keep_b, keep_y = needed(op, (True, True))
        records = tape.records
        if out is None:
            out = _new(Tensor)
            out._value, out._home, out._index = result, home, len(records)
            out._form = FORMS.get(type(result))
        else:
            tape.aliases[out] = len(records)
        records.append(
            (op, i, j, x if keep_a else NOTHING, y if keep_b else NOTHING,
             out if keep_y else NOTHING, attrs, frame.f_code, frame.f_lasti)
        )  # fmt: skip
    if out is None:
        out = _new(Tensor)
        out._value, out._index, out._form = result, -1, FORMS.get(type(result))
        out._home = op.type, frame.f_code, frame.f_lasti, tick()
    return out


def noted_many(
    op: OpDef, inputs: tuple[Tensor, ...], result: Any, attrs: dict[str, Any] | None
) -> Tensor:
    """As `noted`, for an operation of three tensors or more, or one with a `pull`."""
    if overriding() is not None:
        return _again(op, inputs, attrs)
    frame: Any = _getframe(2)
    if "__autodiff_kit__" in frame.f_globals:
        frame = calling_frame(frame)
    out = Tensor(result)
    for tape in recording():
        places = places_on(tape, inputs)
        if places:
            records = tape.records
            if op.broadcasts:
                places = _spread(records, places, inputs, result.shape, frame)
            if op.keeps:
                *asked, keep_y = needed(op, tuple([place >= 0 for place in places]))
                kept = tuple(
                    [x if keep else NOTHING for x, keep in zip(inputs, asked, strict=True)]
                )
            else:
                kept, keep_y = (NOTHING,) * len(inputs), False
            settle(tape, out, len(records))
            records.append(
                (op, places, -1, kept, NOTHING, out if keep_y else NOTHING,
                 attrs, frame.f_code, frame.f_lasti)
            )  # fmt: skip
    if out._home is None:
        out._home = (op.type, frame.f_code, frame.f_lasti, tick())
    return out


@lru_cache(1000)
def needed(op: OpDef, tracked: tuple[bool, ...]) -> tuple[bool, ...]:
    """Which of the inputs, and whether the output, the rules of the tracked inputs ask for."""
    if op.pull is not None:
        return (True,) * (len(tracked) + 1)
    asked = [need for need, is_tracked in zip(op.needs, tracked, strict=True) if is_tracked]
    return tuple([any(flags) for flags in zip(*asked, strict=True)])


def _spread(records: Any, places: Any, inputs: Any, to: Any, frame: Any) -> tuple[int, ...]:
    """The places of the inputs once those that are smaller than the result are spread out."""
    shapes = [x._value.shape for x in inputs]
    return tuple(
        [
            spread(records, place, {"shape": shape, "to": to}, frame)
            if place >= 0 and shape != to
            else place
            for place, shape in zip(places, shapes, strict=True)
        ]
    )


def _again(op: OpDef, inputs: tuple[Tensor, ...], attrs: dict[str, Any] | None) -> Any:
    """Where gradients are overridden, which is seldom, `run` does it all."""
    own = {name: value for name, value in (attrs or {}).items() if name != "shapes"}
    return run(op, inputs, own or None)
