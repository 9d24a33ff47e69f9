"""Layer 5: the shape of what was put into an operation and is not on the tape.

One idea: where the value is not at hand, a name leads to it, be it by way of the one call of a function
that has come back.
"""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.carried import text_in
from autodiff_kit.readers.program.holders import attributes, theirs
from autodiff_kit.readers.program.spelled import is_written, spelled


def shape_put_in(case: Case, place: int, number: int) -> tuple[int, ...] | None:
    """The shape of an input of an operation, None if it is not certain."""
    value = input_value(case, place, number)
    if value is not None:
        return np.shape(value)
    operation, code = case.operation(place), case.records[place][-2]
    if operation.places[number] != -1:
        return None  # it is on the tape, or a tensor that has no name any more
    text = spelled(operation.type, *case.records[place][-2:])
    if text is None or not is_written(text, operation.type) or number >= len(text.arguments):
        return None
    name = text.arguments[number]
    if code is case.names.frame.f_code or not _is_own(code, name):
        return _shape_of(case, name)
    if name.startswith("self."):
        return _of_object(case, code, name.removeprefix("self."))
    given = _given(case, code, name)
    return _shape_of(case, given) if given else None


def _is_own(code: Any, name: str) -> bool:
    """Whether a name is a function's own, so that it means nothing where the question was asked."""
    own = (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
    return re.split(r"\W", name)[0] in own


def _shape_of(case: Case, name: str) -> tuple[int, ...] | None:
    return _shape(led_to(name, case.names.frame)) if is_reference(name) else None


def _shape(held: Any) -> tuple[int, ...] | None:
    try:
        return np.shape(held) if isinstance(held, (np.ndarray, list)) else None
    except ValueError:  # lists of different lengths
        return None


def _of_object(case: Case, code: Any, attribute: str) -> tuple[int, ...] | None:
    """The shape of an attribute of the only object at hand that a method may have run on."""
    objects = [one for one in theirs(case.names.known).values() if _has_method(type(one), code)]
    one_only = len({id(one) for one in objects}) == 1
    return _shape(attributes(objects[0]).get(attribute)) if one_only else None


def _has_method(kind: type, code: Any) -> bool:
    own = [value for parent in kind.__mro__ for value in vars(parent).values()]
    return any(getattr(value, "__code__", None) is code for value in own)


def _given(case: Case, code: Any, name: str) -> str:
    """What the only call of a function gives for one of its parameters, as it is written there; "" if
    that is not certain.
    """
    text = text_in({code.co_filename})
    makers = [f for f in text.functions if f.name == code.co_name]
    calls = [
        node for statement in text.read for node in ast.walk(statement)
        if isinstance(node, ast.Call) and makers and makers[0] in text.called_by(node)
    ]  # fmt: skip
    if len(makers) != 1 or len({id(call) for call in calls}) != 1 or _rebound(makers[0], name):
        return ""
    order = [a.arg for a in makers[0].args.args if a.arg != "self"]
    given = {k.arg: k.value for k in calls[0].keywords if k.arg} | dict(
        zip(order, calls[0].args, strict=False)
    )
    return ast.unparse(given[name]) if name in given and name in order else ""


def _rebound(function: Any, name: str) -> bool:
    """Whether a function gives one of its parameters another value."""
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return any(not isinstance(n.ctx, ast.Load) for n in names)
