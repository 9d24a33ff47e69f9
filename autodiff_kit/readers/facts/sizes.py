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
from autodiff_kit.readers.program.carried import Text, nodes_read, text_in
from autodiff_kit.readers.program.holders import attributes, theirs
from autodiff_kit.readers.program.spelled import is_written, spelled

_DEEPEST = 3  # calls from one function of the learner's to another


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
    ran = [case.names.frame.f_code, *(record[-2] for record in case.records)]
    program = text_in({one.co_filename for one in ran})  # each cell of a notebook is a file
    makers = [function for function in program.functions if function.name == code.co_name]
    return _given(case, program, makers[0], name, _DEEPEST) if len(makers) == 1 else None


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


def _given(case: Case, text: Text, function: Any, name: str, deep: int) -> tuple[int, ...] | None:
    """The shape of what the only call of a function gives for one of its parameters; None if that is
    not certain.
    """
    calls = {
        node: statement for statement in text.read for node in nodes_read(statement)
        if isinstance(node, ast.Call) and function in text.called_by(node)
    }  # fmt: skip
    if len(calls) != 1 or _rebound(function, name) or not deep:
        return None
    (call, statement) = calls.popitem()
    order = [a.arg for a in function.args.args if a.arg != "self"]
    given = dict(zip(order, call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    if name not in order or name not in given:
        return None
    written, around = ast.unparse(given[name]), text.inside.get(statement, [])
    asking = case.names.frame.f_code
    if (
        not around
    ):  # its names are everybody's, but for what hides them where the question was asked
        return None if _is_own(asking, written) else _shape_of(case, written)
    if around[-1].name == asking.co_name:
        return _shape_of(case, written)
    return _given(case, text, around[-1], written, deep - 1)


def _rebound(function: Any, name: str) -> bool:
    """Whether a function gives one of its parameters another value."""
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return any(not isinstance(n.ctx, ast.Load) for n in names)
