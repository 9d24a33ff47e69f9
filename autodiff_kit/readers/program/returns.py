"""Layer 5: what a function of the learner's returns, as its text has it.

One idea: who forgets a `return` has computed the gradient all the same, in the last line.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.program.lines import Line, covers, line_at, nodes_in, segment
from autodiff_kit.readers.program.nodes import names_in


def function_of(code: Any) -> ast.FunctionDef | None:
    """The definition that a code object was made from, as far as its text is to be had."""
    for node in nodes_in(code.co_filename, ast.FunctionDef):
        if node.name == code.co_name:
            if code.co_firstlineno in (node.lineno, *(one.lineno for one in node.decorator_list)):
                return node
    return None


def returns_of(function: ast.FunctionDef) -> list[ast.Return]:
    """The return statements of a function, without those of functions in it."""
    found, todo = [], list[Any](function.body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, ast.Return):
            found.append(node)
        elif not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            todo[:0] = ast.iter_child_nodes(node)
    return found


def line_of_return(code: Any) -> Line:
    """The line where a function returns, if there is one such line; otherwise where it begins."""
    function = function_of(code)
    returns = returns_of(function) if function is not None else []
    begin = function.lineno if function is not None else code.co_firstlineno
    return line_at(code.co_filename, returns[0].lineno if len(returns) == 1 else begin)


def forgotten(code: Any, name: str) -> str:
    """The line that returns what a function without a `return` computes last of one of its arguments;
    "" if it has one, or if the last line is something else.
    """
    function = function_of(code)
    if function is None or returns_of(function):
        return ""
    last: Any = function.body[-1]
    if name not in names_in(last):
        return ""
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.BinOp):
        text = segment(code.co_filename, last.value)
        return f"return {text}    # instead of {text}" if "\n" not in text else ""
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        return f"return {last.targets[0].id}    # the last line of `{code.co_name}`"
    return ""


def lambda_of(code: Any) -> ast.Lambda | None:
    """The lambda that a code object was made from; None if several on its line may be it."""
    names = [*code.co_varnames[: code.co_argcount]]
    lambdas = nodes_in(code.co_filename, ast.Lambda)
    here = [one for one in lambdas if covers(one, code.co_firstlineno)]
    found = [n for n in here if [one.arg for one in (*n.args.posonlyargs, *n.args.args)] == names]
    return found[0] if len(found) == 1 else None


def passing_lambda(code: Any, name: str) -> str:
    """The lambda that passes its argument on, in place of the one that a code object was made from;
    "" if the text does not tell which that is.
    """
    found = lambda_of(code)
    plain = found is not None and [one.arg for one in found.args.args] == [name]
    text = segment(code.co_filename, found) if found is not None and plain else ""
    return f"lambda {name}: {name}    # for example, instead of {text}" if text else ""


def has_no_return(code: Any) -> bool:
    """Whether a function's text is at hand, and has no `return` in it."""
    function = function_of(code)
    return function is not None and not returns_of(function)
