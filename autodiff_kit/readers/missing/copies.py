"""Layer 5: another tensor than the one that was meant.

One idea: tensors are told apart by what they are, not by their numbers. A copy, a new expression and
what a name was bound to again are other tensors.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.others import tape_name
from autodiff_kit.readers.missing.cutout import by_a_whole
from autodiff_kit.readers.missing.late import born_of_a_watch
from autodiff_kit.readers.missing.rebound import bound_later
from autodiff_kit.readers.program.asked import is_a_tool, led_to, references
from autodiff_kit.readers.program.nodes import expression
from autodiff_kit.readers.program.plain import is_plain
from autodiff_kit.readers.program.words import root_of, word_in
from autodiff_kit.request import places_of
from autodiff_kit.tensor import Tensor


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


def exchanged_on(case: Case, other: Any, line: Any) -> Finding:
    """The source was computed from the target, while another tape recorded."""
    source, target, name = case.source_name, case.target_name, tape_name(case, other)
    at_hand, called = case.names.by_identity_of(other) is not None, f"`{name}`"
    return case.none(
        "exchanged",
        f"`{source}` was computed from `{target}`, not the other way round: target and source are "
        f"exchanged. And {called if name else 'another tape'} recorded that, not `{case.tape_name}`.",
        f"{name}.gradient({source}, {target})    # target first" if at_hand else "",
        line=line,
        advice="" if at_hand else "Ask that tape, the target first.",
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
        return new_tensor(case, case.line(place), case.operation(place).type)
    if not case.made_after(birth):
        return None  # it was there before; only the watching came afterwards
    return new_tensor(case, birth.line, birth.type if birth.computed else "")


def new_tensor(case: Case, line: Any, op: str) -> Finding:
    """The source is a tensor that was made on a line of its own, from nothing that leads on."""
    name = case.source_name
    if op in ("ReadVariableOp", "Identity"):
        return copy_of(case, line, op)
    if case.names.bound(case.source) and case.mentions(name.split("[")[0], line):
        return bound_later(case, line, op)
    target, whole, advice = case.target_name, by_a_whole(case), ""
    watched = f"\n{case.tape_name}.watch(moved)" if _of_numbers(case, name) else ""
    code = f"moved = {name}{watched}    # then compute `{target}` from `moved`, and ask for `moved`"
    if whole:
        code = whole
        advice = "A derivative by a piece is the same piece of the derivative by the whole:"
    elif name.isidentifier():  # what has a name already needs no other one
        code = ""
        advice = (
            f"Make it before `{target}`, let the tape watch it if it is neither a variable nor "
            f"computed from one, and compute `{target}` from that very tensor."
        )
    return case.none(
        "new expression",
        f"`{name}` is a new tensor, made when that expression was evaluated. "
        f"`{target}` was not computed from it, even if the numbers are the same.",
        code, op, line, advice,
    )  # fmt: skip


def is_made_anew(case: Case) -> bool:
    """Whether the source was made after the target, or by a call of the kit's with plain numbers, which
    makes a tensor each time.
    """
    name = case.source_name
    if case.made_after(case.source_birth):
        return True
    return isinstance(expression(name), ast.Call) and all(map(is_plain, _read_in(case, name)))


def _of_numbers(case: Case, name: str) -> bool:
    """Whether an expression is made of nothing that the tape would know: numbers and constants."""
    return all(
        is_plain(one) or type(one) is Tensor and not places_of(case.tape, one)
        for one in _read_in(case, name)
    )


def _read_in(case: Case, name: str) -> list[Any]:
    """What the names in an expression lead to, but those of the kit's and of NumPy's own things."""
    frame, node = case.names.frame, expression(name)
    found = [*references([node])] if node else []
    return [led_to(one, frame) for one in found if not is_a_tool(led_to(root_of(one), frame), one)]


def copy_of(case: Case, line: Any, op: str) -> Finding:
    """The source is what reading a variable, or identity, gave."""
    name = case.source_name
    text = line.statement if line is not None else ""
    known = [n for v in case.tape.variables if word_in(n := case.names.of(v), text)]
    code = f"{case.tape_name}.gradient({case.target_name}, {known[0]})" if len(known) == 1 else ""
    return case.none(
        "new expression",
        f"`{name}` is a copy that was made here, a tensor of its own. `{case.target_name}` was "
        "computed from the original.",
        code and f"{code}    # the ad.Variable itself",
        op, line, "Ask for the gradient of the original, not of a copy of it.",
    )  # fmt: skip
