"""Layer 5: the safe form of an expression inside `where`.

One idea: replace the argument before the dangerous function sees it, not the result afterwards.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autodiff_kit.operation import Operation
from autodiff_kit.readers.lines import Line, covers, segment, tree_of

# For each operation the function's names in a program, a value that is safe for its argument, and a
# condition under which the argument is dangerous no more.
DANGER = {
    "Log": ("log", "1.0", "{x} > 0"),
    "Log1p": ("log1p", "0.0", "{x} > -1"),
    "Sqrt": ("sqrt", "1.0", "{x} > 0"),
    "Rsqrt": ("rsqrt", "1.0", "{x} > 0"),
    "Reciprocal": ("reciprocal", "1.0", "ad.not_equal({x}, 0)"),
    "RealDiv": ("truediv divide", "1.0", "ad.not_equal({x}, 0)"),
    "Pow": ("pow", "1.0", "{x} > 0"),
    "Exp": ("exp", "0.0", "{x} < 80"),
    "Expm1": ("expm1", "0.0", "{x} < 80"),
    "Sinh": ("sinh", "0.0", "ad.abs({x}) < 80"),
    "Cosh": ("cosh", "0.0", "ad.abs({x}) < 80"),
    "Asin": ("asin", "0.0", "ad.abs({x}) < 1"),
    "Acos": ("acos", "0.0", "ad.abs({x}) < 1"),
    "Acosh": ("acosh", "2.0", "{x} > 1"),
    "Atanh": ("atanh", "0.0", "ad.abs({x}) < 1"),
    "EuclideanNorm": ("norm reduce_euclidean_norm", "1.0", "ad.reduce_any(ad.not_equal({x}, 0))"),
    "Norm": ("norm reduce_euclidean_norm", "1.0", "ad.reduce_any(ad.not_equal({x}, 0))"),
}


def safe_form(case: Any, operation: Operation, select: int | None) -> str:
    """Code in the learner's own words that has the same values and a finite gradient."""
    names, safe, test = DANGER.get(operation.type, ("", "1.0", "{x} > 0"))
    line = case.line(operation.place)
    argument, call = _dangerous(line, operation.type, names.split())
    argument = argument or _first_name(case, operation) or "x"
    call = call or f"ad.{(names.split() or ['f'])[0]}({argument})"
    condition = _condition(case.line(select)) if select is not None else None
    test = condition or test.format(x=argument)
    other = _other_branch(case.line(select)) if select is not None else None
    new = f"safe_{argument}" if argument.isidentifier() else "safe"
    inside = _renamed(call, argument, new) if operation.type != "RealDiv" else _quotient(call, new)
    return (
        f"ok = {test}\n"
        f"{new} = ad.where(ok, {argument}, {safe})    # safe before the dangerous function\n"
        f"ad.where(ok, {inside}, {other or '0.0'})"
    )


def _dangerous(line: Line, op_type: str, names: list[str]) -> tuple[str | None, str | None]:
    """The argument and the whole of the dangerous call or quotient on a line."""
    tree = tree_of(line.file)
    for node in ast.walk(tree) if tree else ():
        if not covers(node, line.number):
            continue
        if isinstance(node, ast.BinOp) and _matches(node.op, op_type):
            side = node.right if op_type == "RealDiv" else node.left
            return segment(line.file, side), segment(line.file, node)
        if isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in names:
                side = node.args[1] if op_type == "RealDiv" and len(node.args) > 1 else node.args[0]
                return segment(line.file, side), segment(line.file, node)
    return None, None


def _matches(op: ast.operator, op_type: str) -> bool:
    return isinstance(op, {"RealDiv": ast.Div, "Pow": ast.Pow}.get(op_type, ast.MatMult))


def _renamed(call: str, argument: str, new: str) -> str:
    """The call with another argument; the x of ``exp`` is no argument.

    >>> _renamed("ad.exp(x)", "x", "safe_x"), _renamed("(a - b) ** 0.5", "a - b", "safe")
    ('ad.exp(safe_x)', '(safe) ** 0.5')
    """
    return re.sub(rf"(?<![\w.]){re.escape(argument)}(?!\w)", new, call, count=1)


def _quotient(call: str, new: str) -> str:
    node = ast.parse(call, mode="eval").body
    if isinstance(node, ast.BinOp):
        return f"{ast.get_source_segment(call, node.left)} / {new}"
    if isinstance(node, ast.Call):
        return f"{ast.get_source_segment(call, node.args[0])} / {new}"
    return f"1.0 / {new}"


def _where_call(line: Line) -> ast.Call | None:
    tree = tree_of(line.file)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and covers(node, line.number) and len(node.args) == 3:
            if getattr(node.func, "attr", getattr(node.func, "id", "")) == "where":
                return node
    return None


def _condition(line: Line) -> str | None:
    call = _where_call(line)
    return segment(line.file, call.args[0]) if call is not None else None


def _other_branch(line: Line) -> str | None:
    """The plain number among the branches, if there is one."""
    call = _where_call(line)
    for branch in call.args[1:] if call is not None else ():
        if isinstance(branch, (ast.Constant, ast.UnaryOp)):
            return segment(line.file, branch)
    return None


def _first_name(case: Any, operation: Operation) -> str | None:
    return next((case.name(p) for p in operation.places if p >= 0 and case.name(p)), None)
