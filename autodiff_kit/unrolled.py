"""Layer 1: `operation.run`, unrolled for one and for two inputs and one output.

One idea: what `run` finds out at each call (how many inputs, which of their values the rules need) is
known when the operation is defined. To write it out for the two usual cases halves the time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from autodiff_kit.convert import LEARNER, calling_frame, tick
from autodiff_kit.operation import NOTHING, OpDef, overriding, refusal, run
from autodiff_kit.tensor import FORMS, Tensor, recording

_getframe = sys._getframe
_new = Tensor.__new__  # as in `define`


def with_one_input(op: OpDef) -> Callable[..., Any]:
    """`run` for an operation of one tensor; attributes are keywords."""
    kernel, asks_shapes = op.kernel, op.asks_shapes
    keep_x, keep_y = op.needs[0]

    def apply(x: Tensor, **attrs: Any) -> Any:
        value = x._value
        if overriding() is not None:
            return run(op, (x,), attrs or None)
        try:
            result = kernel(value, **attrs)
        except Exception as error:
            raise refusal(op.type, (x,), error) from None
        if type(result) is tuple:
            return run(op, (x,), attrs or None)
        if asks_shapes:
            attrs["shapes"] = (value.shape,)
        frame: Any = _getframe(1)
        code = frame.f_code
        if code is not LEARNER.code:
            frame = calling_frame(frame)
            code = frame.f_code
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
                records.append(
                    (op, i, -1, x if keep_x else NOTHING, NOTHING, out if keep_y else NOTHING,
                     attrs or None, code, frame.f_lasti)
                )  # fmt: skip
        if out is None:
            out = _new(Tensor)
            out._value, out._index, out._form = result, -1, FORMS.get(type(result))
            out._home = op.type, code, frame.f_lasti, tick()
        return out

    return apply


def with_two_inputs(op: OpDef) -> Callable[..., Any]:
    """`run` for an operation of two tensors that does not broadcast; attributes are keywords."""
    kernel, asks_shapes = op.kernel, op.asks_shapes
    first, second = op.needs
    both = tuple(p or q for p, q in zip(first, second, strict=True))

    def apply(x: Tensor, y: Tensor, **attrs: Any) -> Any:
        a, b = x._value, y._value
        if overriding() is not None:
            return run(op, (x, y), attrs or None)
        try:
            result = kernel(a, b, **attrs)
        except Exception as error:
            raise refusal(op.type, (x, y), error) from None
        if type(result) is tuple:
            return run(op, (x, y), attrs or None)
        if asks_shapes:
            attrs["shapes"] = a.shape, b.shape
        frame: Any = _getframe(1)
        code = frame.f_code
        if code is not LEARNER.code:
            frame = calling_frame(frame)
            code = frame.f_code
        out = None
        for tape in recording():
            home = tape.home
            i = x._index if x._home is home else tape.aliases.get(x, -1)
            j = y._index if y._home is home else tape.aliases.get(y, -1)
            if i >= 0 or j >= 0:
                if i < 0:
                    i = tape.outside(x)
                elif j < 0:
                    j = tape.outside(y)
                records = tape.records
                if out is None:
                    out = _new(Tensor)
                    out._value, out._home, out._index = result, home, len(records)
                    out._form = FORMS.get(type(result))
                else:
                    tape.aliases[out] = len(records)
                keep_a, keep_b, keep_y = first if j < 0 else second if i < 0 else both
                records.append(
                    (op, i, j,
                     x if keep_a else NOTHING, y if keep_b else NOTHING,
                     out if keep_y else NOTHING, attrs or None, code, frame.f_lasti)
                )  # fmt: skip
        if out is None:
            out = _new(Tensor)
            out._value, out._index, out._form = result, -1, FORMS.get(type(result))
            out._home = op.type, code, frame.f_lasti, tick()
        return out

    return apply
