"""Layer 5: what is said of the beginning of a zero.

One idea: the cause is where the zero began, not where it did harm, so that line is named, and what can
be done there.
"""

from __future__ import annotations

import ast

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import nonzero
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import CONTRACTIONS
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.mending.rebinding import birth_of
from autodiff_kit.readers.missing.pieces import PIECES, second_derivative_of
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.spots import called, calls_at
from autodiff_kit.readers.zero.always import MORE
from autodiff_kit.readers.zero.began import Nought
from autodiff_kit.readers.zero.dropped import SMALLER_RATE
from autodiff_kit.readers.zero.flat import leaky
from autodiff_kit.readers.zero.hinge import hinge_words
from autodiff_kit.readers.zero.sayings import ZERO_FIX

BOTH = "both factors are 0"
STATE = "Look at why it is 0: from data or a state that is 0 no weight can learn."
ADVICE = {
    "dead": ZERO_FIX["Relu"][0],
    "relu": "Print what goes into that relu: if it is below 0, ad.nn.leaky_relu lets some through; if "
    "it is 0, look at what makes it 0.",
    "hinge": hinge_words("Relu"),
    "clip": "Begin where nothing is cut off, or give the loss a part that still changes there, or a "
    "soft bound such as ad.math.softplus.",
    "dropout": SMALLER_RATE,
    "where": ZERO_FIX["SelectV2"][0],
    "condition": "Look at what is compared there: with this condition nothing is let through.",
    "cast": "Scale the numbers up before they become whole numbers, or leave the cast out.",
    "saturated": "Look at why its inputs are so far below 0.",
    "factor": "Look at that factor: if it is a mask, or a penalty with nothing to punish, the zero is "
    "what it was made for.",
    "difference": "Look at why the two are equal here.",
    "mean": MORE,
    "leaf": "Look at why that value is 0.",
}
_AREA = ADVICE["clip"].replace(
    "there,", "there (for boxes that do not meet, the distance of their centres),"
)
_MOVES_ON = (
    " Its own gradient is not 0: the next step of an optimizer moves it away from 0, and from then on "
    "a gradient arrives here too."
)


def with_beginning(case: Case, step: Step, began: Nought, reason: str, found: Finding) -> Finding:
    """The finding for a zero that began before the step at which the gradient became zero."""
    operation = step.operation
    where = case.line(operation.place).where
    found.why = (
        f"At {operation.type} at {where} the gradient became zero: {reason}. That 0 began before: "
        f"{began.words}."
    )
    at = operation.place if began.kind == "leaf" else began.place
    found.op, found.line = case.operation(at).type, case.line(at)
    found.advice = ADVICE.get(began.kind) or PIECES[second_derivative_of(case, at)][2]
    if reason == BOTH and began.kind in ("dead", "clip"):
        found.advice = _AREA  # a product of two leaky values rises where both are negative
    elif began.kind == "hinge":
        found.advice = hinge_words(found.op)
    elif began.kind == "dead":
        found.fix = leaky(case, at)
    elif began.kind == "factor" and case.operation(began.place).type != "Mul":
        found.advice = STATE
    elif began.kind == "leaf":
        _begins_at_zero(case, step, began, found)
    return found


def _begins_at_zero(case: Case, step: Step, began: Nought, found: Finding) -> None:
    """A variable that is zero, and as far as that is known still what it was made with."""
    variable = case.operation(began.place).attrs.get("variable")
    if variable is None:
        return
    found.advice = "If it began at zero, let it begin at random values."
    birth = birth_of(case, variable, began.place)
    if birth.type == "Variable" and birth.line is not None:
        found.why += f" It was made at {birth.line.where}."
        found.op, found.line, found.fix = None, birth.line, _random(birth)
        found.advice = "Let it begin with another number than 0."
        if found.fix or step.operation.type in CONTRACTIONS:
            found.advice = "Let the weights begin at random values, not at zero."
    if nonzero(case.account.total.get(began.place, 0.0)):
        found.why += _MOVES_ON


def _random(birth: Birth) -> str:
    """Random numbers for the zeros that a variable was made with, if those stand there plainly."""
    calls = [call for call in calls_at(birth.spot) if called(call) == "Variable"]
    zeros = calls[0].args[0] if len(calls) == 1 and calls[0].args else None
    if not isinstance(zeros, ast.Call) or called(zeros) != "zeros":
        return ""
    if ast.unparse(zeros.func) != "ad.zeros" or len(zeros.args) != 1 or zeros.keywords:
        return ""  # NumPy's zeros may be of another dtype
    file = birth.code.co_filename
    whole, shape = segment(file, zeros), segment(file, zeros.args[0])
    return "" if "\n" in whole else f"ad.random.normal({shape})    # instead of {whole}"
