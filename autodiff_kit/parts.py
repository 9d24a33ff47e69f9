"""Layer 1: records of operations with several outputs.

One idea: the operation has one record, and each of its outputs one behind it, with the number of the
output. On the way back these gather what arrives, and the operation's rule gets it all at once.
"""

from __future__ import annotations

import sys
from typing import Any

from autodiff_kit.lines import LEARNER, asking, learners, origin
from autodiff_kit.opdef import OpDef
from autodiff_kit.operation import MAPS, OUTPUT, overriding, recorded, settle
from autodiff_kit.tensor import NOTHING, Tensor, recording, tensor_of

_getframe = sys._getframe


def noted_parts(
    op: OpDef, x: Tensor, results: tuple[Any, ...], attrs: dict[str, Any]
) -> tuple[Tensor, ...]:
    """As `noted.noted`, for an operation of one tensor with a `pull` and several outputs."""
    if MAPS and overriding() is not None:
        return recorded(op, (x,), results, attrs)
    frame: Any = _getframe(2)
    code = frame.f_code
    if code is not LEARNER.code:
        frame = asking() or learners(frame)
        code = frame.f_code
    line = frame.f_lasti
    outs = tuple([tensor_of(result) for result in results])
    kept, ys = ((x,), outs) if op.keeps else ((NOTHING,), (NOTHING,) * len(outs))
    for tape in recording():
        i = tape.find(x)
        if i < 0:
            continue
        records = tape.records
        place = len(records)
        records.append((op, (i,), -1, kept, NOTHING, ys, attrs, code, line))
        for number, out in enumerate(outs):
            settle(tape, out, len(records))
            of = {"number": number}
            records.append((OUTPUT, place, -1, NOTHING, NOTHING, NOTHING, of, code, line))
    if outs and outs[0]._home is None:
        for out in outs:
            out._home = origin(op.type, frame)
    return outs
