"""Layer 5: what a `with` block calls, and what the learner's name for a value becomes there.

One idea: a function counts only if the block's own text leads to it, and in it a name counts only if
it is the same thing: passed as that argument, an attribute of the same object, or not shadowed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.program.lines import cells_before, nodes_in
from autodiff_kit.readers.program.words import root_of

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CALLED = ("__call__", "call", "forward")  # what calling an object calls


def reached(file: str, number: int, name: str) -> Iterator[tuple[ast.AST, str, str]]:
    """The `with` block that begins at a line, and the functions it calls, each with the name there
    and the file or the cell that it stands in.
    """
    functions, files = _functions_known_in(file)
    todo: list[tuple[ast.AST, str]] = [(block, name) for block in blocks_at(file, number)]
    done = []
    while todo:
        scope, alias = todo.pop(0)
        if (scope, alias) in done:
            continue
        done.append((scope, alias))
        yield scope, alias, files.get(scope, file)
        for call in ast.walk(scope):
            if isinstance(call, ast.Call):
                for function, is_method in _callees(call, functions):
                    todo += [
                        (function, there) for there in _aliases(call, function, is_method, alias)
                    ]


def _functions_known_in(file: str) -> tuple[dict[str, list[Any]], dict[ast.AST, str]]:
    """The functions of a file, or of a cell and those before it, and where each of them stands.

    What a later cell defines anew takes the place of the earlier.
    """
    functions: dict[str, list[Any]] = {}
    files: dict[ast.AST, str] = {}
    for one in (file, *cells_before(file)):
        nodes = [node for node in nodes_in(one, ast.stmt) if isinstance(node, FUNCTIONS)]
        new = [node for node in nodes if node.name not in functions]
        files |= dict.fromkeys(new, one)
        for node in new:
            functions.setdefault(node.name, []).append(node)
    return functions, files


def blocks_at(file: str, number: int) -> Iterator[Any]:
    """The `with` blocks whose head stands on a line."""
    for node in nodes_in(file, ast.stmt):
        if isinstance(node, (ast.With, ast.AsyncWith)):
            if node.lineno <= number <= max(node.lineno, node.body[0].lineno - 1):
                yield node


def _callees(call: ast.Call, functions: dict[str, list[Any]]) -> Iterator[tuple[Any, bool]]:
    if isinstance(call.func, ast.Attribute):
        yield from ((f, _takes_self(f)) for f in functions.get(call.func.attr, []))
    elif isinstance(call.func, ast.Name):
        found = functions.get(call.func.id, [])
        yield from ((f, False) for f in found)
    if not isinstance(call.func, ast.Name) or call.func.id not in functions:
        for called in CALLED:
            yield from ((f, True) for f in functions.get(called, []))


def _takes_self(function: Any) -> bool:
    return bool(function.args.args) and function.args.args[0].arg == "self"


def _aliases(call: ast.Call, function: Any, is_method: bool, name: str) -> Iterator[str]:
    """What a function calls the thing that its caller calls ``name``."""
    parameters = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    owner = parameters[0] if is_method and parameters else None
    given = dict(zip(parameters[1:] if owner else parameters, call.args, strict=False))
    given.update({k.arg: k.value for k in call.keywords if k.arg})
    for parameter, argument in given.items():
        if ast.unparse(argument) == name:
            yield parameter
        elif name.startswith((ast.unparse(argument) + ".", ast.unparse(argument) + "[")):
            yield parameter + name[len(ast.unparse(argument)) :]
    called = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    if owner and name.startswith(ast.unparse(called) + "."):
        yield owner + name[len(ast.unparse(called)) :]
    if root_of(name) not in bound_in(function):
        yield name


def bound_in(function: Any) -> set[str]:
    """The local names of a function, its parameters among them."""
    nodes = list(ast.walk(function))
    outer = {n for x in nodes if isinstance(x, (ast.Global, ast.Nonlocal)) for n in x.names}
    stored = {x.id for x in nodes if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    given = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    return (stored | given) - outer
