"""Layer 5: a function of one expression, read from its source, with what is known filled in.

One idea: partial evaluation. Whatever depends on known values alone is computed; what depends on the
gradient or on a tensor stays as it was written.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.program.nodes import nodes_of
from autodiff_kit.readers.shown.functions import (
    SIMPLE,
    Unreadable,
    defaults_of,
    known,
    literal,
    node_of,
)

DEPTH = 5  # helpers that call helpers are written out this far


class Reading(ast.NodeTransformer):
    """Turns a function into one expression, given the values of its keyword arguments."""

    def __init__(self, attrs: dict[str, Any], depth: int = DEPTH) -> None:
        self.attrs = attrs
        self.depth = depth
        self.local: dict[str, ast.expr] = {}
        self.outside: dict[str, Any] = {}

    def of(self, function: Callable[..., Any], roles: list[str]) -> str:
        """The function's expression; its positional parameters are called ``roles``."""
        node = node_of(function)
        for parameter, role in zip(node.args.args, roles, strict=False):
            self.local[parameter.arg] = ast.Name(role, ast.Load())
        return ast.unparse(ast.fix_missing_locations(self.body(function, node, len(roles))))

    def body(self, function: Callable[..., Any], node: Any, positional: int) -> ast.expr:
        """What a function returns."""
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self.outside = {**function.__globals__, **{name: c.cell_contents for name, c in cells}}
        defaults = defaults_of(function)
        for parameter in (*node.args.args[positional:], *node.args.kwonlyargs):
            if parameter.arg not in self.local:
                value = literal(self.attrs.get(parameter.arg, defaults.get(parameter.arg, SIMPLE)))
                self.local[parameter.arg] = value or ast.Name(parameter.arg, ast.Load())
        if isinstance(node, ast.Lambda):
            return self.visit(copy.deepcopy(node.body))
        return self.returned(copy.deepcopy(node.body))

    def returned(self, statements: list[ast.stmt]) -> ast.expr:
        """The value of a block: its assignments put in, its branches as conditions."""
        for position, statement in enumerate(statements):
            if isinstance(statement, ast.Return):
                return self.visit(statement.value or ast.Constant(None))
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self.local[statement.targets[0].id] = self.visit(statement.value)
            elif isinstance(statement, ast.If):
                rest = statements[position + 1 :]
                return self._branch(statement, rest)
            elif not (
                isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            ):
                raise Unreadable(statement)
        raise Unreadable(statements)

    def _branch(self, statement: ast.If, rest: list[ast.stmt]) -> ast.expr:
        test = self.visit(statement.test)
        before = dict(self.local)
        try:
            return self.returned((statement.body if known(test) else statement.orelse) + rest)
        except Unreadable:
            if isinstance(test, ast.Constant):
                raise
        self.local = dict(before)
        yes = self.returned(statement.body + copy.deepcopy(rest))
        self.local = dict(before)
        return ast.IfExp(test, yes, self.returned(statement.orelse + rest))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.local:
            return copy.deepcopy(self.local[node.id])
        return literal(self.outside[node.id]) or node if node.id in self.outside else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        right = node.comparators[0]
        if isinstance(right, ast.Name) and right.id == "Tensor":
            return ast.Constant(
                isinstance(node.ops[0], ast.IsNot)
            )  # `type(dy) is Tensor`: bare values
        return self.computed(self.generic_visit(node))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        test = self.visit(node.test)
        try:
            return self.visit(node.body if known(test) else node.orelse)
        except Unreadable:
            return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        decides = isinstance(node.op, ast.Or)
        left = []
        for value in map(self.visit, node.values):
            if not isinstance(value, ast.Constant):
                left.append(value)
            elif bool(value.value) is decides:
                left.append(value)
                break
        if not left:
            return ast.Constant(not decides)
        return left[0] if len(left) == 1 else ast.BoolOp(node.op, left)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        func = self.visit(node.func)
        args = [self.visit(arg) for arg in node.args]
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        call = ast.Call(func, args, keywords)
        if isinstance(func, ast.Attribute):
            return _tidied(call)
        called = self.outside.get(func.id) if isinstance(func, ast.Name) else None
        try:
            return self.computed(call)
        except Unreadable:
            pass
        if (
            called is not None
            and hasattr(called, "__code__")
            and "op" not in called.__dict__
            and self.depth
        ):
            return self._written_out(called, call)
        return _tidied(call)

    def _written_out(self, called: Callable[..., Any], call: ast.Call) -> ast.expr:
        inner = Reading({}, self.depth - 1)
        try:
            node = node_of(called)
            parameters = [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]
            inner.local = dict(zip(parameters, call.args, strict=False))
            inner.local.update({k.arg: k.value for k in call.keywords if k.arg})
            return inner.body(called, node, 0)
        except Unreadable:
            return _tidied(call)

    def generic_visit(self, node: ast.AST) -> Any:
        node = super().generic_visit(node)
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Subscript)):
            return self.computed(node)
        return node

    def computed(self, node: Any) -> ast.expr:
        """The value of an expression of known parts; the expression itself if a part is unknown."""
        children = [c for c in ast.walk(node) if isinstance(c, ast.Name)]
        func = getattr(node, "func", None)
        callee = func.id if isinstance(func, ast.Name) else None
        if all(c.id == callee for c in children) and not _has_op(node):
            try:
                expression = ast.fix_missing_locations(ast.Expression(copy.deepcopy(node)))
                value = literal(eval(compile(expression, "", "eval"), dict(self.outside)))
            except Exception as error:
                raise Unreadable(node) from error
            if value is not None:
                return value
        if isinstance(node, ast.Call):
            raise Unreadable(node)
        return node


def _has_op(node: ast.AST) -> bool:
    return any(isinstance(child, ast.Attribute) for child in ast.walk(node))


def _tidied(call: ast.Call) -> ast.expr:
    """A call as a textbook has it: without ``xp.``, without what is False."""
    func = call.func
    if isinstance(func, ast.Attribute):
        if isinstance(func.value, ast.Name) and func.value.id in ("xp", "np"):
            func = ast.Name(func.attr, ast.Load())
        elif func.attr == "type" and len(call.args) == 1:  # `x.dtype.type(0)` is a plain 0
            return call.args[0]
    elif isinstance(func, ast.Name):
        func = ast.Name(func.id.strip("_"), ast.Load())
    keywords = [
        k for k in call.keywords if k.arg
        if not (isinstance(k.value, ast.Constant) and k.value.value in (False, None))
    ]  # fmt: skip
    return ast.Call(func, call.args, keywords)


def renamed(formula: str, names: dict[str, str]) -> str:
    """A formula with other names; a negative number gets parentheses."""
    text = _marked(formula)
    for name, new in names.items():
        text = text.replace(f"⟦{name}⟧", f"({new})" if new.startswith("-") else new)
    return text.replace("⟦", "").replace("⟧", "")


@lru_cache(maxsize=1024)
def _marked(formula: str) -> str:
    """A formula with brackets around its names, so that it is taken apart once and not at each step."""
    tree = ast.parse(formula, mode="eval")
    for node in nodes_of(tree):
        if isinstance(node, ast.Name):
            node.id = f"⟦{node.id}⟧"
    return ast.unparse(tree)
