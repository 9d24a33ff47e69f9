"""Layer 5: a value that left the tensors to be made whole: ``round(float(x))``, ``int(x / step)``.

One idea: who computes the same with tensors has no gradient yet, for rounding has none. So both are
told at once: leave the rounding out, or go straight through it.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.here import in_its_place
from autodiff_kit.readers.mending.whole import may_be_floating
from autodiff_kit.readers.program.lines import nodes_in, segment
from autodiff_kit.readers.program.numpys import converted
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import called, expression_at, statement_of

_DOWN = ("int", "floor", "trunc")
_ROUNDS = {
    **dict.fromkeys(_DOWN, ""),
    "round": "ad.round",
    "rint": "ad.round",
    "ceil": "ad.math.ceil",
}
_THROUGH = (ast.BinOp, ast.UnaryOp)
_PYTHONS = ("float", "int", "round", "math", "np", "numpy")


def made_whole_by_hand(case: Case, event: Any) -> Finding | None:
    """Python or NumPy rounded what left, and it is only computed with."""
    node, statement = expression_at(event.spot), statement_of(event.spot)
    file = event.code.co_filename
    whole = _rounding_around(node, file) if isinstance(node, ast.Call) else None
    if whole is None or not isinstance(statement, ast.Assign):
        return None
    if not may_be_floating(file, statement, whole, case.names.known):
        return None
    inner, function = _unwrapped(whole)
    text, name = _without_conversions(inner, segment(file, inner)), ast.unparse(whole.func)
    if not text:
        return None
    return case.none(
        "left the tensors",
        f"A value that depends on `{case.source_name}` left the tensors here, and {name} made it "
        "whole: a whole number cannot move by a little.",
        _code(file, whole, text, function),
        line=event.line,
        advice=f"Rounding has no gradient with tensors either: compute with `{text}` itself. Or keep "
        "the whole number, and on the way back pretend that nothing had been rounded:",
    )


def _code(file: str, whole: ast.Call, text: str, function: str) -> str:
    soft = bracketed(text)
    code = f"{soft} + ad.stop_gradient({function}({text}) - {soft})"
    if not function:
        code = f"ad.relax.straight_through({text})"
    return f"{in_its_place(file, whole, code)}    # instead of {segment(file, whole)}"


def _rounding_around(node: ast.Call, file: str) -> ast.Call | None:
    """The outermost call that rounds an expression, or what arithmetic makes of it."""
    parents = {child: one for one in nodes_in(file, ast.AST) for child in ast.iter_child_nodes(one)}
    found, above = (node if _rounds(node) else None), parents.get(node)
    while isinstance(above, (ast.Call, *_THROUGH, ast.Attribute)):
        if isinstance(above, ast.Call) and _rounds(above):
            found = above
        elif isinstance(above, ast.Call) and converted(above) is None:
            break
        above = parents.get(above)
    return found


def _rounds(call: ast.Call) -> bool:
    plain = isinstance(call.func, ast.Name) or ast.unparse(call.func).split(".")[0] in _PYTHONS
    return plain and called(call) in _ROUNDS and len(call.args) == 1 and not call.keywords


class _Leave(ast.NodeTransformer):
    """Takes `float(x)` and `x.numpy()` for `x`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:  # noqa: N802
        self.generic_visit(node)
        return converted(node) or node


def _without_conversions(node: ast.expr, text: str) -> str:
    """An expression with tensors in the place of numbers; "" if Python or NumPy computes in it."""
    left = _Leave().visit(copy.deepcopy(node))
    calls = [one for one in ast.walk(left) if isinstance(one, ast.Call)]
    if any(ast.unparse(one.func).split(".")[0] in _PYTHONS for one in calls):
        return ""
    return text if ast.dump(left) == ast.dump(node) else ast.unparse(left)


def _unwrapped(whole: ast.Call) -> tuple[ast.expr, str]:
    """What is rounded, without the conversions around it, and the kit's function; "" for floor."""
    node: Any = whole
    function = ""
    while isinstance(node, ast.Call):
        inner = node.args[0] if _rounds(node) else converted(node)
        if inner is None:
            break
        function = function or _ROUNDS.get(called(node), "") if _rounds(node) else function
        node = inner
    return node, function
