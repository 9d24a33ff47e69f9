"""Layer 5: one statement of the learner's: what it computes, and what it gives to which names.

One idea: the statements inside of it are statements of their own.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any


def read_by(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are computed; not the statements inside it."""
    for field, value in ast.iter_fields(statement):
        if field not in ("targets", "target", "body", "orelse", "finalbody", "handlers", "cases"):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield part


def nodes_read(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of what a statement computes."""
    for part in read_by(statement):
        yield from ast.walk(part)


def code_of(part: ast.AST) -> str:
    """A piece of a program without what its strings say; a key is a part of a name and stays."""
    nodes = ast.walk(part)
    if any(isinstance(node, ast.Constant) and isinstance(node.value, str) for node in nodes):
        part = ast.fix_missing_locations(_Silent().visit(copy.deepcopy(part)))
    return ast.unparse(part)


class _Silent(ast.NodeTransformer):
    """``Variable(2.0, name="w")`` does not read ``w``, and ``print("w is", v)`` does not either."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        node.value = self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            node.slice = self.visit(node.slice)
        return node


def receivers_of(statement: ast.stmt) -> Iterator[str]:
    """The names that get what a statement computes, or change what they lead to."""
    for target in (*getattr(statement, "targets", ()), getattr(statement, "target", None)):
        if target is not None:
            yield from _roots(target)
    for node in nodes_read(statement):
        if isinstance(node, ast.NamedExpr):
            yield node.target.id
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Call):
        if isinstance(value.func, ast.Attribute):  # parts.append(...)
            yield ast.unparse(value.func.value)


def _roots(target: Any) -> Iterator[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _roots(part)
    elif isinstance(target, (ast.Subscript, ast.Starred)):
        yield from _roots(target.value)
    elif isinstance(target, (ast.Name, ast.Attribute)):
        yield ast.unparse(target)
