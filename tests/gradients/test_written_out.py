"""What is written out for speed leaves the very records that `operation.run` would leave.

`define.unary` and `binary`, the functions of `noted` and `parts`, and `x[i]` note on their own what
they did. Under an override map all of them hand over to `run`; so each row is run with one that
changes nothing, and without.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit.opdef import OpDef
from autodiff_kit.operation import LEAF, MAPS, OVERRIDES
from autodiff_kit.tensor import NOTHING
from gradients.test_gradients import ROWS, outputs

ASKED: list[OpDef] = []


def as_it_is(op: OpDef) -> OpDef:
    ASKED.append(op)
    return op


@contextmanager
def by_run() -> Iterator[None]:
    """A block in which every operation is recorded by `operation.recorded`."""
    MAPS.append(as_it_is)
    before = OVERRIDES.set(as_it_is)
    try:
        yield
    finally:
        OVERRIDES.reset(before)
        MAPS.remove(as_it_is)


def kept(value: Any) -> Any:
    """What a record holds on to, as it can be compared."""
    if isinstance(value, tuple):
        return [kept(one) for one in value]
    return None if value is NOTHING else value.numpy().tobytes()


def shown(tape: Any) -> list[Any]:
    """What is on a tape, without the times."""
    rows = []
    for op, i, j, a, b, y, attrs, code, instruction in tape.records:
        attrs = None if op is LEAF else sorted((attrs or {}).items(), key=lambda pair: pair[0])
        at = next(row for begin, end, row in code.co_lines() if begin <= instruction < end)
        rows.append([op.type, i, j, kept(a), kept(b), kept(y), repr(attrs), code, at])
    return [rows, [origin[:3] for origin in tape.outsiders]]


def tapes(row: Any) -> list[Any]:
    """Two tapes, one inside the other, that watch other inputs; and the way back, recorded too."""
    xs = [ad.constant(x) for x in row.at]
    with ad.GradientTape(persistent=True) as outer:
        outer.watch(xs[-1])
        with ad.GradientTape(persistent=True) as inner:
            inner.watch(xs[:1] if len(xs) > 1 else xs)
            ys = outputs(row.f(*xs))
        inner.gradient(ys, xs)
    forms = [(y.numpy().tobytes(), y.numpy().shape, y.dtype) for y in ys]
    return [shown(outer), shown(inner), forms]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_records_are_those_of_run(row: Any) -> None:
    short = tapes(row)
    ASKED.clear()
    with by_run():
        whole = tapes(row)
    assert ASKED
    assert short == whole
