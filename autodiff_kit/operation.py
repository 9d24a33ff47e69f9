"""Layer 1: operations run, and leave a record on the tapes.

One idea: running an operation is `kernel(values)`, and for every tape that tracks one of its inputs
one record of what was done. A record is a plain tuple, because a tape holds very many of them:

    (op, i, j, a, b, y, attrs, code, instruction)

`i` and `j` are the inputs' places on the tape, `a`, `b` and `y` the inputs and the output as far as
the rules of `op` need them, `code` and `instruction` the learner's own line. A negative place is that
of an input that is not tracked: -1, or a number below it if the tape knows where that input comes
from (`GradientTape.origin_of`). An operation with one rule has `j = -1`; one with three or more, or
with a `pull`, has tuples in `i` and `a`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from autodiff_kit.broadcasting import spread_all
from autodiff_kit.contexts import own_var
from autodiff_kit.errors import refusal
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.opdef import OpDef, needed, no_gradient
from autodiff_kit.tensor import NOTHING, Tensor, recording, tensor_of

OVERRIDES: ContextVar[Callable[[OpDef], OpDef] | None] = own_var("overrides", None)
overriding = OVERRIDES.get
MAPS: list[Any] = []  # the override maps in force anywhere; while there is none, nobody need ask


def run(op: OpDef, inputs: tuple[Tensor, ...], attrs: dict[str, Any] | None = None) -> Any:
    """Compute, and leave a record on every tape that tracks one of the inputs.

    This is all that happens when an operation runs; `define.unary` and `binary` and the functions
    of `noted` are the same, written out for the usual cases, since they take half the time.
    """
    values = [x._value for x in inputs]
    try:
        result = op.kernel(*values, **attrs) if attrs else op.kernel(*values)
    except Exception as error:
        raise refusal(op.type, inputs, error) from None
    if op.asks_shapes:
        attrs = {**(attrs or {}), "shapes": tuple([value.shape for value in values])}
    return recorded(op, inputs, result, attrs)


def recorded(
    op: OpDef, inputs: tuple[Tensor, ...], result: Any, attrs: dict[str, Any] | None
) -> Any:
    """The outputs of an operation that has just run, with its record on those tapes."""
    override = overriding() if MAPS else None
    if override is not None:
        ran, op = op, override(op)
        if attrs and ran.asks_shapes and not op.asks_shapes:
            attrs = {name: value for name, value in attrs.items() if name != "shapes"}
    many = type(result) is tuple
    outputs: Any = tuple(map(tensor_of, result)) if many else tensor_of(result)
    frame = user_frame()
    for tape in recording():
        places = places_on(tape, inputs)
        if places:
            record(tape, op, places, inputs, outputs, attrs, frame)
    for output in outputs if many else (outputs,):
        if output._home is None:
            output._home = origin(op.type, frame)
    return outputs


def places_on(tape: Any, inputs: tuple[Tensor, ...]) -> tuple[int, ...]:
    """Where on a tape the inputs of an operation are; nothing if it tracks none of them."""
    home, aliases = tape.home, tape.aliases
    places, tracked = [], False
    for x in inputs:
        place = x._index if x._home is home else aliases.get(x, -1)
        places.append(place)
        tracked = tracked or place >= 0
    if not tracked:
        return ()
    if -1 in places:
        places = [tape.outside(x) if p < 0 else p for p, x in zip(places, inputs, strict=True)]
    return tuple(places)


def record(
    tape: Any, op: OpDef, places: Any, inputs: Any, outputs: Any, attrs: Any, frame: Any
) -> None:
    """Append one record, with what the rules of `op` need, and say where the outputs are now."""
    if op.broadcasts:
        places = spread_all(tape.records, places, inputs, outputs._value.shape, frame)
    code, instruction = frame.f_code, frame.f_lasti
    many = type(outputs) is tuple
    if op.arity == 1:
        keep_x, keep_y = op.needs[0]
        x, y = inputs[0] if keep_x else NOTHING, outputs if keep_y else NOTHING
        row = (op, places[0], -1, x, NOTHING, y, attrs, code, instruction)
    elif op.arity == 0:
        if not op.keeps:
            inputs = (NOTHING,) * len(inputs)
        y = outputs if op.keeps else (NOTHING,) * len(outputs) if many else NOTHING
        row = (op, places, -1, inputs, NOTHING, y, attrs, code, instruction)
    else:
        keeps = needed(op, tuple([place >= 0 for place in places]))
        *values, y = [
            value if keep else NOTHING
            for value, keep in zip((*inputs, outputs), keeps, strict=True)
        ]
        if op.arity > 2:
            row = (op, places, -1, tuple(values), NOTHING, y, attrs, code, instruction)
        else:
            i, j = (*places, -1)[:2]
            a, b = (*values, NOTHING)[:2]
            row = (op, i, j, a, b, y, attrs, code, instruction)
    place = len(tape.records)
    tape.records.append(row)
    if not many:
        settle(tape, outputs, place)
        return
    for number, output in enumerate(outputs):
        settle(tape, output, len(tape.records))
        tape.records.append(
            (OUTPUT, place, -1, NOTHING, NOTHING, NOTHING, {"number": number}, code, instruction)
        )


def settle(tape: Any, tensor: Tensor, place: int) -> None:
    """Note where on the tape a tensor is: on the tensor itself, or on the tape if that is taken."""
    if tensor._home is None:
        tensor._home, tensor._index = tape.home, place
    else:
        tape.aliases[tensor] = place


class Parts(dict[int, Any]):
    """The gradients of an operation with several outputs, gathered output by output."""

    def __add__(self, other: Parts) -> Parts:
        return Parts({**self, **other})


LEAF = OpDef("Watch", lambda x: x, (no_gradient,))
OUTPUT = OpDef(
    "Output",
    lambda x, number: x[number],
    (lambda dy, _x, _y, number: Parts({number: dy}),),
    add_in=lambda total, dy, _positions, attrs: total.__setitem__(attrs["number"], dy),
)
