"""Layer 5: a default value that was computed when its function was defined.

One idea: Python computes the default of a parameter once, where it comes to the `def`. If that is
before the block, the tape sees a number, however often the function is called inside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.nesting import own_block
from autodiff_kit.readers.program.lines import line_at, segment
from autodiff_kit.readers.program.statement import code_of, nodes_read

_COMPUTES = (ast.Call, ast.BinOp, ast.UnaryOp, ast.IfExp)
_LENGTHS = ("shape", "len", "size", "ndim", "rank", "dtype")


def default_value(case: Case) -> Finding | None:
    """The target was computed from a default value, and that was made of the source."""
    flow, block = case.flow, own_block(case)
    if not case.would_be_seen or case.path or block is None:
        return None
    within = set(ast.walk(block))
    for statement in flow.text.read:
        inside = statement in within
        for function, parameter, default in _defaults(statement) if not inside else ():
            reads = _computes(default) and flow.text.mentions(
                statement, flow.names, code_of(default)
            )
            if reads and statement in flow.files and _is_used(case, statement, function, parameter):
                return _found(case, statement, function, parameter, default)
    return None


def _computes(default: ast.expr) -> bool:
    """Whether a value is computed there, and not only a length or a shape."""
    nodes = [*ast.walk(default)]
    asks = any(getattr(node, "attr", getattr(node, "id", "")) in _LENGTHS for node in nodes)
    return isinstance(default, _COMPUTES) and not asks


def _defaults(statement: ast.stmt) -> Iterator[tuple[Any, str, ast.expr]]:
    """The default values in a statement, with their parameters and functions."""
    nodes = nodes_read(statement) if not hasattr(statement, "args") else [statement]
    for function in nodes:
        given = getattr(function, "args", None)
        if isinstance(given, ast.arguments):
            placed = [*given.posonlyargs, *given.args][-len(given.defaults) or None :]
            pairs = [*zip(placed, given.defaults, strict=False)]
            pairs += [(a, d) for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d]
            yield from ((function, parameter.arg, default) for parameter, default in pairs)


def _is_used(case: Case, statement: ast.stmt, function: Any, parameter: str) -> bool:
    """Whether the parameter leads to the target, and no call gives it another value."""
    flow, own = case.flow, {(function, parameter)}
    if isinstance(function, ast.Lambda):
        return flow.leads_to_it(statement)
    order = [a.arg for a in (*function.args.posonlyargs, *function.args.args) if a.arg != "self"]
    calls = [n for one in flow.text.read for n in nodes_read(one) if isinstance(n, ast.Call)]
    calls = [call for call in calls if function in flow.text.called_by(call)]
    place = order.index(parameter) if parameter in order else len(order)
    given = [
        parameter in [k.arg for k in call.keywords] or len(call.args) > place for call in calls
    ]
    return not all(given or [True]) and (flow.ends_with(own) or flow.arrives(own))


def _found(
    case: Case, statement: ast.stmt, function: Any, parameter: str, default: ast.expr
) -> Finding:
    file = case.flow.files[statement]
    value = segment(file, default)
    named = f" of `{function.name}`" if not isinstance(function, ast.Lambda) else ""
    short = f"`{parameter}`" if "\n" in value else f"`{value}`"
    code, advice = "", f"Compute {short} in the body, where it runs in the block each time."
    if named and "\n" not in value:
        advice = f"Let the default be None: `{parameter}=None`. And begin the function with:"
        code = f"{parameter} = {value} if {parameter} is None else {parameter}"
    return case.none(
        "outside the tape",
        f"`{case.target_name}` was computed from the default value of the parameter `{parameter}`"
        f"{named}. Python computes a default once, where the function is defined: that was here, and "
        f"not in the block of `{case.tape_name}`.",
        code,
        line=line_at(file, default.lineno),
        advice=advice,
    )
