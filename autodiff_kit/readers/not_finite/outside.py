"""Layer 5: where a constant that the learner computed stopped being finite.

One idea: no tape saw it, but its line reads names, and what these lead to is still at hand: from one
that is not finite to the next. A loop binds its names again, and what they were before nobody knows.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.program.cells import where_bound
from autodiff_kit.readers.program.lines import cell_number, covers, nodes_in
from autodiff_kit.readers.program.spots import called, expression_at, statement_of
from autodiff_kit.tensor import Tensor

_MAKING = ("acos", "asin", "divide", "log", "log1p", "reciprocal", "rsqrt", "sqrt", "truediv")
_ASKING = ("is_finite", "is_nan", "isfinite", "isnan")
_DEEPEST = 3  # steps from a name to what it is bound to


class Outside(NamedTuple):
    """The way back through constants that are not finite.

    births: of what was followed, the last made first.
    names: what the learner calls them, "" for the one that the tape took.
    is_known: whether all that the earliest was made of is still at hand, as far as it has a name.
    """

    births: list[Birth]
    names: list[str]
    is_known: bool


def followed(case: Case, birth: Birth, name: str | None) -> Outside:
    """Follow a constant that is not finite back to the first that is still at hand."""
    births, names = [birth], [name or ""]
    while True:
        read = _tensors_read(case, births[-1])
        now = births[-1].time
        sick = [n for n, (b, v) in read.items() if b.time < now and not np.all(np.isfinite(v))]
        if not sick:
            return Outside(births, names, all(b.time < now for b, _ in read.values()))
        births.append(read[sick[0]][0])
        names.append(sick[0])


def _tensors_read(case: Case, birth: Birth) -> dict[str, tuple[Birth, Any]]:
    """The names of constants that the statement reads, with when these were made, and their values."""
    statement, code = statement_of(birth.spot), birth.code
    value = getattr(statement, "value", None)
    own = (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
    found = {}
    for node in ast.walk(value) if isinstance(value, ast.AST) else ():
        tensor = case.held.get(node.id) if isinstance(node, ast.Name) else None
        if type(tensor) is not Tensor or code is not case.names.frame.f_code and node.id in own:  # type: ignore[attr-defined]
            continue  # of a function that has come back, the names lead nowhere
        made = Birth(tensor_behind(tensor)._home)
        if made.known:
            found[node.id] = made, tensor._value  # type: ignore[attr-defined]
    return found


def in_rounds(way: Outside) -> str:
    """What to do where the values of earlier rounds are not known any more."""
    lines = sorted({b.line.number for b in way.births if b.line is not None})
    suspects = _suspects([statement_of(b.spot) for b in way.births])
    if not suspects:
        suspects = " Numbers that grow from round to round end as inf, and inf - inf is NaN."
    called_so = f"`{way.names[-1]}`" if way.names[-1] else "It"
    several = f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}" if len(lines) > 1 else ""
    where = f" ({several})" if several else f" (line {lines[0]})" if lines else ""
    return (
        f"{called_so} was computed from earlier values that are not known any more, as in a "
        f"loop{where}. Print what is computed there in the first rounds.{suspects}"
    )


def bound_so(case: Case, name: str) -> str:
    """What may have made an array not finite, where the learner's file or cells compute it; or ""."""
    here = case.names.frame.f_code.co_filename
    file = where_bound(here, name)
    bound = [one for one in nodes_in(file, ast.Assign) if name in map(ast.unparse, one.targets)]
    return _suspects(bound, "" if file == here else f" of cell [{cell_number(file)}]")


def asked_where(case: Case, name: str) -> list[int]:
    """The lines at which the learner's file asks where an array is not finite."""
    calls = nodes_in(case.names.frame.f_code.co_filename, ast.Call)
    asking = [n for n in calls if called(n) in _ASKING and len(n.args) == 1]
    return sorted({n.lineno for n in asking if _reads(n.args[0], name)})


def _reads(node: ast.AST, name: str) -> bool:
    """Whether an expression is a name, or what a method or a function makes of it."""
    return any(isinstance(one, ast.expr) and ast.unparse(one) == name for one in ast.walk(node))


def suspects_before(birth: Birth) -> str:
    """What may have made a constant not finite: on its own line, or where the names there are bound."""
    statement, file = statement_of(birth.spot), birth.code.co_filename
    functions = nodes_in(file, ast.FunctionDef)
    scope = _scope(functions, statement) if statement is not None else None
    bound = [n for n in nodes_in(file, ast.Assign) if _scope(functions, n) is scope]
    todo: list[Any] = [expression_at(birth.spot) or statement]
    for _ in range(_DEEPEST):
        if _suspects(todo):
            return _suspects(todo)
        read = {n.id for one in todo if one is not None for n in ast.walk(one) if _is_read(n)}
        todo = [n for n in bound if read & {*map(ast.unparse, n.targets)}]
    return ""


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _scope(functions: list[ast.FunctionDef], statement: Any) -> Any:
    """The function around a statement, None for the module."""
    around = [function for function in functions if covers(function, statement.lineno)]
    return max(around, key=lambda function: function.lineno, default=None)


def _suspects(statements: list[Any], place: str = "") -> str:
    """The quotients, logarithms and roots in there, which make such numbers of ordinary ones."""
    nodes = [node for one in statements if one is not None for node in ast.walk(one)]
    found = {ast.unparse(n): n.lineno for n in nodes if isinstance(n, ast.expr) and _makes_them(n)}
    told = " and ".join(f"`{text}` (line {number}{place})" for text, number in [*found.items()][:2])
    return f" Of ordinary numbers, {told} can make NaN or inf: look there first." if told else ""


def _makes_them(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return not isinstance(node.right, ast.Constant)
    return isinstance(node, ast.Call) and called(node) in _MAKING
