"""Layer 5: a gradient function of the learner's that returned None.

One idea: the step of the way back tells for which of the inputs, and the function is at hand, with the
names of its parameters and its line.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.program.lines import line_at, tree_of
from autodiff_kit.registry import GRADIENTS

_ORDER = ("first", "second", "third", "fourth", "fifth")


def returned_none(case: Case, operation: Operation, place: int) -> Finding:
    """The finding for an input of an operation whose gradient function gave nothing for it."""
    function = _function(operation)
    name = case.source_name if place in case.source_places else case.name(place)
    called, which = operation.definition.rule_name or operation.type, _which(operation, place, name)
    why = (
        f"The gradient function that was given to this operation ({called}) returned None for {which}: "
        "no gradient."
    )
    advice = f"Let it return a tensor of the input's shape{_where(function)}."
    if function is None:
        why = f"The rule that was put in the place of its own ({called}) gives no gradient for {which}."
        advice = "Put another in its place, or leave the operation its own."
    code, line = _code(case, operation, place, function), case.line(operation.place)
    return case.none("custom None", why, code, operation.type, line, advice)


def _function(operation: Operation) -> Any:
    """The learner's gradient function; None if it is not at hand."""
    if operation.type == "CustomGradient":
        return operation.attrs.get("grad_fn")
    return GRADIENTS.get(str(operation.definition.rule_name))


def _which(operation: Operation, place: int, name: str | None) -> str:
    """Which of the inputs, in words."""
    number, named = list(operation.places).index(place), f"`{name}`" if name else ""
    if len(operation.places) == 1 or number >= len(_ORDER):
        return named or "this input"
    if operation.type == "CustomGradient" and number >= sum(operation.attrs["counts"]):
        return f"the variable {named}".strip()
    which = f"the {_ORDER[number]} input"
    return f"{named}, {which}" if named else which


def _where(function: Any) -> str:
    """Where the function returns, or begins."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    returns = _returns(code)
    line = line_at(
        code.co_filename, returns[0].lineno if len(returns) == 1 else code.co_firstlineno
    )
    return f" ({line.where}: {line.text})" if line.text else f" ({line.where})"


def _returns(code: Any) -> list[ast.Return]:
    """The return statements of a function, as far as its text is to be had."""
    tree = tree_of(code.co_filename)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            if code.co_firstlineno in (node.lineno, *(one.lineno for one in node.decorator_list)):
                return [one for one in ast.walk(node) if isinstance(one, ast.Return)]
    return []


def _code(case: Case, operation: Operation, place: int, function: Any) -> str:
    """What passes the incoming gradient on, where there is one of each, and of the same shape."""
    code = getattr(function, "__code__", None)
    here, there = case.values.get(place), case.values.get(operation.place)
    if code is None or len(operation.places) > 1 or here is None or there is None:
        return ""
    takes = code.co_varnames[: code.co_argcount][operation.type != "CustomGradient" :]
    if len(takes) != 1 or np.shape(here) != np.shape(there):
        return ""
    return f"return {takes[0]}    # in `{code.co_name}`, for example, instead of None"
