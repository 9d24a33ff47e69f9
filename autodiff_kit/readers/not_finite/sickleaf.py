"""Layer 5: what is not finite from the beginning: a variable, or what is watched.

One idea: mostly a loop diverged, and its last step left it so; but a variable may have been made so,
and then its own line is to be mended.
"""

from __future__ import annotations

import ast

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.limits import instead_of_infinity
from autodiff_kit.readers.facts.spoiling import may_be_a_mask
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.mending.rebinding import birth_of
from autodiff_kit.readers.not_finite.regardless import with_own_reason
from autodiff_kit.readers.not_finite.since import SLOWER
from autodiff_kit.readers.program.spots import statement_of


def sick_leaf(case: Case, place: int, found: Finding) -> Finding:
    """Say of a variable, or of what is watched, that it was not finite before anything was computed."""
    found.cause = "source not finite"
    name = (
        case.source_name if place in case.source_places else case.name(place) or "a watched value"
    )
    found.why = f"`{name}` itself is not finite already, before anything is computed from it."
    if with_own_reason(case, name, found):
        return found
    variable = case.operation(place).attrs.get("variable")
    birth = birth_of(case, variable, place) if variable is not None else None
    if birth is not None and birth.line is not None and _made_at_once(birth):
        found.why += f" It was made so at {birth.line.where}, and no step has changed it since."
        found.line, found.advice = birth.line, _finite_beginning(case, place)
    elif variable is not None and variable.trainable:
        found.advice = SLOWER
    else:
        found.advice = f"Look at where `{name}` was made."
    return found


def _made_at_once(birth: Birth) -> bool:
    """Whether a variable is what it was made with, and not made anew of itself in each step."""
    statement = statement_of(birth.spot)
    if birth.type != "Variable" or not isinstance(statement, ast.Assign):
        return birth.type == "Variable"
    named = {ast.unparse(target) for target in statement.targets}
    return not any(
        isinstance(node, ast.expr) and ast.unparse(node) in named
        for node in ast.walk(statement.value)
    )


def _finite_beginning(case: Case, place: int) -> str:
    """What to do about a variable that was made with NaN or infinities."""
    words = "Begin with finite numbers: look at what it is made of there."
    value = case.values.get(place)
    if value is None or not may_be_a_mask(value):
        return words
    large = instead_of_infinity(np.asarray(value).dtype.name)
    return (
        f"{words} Where -inf stands for what must not be chosen, a large negative number such as "
        f"{large} says so too, and has a gradient."
    )
