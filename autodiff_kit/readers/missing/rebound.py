"""Layer 5: a name that was given a new tensor, and the learner means what it was before.

One idea: the statement that gave it the tensor is in the learner's text, so what is to stand there
instead keeps its expression.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.inplace import holds_variables, in_place, variables_made_by
from autodiff_kit.readers.mending.watching import watch
from autodiff_kit.readers.program.lines import Line, segment, statement_at
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.statement import code_of

# What these make is of the shape and the dtype of the variable, or else assign says so.
_KEEPS_SHAPE = {"Sub", "AddV2", "Mul", "RealDiv", "Neg", "Minimum", "Maximum"}
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def rebound(case: Case) -> Finding | None:
    """The source is a tensor that was computed from what its name meant before."""
    birth, name = case.source_birth, case.source_name.split("[")[0]
    statement: Any = statement_of(birth.spot)
    if statement not in case.flow.text.read or birth.line is None:
        return None
    got = list(case.flow.text.receivers(statement))
    own = next((one for one in got if one[1] == name), None)
    if own is None or not case.flow.text.mentions(statement, {got[0], own}):
        return None
    if not _replaces(statement, name):
        return None
    code, advice = _instead(case, statement, got)
    why = (
        f"`{case.source_name}` is no longer what it was: {birth.line.where} bound the name to a new "
        f"tensor, the result of {birth.type}, and the tape does not watch that one."
    )
    return case.none("rebound", why, code, birth.type, birth.line, advice)


def _replaces(statement: Any, name: str) -> bool:
    """Whether a statement puts something in the place of what it reads: ``parts.append(f(parts[-1]))``
    and ``parts[i + 1] = f(parts[i])`` put it beside that.
    """
    if isinstance(statement, ast.Expr) or _lengthens(statement, name):
        return False
    target = getattr(statement, "targets", [None])[0]
    return not isinstance(target, ast.Subscript) or code_of(target) in code_of(statement.value)


def _lengthens(statement: Any, name: str) -> bool:
    """Whether a list stays and gets more: ``parts += [f(x)]``, ``parts = [*parts, f(x)]``."""
    value = statement.value
    if isinstance(statement, ast.AugAssign):
        return isinstance(value, ast.List)
    if isinstance(value, ast.BinOp):
        return isinstance(value.right, ast.List)
    starred = [e for e in getattr(value, "elts", ()) if isinstance(e, ast.Starred)]
    return any(code_of(e.value) == name for e in starred)


def _instead(case: Case, statement: Any, got: list[Any]) -> tuple[str, str]:
    """Code and a sentence: the variable assigned to, or else the tensor watched."""
    birth, written = case.source_birth, got[0][1]
    value = value_in(birth.code.co_filename, statement, written)
    if not _was_a_variable(case, got):
        code = watch(case, case.source_name, "inside the with block, before it is used")
        return (
            code,
            "Let the tape watch it, or make it an ad.Variable: assign changes that in place.",
        )
    if value and birth.type in _KEEPS_SHAPE and "[" not in case.source_name:
        return f"{written}.assign({value})    # changes the ad.Variable instead of replacing it", ""
    several = in_place(birth.code.co_filename, statement) if birth.type in _KEEPS_SHAPE else ""
    if several:
        return several, ""
    return "", (
        "Change the ad.Variable in place with assign, or give the new tensor a name of its own, which "
        "the tape has to watch if it is to be asked for that."
    )


def value_in(file: str, statement: Any, written: str) -> str:
    """What a statement gives a name, "" if it does more than that."""
    if isinstance(statement, ast.AugAssign):
        sign = _SIGNS.get(type(statement.op))
        value = segment(file, statement.value)
        return f"{written} {sign} {bracketed(value)}" if sign and "\n" not in value else ""
    targets = getattr(statement, "targets", [])
    if len(targets) != 1 or ast.unparse(targets[0]) != written:
        return ""
    value = segment(file, statement.value)
    return "" if "\n" in value else value


def _was_a_variable(case: Case, names: list[Any]) -> bool:
    """Whether the name got an ``ad.Variable`` elsewhere in the text."""
    text = case.flow.text
    root = case.source_name.split("[")[0]  # a parameter of a helper may be called so too
    known = {*names, (None, root)}
    written = {name for _, name in known}
    made = [one for one in text.read if isinstance(one, ast.Assign)]
    made = [one for one in made if holds_variables(one.value) or written & variables_made_by(one)]
    return any(known & set(text.receivers(one)) for one in made)


def bound_later(case: Case, line: Line | None, op: str) -> Finding:
    """The name was given a new tensor after the target had been computed."""
    name, target = case.source_name, case.target_name
    statement = statement_at(line.file, line.number, name) if line is not None else None
    value = value_in(line.file, statement, name) if line is not None else ""
    code = f"new_{name} = {value}    # and `{name}` stays what `{target}` was computed from"
    return case.none(
        "rebound",
        f"The name `{name}` was bound to a new tensor here. What `{target}` was computed from is what "
        f"`{name}` meant before.",
        code if value and name.isidentifier() else "",
        op,
        line,
        "Give the new tensor another name; an ad.Variable is changed in place with assign.",
    )
