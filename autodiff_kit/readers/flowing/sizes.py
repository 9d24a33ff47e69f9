"""Layer 5: the shape of what was put into an operation and is not on the tape.

One idea: where the value is not at hand, its text leads to one that is: by a name, by a part of it that
has as many axes, by the one line that gave a name its value, and by the calls of a function that has
come back, if they agree.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.written import argument_of
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.holders import attributes, theirs
from autodiff_kit.readers.program.lines import spot_of
from autodiff_kit.readers.program.statement import nodes_read
from autodiff_kit.readers.program.text import Text, text_in
from autodiff_kit.readers.program.words import root_of

Shape = tuple[int, ...]
UNKNOWN = -1  # the length of an axis of which a part was taken
_DEEPEST = 6  # steps from one line of the learner's to another


class Within(NamedTuple):
    """Where an expression stands: in one of the learner's functions, or in none or the one that asks;
    and what ran there, as far as that is known.
    """

    case: Case
    program: Text
    function: Any = None
    code: Any = None


def shape_put_in(case: Case, place: int, number: int) -> Shape | None:
    """The shape of an input of an operation, None if it is not certain."""
    value = input_value(case, place, number)
    if value is not None:
        return np.shape(value)
    code, origin = case.spot(place).code, case.origin_of(place, number)
    if type(origin) is tuple and origin[0] != "StridedSlice":
        return None  # a tensor that has no name any more
    written = argument_of(case, place, number).strip()
    if not written:
        return None
    ran = [case.names.frame.f_code, *(spot_of(record).code for record in case.records)]
    program = text_in({one.co_filename for one in ran})  # each cell of a notebook is a file
    node = ast.parse(written, mode="eval").body
    if code is case.names.frame.f_code or code.co_name == "<module>":
        renamed = type(origin) is tuple and not isinstance(node, ast.Subscript)
        return None if renamed else _shape_at(Within(case, program, None, code), node, _DEEPEST)
    makers = [function for function in program.functions if function.name == code.co_name]
    within = Within(case, program, makers[0] if makers else None, code)
    return _shape_at(within, node, _DEEPEST) if len(makers) == 1 else None


def _shape_at(within: Within, node: ast.expr, deep: int) -> Shape | None:
    """The shape of an expression."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        whole = _shape_at(within, node.value, deep)
        return (UNKNOWN, *whole[1:]) if whole else None
    text, function = ast.unparse(node), within.function
    if not deep or not is_reference(text):
        return None
    if function is None and within.code is within.case.names.frame.f_code:
        return _shape(led_to(text, within.case.names.frame))
    if function is None:
        return _shape_outside(within, text)
    if text.startswith("self."):
        return _of_object(within, text.removeprefix("self."))
    if not isinstance(node, ast.Name):
        return None
    stores = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == text]
    stores = [n for n in stores if not isinstance(n.ctx, ast.Load)]
    if not stores and text in [a.arg for a in function.args.args]:
        return _given(within, text, deep)
    if not stores:
        return _shape_outside(within, text)
    value = _bound_by(function, stores[0]) if len(stores) == 1 else None
    return _shape_at(within, value, deep - 1) if value is not None else None


def _shape(held: Any) -> Shape | None:
    try:
        known = is_tensor(held) or isinstance(held, (np.ndarray, list))
        return tuple(np.shape(getattr(held, "_value", held))) if known else None
    except ValueError:  # lists of different lengths
        return None


def _shape_outside(within: Within, name: str) -> Shape | None:
    """The shape of what a name means to everybody, unless it means another thing to who asks."""
    frame = within.case.names.frame
    own = (*frame.f_code.co_varnames, *frame.f_code.co_cellvars, *frame.f_code.co_freevars)
    return None if root_of(name) in own else _shape(led_to(name, frame))


def _bound_by(function: Any, name: ast.Name) -> ast.expr | None:
    """The expression that an assignment gives to a name, ``Y`` in ``x, y = X, Y``."""
    for statement in ast.walk(function):
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            if target is name:
                return statement.value  # type: ignore[attr-defined]
            value = getattr(statement, "value", None)
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                if name in target.elts and len(target.elts) == len(value.elts):
                    return value.elts[target.elts.index(name)]
    return None


def _given(within: Within, name: str, deep: int) -> Shape | None:
    """The shape of what the calls of a function give for one of its parameters, if they agree."""
    text, function = within.program, within.function
    calls = {
        node: statement for statement in text.read for node in nodes_read(statement)
        if isinstance(node, ast.Call) and function in text.called_by(node)
    }  # fmt: skip
    shapes = [_given_by(within, name, *one, deep) for one in calls.items()]
    known = [shape for shape in shapes if shape is not None]
    if not known or len(known) < len(shapes) or len({len(shape) for shape in known}) != 1:
        return None
    return tuple([one[0] if len(set(one)) == 1 else UNKNOWN for one in zip(*known, strict=True)])


def _given_by(within: Within, name: str, call: ast.Call, at: Any, deep: int) -> Shape | None:
    """The shape of what one call gives, in the statement where it stands."""
    order = [a.arg for a in within.function.args.args if a.arg != "self"]
    given = dict(zip(order, call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    around, asking = within.program.inside.get(at, []), within.case.names.frame.f_code
    if name not in given:
        return None
    there = Within(within.case, within.program, around[-1] if around else None)
    if around and around[-1].name == asking.co_name:
        there = Within(within.case, within.program, None, asking)
    return _shape_at(there, given[name], deep - 1)


def _of_object(within: Within, attribute: str) -> Shape | None:
    """The shape of an attribute of the only object at hand that a method may have run on."""
    known = theirs(within.case.names.known).values()
    objects = [one for one in known if _has_method(type(one), within.code)]
    one_only = len({id(one) for one in objects}) == 1 and attribute.isidentifier()
    return _shape(attributes(objects[0]).get(attribute)) if one_only else None


def _has_method(kind: type, code: Any) -> bool:
    own = [value for parent in kind.__mro__ for value in vars(parent).values()]
    return code is not None and any(getattr(value, "__code__", None) is code for value in own)
