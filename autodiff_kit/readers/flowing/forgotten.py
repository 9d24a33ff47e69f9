"""Layer 5: a gradient function of the learner's that never uses the gradient that arrives.

One idea: what it returns is right for the function alone, and wrong in all that the function is a part
of. Its code tells for certain: the parameter is read nowhere, or only asked for its shape.
"""

from __future__ import annotations

from functools import partial
from inspect import CO_VARARGS
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense, nonzero
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.wrapped import wrapper_of
from autodiff_kit.readers.mending.multiplied import times_what_arrives
from autodiff_kit.readers.missing.returned import gradient_function
from autodiff_kit.readers.program.lines import line_at
from autodiff_kit.readers.program.returns import line_of_return
from autodiff_kit.readers.program.unread import is_used

_ONE = "here 1, so that nothing is wrong yet"


class Forgetful(NamedTuple):
    """A step of the way back whose function has no use for these of its parameters."""

    step: Step
    code: Any
    names: list[str]
    all_of_them: bool


def tell_forgotten(case: Case, found: Finding) -> None:
    """Add to a finding what is to be said of one such function on the way back, rather of one at which
    something else than 1 arrives.
    """
    ones = [one for one in map(partial(_forgetful, case), case.steps) if one is not None]
    ones.sort(key=lambda one: _size(one.step.dy) == _ONE)
    if ones:
        found.also.append(_words(ones[0]))
        if ones[0].all_of_them and len(ones[0].names) == 1 and not found.fix:
            found.fix = times_what_arrives(ones[0].step, ones[0].code, ones[0].names[0])


def _forgetful(case: Case, step: Step) -> Forgetful | None:
    """What a step's function does not use of what arrived; None if it is the kit's, or uses all."""
    function = gradient_function(step.operation)
    if type(function) is not FunctionType or not _matters(case, step):
        return None
    skips = int(step.operation.type != "CustomGradient")  # the first gets the operation
    names = _arriving(function, skips)
    idle = [name for name in names if not is_used(function.__code__, name)]
    if idle and len(idle) < len(names):
        named = [name for name in idle if name[0] != "_"]  # which nobody leaves out by mistake
        idle = [name for name in named if _part_arrived(step.dy, names.index(name))]
    return Forgetful(step, function.__code__, idle, len(idle) == len(names)) if idle else None


def _part_arrived(dy: Any, number: int) -> bool:
    """Whether anything arrived at one of several results."""
    part = dy.get(number) if isinstance(dy, dict) else None
    return part is not None and nonzero(part)


def _matters(case: Case, step: Step) -> bool:
    """Whether the function is the learner's, and returns something for what leads to the source."""
    sent = [dx for _, dx in case.sent(step)]
    return not wrapper_of(step.operation) and any(map(nonzero, sent))


def _arriving(function: FunctionType, skips: int) -> list[str]:
    """The parameters that get what arrives: those without a default, and ``*dys``."""
    code = function.__code__
    count = code.co_argcount - len(function.__defaults__ or ())
    names = [*code.co_varnames[skips:count]]
    if code.co_flags & CO_VARARGS:
        names.append(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
    return names


def _words(one: Forgetful) -> str:
    operation, code = one.step.operation, one.code
    called = operation.attrs["name"] if operation.type == "CustomGradient" else operation.type
    begins = line_at(code.co_filename, code.co_firstlineno)
    line = begins if code.co_name == "<lambda>" else line_of_return(code)
    what = " and ".join(f"`{name}`" for name in one.names)
    begin = f"The gradient function of `{called}`, at {line.where}, never uses {what}: "
    if not one.all_of_them:
        return f"{begin}if that result depends on what goes in, its part of the gradient is lost."
    return (
        f"{begin}it returns the same whatever `{called}` is a part of. If that is to be the "
        f"derivative, what arrives there, {_size(one.step.dy)}, has to be multiplied in."
    )


def _size(dy: Any) -> str:
    """What arrived, in a word or two."""
    if isinstance(dy, (list, tuple, dict)) or not np.size(dense(dy)):
        return "from what comes after"
    low, high = float(np.min(dense(dy))), float(np.max(dense(dy)))
    if low == high == 1.0:
        return _ONE
    return f"here {high:.4g}" if low == high else f"here from {low:.4g} to {high:.4g}"
