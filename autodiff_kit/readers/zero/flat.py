"""Layer 5: operations that are flat where they are asked.

One idea: for each operation the sentence says where its slope is zero, and what lets some through.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import BOUNDS
from autodiff_kit.readers.mending.halves import halves_exchanged
from autodiff_kit.readers.missing.pieces import LINES
from autodiff_kit.readers.missing.twice import flat_twice
from autodiff_kit.readers.program.spelled import Spelled, bracketed, instead, is_written, spelled
from autodiff_kit.readers.zero.bounds import from_logits, let_through, surpassed
from autodiff_kit.readers.zero.exponents import exponent
from autodiff_kit.readers.zero.factors import by_factors
from autodiff_kit.readers.zero.hinge import (
    HINGE,
    THRESHOLD,
    hinge_words,
    is_hinge,
    is_threshold,
)
from autodiff_kit.readers.zero.sayings import (
    CLIPPED,
    EVEN_SUM,
    EVENLY,
    LOOK,
    REPLAY,
    SMOOTH_ABS,
    SOME_EVENLY,
    ZERO,
    ZERO_FIX,
)
from autodiff_kit.readers.zero.softmaxes import too_sure


def flat(case: Case, step: Step, found: Finding) -> Finding:
    """What is said of the operation that turned the gradient into zero."""
    operation = step.operation
    text = spelled(operation.type, case.spot(operation.place))
    found.op, found.line = operation.type, case.line(operation.place)
    reason, (found.advice, fix) = _reason(case, step, text)
    name = operation.type
    if text is not None and text.function == "clip_by_value":
        name, (found.advice, fix) = f"clip_by_value ({name})", CLIPPED
    found.why = f"At {name} the gradient became zero: {reason}."
    bound = None
    if operation.type in BOUNDS and fix == REPLAY:
        bound = let_through(operation, text, _against_zero(case, step))
    meant = surpassed(case, operation.place) if operation.type in BOUNDS else ""
    if name.startswith("clip_by_value"):
        meant = meant or from_logits(case, operation.place)
    if meant:
        found.advice, fix = meant, ""
    elif bound is not None:
        keep = bound[0].startswith("Or ")
        found.advice, fix = f"{found.advice} {bound[0]}" if keep else bound[0], bound[1]
    if operation.type == "Relu" and found.advice == ZERO_FIX["Relu"][0]:
        fix = leaky(case, operation.place)
    elif "{x}" in fix:
        fix = _in_own_words(fix.replace("{k}", _factor(case, step)), operation.type, text)
    exchanged = halves_exchanged(case, operation.place)
    if exchanged[0]:
        found.advice, fix = exchanged
    asked = f"{case.tape_name}, {case.target_name}, {case.source_name}"
    found.fix = fix.replace("tape, target, sources", asked)
    return found


def _reason(case: Case, step: Step, text: Spelled | None) -> tuple[str, tuple[str, str]]:
    """Why, and what to do about it: a sentence and code."""
    kind = step.operation.type
    if text is not None and text.function == "clip_by_value":
        return (
            "every value that a gradient arrived at was clipped, and a clipped value does not move",
            CLIPPED,
        )
    if kind == "Relu":
        return _below(case, step)
    if kind in BOUNDS and _against_zero(case, step) and is_hinge(case, step.operation.place):
        return ZERO[kind], (hinge_words(kind), "")
    if kind == "Softmax" and _saturated(case, step):
        return ZERO[kind], (too_sure(case, step.operation.place, _rows(step)), "")
    if kind == "Softmax":
        return EVENLY if _evenly(step) else SOME_EVENLY, (EVEN_SUM, "")
    by = exponent(case, step) or by_factors(case, step)
    if by is not None:
        return by
    twice = flat_twice(case, step)
    if twice is not None:
        return twice[0], (twice[1], "")
    if kind == "Sign" and (text is None or text.function != "sign"):
        return f"this is the derivative of abs, and {LINES}", SMOOTH_ABS
    return ZERO.get(kind, f"the derivative of {kind} is 0 here"), ZERO_FIX.get(kind, LOOK)


def _factor(case: Case, step: Step) -> str:
    """A number that brings the argument to a size at which tanh is not flat."""
    value = input_value(case, step.operation.place, 0)
    size = float(np.max(np.abs(value))) if value is not None and np.size(value) else 0.0
    usual = 10.0 if step.operation.type == "Sign" else 0.01
    if not np.isfinite(size) or size == 0 or 0.1 <= usual * size <= 5:
        return str(usual)
    return str(float(f"{1 / size:.1g}"))


def _in_own_words(fix: str, op_type: str, text: Spelled | None) -> str:
    """The code with the learner's own argument, "" where it is not known for certain."""
    if text is None or not is_written(text, op_type) or "\n" in text.whole or not text.arguments:
        return ""
    argument = text.arguments[0]
    return fix.format(x=argument if "any(" in fix else bracketed(argument), whole=text.whole)


def _below(case: Case, step: Step) -> tuple[str, tuple[str, str]]:
    """Why a relu is flat: as a penalty it has nothing to punish, as a unit it is dead."""
    if is_hinge(case, step.operation.place) and _all_below(case, step):
        return "every input is at or below zero, where relu is flat", (HINGE, "")
    if is_threshold(case, step.operation.place) and _all_below(case, step):
        return "no value is larger than what is subtracted, and below relu is flat", (THRESHOLD, "")
    if _all_below(case, step):
        return ZERO["Relu"], ZERO_FIX["Relu"]
    return (
        "every input that a gradient arrives at is at or below zero, where relu is flat",
        ZERO_FIX["Relu"],
    )


def _against_zero(case: Case, step: Step) -> bool:
    """Whether the other argument of maximum is 0."""
    bounds = [n for n, place in enumerate(step.operation.places) if place not in case.below]
    values = [input_value(case, step.operation.place, number) for number in bounds]
    return any(value is not None and not np.any(value) for value in values)


def _all_below(case: Case, step: Step) -> bool:
    place = step.operation.place
    value = input_value(case, place, 0)
    value = case.values.get(place) if value is None else value
    return value is not None and not np.any(np.asarray(value) > 0)


def _saturated(case: Case, step: Step) -> bool:
    """Whether one probability is 1 in each row that a gradient arrives at."""
    y = case.values.get(step.operation.place)
    if y is None or _evenly(step):
        return False
    return bool(np.all(np.max(y, axis=step.operation.attrs["axis"])[_rows(step)] == 1.0))


def _rows(step: Step) -> Any:
    """The rows of a softmax that a gradient arrives at, with True for each."""
    return np.any(dense(step.dy), axis=step.operation.attrs["axis"])


def _evenly(step: Step) -> bool:
    """Whether all probabilities of each row get the same gradient."""
    dy, axis = dense(step.dy), step.operation.attrs["axis"]
    return not np.any(np.ptp(dy, axis=axis))


def leaky(case: Case, place: int) -> str:
    """A relu of the learner's with some slope on the other side, if it is written as a call."""
    text = spelled("Relu", case.spot(place))
    if text is None or text.function != "relu" or len(text.arguments) != 1:
        return ""
    return instead(f"ad.nn.leaky_relu({text.arguments[0]})", text)
