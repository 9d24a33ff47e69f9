"""Layer 5: a zero that comes from a rule that the learner put in the place of an operation's own.

One idea: what the operation's own rule would do at these values says nothing then.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.wrapped import LEAVE_OUT, ran_again
from autodiff_kit.registry import GRADIENTS


def given_rule(case: Case, step: Step, found: Finding) -> Finding | None:
    """What is said of an operation whose rule was exchanged; None if it has its own."""
    operation = step.operation
    name = operation.definition.rule_name
    again = ran_again(operation)
    if again:
        found.op, found.line = operation.type, case.line(operation.place)
        found.why = (
            f"{again}, and the gradient that it found there is zero; a None is taken for one."
        )
        found.advice = LEAVE_OUT
        return found
    if name is None or operation.type == "CustomGradient":
        return None
    found.op, found.line = operation.type, case.line(operation.place)
    rule = f"the rule of {name}"
    found.advice = f"Leave {operation.type} its own rule, or give it another."
    if name in GRADIENTS:
        rule = f'"{name}" (the function `{getattr(GRADIENTS[name], "__name__", name)}`)'
        found.advice = "Look at that function: what comes in is not 0 here, and what it returns is."
    found.why = (
        f"At {operation.type} the gradient became zero: gradient_override_map gave it {rule} in place "
        "of its own, and that returns zeros here."
    )
    return found
