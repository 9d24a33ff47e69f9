"""Layer 5: a second end behind the first.

One idea: where a way ends, a mend lets a gradient through, and it may end again further back. So one
that stands for any other is sent on from there, to see whether it arrives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import Step, sent_back
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense, nonzero


def steps_behind(case: Case, step: Step) -> list[Step]:
    """The steps from where a way ended on, of a gradient that does not arrive either.

    Empty if it arrives, or if that is not certain.
    """
    pairs = [(p, dx) for p, dx in step.pairs if p in case.leads and dx is not None]
    if not pairs or any(isinstance(dx, dict) for _, dx in pairs):
        return []
    steps: list[Step] = []

    def see(place: int, dy: Any, pairs: Any) -> None:
        steps.append(Step(Operation(case.records, place), dy, pairs))

    try:
        left = sent_back(case.records, {p: _any(dense(dx)) for p, dx in pairs}, -1, see)
    except Exception:
        return []
    passed = {one.operation.place: one.dy for one in steps}
    came = [passed.get(p, left[p] if p < len(left) else None) for p in case.source_places]
    return [] if any(one is not None and nonzero(one) for one in came) else steps


def _any(like: Any) -> Any:
    """A gradient that nothing cancels by chance, in the shape and dtype of another."""
    like = np.asarray(like)
    return np.linspace(0.5, 1.5, like.size or 1, dtype=like.dtype)[: like.size].reshape(like.shape)[
        ()
    ]
