"""Layer 5: operations that let nothing through.

One idea: there is a way from the source to the target, and the account of the way back says where it
ended.
"""

from __future__ import annotations

from autodiff_kit.executed import Operation
from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.floating import chosen_before, is_floating, maker
from autodiff_kit.readers.facts.kinds import SHAPE_ONLY
from autodiff_kit.readers.facts.stops import ON_PURPOSE, STOPPED, stop_of
from autodiff_kit.readers.lost.drawn import draw_before
from autodiff_kit.readers.mending.halves import halves_exchanged
from autodiff_kit.readers.mending.instead import ACCURACY, instead_of, without_width
from autodiff_kit.readers.missing.blocked import with_the_one_before
from autodiff_kit.readers.missing.constantterm import constant_term
from autodiff_kit.readers.missing.ranked import a_leak_first, choosing, only_chooses
from autodiff_kit.readers.missing.returned import returned_none
from autodiff_kit.readers.missing.twice import no_second_derivative


def stopped_on_the_way(case: Case) -> Finding | None:
    """There is a way from source to target, and an operation on it lets no gradient through."""
    ends = []
    for step in reversed(case.steps):
        closed = case.closed(step)
        if closed:
            twice = no_second_derivative(case, step.operation)
            if twice is not None:
                return twice
            ends.append(_first_to_close(case, step.operation, closed[0]))
    # What is asked only for its shape is no way of its values, if there is another.
    ends = [one for one in ends if one.type not in SHAPE_ONLY] or ends
    if ends:
        choices = [one for one in ends if only_chooses(case, one)]
        if len(choices) == len(ends):
            return a_leak_first(case, _stop(case, ends[0]))
        found = _stop(case, next(one for one in ends if one not in choices))
        found.also += choosing(case, choices)
        return found
    return _integer_target(case) if case.path and not case.target.dtype.is_floating else None


def _first_to_close(case: Case, operation: Operation, place: int) -> Operation:
    """Go on through integers and answers to the operation that made them from floating values."""
    while operation.type != "SelectV2" and not is_floating(case, place):
        operation = maker(case, place)
        place = next((p for p in operation.places if p in case.on_path), -1)
        if place < 0:
            break
    return operation


def _stop(case: Case, operation: Operation) -> Finding:
    if operation.type == "SelectV2":
        operation = draw_before(case, operation.places[0]) or operation
    if operation.definition.rule_name is not None:
        return returned_none(case, operation, _given_none(case, operation))
    stop = stop_of(operation.type)
    words = {"op": operation.type, "source": case.source_name, "target": case.target_name}
    why, advice, fix = (text.format(**words) for text in stop[1:])
    more, code = instead_of(case, operation)
    more, code = more or advice, code or fix
    exchanged = halves_exchanged(case, operation.place)
    if exchanged[0]:
        more, code = exchanged
    elif more != ACCURACY:
        more, code = with_the_one_before(case, operation, more, code)
        more = more if code else without_width(more)
    line = case.line(operation.place)
    chosen = chosen_before(case, operation.place) if operation.type == "StopGradient" else None
    if chosen is not None:
        more, code = _in_vain(case, chosen), ""
    elif more == STOPPED and _others_learn(case):
        on_purpose = f"{ON_PURPOSE.format(case.source_name)} {_OTHERWISE}"
        more, code = constant_term(case, operation) or on_purpose, ""
    return case.none(stop.cause, why, code, operation.type, line, more)


_OTHERWISE = "Otherwise leave the stop_gradient out."


def _others_learn(case: Case) -> bool:
    """Whether something else that the tape watches gets a gradient: then the loss has a use without."""
    own = {*case.source_places, *case.below}
    leaves = (p for p in case.above - own if case.records[p][0] is LEAF)
    return any(case.account.total.get(place) is not None for place in leaves)


def _in_vain(case: Case, chosen: Operation) -> str:
    """What to say of a `stop_gradient` that stops nothing, for no gradient would come through."""
    return (
        f"Without it no gradient would come through either: of `{case.source_name}` only what "
        f"{chosen.type} at {case.line(chosen.place).where} makes goes in there."
    )


def _given_none(case: Case, operation: Operation) -> int:
    """The first input that was made of the source and got no gradient from an operation."""
    steps = [one for one in case.account.steps if one.operation.place == operation.place]
    closed = [place for step in steps for place in case.closed(step)]
    return closed[0] if closed else operation.places[0]


def _integer_target(case: Case) -> Finding:
    """The target itself holds integers: name the operation that made them of floating values."""
    return _stop(case, _first_to_close(case, case.operation(case.path[-1]), case.path[-1]))


def gradient_rule_missing(case: Case) -> Finding | None:
    """A rule raised LookupError, so the way back could not be finished."""
    stuck = case.account.stuck
    if stuck is None or stuck not in case.on_path:
        return None
    operation = case.operation(stuck)
    return case.none(
        "no rule",
        f"{operation.type} has no gradient registered at all, so `gradient` raises a LookupError.",
        '@ad.RegisterGradient("MyGradient")    # and ad.gradient_override_map around the operation',
        operation.type,
        case.line(stuck),
        "Register a gradient for it, or compute the value from other operations.",
    )
