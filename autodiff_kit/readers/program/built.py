"""Layer 5: what is given to an object when it is made.

One idea: ``Normal(loc=mu)`` gives `mu` to the parameter `loc` of the class's ``__init__``. Where the
text makes several objects of a class, it does not tell which of them got what, so that is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

_REPEATS = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


class Given(NamedTuple):
    """An argument of a call that makes an object.

    function: the class's ``__init__``.
    parameter: its name there.
    value: the expression that is given.
    """

    function: Any
    parameter: str
    value: ast.expr


def given_to_objects(
    classes: list[ast.ClassDef], calls: list[tuple[ast.stmt, ast.Call]], within: dict[Any, Any]
) -> Iterator[tuple[ast.stmt, Given]]:
    """What the statements give to objects of classes of which the text makes one only.

    Args:
      classes: the learner's.
      calls: all calls in the text, with their statements.
      within: the loops, branches and functions around each statement.
    """
    for kind in classes:
        begins = [f for f in kind.body if getattr(f, "name", "") == "__init__"]
        makes = [(s, c) for s, c in calls if ast.unparse(c.func) == kind.name]
        if len(makes) != 1 or not begins:
            continue
        statement, call = makes[0]
        repeated = any(isinstance(one, _REPEATS) for one in within.get(statement, []))
        if not repeated and not any(isinstance(n, _COMPREHENSIONS) for n in ast.walk(statement)):
            yield from ((statement, one) for one in _arguments(call, begins[0]))


def _arguments(call: ast.Call, function: Any) -> Iterator[Given]:
    parameters = [a.arg for a in (*function.args.posonlyargs, *function.args.args)][1:]
    if any(isinstance(one, ast.Starred) for one in call.args):
        return
    for parameter, value in zip(parameters, call.args, strict=False):
        yield Given(function, parameter, value)
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield Given(function, keyword.arg, keyword.value)
