"""Layer 5: why a gradient is None.

One idea: each cause is one small function that recognises it. They are tried in order, the certain
ones first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.ended import end_of
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.floating import is_floating, maker
from autodiff_kit.readers.facts.others import came_from, record_of, recorder, tape_name
from autodiff_kit.readers.facts.stops import stop_of
from autodiff_kit.readers.mending.instead import instead_of
from autodiff_kit.readers.mending.rebinding import word_in
from autodiff_kit.readers.missing.apart import made_apart
from autodiff_kit.readers.missing.differentiated import (
    of_something_unknown,
    places_differentiated,
    question_of,
)
from autodiff_kit.readers.missing.elsewhere import CHECKS as ELSEWHERE
from autodiff_kit.readers.missing.fallen import fallen_out
from autodiff_kit.readers.missing.fromnumbers import from_numbers
from autodiff_kit.readers.missing.given import constant_target, no_target
from autodiff_kit.readers.missing.integers import integer_source
from autodiff_kit.readers.missing.late import born_of_a_watch, watched_late
from autodiff_kit.readers.missing.nottrained import not_trainable
from autodiff_kit.readers.missing.paused import computed_while_paused, pauses
from autodiff_kit.readers.missing.ranked import a_leak_first, choosing, only_chooses, with_others
from autodiff_kit.readers.missing.rebound import bound_later, rebound
from autodiff_kit.readers.missing.remade import another_variable
from autodiff_kit.readers.missing.returned import returned_none
from autodiff_kit.readers.missing.siblings import of_one_family
from autodiff_kit.readers.missing.twice import no_second_derivative
from autodiff_kit.readers.missing.unused import never_read, not_used
from autodiff_kit.readers.program.lines import line_of
from autodiff_kit.tensor import Tensor

Check = Callable[[Case], "Finding | None"]


def why_none(case: Case) -> Finding:
    """The cause of a None."""
    for check in CHECKS:
        found = check(case)
        if found is not None:
            if found.cause in ("not used", "not on the way"):
                found.also += pauses(case)
            return with_others(case, found)
    raise AssertionError("the last check always finds something")


def exchanged(case: Case) -> Finding | None:
    """The target stands before the source, and the source was computed from it."""
    if not case.target_places or not case.source_places:
        return None
    if max(case.target_places) >= min(case.source_places):
        return None
    if not depending_on(case.records, case.target_places) & set(case.source_places):
        return None
    return case.none(
        "exchanged",
        f"`{case.source_name}` was computed from `{case.target_name}`, not the other way round: "
        "target and source are exchanged.",
        f"{case.tape_name}.gradient({case.source_name}, {case.target_name})    # target first",
        line=case.line(case.source_places[-1]),
    )


def stopped_on_the_way(case: Case) -> Finding | None:
    """There is a way from source to target, and an operation on it lets no gradient through."""
    ends = []
    for step in reversed(case.account.steps):
        closed = [
            place for place, dx in step.pairs
            if dx is None and place in case.below and place in case.above
        ]  # fmt: skip
        if closed and step.operation.place in case.on_path:
            twice = no_second_derivative(case, step.operation)
            if twice is not None:
                return twice
            ends.append(_first_to_close(case, step.operation, closed[0]))
    if ends:
        choices = [one for one in ends if only_chooses(case, one)]
        if len(choices) == len(ends):
            return a_leak_first(case, _stop(case, ends[0]))
        found = _stop(case, next(one for one in ends if one not in choices))
        found.also += choosing(case, choices)
        return found
    target = case.target
    if case.path and not target.dtype.is_floating:
        return _integer_target(case)
    return None


def _first_to_close(case: Case, operation: Operation, place: int) -> Operation:
    """Go on through integers and answers to the operation that made them from floating values."""
    while operation.type != "SelectV2" and not is_floating(case, place):
        operation = maker(case, place)
        place = next((p for p in operation.places if p in case.on_path), -1)
        if place < 0:
            break
    return operation


def _stop(case: Case, operation: Operation) -> Finding:
    if operation.definition.rule_name is not None:
        return returned_none(case, operation, _given_none(case, operation))
    stop = stop_of(operation.type)
    words = {"op": operation.type, "source": case.source_name, "target": case.target_name}
    why, advice, fix = (text.format(**words) for text in stop[1:])
    more, code = instead_of(case, operation)
    line = case.line(operation.place)
    return case.none(stop.cause, why, code or fix, operation.type, line, more or advice)


def _given_none(case: Case, operation: Operation) -> int:
    """The first input that was made of the source and got no gradient from an operation."""
    steps = [one for one in case.account.steps if one.operation.place == operation.place]
    pairs = [pair for step in steps for pair in step.pairs if pair[0] in case.below]
    return next((place for place, dx in pairs if dx is None), operation.places[0])


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


def made_later(case: Case) -> Finding | None:
    """The source is on the tape, but was computed after the target: it only looks the same."""
    if not case.source_places or not case.target_places or case.path:
        return None
    place = case.source_places[0]
    if place <= max(case.target_places) or type(case.source) is not Tensor:
        return None
    birth = born_of_a_watch(case, place)
    if birth is None:
        return _new_tensor(case, case.line(place), case.operation(place).type)
    left = case.time.last("exit")
    if not birth.known or left is None or birth.time < left.time:
        return None  # it was there before; only the watching came afterwards
    return _new_tensor(case, birth.line, birth.type if birth.computed else "")


def _new_tensor(case: Case, line: Any, op: str) -> Finding:
    name = case.source_name
    if op in ("ReadVariableOp", "Identity"):
        return _copy(case, line, op)
    if case.names.bound(case.source) and case.mentions(name.split("[")[0], line):
        return bound_later(case, line, op)
    return case.none(
        "new expression",
        f"`{name}` is a new tensor, made when that expression was evaluated. "
        f"`{case.target_name}` was not computed from it, even if the numbers are the same.",
        f"moved = {name}    # then compute `{case.target_name}` from `moved`, and ask for `moved`",
        op, line,
    )  # fmt: skip


def _copy(case: Case, line: Any, op: str) -> Finding:
    name = case.source_name
    text = line.text if line is not None else ""
    known = [n for v in case.tape.variables if word_in(n := case.names.of(v), text)]
    code = f"{case.tape_name}.gradient({case.target_name}, {known[0]})" if len(known) == 1 else ""
    return case.none(
        "new expression",
        f"`{name}` is a copy that was made here, a tensor of its own. `{case.target_name}` was "
        "computed from the original.",
        code and f"{code}    # the ad.Variable itself",
        op, line, "Ask for the gradient of the original, not of a copy of it.",
    )  # fmt: skip


def source_not_on_tape(case: Case) -> Finding | None:
    """The tape does not watch the source."""
    if case.source_places:
        return None
    if type(case.source) is Tensor:
        return _tensor_not_on_tape(case)
    return _variable_not_on_tape(case)


def _tensor_not_on_tape(case: Case) -> Finding:
    name, birth = case.source_name, case.source_birth
    left = case.time.last("exit")
    if birth.known and left is not None and birth.time > left.time:
        return _new_tensor(case, birth.line, birth.type if birth.computed else "")
    if birth.computed:
        return _computed_and_unwatched(case)
    record = None if birth.known else record_of(case.source)
    if record is not None:
        return _recorded_by_another(case, record)
    what = "a constant" if birth.known else "a plain tensor"  # which it may have been computed as
    return not_used(case, f"it is {what}") or case.none(
        "not watched",
        f"`{name}` is {what}, and a tape watches only trainable variables by itself.",
        f"{case.tape_name}.watch({name})    # first thing inside the with block",
        line=birth.line,
    )


def _computed_and_unwatched(case: Case) -> Finding:
    name, birth = case.source_name, case.source_birth
    if birth.type in ("ReadVariableOp", "Identity"):
        return _copy(case, birth.line, birth.type)
    told = f"it is a plain tensor, the result of {birth.type}"
    return rebound(case) or not_used(case, told) or case.none(
        "not watched",
        f"`{name}` is a plain tensor, the result of {birth.type}, and a tape watches only trainable "
        "variables by itself.",
        f"{case.tape_name}.watch({name})    # inside the with block, before `{name}` is used",
        birth.type, birth.line,
    )  # fmt: skip


def _recorded_by_another(case: Case, record: Any) -> Finding:
    """The source was computed while another tape recorded; that one knows what came of it."""
    line = line_of(*record[-2:])
    if came_from(case.target, case.source) is False:
        return _new_tensor(case, line, record[0].type)
    name, other = case.source_name, tape_name(case, recorder(case.source))
    others = f"`{other}`" if other else "another tape"
    return case.none(
        "not watched",
        f"`{name}` is a plain tensor, the result of {record[0].type}. {others} recorded it, and "
        f"`{case.tape_name}` does not watch it: a tape watches only trainable variables by itself.",
        f"{case.tape_name}.watch({name})    # inside the with block, before `{name}` is used",
        record[0].type, line,
    )  # fmt: skip


def _variable_not_on_tape(case: Case) -> Finding:
    name, variable = case.source_name, case.source
    if not variable._trainable:
        return not_used(case, "it was made with trainable=False") or not_trainable(case)
    if not case.tape.watches_variables:
        told = "the tape was made with watch_accessed_variables=False"
        return not_used(case, told) or case.none(
            "variables not watched",
            "The tape was made with watch_accessed_variables=False, so it watches only what it is "
            "told to.",
            f"{case.tape_name}.watch({name})    # first thing inside the with block",
            line=case.entered,
        )
    left, born = case.time.last("exit"), case.source_birth
    if left is not None and born.known and born.time > left.time and case.mentions(name, born.line):
        return _new_tensor(case, born.line, "")
    return another_variable(case) or never_read(case)


def _falls_out(case: Case) -> Finding | None:
    """The target is a derivative of what was made of the source, and the source is not in it."""
    line, name, target = case.target_birth.line, case.source_name, case.target_name
    asked = line is not None and re.search(r"\.(gradient|jacobian|batch_jacobian)\(", line.text)
    if not asked or case.target_places:
        return None
    question = question_of(case)
    places = places_differentiated(case, question) if question is not None else None
    certain = bool(places and case.below.intersection(places))
    fix = f'{case.tape_name}.gradient({target}, {name}, unconnected_gradients="zero")'
    may = (
        ""
        if certain
        else (
            f" Or what was differentiated was not computed from it in the block of `{case.tape_name}`."
        )
    )
    advice = "If a derivative of zero is what is meant, ask for it."
    if not certain:
        advice = (
            "Look where what was differentiated was computed. If that was inside the block, the "
            'derivative is zero: ask for it with unconnected_gradients="zero".'
        )
    return case.none(
        "not on the way",
        f"`{target}` is a gradient, and `{name}` does not occur in it any more, as when what was "
        f"differentiated is linear in `{name}`.{may}",
        fix if certain else "",
        line=line,
        advice=advice,
    )


def not_on_the_way(case: Case) -> Finding | None:
    """Nothing else was found: source and target are both there, and nothing connects them."""
    name, target = case.source_name, case.target_name
    derivative = _falls_out(case)
    if derivative is not None:
        return derivative
    if case.uses:
        place = min(set(case.uses) - case.conditions, default=case.uses[0])
        return case.none(
            "not on the way",
            f"`{name}` was used here, but on the tape nothing that was made of it leads to `{target}`."
            f"{end_of(case)}",
            "",
            case.operation(place).type, case.line(place),
            f"If `{target}` is to depend on `{name}`, go on with what was made of it; otherwise do not "
            "ask for it.",
        )  # fmt: skip
    line = case.line(case.source_places[0]) if case.source_places else None
    after = f", after {line.where}, where the tape began to watch it" if line is not None else ""
    return case.none(
        "not on the way",
        f"Nothing on the tape uses `{name}`, so as far as it knows `{target}` was not computed from "
        "it.",
        "",
        line=line,
        advice=f"If `{target}` is to depend on `{name}`, compute it from that inside the block{after}.",
    )


def apart(case: Case) -> Finding | None:
    """Something on the way was not made on this tape, and the source would have been seen there."""
    if not case.would_be_seen:
        return None
    return made_apart(case, wide=True) or computed_while_paused(case, wide=True)


CHECKS: tuple[Check, ...] = (
    no_target,
    integer_source,
    exchanged,
    gradient_rule_missing,
    stopped_on_the_way,
    *ELSEWHERE[:1],
    made_later,
    watched_late,
    *ELSEWHERE[1:],
    constant_target,
    from_numbers,
    apart,
    of_something_unknown,
    source_not_on_tape,
    of_one_family,
    fallen_out,
    not_on_the_way,
)
