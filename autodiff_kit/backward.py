"""Layer 2: the way back, one loop over the records of a tape.

One idea: read the list from its end. Whoever used a value stands behind the operation that made it,
so when the loop arrives at an operation, its gradient `dy` is complete; its rules turn `dy` into
gradients of its inputs, and those are added up at the inputs' places. `gradient` runs this loop to
its end, and `replay` shows the learner the very same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.forms import form_of
from autodiff_kit.in_place import added
from autodiff_kit.lines import ASKING
from autodiff_kit.opdef import all_of
from autodiff_kit.operation import Parts

# Called with the record's place, dy, and pairs (place of an input, its gradient).
Seen = Callable[[int, Any, Any], None]
# What an operation with an `add_in` makes of the first gradient, and adds the others to.
_GROWING = {np.ndarray, Parts}


def go_back(
    records: list[Any],
    grads: list[Any],
    arrived: bytearray,
    last: int,
    first: int,
    raw: bool,
    ones: Any = None,
    seen: Seen | None = None,
    spend: bool = False,
) -> None:
    """Run the records from ``last`` back to the one behind ``first``, and add up the gradients.

    Args:
      records: the tape's list.
      grads: at each place the gradient that has arrived there so far, or None. The gradients of
        leaves and of what stands at ``first`` or before it remain; all others are dropped as soon
        as they are used.
      arrived: a one at places of ``grads`` where a gradient has arrived (and has perhaps been used
        since), so that a search in bytes can leap over what does not lead to a target. A gradient
        that goes to the neighbor leaves none: the loop goes there next in any case.
      last: the place to begin at.
      first: the place to end at, a source's, which is not run itself.
      raw: whether gradients are NumPy values; if not they are tensors, which other tapes record.
      ones: the gradient that the way began with if it is 1 everywhere; then operations that have
        shorter rules for that case (`OpDef.at_ones`) use them.
      seen: called at each step, before the gradients of the inputs are added up; a gradient that is
        added to a growing array in its place is handed over as a function that writes it out.
      spend: drop each record as soon as it was used, and add in place where nobody can see it. Large
        arrays are then free for the next step, which is faster too: memory used before is at hand.
    """
    ours: set[int] = set()  # where an array, or `Parts`, grows that nobody else can hold
    place = last
    # `for` goes from neighbour to neighbour; where nothing has arrived it breaks off, and `while`
    # leaps to the next place where something has.
    while place >= 0:
        for place in range(place, first, -1):  # noqa: B020 - the search goes on from there
            dy = grads[place]
            if dy is None:
                break
            grads[place] = None
            op, i, j, a, b, y, attrs, _, _ = records[place]
            if dy is ones:
                op = op.at_ones
            if spend and 0 < op.arity <= 2:
                records[place] = None
            if op.passes_on:  # these two written out: a call takes as long as to multiply
                da, db = dy if i >= 0 else None, dy if j >= 0 else None
            elif op.multiplies:
                if raw:
                    a, b = a._value, b._value
                da = dy * b if i >= 0 else None
                db = da if i == j else dy * a if j >= 0 else None  # a square's two are one
            elif op.hands_over:
                if raw:
                    a, b = a._value, b._value
                    da, db = all_of(b, dy) if i >= 0 else None, all_of(a, dy) if j >= 0 else None
                else:  # `all_of`, which is called only where the forms differ
                    form = dy._form or form_of(dy)
                    da = None if i < 0 else b if b._form is form else all_of(b, dy)
                    db = None if j < 0 else a if a._form is form else all_of(a, dy)
            elif op.arity == 1:
                vjp_a = op.vjp_a  # and then called: half as long as to call `op.vjp_a` at once
                if attrs is None:
                    da = vjp_a(dy, a._value, y._value) if raw else vjp_a(dy, a, y)
                elif i in ours and op.add_in is not None:
                    op.add_in(grads[i], dy, None, attrs)
                    if seen is None:
                        continue
                    da = None
                elif i < 0:  # a leaf
                    grads[place] = dy
                    da = None
                else:
                    if raw:
                        a, y = a._value, y._value
                    da = vjp_a(dy, a, y, **attrs)
                    if op.add_in is not None and type(da) in _GROWING:
                        ours.add(i)
                    if dy is ones and op.spreads:
                        ones = da
                db = None
            elif op.arity == 2:
                if raw:
                    a, b, y = a._value, b._value, y._value
                vjp_a, vjp_b = op.vjp_a, op.vjp_b
                if attrs is None:
                    da = vjp_a(dy, a, b, y) if i >= 0 else None
                    db = vjp_b(dy, a, b, y) if j >= 0 else None
                elif op.add_in is not None and i in ours:
                    op.add_in(grads[i], dy, b, attrs)
                    da = db = None
                else:
                    da = vjp_a(dy, a, b, y, **attrs) if i >= 0 else None
                    db = vjp_b(dy, a, b, y, **attrs) if j >= 0 else None
                    if op.add_in is not None and type(da) is np.ndarray:
                        ours.add(i)
            else:
                dxs = _many_inputs(records, place, dy, raw)
                if spend:
                    records[place] = None
                if seen is not None:
                    seen(place, dy, list(zip(i, dxs, strict=True)))
                for source, dx in zip(i, dxs):  # noqa: B905 - `strict` takes longer
                    if dx is not None and source >= 0:
                        so_far = grads[source]
                        grads[source] = dx if so_far is None else so_far + dx
                        arrived[source] = 1
                continue
            if seen is not None:
                part = da
                if op.add_in is not None and i in ours:  # this array will grow, and is large
                    part = partial(op.vjp_a, dy, *((a, y) if op.arity == 1 else (a, b, y)), **attrs)
                seen(place, dy, ((i, part), (j, db)))
            # Written out twice: to call a function would cost a tenth of the step's time.
            if da is not None:
                so_far = grads[i]
                if so_far is None:
                    grads[i] = da
                    if i != place - 1:
                        arrived[i] = 1
                else:
                    grads[i] = added(grads, i, da) if spend else so_far + da
            if db is not None:
                so_far = grads[j]
                if so_far is None:
                    grads[j] = db
                    if j != place - 1:
                        arrived[j] = 1
                else:
                    grads[j] = added(grads, j, db) if spend else so_far + db
        else:
            return
        place = arrived.rfind(1, first + 1, place)


def _many_inputs(records: list[Any], place: int, dy: Any, raw: bool) -> list[Any]:
    """The step of an operation with more than two inputs, or with a `pull`: a gradient for each."""
    op, places, _, inputs, _, y, attrs, _, _ = records[place]
    if op.pull is not None:
        step = Operation(records, place, raw)
        if raw and type(dy) is not Parts:  # nearly always
            return op.pull(step, dy)
        dys = [dy.get(k) for k in range(len(y))] if type(dy) is Parts else (dy,)
        asked = None if raw else ASKING.set(None)  # a rule of the learner's has lines of its own
        try:
            return op.pull(step, *dys)
        finally:
            if asked is not None:
                ASKING.reset(asked)
    if raw:
        inputs, y = [value._value for value in inputs], y._value
    attrs = attrs or {}
    return [
        vjp(dy, *inputs, y, **attrs) if source >= 0 else None
        for source, vjp in zip(places, op.vjps, strict=True)
    ]
