"""Layer 5: a variable that was made before the block, of the source's number.

One idea: the tape sees the new variable alone. That it began with what the source was then, the line
says that made it.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.surely import Surely
from autodiff_kit.readers.missing.assigning import variables_on_the_way
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.spots import called, statement_of
from autodiff_kit.readers.program.statement import code_of


def begun_before(case: Case) -> Finding | None:
    """The target was computed from a variable that was made of the source, before the block."""
    for variable, birth in variables_on_the_way(case):
        if variable is case.source or case.time.state(birth.time) != "not begun":
            continue
        statement: Any = statement_of(birth.spot)
        call = getattr(statement, "value", None)
        if not isinstance(statement, ast.Assign) or not isinstance(call, ast.Call):
            continue
        if (
            called(call) == "Variable"
            and call.args
            and _is_surely_read(case, statement, call.args[0])
        ):
            name = case.names.of(variable)
            return case.none(
                "assigned",
                f"`{case.target_name}` was computed from the variable `{name}`, which was made here, "
                f"before the block, of what `{case.source_name}` was then. A variable begins with a "
                "number: no gradient flows from it to what that number was computed from.",
                _inside(birth.code.co_filename, statement, call),
                line=birth.line,
                advice=f"If `{case.target_name}` is to depend on `{case.source_name}`, compute this "
                f"inside the block, and not as a variable; otherwise ask for `{name}`.",
            )
    return None


def _is_surely_read(case: Case, statement: ast.stmt, part: ast.expr) -> bool:
    """Whether an expression reads the source, or what never got anything but what is made of it."""
    text, surely = case.flow.text, Surely(case)
    names = surely.source | surely.always
    return statement in text.read and text.mentions(statement, names, code_of(part))


def _inside(file: str, statement: ast.Assign, call: ast.Call) -> str:
    """The line without the variable, to stand in the block; "" if it does more."""
    written, given = ast.unparse(statement.targets[0]), call.args[0]
    value = segment(file, given)
    plain = len(statement.targets) == 1 and len(call.args) == 1 and not call.keywords
    if not plain or "\n" in value or isinstance(given, (ast.Name, ast.Attribute)):
        return ""  # a name may be that of a list
    if isinstance(given, (ast.List, ast.ListComp)):
        value = f"ad.stack({value})"
    return f"{written} = {value}    # in the block"
