"""Layer 5: whether an integer may become a floating number where it is used.

One idea: sums and products take both, but a count, a position, a shape or a choice has to stay whole.
Who is told to make such a number floating gets an error. So each use in the text is looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.program.lines import covers, nodes_in, tree_of
from autodiff_kit.readers.program.reach import bound_in
from autodiff_kit.readers.program.returns import function_of
from autodiff_kit.readers.program.spots import called

_THROUGH = (ast.BinOp, ast.UnaryOp, ast.List, ast.Tuple, ast.Starred)
_TAKES = frozenset(
    "abs add add_n cast convert_to_tensor cos divide draw exp explain gradient hessian identity "
    "jacobian log matmul maximum minimum multiply negative norm pow print reduce_max reduce_mean "
    "reduce_min reduce_prod reduce_sum relu replay sigmoid sin sqrt square stack subtract tanh "
    "tensordot watch".split()
)  # these take floating numbers as well as whole ones
_WITH_AXIS = ("reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum")


def whole_use(file: str, name: str, known: dict[str, Any]) -> tuple[str, ast.expr] | None:
    """The file and the first expression in it that uses a name and may want it whole; None if there is
    none. Functions of the learner's that are given it are read as well, as far as they are known.
    """
    tree = tree_of(file)
    return _first_use(file, tree, name, known, 3) if tree is not None else None


def may_be_floating(file: str, statement: ast.Assign, node: Any, known: dict[str, Any]) -> bool:
    """Whether a piece of an assignment, and the name that gets it, are only computed with."""
    parents = {child: one for one in nodes_in(file, ast.AST) for child in ast.iter_child_nodes(one)}
    target, scope = statement.targets[0], parents.get(statement)
    while scope is not None and not isinstance(scope, (ast.FunctionDef, ast.Module)):
        scope = parents.get(scope)
    if scope is None or not isinstance(target, ast.Name) or _user(node, parents) is not None:
        return False
    return _first_use(file, scope, target.id, known, 3) is None


def _first_use(
    file: str, part: ast.AST, name: str, known: dict[str, Any], deep: int
) -> tuple[str, ast.expr] | None:
    """The same for a part of a program."""
    nodes = nodes_in(file, ast.AST)
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    for node in _uses(part, name):
        user = _user(node, parents)
        found = (file, user) if user is not None else None
        if (
            isinstance(user, ast.Call)
            and isinstance(user.func, ast.Name)
            and user.func.id != "range"
        ):
            given = _parameter(known.get(user.func.id), user, name) if deep else None
            found = _first_use(*given, known, deep - 1) if given else None
        if found is not None:
            return found
    return None


def _uses(part: ast.AST, name: str) -> Iterator[Any]:
    """Where a name, or a dotted one, is read; not where it is a function's own."""
    for node in ast.iter_child_nodes(part):
        own = isinstance(node, ast.FunctionDef) and name in bound_in(node)
        read = isinstance(getattr(node, "ctx", None), ast.Load)
        if read and isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) == name:
            yield node
        elif not own:
            yield from _uses(node, name)


def _names(function: ast.FunctionDef) -> list[str]:
    return [one.arg for one in function.args.args]


def _user(node: Any, parents: dict[ast.AST, ast.AST]) -> ast.expr | None:
    """The expression that a value goes into, if that may want a whole number."""
    above: Any = parents[node]
    while isinstance(above, _THROUGH):
        node, above = above, parents[above]
    if isinstance(above, ast.Subscript):
        return above if node is above.slice else None
    if isinstance(above, ast.keyword):
        return parents[above]  # type: ignore[return-value]
    if isinstance(above, ast.Call):
        axis = called(above) in _WITH_AXIS and node in above.args[1:]
        return above if called(above) not in _TAKES or axis else None
    return above if isinstance(above, (ast.Compare, ast.IfExp)) else None


def _parameter(f: Any, user: ast.Call, name: str) -> tuple[str, ast.FunctionDef, str] | None:
    """The learner's function that is given a name by its position: its file, and the parameter."""
    code: Any = getattr(f, "__code__", None)
    function = function_of(code) if code is not None else None
    written = [[ast.unparse(n) for n in ast.walk(one)] for one in user.args]
    numbers = [i for i, texts in enumerate(written) if name in texts]
    if function is None or len(numbers) != 1 or numbers[0] >= len(_names(function)):
        return None
    return code.co_filename, function, _names(function)[numbers[0]]


def is_position_on(file: str, number: int, name: str) -> bool:
    """Whether a line takes an element or a part whose position is given with a name."""
    subscripts = [one for one in nodes_in(file, ast.Subscript) if covers(one, number)]
    parts = [node for one in subscripts for node in ast.walk(one.slice)]
    return any(isinstance(n, (ast.Name, ast.Attribute)) and ast.unparse(n) == name for n in parts)
