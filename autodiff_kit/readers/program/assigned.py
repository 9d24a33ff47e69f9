"""Layer 5: assignments that are written otherwise, read as plain ones.

One idea: ``w: T = f(x)``, ``setattr(net, "w", v)`` and ``net.__dict__["w"] = v`` do what ``w = f(x)``
and ``net.w = v`` do, so that nobody else has to think of them. What takes their place in the tree
stands where they stood.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from autodiff_kit.readers.program.nodes import nodes_of

_SETTING = {"setattr": 3, "getattr": 2, "vars": 1}
_WHOLE = "__dict__"


def with_plain_assignments(tree: ast.Module) -> ast.Module:
    """A tree in which what gives something a value is an assignment."""
    if not any(_is_written_otherwise(node) for node in nodes_of(tree)):
        return tree
    plain: ast.Module = _Plain().visit(copy.deepcopy(tree))
    return plain


def _is_written_otherwise(node: ast.AST) -> bool:
    if isinstance(node, ast.AnnAssign):
        return node.value is not None
    if isinstance(node, ast.Attribute):
        return node.attr in (_WHOLE, "__setattr__")
    return isinstance(node, ast.Name) and node.id in _SETTING


class _Plain(ast.NodeTransformer):
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return _assigned(node, node.target, node.value) if node.value is not None else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        setting = _set_by(node.value) if isinstance(node.value, ast.Call) else None
        return _assigned(node, *setting) if setting is not None else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        named = _attribute(node, node.args[0], node.args[1]) if _asks(node, "getattr") else None
        return named or node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        whole, holder = node.value, None
        if isinstance(whole, ast.Attribute) and whole.attr == _WHOLE:
            holder = whole.value
        elif isinstance(whole, ast.Call) and _asks(whole, "vars"):
            holder = whole.args[0]
        return (_attribute(node, holder, node.slice, node.ctx) if holder else None) or node


def _asks(call: ast.Call, name: str) -> bool:
    """Whether a call is one of a built-in function with as many arguments as it takes here."""
    given = len(call.args) == _SETTING[name] and not call.keywords
    return given and isinstance(call.func, ast.Name) and call.func.id == name


def _set_by(call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """What a call gives a value to, and the value; None if it does not, or nobody can tell."""
    args = [] if call.keywords else [*call.args]
    if isinstance(call.func, ast.Attribute) and call.func.attr == "__setattr__":
        args = args if ast.unparse(call.func.value) == "object" else [call.func.value, *args]
    elif not _asks(call, "setattr"):
        return None
    if len(args) != _SETTING["setattr"]:
        return None
    target = _attribute(call, args[0], args[1], ast.Store())
    return (target, args[2]) if target is not None else None


def _attribute(
    node: ast.AST, holder: ast.expr, name: ast.expr, ctx: ast.expr_context | None = None
) -> ast.expr | None:
    """An attribute whose name is written as a string, in the place of something."""
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return None
    return ast.copy_location(ast.Attribute(holder, name.value, ctx or ast.Load()), node)


def _assigned(statement: ast.stmt, target: Any, value: ast.expr) -> ast.stmt:
    if not isinstance(statement, ast.AnnAssign):
        target.unwritten = True  # it stands nowhere in the text
    return ast.copy_location(ast.Assign([target], value), statement)
