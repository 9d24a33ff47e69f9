"""Layer 5: the safe form of an expression inside `where`.

One idea: replace the argument before the dangerous function sees it, not the result afterwards.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autodiff_kit.operation import Operation
from autodiff_kit.readers.choice import choice_on
from autodiff_kit.readers.lines import Line, assigned_name, covers, segment, tree_of

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
    chosen = choice_on(case.line(select), line, call) if select is not None else None
    call = call or f"ad.{(names.split() or ['f'])[0]}({argument})"
    new = f"safe_{argument}" if argument.isidentifier() else "safe"
    inside = _renamed(call, argument, new) if operation.type != "RealDiv" else _quotient(call, new)
    test, other = test.format(x=argument), "0.0"
    if chosen is not None:
        test, other = chosen.condition, chosen.other
        inside = _in_branch(chosen.branch, call, inside, assigned_name(line))
    return (
        f"ok = {test}\n"
        f"{new} = ad.where(ok, {argument}, {safe})    # safe before the dangerous function\n"
        f"ad.where(ok, {inside}, {other})"
    )


def _in_branch(branch: str, call: str, safe_call: str, name: str | None) -> str:
    """The whole branch with the safe call, also if the learner gave the dangerous one a name.

    >>> _in_branch("2 * ad.log(x)", "ad.log(x)", "ad.log(safe_x)", "y")
    '2 * ad.log(safe_x)'
    >>> _in_branch("2 * a", "1 / x", "1 / safe_x", "a"), _in_branch("a", "1 / x", "1 / safe_x", "a")
    ('2 * (1 / safe_x)', '1 / safe_x')
    """
    if call in branch:
        return branch.replace(call, safe_call, 1)
    if name is None or branch == name:
        return safe_call
    bare = safe_call.endswith(")") and re.match(r"[\w.]+\(", safe_call)
    return _renamed(branch, name, safe_call if bare else f"({safe_call})")


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
    return re.sub(rf"(?<![\w.]){re.escape(argument)}(?!\w)", lambda _: new, call, count=1)


def _quotient(call: str, new: str) -> str:
    node = ast.parse(call, mode="eval").body
    if isinstance(node, ast.BinOp):
        return f"{ast.get_source_segment(call, node.left)} / {new}"
    if isinstance(node, ast.Call):
        return f"{ast.get_source_segment(call, node.args[0])} / {new}"
    return f"1.0 / {new}"


def _first_name(case: Any, operation: Operation) -> str | None:
    return next((case.name(p) for p in operation.places if p >= 0 and case.name(p)), None)
