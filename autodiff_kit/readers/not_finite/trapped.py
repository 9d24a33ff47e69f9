"""Layer 5: zero times infinity in the branch that `where` did not choose.

One idea: `where` sends back a zero to what it did not take, and the rule there multiplies it by an
infinite slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import Step, leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import Sick
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.inlined import inlined
from autodiff_kit.readers.mending.safe import mend_of_slope
from autodiff_kit.readers.not_finite.inbranch import safe_before, safe_in_branch
from autodiff_kit.readers.not_finite.sickvalue import example


def trapped(
    case: Case, step: Step, bad: Any, born: Sick | None, select: int, found: Finding
) -> Finding:
    """In the branch that `where` did not choose, zero times infinity."""
    operation = guilty = step.operation
    if born is not None and born.kind == "operation":
        guilty = case.operation(born.place)
    found.cause, found.op, found.line = "where trap", operation.type, case.line(operation.place)
    chosen = f"the branch that ad.where did not choose ({case.line(select).where})"
    why = (
        f"The gradient was finite until {operation.type}, whose rule made it NaN here. This lies in "
        f"{chosen}: where sends back a zero there, and the rule multiplies it by an infinite slope: "
        "0 * inf is NaN."
    )
    if born is not None and _is_nan_where_bad(case, guilty.place, operation.place, bad):
        found.op, found.line = guilty.type, case.line(guilty.place)
        why = (
            f"A value is NaN here, in {chosen}.{example(case, guilty.place)} where sends back a zero "
            "there, and on the way back 0 * NaN is NaN."
        )
    elif guilty.place != operation.place:
        where = case.line(guilty.place).where
        found.also.append(f"The infinity itself is {guilty.type}'s, at {where}.")
    found.why = f"{why} Choosing afterwards does not help; the argument must be safe beforehand."
    found.advice, found.fix = _safe(case, guilty, select)
    return found


def _safe(case: Case, guilty: Operation, select: int) -> tuple[str, str]:
    """What to do, a sentence and code, so that the function sees a safe argument."""
    code = inlined(case, guilty.place, safe_in_branch(case, guilty, select))
    code = code or safe_before(case, guilty, select)
    if code:
        return "Make the argument safe before the function sees it:", code
    told = mend_of_slope(case, guilty) if guilty.type == "Atan2" else ("", "")
    if told[1]:
        return told
    return (
        "Where ad.where does not choose this branch, give the function an argument at which it is "
        "finite: choose the argument with ad.where first, then call the function.",
        "",
    )


def _is_nan_where_bad(case: Case, guilty: int, place: int, bad: Any) -> bool:
    """Whether the NaN of a gradient comes from a value that is NaN, not from an infinite slope."""
    value = np.asarray(case.values.get(guilty, 0.0))
    if guilty != place:
        return bool(np.isnan(value).any() and not np.isinf(value).any())
    return value.shape == np.shape(bad) and bool(np.any(np.isnan(value) & ~np.isfinite(bad)))


def select_above(case: Case, step: Step) -> int | None:
    """The `where` nearest to the sick step that its value goes into."""
    place = step.operation.place
    for other in range(place + 1, len(case.records)):
        if case.operation(other).type == "SelectV2" and other in case.above:
            if place in leading_to(case.records[: other + 1], [other]):
                return other
    return None


def zero_where_bad(dy: Any, bad: Any) -> bool:
    """Whether what came in was 0 wherever what goes out is not finite."""
    dy = dense(dy)
    if np.shape(dy) != np.shape(bad):
        return not np.all(dy)
    return not np.any(dy[~np.isfinite(bad)]) if np.shape(dy) else not dy
