"""Layer 5: the syntax tree of a function, found again in its source.

One idea: a function knows its file and its first line; of several lambdas there the code decides.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.program.lines import written_tree
from autodiff_kit.readers.program.nodes import nodes_of

SIMPLE = (bool, int, float, str, type(None))


class Unreadable(Exception):
    """The function is not one expression, or its source is not to be had."""


@lru_cache(maxsize=64)
def _functions(tree: ast.Module | None) -> dict[int, list[Any]]:
    """The functions of a file by the line on which they begin."""
    found: dict[int, list[Any]] = {}
    for node in nodes_of(tree) if tree is not None else ():
        if isinstance(node, (ast.Lambda, ast.FunctionDef)):
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *[d.lineno for d in decorators]])
            found.setdefault(first, []).append(node)
    return found


def node_of(function: Callable[..., Any]) -> Any:
    """The syntax tree of a function."""
    code = getattr(function, "__code__", None)
    if code is None:
        raise Unreadable(function)
    nodes = _functions(written_tree(code.co_filename)).get(code.co_firstlineno, [])
    arguments = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    nodes = [n for n in nodes if [a.arg for a in (*n.args.args, *n.args.kwonlyargs)] == arguments]
    if len(nodes) > 1:  # several lambdas on one line
        nodes = [n for n in nodes if _compiled(n) == code.co_code]
    if not nodes:
        raise Unreadable(function)
    return nodes[0]


def _compiled(node: Any) -> bytes | None:
    if not isinstance(node, ast.Lambda):
        return None
    code = compile(ast.fix_missing_locations(ast.Expression(copy.deepcopy(node))), "", "eval")
    return next(c.co_code for c in code.co_consts if hasattr(c, "co_code"))


def literal(value: Any) -> ast.expr | None:
    """A known value as source text, if it is simple."""
    if isinstance(value, (list, tuple)):
        parts = [literal(part) for part in value]
        if None in parts:
            return None
        return ast.Tuple([part for part in parts if part], ast.Load())
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    return ast.Constant(value) if isinstance(value, SIMPLE) else None


def known(node: ast.AST) -> Any:
    """The value of a literal, or Unreadable."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise Unreadable(node) from None


def defaults_of(function: Any) -> dict[str, Any]:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    given = function.__defaults__ or ()
    last = dict(zip(names[len(names) - len(given) :], given, strict=True))
    return {**last, **(function.__kwdefaults__ or {})}
