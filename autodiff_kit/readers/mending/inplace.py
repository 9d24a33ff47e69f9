"""Layer 5: a step that put new tensors in the place of variables, written as one that changes them.

One idea: in ``params = [p - rate * g for p, g in zip(params, grads)]`` each new value stands in the
text, and `assign` takes it.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.spots import called

WHY = "    # changes the ad.Variable instead of replacing it"


def in_place(file: str, statement: Any) -> str:
    """The same step with `assign`, ``""`` where it is written otherwise."""
    targets = getattr(statement, "targets", [])
    if not isinstance(statement, ast.Assign) or len(targets) != 1:
        return ""
    value, target = statement.value, targets[0]
    if isinstance(value, (ast.ListComp, ast.DictComp)):
        return _loop(file, value, ast.unparse(target))
    text = segment(file, value)
    if not isinstance(target, ast.Subscript) or "\n" in text:
        return ""
    return f"{segment(file, target)}.assign({text}){WHY}"


def holds_variables(value: Any) -> bool:
    """Whether an expression makes a variable, or a list or a dict of nothing but variables."""
    if isinstance(value, ast.Call):
        return called(value) == "Variable"
    if isinstance(value, (ast.List, ast.Tuple)):
        return bool(value.elts) and all(map(holds_variables, value.elts))
    if isinstance(value, ast.Dict):
        return bool(value.values) and all(map(holds_variables, value.values))
    if isinstance(value, ast.DictComp):
        return holds_variables(value.value)
    return isinstance(value, ast.ListComp) and holds_variables(value.elt)


def variables_made_by(statement: ast.Assign) -> set[str]:
    """What gets nothing but variables where several things are made at once: ``w, rate = ...``."""
    value = statement.value.elts if isinstance(statement.value, ast.Tuple) else []
    several = [one.elts for one in statement.targets if isinstance(one, ast.Tuple)]
    pairs = [pair for names in several for pair in zip(names, value, strict=False)]
    return {ast.unparse(name) for name, one in pairs if holds_variables(one)}


def _loop(file: str, made: ast.ListComp | ast.DictComp, whole: str) -> str:
    """A loop in the place of a comprehension that goes through what it replaces."""
    loop, is_list = made.generators[0], isinstance(made, ast.ListComp)
    new = segment(file, made.elt if isinstance(made, ast.ListComp) else made.value)
    name = _one_of(loop, whole if is_list else f"{whole}.items()", is_list)
    through = segment(file, loop.iter)
    if len(made.generators) > 1 or loop.ifs or not name or "\n" in new + through:
        return ""
    return f"for {segment(file, loop.target)} in {through}:\n    {name}.assign({new}){WHY}"


def _one_of(loop: ast.comprehension, whole: str, is_list: bool) -> str:
    """The name that each of the old ones has in a comprehension."""
    names: list[Any] = getattr(loop.target, "elts", [])
    if is_list and isinstance(loop.iter, ast.Call) and called(loop.iter) == "zip":
        given = [ast.unparse(one) for one in loop.iter.args]
        one = names[given.index(whole)] if whole in given and len(names) == len(given) else None
    elif ast.unparse(loop.iter) != whole:
        one = None
    else:
        one = loop.target if is_list else names[-1] if len(names) == 2 else None  # noqa: PLR2004
    return one.id if isinstance(one, ast.Name) else ""
