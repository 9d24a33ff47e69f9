"""Layer 5: a variable is NaN, and the step itself shows what may have made it so.

One idea: who asks after some steps finds NaN in the variables, wherever it began. But what made them so
in an earlier step, data with NaN or a division by 0, is mostly there in this one too, and does not need
them.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.operation import LEAF, OUTPUT
from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.births import sick_inputs
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import Sick, input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.spoiling import is_finite, may_be_a_mask
from autodiff_kit.readers.not_finite.remedy import remedy
from autodiff_kit.readers.not_finite.sickdata import sick_data
from autodiff_kit.readers.not_finite.since import SLOWER


def with_own_reason(case: Case, name: str, found: Finding) -> bool:
    """Whether the step has a reason that needs no variable; then the finding says so.

    Args:
      case, found: of a source that came from something that is not finite.
      name: what the learner calls that.
    """
    reason = _own_reason(case)
    if reason is None:
        return False
    before = found.why
    found.op, found.line = case.operation(reason.place).type, case.line(reason.place)
    if reason.kind == "data":
        found = sick_data(case, reason, found)
    else:
        found.why = "something is divided by 0 here."
        found.advice, found.fix = remedy(case, reason.place)
    found.cause = "source not finite"
    found.why = (
        f"{before} This step has a reason of its own, whatever `{name}` holds: {found.why} If that was "
        f"so in the first step too, it made `{name}` what it is: mend it, and begin again from finite "
        "values."
    )
    found.also.append(f"If it was not so: {SLOWER}")
    return True


def _own_reason(case: Case) -> Sick | None:
    """The first operation that takes NaN from outside, or is divided by 0 by what no sick leaf made."""
    leaves = [p for p in case.above if case.operation(p).definition is LEAF]
    sick = [p for p in leaves if not is_finite(case.values.get(p, 0.0))]
    spoilt = depending_on(case.records, sick)
    for place in sorted(case.above):
        operation = case.operation(place)
        if operation.definition in (LEAF, OUTPUT):
            continue
        for number, at in sick_inputs(case, place, is_finite):
            if at < 0 and _is_raw(case, place, number):
                return Sick("data", place, number)
        if operation.type == "RealDiv" and operation.places[1] not in spoilt:
            below = input_value(case, place, 1)
            if below is not None and not np.all(below):
                return Sick("operation", place)
    return None


def _is_raw(case: Case, place: int, number: int) -> bool:
    """Whether an input is no mask of -inf, nor perhaps what was computed of variables that are NaN.

    Of these, as of a copy of them, mostly all is NaN.
    """
    value = input_value(case, place, number)
    if value is None or may_be_a_mask(value):
        return False
    return bool(np.any(np.isfinite(value))) and not case.birth_of_input(place, number).computed
