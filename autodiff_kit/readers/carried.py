"""Layer 5: what becomes of a number that left the tensors.

One idea: follow it through the names of the learner's own text. A number that is only printed or kept
in a history goes nowhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.lines import tree_of
from autodiff_kit.readers.spots import called


def carried(begin: ast.stmt | None, ends: list[ast.stmt | None], files: set[str]) -> bool:
    """Whether a value that one statement of the learner's computes may come to one of others."""
    trees = [tree for tree in map(tree_of, sorted(files)) if tree]
    if begin is None:
        return True  # there is no text to tell otherwise
    if begin in ends and not _goes_nowhere(begin):
        return True
    names = set(_receivers(begin, trees))
    statements = [s for tree in trees for s in ast.walk(tree) if isinstance(s, ast.stmt)]
    read = [(s, " ; ".join(ast.unparse(part) for part in _read(s))) for s in statements]
    size = -1
    while size != len(names):
        size = len(names)
        for statement, text in read:
            if _mentions(text, names):
                names.update(_receivers(statement, trees))
                names.update(_parameters(statement, names, trees))
    return any(_mentions(ast.unparse(part), names) for end in ends if end for part in _read(end))


def _goes_nowhere(statement: ast.stmt) -> bool:
    """Whether a statement keeps nothing: ``print(float(loss))``."""
    call = getattr(statement, "value", None)
    return (
        isinstance(statement, ast.Expr)
        and isinstance(call, ast.Call)
        and (isinstance(call.func, ast.Name))
    )


def _read(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are computed; not the statements inside it."""
    for field, value in ast.iter_fields(statement):
        if field not in ("targets", "target", "body", "orelse", "finalbody", "handlers", "cases"):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield part


def _mentions(text: str, names: set[str]) -> bool:
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) for name in names)


def _receivers(statement: ast.stmt, trees: list[ast.Module]) -> Iterator[str]:
    """The names that get what a statement computes."""
    targets = [*getattr(statement, "targets", ()), getattr(statement, "target", None)]
    for target in filter(None, targets):
        yield from _roots(target)
    for part in _read(statement):
        for node in ast.walk(part):
            if isinstance(node, ast.NamedExpr):
                yield node.target.id
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Call):
        if isinstance(value.func, ast.Attribute):  # parts.append(...)
            yield ast.unparse(value.func.value)
    if isinstance(statement, ast.Return) or isinstance(value, (ast.Yield, ast.YieldFrom)):
        inside = [f for f in _functions(trees) if any(n is statement for n in ast.walk(f))]
        if inside:
            yield max(inside, key=lambda f: f.lineno).name


def _functions(trees: list[ast.Module]) -> list[Any]:
    nodes = (node for tree in trees for node in ast.walk(tree))
    return [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _roots(target: Any) -> Iterator[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _roots(part)
    elif isinstance(target, (ast.Subscript, ast.Starred)):
        yield from _roots(target.value)
    elif isinstance(target, (ast.Name, ast.Attribute)):
        yield ast.unparse(target)


def _parameters(statement: ast.stmt, names: set[str], trees: list[ast.Module]) -> Iterator[str]:
    """The parameters of a function to which one of the names is passed."""
    for part in _read(statement):
        for call in ast.walk(part):
            if isinstance(call, ast.Call):
                given = [*call.args, *(k.value for k in call.keywords)]
                if any(_mentions(ast.unparse(one), names) for one in given):
                    for function in _functions(trees):
                        if function.name == called(call):
                            yield from (a.arg for a in function.args.args if a.arg != "self")
