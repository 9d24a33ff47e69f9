"""Layer 5: operations whose second derivative is 0 everywhere.

One idea: the rule of an operation that is made of straight pieces asks its inputs only which piece is
meant. Such a rule's records stand at the line of the question, and the operation itself took the same
values before.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.operation import OUTPUT
from autodiff_kit.readers.facts.account import Step, inputs_of
from autodiff_kit.readers.facts.births import input_value
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense, nonzero
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.questions import Question, question_at
from autodiff_kit.readers.mending.weights import SOFT
from autodiff_kit.readers.program.spots import called, calls_at

LINES = "it is made of straight lines, so its second derivative is 0 everywhere"
PICKS = "it only picks among its inputs, so its second derivative is 0 everywhere"
SMOOTH = "Where the second derivative matters, take a smooth function in its place: {}."
_UNIT = SMOOTH.format("ad.math.softplus, ad.tanh or ad.nn.gelu")
_LARGER = SMOOTH.format(
    "for a smooth maximum of x and c, c + ad.math.softplus(x - c); for a minimum, c - "
    "ad.math.softplus(c - x)"
)
_LARGEST = SMOOTH.format("ad.reduce_logsumexp(10.0 * x) / 10.0 is a smooth maximum")
_SMALLEST = SMOOTH.format("-ad.reduce_logsumexp(-10.0 * x) / 10.0 is a smooth minimum")
_CHOICE = SMOOTH.format("weights that add up to one, ad.nn.softmax of what is compared")

PIECES = {  # the operation, what it is called, why its second derivative is 0, and what to do
    "Relu": ("relu", LINES, _UNIT),
    "Relu6": ("relu6", LINES, _UNIT),
    "LeakyRelu": ("leaky_relu", LINES, _UNIT),
    "Maximum": ("maximum", LINES, _LARGER),
    "Minimum": ("minimum", LINES, _LARGER),
    "clip_by_value": ("clip_by_value", LINES, SMOOTH.format("ad.tanh, scaled to the bounds")),
    "Max": ("reduce_max", PICKS, _LARGEST),
    "Min": ("reduce_min", PICKS, _SMALLEST),
    "TopKV2": ("top_k", PICKS, _CHOICE),
    "sort": ("sort", PICKS, _CHOICE),
    "MaxPool": ("max_pool", PICKS, SMOOTH.format("ad.nn.avg_pool")),
    "SelectV2": (
        "where",
        "it depends on its condition only by which of the two is chosen, and a choice has no slope",
        f"Where that matters, mix the two softly: weigh them with {SOFT}, and with one minus that.",
    ),
}

_WITHIN = {"TopKV2": "sort", "Maximum": "clip_by_value", "Minimum": "clip_by_value"}
_GRADS = {f"{kind}Grad": kind for kind in ("Relu", "Relu6", "LeakyRelu", "MaxPool")}
_CURVES = {
    f"{name.capitalize()}Grad": f"this is the derivative of {name}, which is a straight line above 0, "
    "so its second derivative is 0 there"
    for name in ("elu", "selu")
}


def no_second_derivative(case: Case, operation: Operation) -> Finding | None:
    """No gradient flows through an operation, because it belongs to a derivative."""
    question = question_at(*case.records[operation.place][-2:])
    if question is None:
        return None
    kind = made_of_pieces(case, operation.place, question, case.below)
    asked = f"the derivative that `{question.tape}` was asked for here"
    why = f"{operation.type} is a part of {asked}, and no gradient flows through it."
    advice = f"Look at what in that derivative depends on `{case.source_name}`."
    if kind:
        name, reason, advice = PIECES[kind]
        why = f"In {asked}, this is the derivative of {name}: {reason}."
    fix = ""
    if kind and case.target_name == question.name:
        fix = (
            f"{case.tape_name}.gradient({case.target_name}, {case.source_name}, "
            'unconnected_gradients="zero")    # if 0 is what is meant'
        )
    line = case.line(operation.place)
    return case.none("second derivative", why, fix, operation.type, line, advice)


def flat_twice(case: Case, step: Step) -> tuple[str, str] | None:
    """Why a derivative was flat, and what to do, if it is that of something made of pieces."""
    kind = step.operation.type
    if kind in _CURVES:
        return (_CURVES[kind], _UNIT) if _only_straight(case, step) else None
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


def made_of_pieces(
    case: Case, place: int, question: Question, through: set[int] | None = None
) -> str:
    """Which of the `PIECES` a record on the way back belongs to; ``""`` if that is not certain.

    Args:
      through: the values that count among those that it was computed from; None for all.
    """
    before = _from_before(case, place, question)
    taken = {_whole(case, p) for p in before if through is None or p in through}
    users = [p for p in range(place) if not _asked(case, p, question)]
    users = [p for p in users if p in taken or taken & set(inputs_of(case.records[p]))]
    kinds = {_kind(case, p) for p in users} - {""}
    return kinds.pop() if len(kinds) == 1 else ""


def _from_before(case: Case, place: int, question: Question) -> set[int]:
    """The values from before the question that a record of its way back was computed from."""
    found, todo = set(), [place]
    while todo:
        for one in inputs_of(case.records[todo.pop()]):
            if _asked(case, one, question):
                todo.append(one)
            else:
                found.add(one)
    return found


def _whole(case: Case, place: int) -> int:
    """The operation itself for one of its several outputs."""
    record = case.records[place]
    return inputs_of(record)[0] if record[0] is OUTPUT else place


def _asked(case: Case, place: int, question: Question) -> bool:
    code, instruction = case.records[place][-2:]
    return code is question.code and bool(instruction == question.instruction)


def _kind(case: Case, place: int) -> str:
    kind = case.records[place][0].type
    written = [called(call) for call in calls_at(*case.records[place][-2:])]
    name = _WITHIN.get(kind, "")
    return name if name in written else kind if kind in PIECES else ""
