"""Layer 5: a gradient function of the learner's that never uses the gradient that arrives.

One idea: what it returns is right for the function alone, and wrong in all that the function is a part
of. Its code tells for certain: the parameter is read nowhere, or only asked for its shape.
"""

from __future__ import annotations

import ast
import dis
from inspect import CO_VARARGS
from types import FunctionType
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense, nonzero
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.wrapped import wrapper_of
from autodiff_kit.readers.missing.returned import gradient_function
from autodiff_kit.readers.program.lines import line_at, segment
from autodiff_kit.readers.program.returns import (
    function_of,
    lambda_of,
    line_of_return,
    returns_of,
)
from autodiff_kit.readers.program.spelled import bracketed

_SHAPE_ONLY = ("ones_like", "zeros_like", "shape", "rank", "size")


def tell_forgotten(case: Case, found: Finding) -> None:
    """Add to a finding what is to be said of the first such function on the way back."""
    for step in case.account.steps:
        function = gradient_function(step.operation)
        if type(function) is FunctionType and _matters(case, step):
            skips = int(step.operation.type != "CustomGradient")  # the first gets the operation
            names = _arriving(function, skips)
            if names and not any(_is_used(function.__code__, name) for name in names):
                found.also.append(_words(case, step, function.__code__, names))
                found.fix = found.fix or _code(step, function.__code__, names)
                return


def _matters(case: Case, step: Step) -> bool:
    """Whether the function is the learner's, and returns something for what leads to the source."""
    if step.operation.place not in case.on_path or wrapper_of(step.operation):
        return False
    inside = [dx for place, dx in step.pairs if place in case.below and dx is not None]
    return any(nonzero(dense(dx)) for dx in inside)


def _arriving(function: FunctionType, skips: int) -> list[str]:
    """The parameters that get what arrives: those without a default, and ``*dys``."""
    code = function.__code__
    count = code.co_argcount - len(function.__defaults__ or ())
    names = [*code.co_varnames[skips:count]]
    if code.co_flags & CO_VARARGS:
        names.append(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
    return names


def _is_used(code: Any, name: str) -> bool:
    """Whether a function does more with a parameter than to ask for its shape."""
    if "locals" in code.co_names:
        return True
    node: Any = lambda_of(code) if code.co_name == "<lambda>" else function_of(code)
    if node is not None:
        return _beyond_shape(node, name)
    read = [one.argval for one in dis.get_instructions(code) if not one.opname.startswith("STORE")]
    return any(name == one or isinstance(one, tuple) and name in one for one in read)


def _beyond_shape(function: Any, name: str) -> bool:
    """Whether a name is read in a function other than as ``dy.shape`` or ``ad.ones_like(dy)``."""
    body = function.body if isinstance(function.body, list) else [function.body]
    nodes = [node for statement in body for node in ast.walk(statement)]
    plain = [
        n.value for n in nodes if isinstance(n, ast.Attribute) and n.attr in ("shape", "dtype")
    ]
    calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    for call in calls:
        if getattr(call.func, "attr", "") in _SHAPE_ONLY:
            plain += [*call.args, *(keyword.value for keyword in call.keywords)]
    harmless = {id(node) for node in plain}
    read = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
    return any(id(node) not in harmless for node in read)


def _words(case: Case, step: Step, code: Any, names: list[str]) -> str:
    operation = step.operation
    called = operation.attrs["name"] if operation.type == "CustomGradient" else operation.type
    begins = line_at(code.co_filename, code.co_firstlineno)
    line = begins if code.co_name == "<lambda>" else line_of_return(code)
    what = " and ".join(f"`{name}`" for name in names)
    return (
        f"The gradient function of `{called}`, at {line.where}, never uses {what}: it returns the same "
        f"whatever `{called}` is a part of. If that is to be the derivative, what arrives there, "
        f"{_size(step.dy)}, has to be multiplied in."
    )


def _size(dy: Any) -> str:
    """What arrived, in a word or two."""
    if isinstance(dy, (list, tuple)) or not np.size(dense(dy)):
        return "from what comes after"
    low, high = float(np.min(dense(dy))), float(np.max(dense(dy)))
    if low == high == 1.0:
        return "here 1, so that nothing is wrong yet"
    return f"here {high:.4g}" if low == high else f"here from {low:.4g} to {high:.4g}"


def _code(step: Step, code: Any, names: list[str]) -> str:
    """The function's own expression times what arrives; "" where more is needed than that."""
    if len(names) != 1 or code.co_flags & CO_VARARGS or not _fits_to_multiply(step):
        return ""
    if code.co_name == "<lambda>":
        node = lambda_of(code)
        old = segment(code.co_filename, node) if node is not None else ""
        product = _times(code, node.body, names[0]) if node is not None else ""
        new = f"{old.split(':')[0]}: {product}"
    else:
        function = function_of(code)
        returns = returns_of(function) if function is not None else []
        value = returns[0].value if len(returns) == 1 else None
        old = segment(code.co_filename, returns[0]) if value is not None else ""
        product = _times(code, value, names[0]) if value is not None else ""
        new = f"return {product}"
    return f"{new}    # instead of {old}" if product and "\n" not in old else ""


def _fits_to_multiply(step: Step) -> bool:
    """Whether what arrived times what was returned has the shapes of what was returned."""
    if isinstance(step.dy, (list, tuple)):
        return False
    shape = np.shape(dense(step.dy))
    return shape == () or all(
        np.shape(dense(dx)) == shape for _, dx in step.pairs if dx is not None
    )


def _times(code: Any, node: ast.expr, name: str) -> str:
    """An expression, or each of several in a tuple or a list, times a name."""
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
    texts = [segment(code.co_filename, part) for part in parts]
    if any(text in ("", "None") for text in texts):
        return ""
    products = ", ".join(f"{name} * {bracketed(text)}" for text in texts)
    if isinstance(node, ast.List):
        return f"[{products}]"
    return f"({products})" if isinstance(node, ast.Tuple) else products
