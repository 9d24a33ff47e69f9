"""Layer 5: where what was made of a source ends, if it does not lead to the target.

One idea: a value that no operation takes any more is an end. Its name is the learner's clue.
"""

from __future__ import annotations

import ast

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import inputs_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.guards import guards_of
from autodiff_kit.readers.program.lines import assigned_name, nodes_in, tree_of
from autodiff_kit.readers.program.loops import Loop, use_in
from autodiff_kit.readers.program.spots import bindings, called, span_at, span_of, statement_of

STORING = ("Variable", "assign", "assign_add", "assign_sub")


def ends_of(case: Case) -> list[int]:
    """The places that were computed from the source and that no operation took, in order."""
    taken = {p for record in case.records for p in inputs_of(record)}
    ends = [p for p in sorted(case.below) if p not in taken and case.records[p][0] is not LEAF]
    return [p for p in ends if p not in case.conditions] or ends


def end_of(case: Case) -> str:
    """A sentence about the last value that was made of the source; ``""`` if there is none."""
    ends = ends_of(case)
    if not ends:
        return ""
    place = ends[-1]
    bound, where = bound_name(case, place), case.line(place).where
    name = bound or case.name(place)  # it may be what a function returned to its caller
    what = f"`{name}`, made at {where}," if name else f"the value made at {where}"
    comma = "" if name else ","
    nobody = "which no operation on the tape takes any further"
    ending = f"What was made of it ends with {what}{comma} {nobody}{_did_not_run(case, place)}."
    again = _given_again(case, place)
    given = f" After it {again}." if again else ""
    return f" {ending}{given}{_stored(case, place)}"


def was_to_go_on(case: Case) -> bool:
    """Whether a line that did not run would have gone on from the last value made of the source."""
    return any(_did_not_run(case, place) for place in ends_of(case)[-1:])


def _did_not_run(case: Case, place: int) -> str:
    """Which line would have gone on from a value, and what kept it from running; "" if none is."""
    name, made, text = bound_name(case, place), statement_of(case.spot(place)), case.flow.text
    tree = tree_of(case.spot(place).code.co_filename)
    if not name or tree is None or made not in text.read:
        return ""
    functions, there = text.inside[made], {(text.owner(made, name), name)}
    later = [s for s in text.read if s.lineno > made.lineno and text.inside[s] == functions]
    for one in sorted(later, key=lambda s: s.lineno):
        uses = text.mentions(one, there) and use_in(Loop(None, [one], ast.Constant(0), set()), name)
        guards = guards_of((functions or [tree])[-1].body, one) if uses else []
        if guards:
            stands = f"it stands {' and '.join(guards)}"
            return f"; line {one.lineno} would, and did not run: {stands}"
        if uses:
            return ""
    return ""


def counts_once(case: Case) -> bool:
    """Whether what was made of the source had the target's name, until that got another value."""
    ends = ends_of(case)
    named = bool(ends) and bound_name(case, ends[-1]) == case.target_name
    return named and bool(_given_again(case, ends[-1]))


def _given_again(case: Case, place: int) -> str:
    """Which line gave the name of a value to another one after that, "" if none did for certain."""
    name, later = bound_name(case, place), range(place + 1, len(case.records))
    ran = [p for p in later if case.records[p][0] is not LEAF]
    if not name or any(case.spot(p) == case.spot(place) for p in ran):
        return name and f"the same line ran again and gave `{name}` another value" or ""
    ran = [p for p in case.target_places if p in ran and bound_name(case, p) == name]
    same = bool(ran) and case.spot(ran[-1]).code is case.spot(place).code
    return f"{case.line(ran[-1]).where} gave `{name}` another value" if same else ""


def _stored(case: Case, place: int) -> str:
    """A sentence about the variable that a value was given to on its line, if it was."""
    code, span = case.spot(place).code, span_at(case.spot(place))
    calls = nodes_in(code.co_filename, ast.Call)
    stores = [c for c in calls if called(c) in STORING and c.args and span_of(c.args[0]) == span]
    how = f"{called(stores[0])}(...)" if stores else ""
    return how and (
        f" There a variable was given it by {how}, and no gradient flows from a variable to what it "
        "was given."
    )


def bound_name(case: Case, place: int) -> str | None:
    """The name that the value of a place was bound to."""
    code = case.spot(place).code
    tree, span = tree_of(code.co_filename), span_at(case.spot(place))
    if tree is not None and span is not None:
        return bindings(tree).get(span)
    return assigned_name(case.line(place)) if tree is not None else None
