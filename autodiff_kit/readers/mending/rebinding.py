"""Layer 5: what to write instead of an assignment to a variable.

One idea: a name can take the new value in the variable's place, but only where that name is what the
rest of the program reads. A parameter or a loop's name is not: there the value has to be handed on.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.names import has_own_name
from autodiff_kit.readers.facts.timeline import STORES, Birth
from autodiff_kit.readers.mending.renamed import (
    A_NAME_OF_ITS_OWN,
    INSIDE,
    is_asked_for,
    to_be_watched,
)
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.lines import covers, nodes_in, segment, spot_of
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import called, calls_at, key_of, statement_of
from autodiff_kit.readers.program.words import word_in

GO_ON = (
    "Go on with the new value itself instead of the variable; if there are many, collect them in a "
    "list and ad.stack them."
)
IN_A_FUNCTION = (
    "Return the new value from the function, and go on with what it returned instead of the variable. "
    "An assignment to the name would be seen in this function only."
)
IN_A_LOOP = (
    "Collect the new values in a list, and go on with that list instead of the variables. An "
    "assignment to the loop's name would be forgotten in the next round."
)


def instead_of_assigning(case: Case, event: Any) -> tuple[str, str]:
    """A sentence, and code, or none where a new name would not be seen by what reads the variable."""
    found = _assignment(event)
    if found is None:
        return GO_ON, ""
    owner, value = found
    name = ast.unparse(owner)
    if isinstance(owner, ast.Name):
        if _is_of_a_loop(event, owner):
            return IN_A_LOOP, ""
        if not _is_read_there(case, event, owner.id):
            return IN_A_FUNCTION, ""
        if not _leads_on(case, event, owner.id):
            return GO_ON, ""
    inside = to_be_watched(case, event, name)
    if is_asked_for(case, event.subject[0], event, name):
        words = {"new": _free(case, name), "value": value, "name": name, "target": case.target_name}
        return A_NAME_OF_ITS_OWN.format(**words) + (INSIDE if inside else ""), ""
    code = "\n".join([_as_code(owner, value), *inside])
    copied = copied_from_the_source(case, event.subject[0])
    if copied is not None:
        where = "" if copied.line is None else f" at {copied.line.where}"
        return (
            f"The variable began as a copy{where}, which is cut off as well: begin there, without "
            "ad.Variable. A tensor has to be watched by a tape that is to differentiate by it.",
            f"{bare(copied)}\n{code}",
        )
    return GO_ON, code


def _as_code(owner: ast.expr, value: str) -> str:
    return f"{ast.unparse(owner)} = {value}    # a tensor, with its gradient"


def _free(case: Case, name: str) -> str:
    """A name for the new value of what has this name already."""
    new = f"new_{name.rsplit('.', 1)[-1]}"
    return f"{new}er" if new in case.names.known else new


def name_at(case: Case, event: Any) -> str:
    """What the learner calls the variable that is assigned to, in that line if it is at hand so.

    In a method it is ``self.h`` and at hand ``cell.h``, which says more than the name of a result.
    """
    found, variable = _assignment(event), event.subject[0]
    written = ast.unparse(found[0]) if found else ""
    if is_reference(written) and led_to(written, case.names.frame) is variable:
        return written
    held = case.words_for(variable) if "." in written else []
    alike = [name for name in held if name.endswith("." + written.rpartition(".")[2])]
    return alike[0] if alike and not has_own_name(variable) else case.names.of(variable)


def _assignment(event: Any) -> tuple[ast.expr, str] | None:
    """What is assigned to, and its new value as code; None for a part of a variable."""
    for call in calls_at(event.spot):
        owner, file = getattr(call.func, "value", None), event.code.co_filename
        sign = {"assign": "", "assign_add": "+", "assign_sub": "-"}.get(called(call))
        if sign is None or len(call.args) != 1 or not isinstance(owner, (ast.Name, ast.Attribute)):
            continue
        name, value = segment(file, owner), segment(file, call.args[0])
        if "\n" not in value:
            return owner, f"{name} {sign} {bracketed(value)}" if sign else value
    return None


def _is_of_a_loop(event: Any, owner: ast.Name) -> bool:
    """Whether the name is one that a loop around the line gives."""
    number = event.line.number
    around = [loop for loop in nodes_in(event.code.co_filename, ast.For) if covers(loop, number)]
    return any(owner.id in names_in(loop.target) for loop in around)


_IS_FUNCTION = 1  # CO_OPTIMIZED: the names of a module or a cell are not kept like a function's


def _is_read_there(case: Case, event: Any, name: str) -> bool:
    """Whether the name, bound anew there, is what the rest of the program reads."""
    code = event.code
    if not code.co_flags & _IS_FUNCTION:
        return True
    if name not in (*code.co_varnames, *code.co_cellvars):
        return False
    if name not in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return True
    later = [p for p in case.tape.variables.get(event.subject[0], ()) if p >= event.place]
    return bool(later) and all(case.spot(p).code is code for p in later)


def _leads_on(case: Case, event: Any, name: str) -> bool:
    """Whether it is by this name that the variable is read, not as ``parts[0]``, say."""
    statement, flow = statement_of(event.spot, "assign"), case.flow
    if statement not in flow.text.read or event.subject[0] is case.target:
        return True
    return flow.arrives({(flow.text.owner(statement, name), name)})


def birth_of(case: Case, variable: Any, place: int) -> Birth:
    """Where a variable was made whose value at a place goes back to what it began with."""
    places = case.tape.variables.get(variable, ()) if variable is not None else ()
    first = next(iter(places), place)
    assigned = [e for e in case.time.all("assign") if e.subject[0] is variable]  # a step only moves
    assigned = [e for e in assigned if e.place <= place and not _adds(e)]
    if assigned:
        later = depending_on(case.records, [p for p in places if p < place] or [first])
        if any(event.subject[1] not in later for event in assigned):
            return Birth(None)  # it holds something else by now
    return Birth((case.records[first][6] or {}).get("origin"))


def _adds(event: Any) -> bool:
    calls = calls_at(event.spot)
    return any(called(call) in ("assign_add", "assign_sub") for call in calls)


def begun_with_it(case: Case, variable: Any, birth: Birth) -> str:
    """The value itself instead of a variable, also where the variable is assigned to after that."""
    events = [e for e in case.time.all(*STORES) if e.subject[0] is variable]
    found = [one for one in map(_assignment, events) if one is not None]
    begun = bare(birth, packed(case, birth))
    if not begun or len(found) < len(events) or wraps_only(birth):
        return ""
    return "\n".join(dict.fromkeys([begun, *(_as_code(*one) for one in found)]))


def copied_from_the_source(case: Case, variable: Any) -> Birth | None:
    """Where a variable was made, if it began as the number of something that has a gradient."""
    places = case.tape.variables.get(variable, ())
    birth = Birth((case.records[places[0]][6] or {}).get("origin") if places else None)
    if birth.line is None or "Variable(" not in birth.line.statement or not bare(birth):
        return None
    given = birth.line.statement.split("Variable(", 1)[-1]
    names = {case.source_name} | {case.name(p) for p in case.below} - {None}
    recorded = case.time.state(birth.time) == "recording"
    is_copy = recorded and any(word_in(name, given) for name in names if name)
    return birth if is_copy or given == f"{case.source_name})" else None


def packed(case: Case, birth: Birth) -> bool:
    """Whether the variable was made from a list of tensors, which that call has put together."""
    made = [spot_of(record) for record in case.records if record[0].type == "Pack"]
    return any(key_of(spot) == key_of(birth.spot) for spot in made)


def bare(birth: Birth, packed: bool = False) -> str:
    """The assignment without ``ad.Variable``, if it is no more than that; a list is stacked."""
    statement: Any = statement_of(birth.spot)
    call = getattr(statement, "value", None)
    if not isinstance(statement, ast.Assign) or not isinstance(call, ast.Call):
        return ""
    if called(call) != "Variable" or len(call.args) != 1 or call.keywords:
        return ""
    file = birth.code.co_filename
    value = segment(file, call.args[0])
    value = f"ad.stack({value})" if packed else value
    return f"{segment(file, statement.targets[0])} = {value}    # no ad.Variable"


def wraps_only(birth: Birth) -> bool:
    """Whether a line only makes a variable of what has the name already: ``h = ad.Variable(h)``."""
    statement: Any = statement_of(birth.spot)
    given = getattr(getattr(statement, "value", None), "args", [])
    targets = getattr(statement, "targets", [])
    return [ast.unparse(one) for one in given] == [ast.unparse(one) for one in targets]
