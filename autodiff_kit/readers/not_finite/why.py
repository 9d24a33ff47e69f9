"""Layer 5: gradients with NaN or infinity.

One idea: the first rule on the way back that made a finite gradient infinite is either fed with a value
that is itself not finite, and then that value's beginning is told, or it has an infinite slope.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.births import first_sick
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense, finite
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.not_finite.sickdata import sick_data
from autodiff_kit.readers.not_finite.sickvalue import sick_words, value_not_finite
from autodiff_kit.readers.not_finite.slope import slope_not_finite
from autodiff_kit.readers.not_finite.trapped import select_above, trapped, zero_where_bad


def why_not_finite(case: Case) -> Finding:
    """Where a gradient with NaN or infinity stopped being finite."""
    found = Finding(case.source_name, "not finite", "not finite")
    for step in case.account.steps:
        if not finite(step.dy):
            continue
        bad = [dx for _, dx in case.sent(step) if not finite(dx)]
        if bad:
            return _at(case, step, dense(bad[0]), found)
    found.why = "Gradients that are finite, each of them, arrive here and their sum is not."
    found.advice = "Look at the parts and their running sums: they are too large for their dtype."
    if case.account.steps and not finite(case.account.steps[0].dy):
        found.why = "The gradient that the way back began with is not finite: see output_gradients."
        found.advice = "Look at output_gradients."
    found.fix = case.replay
    return found


def _at(case: Case, step: Step, bad: Any, found: Finding) -> Finding:
    """A finite gradient came into this step, and what goes out is not finite."""
    born = first_sick(case, step)
    select = select_above(case, step)
    if select is not None and zero_where_bad(step.dy, bad):
        found = trapped(case, step, bad, born, select, found)
        return sick_data(case, born, found) if born and born.kind == "data" else found
    if born is not None:
        return value_not_finite(case, born, found)
    found = slope_not_finite(case, step, bad, found)
    found.also += sick_words(case)  # of another operation's making: here all values are finite
    return found
