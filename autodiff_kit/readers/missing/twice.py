"""Layer 5: operations whose second derivative is 0 everywhere.

One idea: the rule of an operation that is made of straight pieces asks its inputs only which piece is
meant. Such a rule's records stand at the line of the question, and the operation itself took the same
values before.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense, nonzero
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.questions import question_at
from autodiff_kit.readers.missing.pieces import PIECES, UNIT, made_of_pieces

_GRADS = {f"{kind}Grad": kind for kind in ("Relu", "Relu6", "LeakyRelu", "MaxPool")}
_CURVES = {
    f"{name.capitalize()}Grad": f"this is the derivative of {name}, which is a straight line above 0, "
    "so its second derivative is 0 there"
    for name in ("elu", "selu")
}


def no_second_derivative(case: Case, operation: Operation) -> Finding | None:
    """No gradient flows through an operation, because it belongs to a derivative."""
    question = question_at(case.spot(operation.place))
    if question is None:
        return None
    kind = made_of_pieces(case, operation.place, question, case.below)
    asked = f"the derivative that `{question.tape}` was asked for here"
    why = f"{operation.type} is a part of {asked}, and no gradient flows through it."
    advice = f"Look at what in that derivative depends on `{case.source_name}`."
    if kind:
        name, reason, advice = PIECES[kind]
        why = f"In {asked}, this is the derivative of {name}: {reason}."
    is_it = kind and case.target_name == question.name
    fix = f"{case.zero}    # if 0 is what is meant" if is_it else ""
    line = case.line(operation.place)
    return case.none("second derivative", why, fix, operation.type, line, advice)


def flat_twice(case: Case, step: Step) -> tuple[str, str] | None:
    """Why a derivative was flat, and what to do, if it is that of something made of pieces."""
    kind = step.operation.type
    if kind in _CURVES:
        return (_CURVES[kind], UNIT) if _only_straight(case, step) else None
    if kind not in _GRADS:
        return None
    name, reason, advice = PIECES[_GRADS[kind]]
    dead = _lets_nothing_through(case, step)
    if kind == "MaxPoolGrad":
        return None if dead else (f"this is the derivative of {name}, and {reason}", advice)
    at = ", which is 0 wherever a gradient arrives: the unit is dead there" if dead else ""
    return f"this is the derivative of {name}{at}, and {reason}", advice


def _lets_nothing_through(case: Case, step: Step) -> bool:
    """Whether what the slope was multiplied with depends on the source too, and gets only zeros."""
    place = step.operation.places[0]
    back = [dx for p, dx in step.pairs if p == place and dx is not None]
    return place in case.below and not any(map(nonzero, back))


def _only_straight(case: Case, step: Step) -> bool:
    """Whether gradients arrived only where the result is not below 0."""
    y = input_value(case, step.operation.place, 1)
    return y is not None and not np.any((np.asarray(y) < 0) & (dense(step.dy) != 0))
