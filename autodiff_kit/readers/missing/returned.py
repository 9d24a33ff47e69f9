"""Layer 5: a gradient function of the learner's that returned None.

One idea: the step of the way back tells for which of the inputs, and the function is at hand, with the
names of its parameters and its line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.wrapped import by_keyword, wrapper_of
from autodiff_kit.readers.program.returns import (
    forgotten,
    has_no_return,
    line_of_return,
    passing_lambda,
)
from autodiff_kit.registry import GRADIENTS

_ORDER = ("first", "second", "third", "fourth", "fifth")
_POSITION = "Give it by its position"


def returned_none(case: Case, operation: Operation, place: int) -> Finding:
    """The finding for an input of an operation whose gradient function gave nothing for it."""
    function = gradient_function(operation)
    name = case.source_name if place in case.source_places else case.name(place)
    called, which = operation.definition.rule_name or operation.type, _which(operation, place, name)
    if operation.type == "CustomGradient":  # one may call another: which of them is meant
        called += f" of `{operation.attrs['name']}`"
    given = f"The gradient function that was given to this operation ({called})"
    why, code = f"{given} returned None for {which}: no gradient.", ""
    advice = f"Let it return a tensor of the input's shape{_where(function)}."
    if wrapper_of(operation):
        why, advice = _wrapped(operation, which)
    elif _is_by_keyword(operation, place):
        why = f"{given} returned no gradient for {which}."
        advice = (
            f"{_POSITION}, and let that function return a gradient for it too{_where(function)}."
        )
    elif function is None:
        why = f"The rule that was put in the place of its own ({called}) gives no gradient for {which}."
        advice = "Put another in its place, or leave the operation its own."
    else:
        why += _no_return(function)
        code = _code(case, operation, place, function)
    return case.none("custom None", why, code, operation.type, case.line(operation.place), advice)


def _wrapped(operation: Operation, which: str) -> tuple[str, str]:
    """What is said where the gradient function is the kit's own."""
    wrapper, called = wrapper_of(operation), operation.attrs["name"]
    why = f"ad.{wrapper} has no gradient for {which}: only for what `{called}` is given by its position"
    if wrapper == "recompute_grad":
        return f"{why}, and for the variables it reads.", f"{_POSITION}."
    advice = f"Where `{called}` is to have more gradients, write them with ad.custom_gradient."
    return f"{why}, and that one passes straight through.", advice


def gradient_function(operation: Operation) -> Any:
    """The learner's gradient function; None if it is not at hand."""
    if operation.type == "CustomGradient":
        return operation.attrs.get("grad_fn")
    return GRADIENTS.get(str(operation.definition.rule_name))


def _is_by_keyword(operation: Operation, place: int) -> bool:
    number = list(operation.places).index(place)
    return operation.type == "CustomGradient" and by_keyword(operation, number)


def _which(operation: Operation, place: int, name: str | None) -> str:
    """Which of the inputs, in words."""
    number, named = list(operation.places).index(place), f"`{name}`" if name else ""
    if _is_by_keyword(operation, place):
        return f"{named or 'an input'}, which was given by its keyword"
    if operation.type == "CustomGradient" and number >= len(operation.places) - len(
        operation.attrs["variables"]
    ):
        return f"the variable {named}".strip()
    if len(operation.places) == 1 or number >= len(_ORDER):
        return named or "this input"
    which = f"the {_ORDER[number]} input"
    return f"{named}, {which}" if named else which


def _where(function: Any) -> str:
    """Where the function returns, or begins."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    line = line_of_return(code)
    return f" ({line.where}: {line.shown})" if line.text else f" ({line.where})"


def _no_return(function: Any) -> str:
    code = getattr(function, "__code__", None)
    return " It has no `return`." if code is not None and has_no_return(code) else ""


def _code(case: Case, operation: Operation, place: int, function: Any) -> str:
    """What returns the gradient, where there is one of each; the incoming one if nothing else is there
    and it has the same shape.
    """
    code = getattr(function, "__code__", None)
    here, there = case.values.get(place), case.values.get(operation.place)
    if code is None or len(operation.places) > 1:
        return ""
    takes = code.co_varnames[: code.co_argcount][operation.type != "CustomGradient" :]
    if len(takes) != 1:
        return ""
    computed = forgotten(code, takes[0])
    if computed or here is None or there is None or np.shape(here) != np.shape(there):
        return computed
    if code.co_name == "<lambda>":
        return passing_lambda(code, takes[0])
    return f"return {takes[0]}    # in `{code.co_name}`, for example, instead of None"
