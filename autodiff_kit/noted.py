"""Layer 1: records of results that are there already.

One idea: `operation.run` computes and records. A public function that has just checked its arguments
can call its kernel in the shortest way itself; all that is left then is to note what was done, and
by whom: the frame two steps up, the caller of that function.
"""

from __future__ import annotations

import sys
from typing import Any

from autodiff_kit.broadcasting import spread_all
from autodiff_kit.forms import FORMS
from autodiff_kit.lines import LEARNER, asking, learners, tick
from autodiff_kit.opdef import OpDef, needed
from autodiff_kit.operation import MAPS, overriding, places_on, recorded
from autodiff_kit.tensor import NOTHING, Tensor, blank, recording

_getframe = sys._getframe


def untracked(op_type: str, result: Any, form: Any, code: Any, instruction: int) -> Tensor:
    """A result that no tape tracks, with a note of where it comes from."""
    out = blank()
    out._value, out._index, out._form = result, -1, form
    out._home = op_type, code, instruction, tick()
    return out


def noted(op: OpDef, x: Tensor, result: Any, attrs: dict[str, Any] | None) -> Tensor:
    """The result of an operation of one tensor, with a record on every tape that tracks it.

    Args:
      op: the kind of operation.
      x: its input.
      result: what its kernel made of it.
      attrs: the attributes, with the ``shapes`` if its rule asks for them; a dict of the record's own.
    """
    if MAPS and overriding() is not None:
        return recorded(op, (x,), result, attrs)
    frame: Any = _getframe(2)
    code = frame.f_code
    if code is not LEARNER.code:
        frame = asking() or learners(frame)
        code = frame.f_code
    out = None
    for tape in recording():
        i = x._index if x._home is tape.home else tape.aliases.get(x, -1)
        if i >= 0:
            records = tape.records
            if out is None:
                out = blank()
                out._value, out._home, out._index = result, tape.home, len(records)
                out._form = FORMS.get(type(result))
            else:
                tape.aliases[out] = len(records)
            keep_x, keep_y = op.needs[0]
            records.append(
                (op, i, -1, x if keep_x else NOTHING, NOTHING, out if keep_y else NOTHING,
                 attrs, code, frame.f_lasti)
            )  # fmt: skip
    if out is None:
        return untracked(op.type, result, FORMS.get(type(result)), code, frame.f_lasti)
    return out


def noted_two(op: OpDef, x: Tensor, y: Tensor, result: Any, attrs: dict[str, Any] | None) -> Tensor:
    """As `noted`, for an operation of two tensors that does not broadcast."""
    if MAPS and overriding() is not None:
        return recorded(op, (x, y), result, attrs)
    frame: Any = _getframe(2)
    code = frame.f_code
    if code is not LEARNER.code:
        frame = asking() or learners(frame)
        code = frame.f_code
    out = None
    for tape in recording():
        home, aliases = tape.home, tape.aliases
        i = x._index if x._home is home else aliases.get(x, -1) if aliases else -1
        j = y._index if y._home is home else aliases.get(y, -1) if aliases else -1
        if j < 0:
            if i < 0:
                continue
            if type(y._home) is tuple:  # `tape.outside`, written out: it is half of all inputs
                tape.outsiders.append(y._home)
                j = -1 - len(tape.outsiders)
            keep_a, keep_b, keep_y = op.needs[0]
        elif i < 0:
            if type(x._home) is tuple:
                tape.outsiders.append(x._home)
                i = -1 - len(tape.outsiders)
            keep_a, keep_b, keep_y = op.needs[1]
        else:
            keep_a, keep_b, keep_y = needed(op, (True, True))
        records = tape.records
        if out is None:
            out = blank()
            out._value, out._home, out._index = result, home, len(records)
            out._form = FORMS.get(type(result))
        else:
            tape.aliases[out] = len(records)
        records.append(
            (op, i, j, x if keep_a else NOTHING, y if keep_b else NOTHING,
             out if keep_y else NOTHING, attrs, code, frame.f_lasti)
        )  # fmt: skip
    if out is None:
        return untracked(op.type, result, FORMS.get(type(result)), code, frame.f_lasti)
    return out


def noted_many(
    op: OpDef, inputs: tuple[Tensor, ...], result: Any, attrs: dict[str, Any] | None
) -> Tensor:
    """As `noted`, for an operation of three tensors or more, or one with a `pull`."""
    if MAPS and overriding() is not None:
        return recorded(op, inputs, result, attrs)
    frame: Any = _getframe(2)
    code = frame.f_code
    if code is not LEARNER.code:
        frame = asking() or learners(frame)
        code = frame.f_code
    out = None
    for tape in recording():
        places = places_on(tape, inputs)
        if not places:
            continue
        records = tape.records
        if op.broadcasts:
            to = result.shape
            for place, x in zip(places, inputs):  # noqa: B905 - faster
                if place >= 0 and x._value.shape != to:
                    places = spread_all(records, places, inputs, to, frame)
                    break
        if out is None:
            out = blank()
            out._value, out._home, out._index = result, tape.home, len(records)
            out._form = FORMS.get(type(result))
        else:
            tape.aliases[out] = len(records)
        if op.arity == 0:
            kept, y = (inputs, out) if op.keeps else ((NOTHING,) * len(inputs), NOTHING)
        else:
            keeps = needed(op, tuple([place >= 0 for place in places]))
            kept = tuple([x if k else NOTHING for x, k in zip(inputs, keeps)])  # noqa: B905 - faster
            y = out if keeps[-1] else NOTHING
        records.append((op, places, -1, kept, NOTHING, y, attrs, code, frame.f_lasti))
    if out is None:
        return untracked(op.type, result, FORMS.get(type(result)), code, frame.f_lasti)
    return out
