"""Layer 5: a tensor in the place of a variable, and the line that computed it does not name that place.

One idea: the text made a variable under that name, as ``self.w = ad.Variable(...)`` does. What the name
leads to now is a tensor, so something put it there: a call, a loop over names, a helper function.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.inplace import WHY, holds_variables
from autodiff_kit.readers.program.lines import line_at, segment
from autodiff_kit.readers.program.spots import called, statement_of

_ARGUMENTS = 3  # setattr(holder, name, value)


def replaced(case: Case) -> Finding | None:
    """The name was that of a variable, and leads to a tensor now."""
    birth, name, text = case.source_birth, case.source_name, case.flow.text
    there: Any = statement_of(birth.spot)
    if there not in text.read or birth.line is None:
        return None
    root = name.split("[")[0]
    binders = [s for s in text.read if any(one[1] == root for one in text.receivers(s))]
    made = [s for s in binders if isinstance(s, ast.Assign) and holds_variables(s.value)]
    updated = _updated(birth.code.co_filename, there, name)
    if not made or there in binders and not updated:
        return None
    first = (
        line_at(case.flow.files[made[0]], made[0].lineno) if made[0] in case.flow.files else None
    )
    where = f" that {first.where} made" if first is not None else ""
    code = updated or _set_by_name(birth.code.co_filename, there)
    advice = (
        f"Change the ad.Variable instead of replacing it: `{name}.assign(...)` with the new value, "
        "where it is put there now."
    )
    return case.none(
        "rebound",
        f"`{name}` is no longer the ad.Variable{where}: the tensor that was computed here, the result "
        f"of {birth.type}, was put in its place, and the tape does not watch that one.",
        code,
        birth.type,
        birth.line,
        "" if code else advice,
    )


def _call_alone(statement: Any) -> ast.Call | None:
    """The call that a statement is, None if it is anything else."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return call if isinstance(call, ast.Call) else None


def _updated(file: str, statement: Any, name: str) -> str:
    """The step with `assign`, where ``params.update(w=...)`` put it there; "" if it is not that."""
    call = _call_alone(statement)
    if call is None:
        return ""
    holder = ast.unparse(getattr(call.func, "value", call.func))
    for given in call.keywords if called(call) == "update" else ():
        key, value = f"{holder}[{given.arg!r}]", segment(file, given.value)
        if key == name.replace('"', "'") and "\n" not in value:
            return f"{name}.assign({value}){WHY}"
    return ""


def _set_by_name(file: str, statement: Any) -> str:
    """The step with `assign`, where ``setattr`` gets the name from a loop; "" if it is not that."""
    call = _call_alone(statement)
    if call is None:
        return ""
    if called(call) != "setattr" or len(call.args) != _ARGUMENTS:
        return ""
    holder, name, value = (segment(file, one) for one in call.args)
    return f"getattr({holder}, {name}).assign({value}){WHY}" if "\n" not in value else ""
