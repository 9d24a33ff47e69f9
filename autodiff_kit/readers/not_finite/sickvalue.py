"""Layer 5: a value on the way that is not finite.

One idea: what begins as inf or NaN cannot have a useful gradient, so its beginning is told.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.account import value_of
from autodiff_kit.readers.facts.births import sick_target
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.climbing import climb_of_value
from autodiff_kit.readers.facts.dense import finite
from autodiff_kit.readers.facts.entering import Sick, input_values
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.not_finite.behind_zero import infinity_behind, with_logarithm
from autodiff_kit.readers.not_finite.maskedout import eliminated, mask_words
from autodiff_kit.readers.not_finite.remedy import remedy
from autodiff_kit.readers.not_finite.sickdata import sick_data
from autodiff_kit.readers.not_finite.sickleaf import sick_leaf
from autodiff_kit.readers.not_finite.spared import safe_where_left_out


def value_not_finite(case: Case, born: Sick, found: Finding) -> Finding:
    """Where the first value began that is not finite, and what to do about it."""
    behind = infinity_behind(case, born)
    if behind is not None:
        return _divided_by_infinity(case, born, behind, found)
    found.line = case.line(born.place)
    if born.kind == "leaf":
        return sick_leaf(case, born.place, found)
    found.op = case.kind(born.place)
    tellers = {"data": sick_data, "put in": eliminated, "unknown": _unknown}
    return tellers.get(born.kind, _began_here)(case, born, found)


def _divided_by_infinity(case: Case, born: Sick, behind: Sick, found: Finding) -> Finding:
    """A logarithm of 0, where that 0 is a quotient by an infinity which began before."""
    found = value_not_finite(case, behind, found)
    if behind.kind == "operation":
        target, shown = case.target_after(behind.place)[1], example(case, behind.place)
        found.why = f"A value on the way to `{target}` is not finite here.{shown}"
    found.advice, found.fix = with_logarithm(found.advice, found.fix)
    log = case.line(born.place).where
    found.why += f" What is divided by it is 0, and {log} takes the logarithm of that."
    return found


def _unknown(case: Case, born: Sick, found: Finding) -> Finding:
    """What went into the first value that is not finite is not known any more."""
    found.cause, (_, target) = "value unknown", case.target_after(born.place)
    found.why = (
        f"A value on the way to `{target}` is not finite here. What went into it is not "
        "known any more, so it may have begun before."
    )
    found.advice = "Print what goes into this line."
    if case.kind(born.place).endswith("Grad"):
        found.advice += (
            " This is an operation of a gradient: ad.explain of the inner tape tells whether the "
            "first gradient was finite."
        )
    return found


def _began_here(case: Case, born: Sick, found: Finding) -> Finding:
    """An operation made the first value that is not finite of values that were."""
    shown, (whole, target) = example(case, born.place), case.target_after(born.place)
    found.cause = "value not finite"
    found.why = (
        f"The value itself is not finite any more from here on, on the way to `{target}`: what begins "
        f"as inf or NaN cannot have a useful gradient.{shown}"
    )
    if finite(tensor_behind(whole)._value):
        found.why = (
            f"A value on the way to `{target}` is not finite here, although `{target}` itself is "
            f"finite again: on the way back the rules cannot leave it out.{shown}"
        )
    if born.mask >= 0:
        found.why = f"NaN begins here.{shown}{mask_words(case, born)}"
    found.advice, found.fix = remedy(case, born.place, born.mask)
    grown = climb_of_value(case, born.place)
    found.also += [grown.words_of_value] if grown is not None else []
    return found


def sick_words(case: Case) -> list[str]:
    """What to say of a target that is not finite, although its gradient is."""
    born = sick_target(case)
    if born is None:
        return []
    operation, where = case.operation(born.place), case.line(born.place).where
    begins = f"that begins with {operation.type} at {where}.{example(case, born.place)}"
    if born.kind != "operation":
        told = value_not_finite(case, born, Finding(case.source_name, "not finite"))
        first = told.why.partition(". ")[0].removesuffix(".")
        told_at = {"data": f"{first}, at {where}.", "leaf": f"{first}, see {where}."}
        begins = told_at.get(born.kind, f"see {where}.") + _in_words(told.advice, told.fix)
    elif born.mask >= 0:
        begins += f" {remedy(case, born.place)[0]}"
    else:
        begins += _left_out(case, born.place) or _mend(case, born.place)
    return [f"`{case.target_after(born.place)[1]}` itself is not finite: {begins}"]


def _left_out(case: Case, place: int) -> str:
    """What to do where only elements that a factor of 0 was to leave out are not finite; "" else."""
    mend = safe_where_left_out(case, place)
    return "" if mend is None else _in_words(*mend)


def _in_words(advice: str, code: str) -> str:
    """What to do, with its code in the sentence if that is one line."""
    code = code.partition("    #")[0]
    return f" {advice} `{code}`." if code and "\n" not in code else f" {advice}"


def _mend(case: Case, place: int) -> str:
    """What to do about the value, where no gradient is sick for which it would be told."""
    if not all(one is None or finite(value_of(one)) for one in case.account.results):
        return ""
    return _in_words(*remedy(case, place))


def example(case: Case, place: int) -> str:
    """The first element that went wrong, for example `` Here Log(0.0) is -inf.``"""
    operation, value = case.operation(place), case.values.get(place)
    inputs = input_values(case, place)
    shapes = {np.shape(one) for one in inputs if one is not None}
    if not operation.definition.elementwise:
        return ""
    if (
        value is None
        or len(inputs) > 2
        or any(one is None for one in inputs)
        or not shapes <= {(), np.shape(value)}
    ):
        return ""
    at = tuple(int(k) for k in np.argwhere(~np.isfinite(value))[0])
    shown = [str(np.asarray(one)[at if np.shape(one) else ()]) for one in inputs]
    spot = f" at {list(at)}" if at else ""
    return f" Here{spot} {operation.type}({', '.join(shown)}) is {np.asarray(value)[at]}."
