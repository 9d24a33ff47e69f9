"""Layer 5: gradients with NaN or infinity.

One idea: the first rule on the way back that made a finite gradient infinite is either fed with a value
that is itself not finite, and then that value's beginning is told, or it has an infinite slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import Step, leading_to
from autodiff_kit.readers.facts.births import Sick, first_sick, input_value, sick_target
from autodiff_kit.readers.facts.case import Case, tensor_of
from autodiff_kit.readers.facts.dense import dense, finite
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.limits import overflow_of
from autodiff_kit.readers.mending.safe import at_origin, length_at, mend_of_slope
from autodiff_kit.readers.not_finite.behind_zero import infinity_behind, with_logarithm
from autodiff_kit.readers.not_finite.halves import added_nothing
from autodiff_kit.readers.not_finite.inbranch import safe_before, safe_in_branch
from autodiff_kit.readers.not_finite.maskedout import eliminated, mask_words
from autodiff_kit.readers.not_finite.regardless import with_own_reason
from autodiff_kit.readers.not_finite.remedy import remedy
from autodiff_kit.readers.not_finite.sickdata import sick_data
from autodiff_kit.readers.not_finite.since import SLOWER
from autodiff_kit.readers.not_finite.steep import too_steep
from autodiff_kit.readers.zero.began import is_nought
from autodiff_kit.readers.zero.nought import nought
from autodiff_kit.readers.zero.vanished import at_size_one


def why_not_finite(case: Case) -> Finding:
    """Where a gradient with NaN or infinity stopped being finite."""
    found = Finding(case.source_name, "not finite", "not finite")
    for step in case.account.steps:
        if not finite(step.dy):
            continue
        bad = [dx for place, dx in step.pairs if place in case.below and dx is not None]
        bad = [dx for dx in bad if not finite(dx)]
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
    select = _select_above(case, step)
    if select is not None and _zero_where_bad(step.dy, bad):
        found = _trapped(case, step, bad, born, select, found)
        return sick_data(case, born, found) if born and born.kind == "data" else found
    if born is not None:
        return _value(case, born, found)
    return _slope(case, step, bad, found)


def _trapped(
    case: Case, step: Step, bad: Any, born: Sick | None, select: int, found: Finding
) -> Finding:
    """In the branch that `where` did not choose, zero times infinity."""
    operation = guilty = step.operation
    if born is not None and born.kind == "operation":
        guilty = case.operation(born.place)
    found.cause, found.op, found.line = "where trap", operation.type, case.line(operation.place)
    chosen = f"the branch that ad.where did not choose ({case.line(select).where})"
    after = "Choosing afterwards does not help; the argument must be safe beforehand."
    if born is not None and _is_nan_where_bad(case, guilty.place, operation.place, bad):
        found.op, found.line = guilty.type, case.line(guilty.place)
        found.why = (
            f"A value is NaN here, in {chosen}.{_example(case, guilty.place)} where sends back a zero "
            f"there, and on the way back 0 * NaN is NaN. {after}"
        )
    else:
        found.why = (
            f"The gradient was finite until {operation.type}, whose rule made it NaN here. This lies "
            f"in {chosen}: where sends back a zero there, and the rule multiplies it by an infinite "
            f"slope: 0 * inf is NaN. {after}"
        )
        if guilty.place != operation.place:
            found.also.append(
                f"The infinity itself is {guilty.type}'s, at {case.line(guilty.place).where}."
            )
    found.advice = "Make the argument safe before the function sees it:"
    found.fix = safe_in_branch(case, guilty, select) or safe_before(case, guilty, select)
    if not found.fix:
        found.advice = (
            "Where ad.where does not choose this branch, give the function an argument at which it is "
            "finite: choose the argument with ad.where first, then call the function."
        )
    return found


def _is_nan_where_bad(case: Case, guilty: int, place: int, bad: Any) -> bool:
    """Whether the NaN of a gradient comes from a value that is NaN, not from an infinite slope."""
    value = np.asarray(case.values.get(guilty, 0.0))
    if guilty != place:
        return bool(np.isnan(value).any() and not np.isinf(value).any())
    return value.shape == np.shape(bad) and bool(np.any(np.isnan(value) & ~np.isfinite(bad)))


def _value(case: Case, born: Sick, found: Finding) -> Finding:
    behind = infinity_behind(case, born)
    if behind is not None:
        found = _value(case, behind, found)
        if behind.kind == "operation":
            example = _example(case, behind.place)
            found.why = f"A value on the way to `{case.target_name}` is not finite here.{example}"
        found.advice, found.fix = with_logarithm(found.advice, found.fix)
        log = case.line(born.place).where
        found.why += f" What is divided by it is 0, and {log} takes the logarithm of that."
        return found
    operation, target = case.operation(born.place), case.target_name
    found.line = case.line(born.place)
    if born.kind == "leaf":
        return _sick_leaf(case, born.place, found)
    found.op = operation.type
    if born.kind == "data":
        return sick_data(case, born, found)
    if born.kind == "put in":
        return eliminated(case, born, found)
    found.cause = "value not finite"
    if born.kind == "unknown":
        found.cause = "value unknown"
        found.why = (
            f"A value on the way to `{target}` is not finite here. What went into it is not known any "
            "more, so it may have begun before."
        )
        found.advice = "Print what goes into this line."
        if operation.type.endswith("Grad"):
            found.advice += (
                " This is an operation of a gradient: ad.explain of the inner tape tells whether the "
                "first gradient was finite."
            )
        return found
    found.why = (
        f"The value itself is not finite any more from here on, on the way to `{target}`: what begins "
        f"as inf or NaN cannot have a useful gradient.{_example(case, born.place)}"
    )
    if finite(tensor_of(case.target)._value):
        found.why = (
            f"A value on the way to `{target}` is not finite here, although `{target}` itself is "
            f"finite again: on the way back the rules cannot leave it out.{_example(case, born.place)}"
        )
    if born.mask >= 0:
        found.why = f"NaN begins here.{_example(case, born.place)}{mask_words(case, born)}"
    found.advice, found.fix = remedy(case, born.place, born.mask)
    return found


def sick_words(case: Case) -> list[str]:
    """What to say of a target that is not finite, although its gradient is."""
    born = sick_target(case)
    if born is None:
        return []
    operation, where = case.operation(born.place), case.line(born.place).where
    begins = f"that begins with {operation.type} at {where}.{_example(case, born.place)}"
    if born.kind != "operation":
        begins = f"see {where}."
    elif born.mask >= 0:
        begins += f" {remedy(case, born.place)[0]}"
    return [f"`{case.target_name}` itself is not finite: {begins}"]


def _example(case: Case, place: int) -> str:
    """The first element that went wrong, for example `` Here Log(0.0) is -inf.``"""
    operation, value = case.operation(place), case.values.get(place)
    inputs = [input_value(case, place, n) for n in range(len(operation.places))]
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


def _sick_leaf(case: Case, place: int, found: Finding) -> Finding:
    found.cause = "source not finite"
    name = (
        case.source_name if place in case.source_places else case.name(place) or "a watched value"
    )
    found.why = f"`{name}` itself is not finite already, before anything is computed from it."
    if with_own_reason(case, name, found):
        return found
    variable = case.operation(place).attrs.get("variable")
    if variable is not None and variable.trainable:
        found.advice = SLOWER
    else:
        found.advice = f"Look at where `{name}` was made."
    return found


def _slope(case: Case, step: Step, bad: Any, found: Finding) -> Finding:
    """All values are finite, and the rule still made the gradient infinite."""
    operation = step.operation
    found.op, found.line = operation.type, case.line(operation.place)
    kind = "NaN" if np.any(np.isnan(bad)) else "infinite"
    found.why = f"The gradient was finite until {operation.type}, whose rule made it {kind} here."
    if operation.type == "CustomGradient" or operation.definition.rule_name:
        found.why += " The rule is one that was given to it, not the kit's own."
        found.advice = "Look at the gradient function: for these values it must be finite."
        return found
    if _only_too_large(case, step):
        found.cause = "overflow"
        found.why += (
            " The slope is finite, and so is what came in, but their product is too large for the "
            "dtype: the gradient exploded on its way."
        )
        found.advice = overflow_of(np.asarray(bad).dtype.name)
        return found
    steep = too_steep(case, step)
    if steep is not None:
        found.cause = "overflow"
        found.why += f" {steep[0]}"
        found.advice, found.fix = steep[1:]
        return found
    if operation.type == "Atan2" and at_origin(case, operation):
        found.why += " At (0, 0) its slope is 0 / 0."
    elif _zero_where_bad(step.dy, bad):
        found.why += " A zero came in, and the slope is infinite here: 0 * inf is NaN."
    else:
        found.why += " The slope itself is not finite at this value."
    inner = operation.places[0] if operation.places else -1
    nothing = added_nothing(case, inner, f"{operation.type} is infinitely steep at 0")
    found.advice, found.fix = (
        nothing or _begins_at_zero(case, operation) or mend_of_slope(case, operation)
    )
    return found


def _begins_at_zero(case: Case, operation: Operation) -> tuple[str, str] | None:
    """What to do where a parameter is 0 itself: if its slope were left out, it would stay there."""
    if length_at(case, operation.place) is not None:
        return None
    inner = operation.places[0] if operation.type in ("Sqrt", "Pow") else -1
    began = nought(case, inner) if inner >= 0 and is_nought(case.values.get(inner)) else None
    if began is None or began.kind != "leaf":
        return None
    words = began.words[0].upper() + began.words[1:]
    return f"{words}. Let it begin with another number, or add a small one before the root.", ""


def _only_too_large(case: Case, step: Step) -> bool:
    """Whether the rule returns finite gradients for a gradient of ordinary size."""
    pairs = at_size_one(case, step, lambda largest: largest > 1.0)
    if pairs is None:
        return False
    return all(dx is None or finite(dx) for place, dx in pairs if place in case.below)


def _select_above(case: Case, step: Step) -> int | None:
    """The `where` nearest to the sick step that its value goes into."""
    place = step.operation.place
    for other in range(place + 1, len(case.records)):
        if case.operation(other).type == "SelectV2" and other in case.above:
            if place in leading_to(case.records[: other + 1], [other]):
                return other
    return None


def _zero_where_bad(dy: Any, bad: Any) -> bool:
    dy = dense(dy)
    if np.shape(dy) != np.shape(bad):
        return not np.all(dy)
    return not np.any(dy[~np.isfinite(bad)]) if np.shape(dy) else not dy
