"""Take an exercise's solution out of a cell, and leave what the student is to fill in.

One idea: an exercise cell ends in ``check("02.1", answer)``. What defines that name is the answer;
a function keeps its head, a dict its keys, and dots stand for the rest.
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

MARKED = re.compile(r"^[ \t]*###\s*BEGIN SOLUTION.*?###\s*END SOLUTION[^\n]*\n?", re.S | re.M)


class ExerciseCell(NamedTuple):
    """An exercise's cell in its two parts."""

    number: str
    name: str
    answer: str
    check: str


def read(source: str) -> ExerciseCell | None:
    """The parts of a cell that ends in a check, or None for any other cell.

    >>> read('answer = 3\\n\\ncheck("02.1", answer)')
    ExerciseCell(number='02.1', name='answer', answer='answer = 3', check='check("02.1", answer)')
    >>> read("x = 3") is None
    True
    """
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a cell with a magic command, or an error that is shown on purpose
        return None
    match body[-1:]:
        case [
            ast.Expr(
                ast.Call(ast.Name("check"), [ast.Constant(str(number)), ast.Name(name)]) as call
            )
        ]:
            lines = source.splitlines()
            answer, check = lines[: call.lineno - 1], lines[call.lineno - 1 :]
            return ExerciseCell(number, name, "\n".join(answer).rstrip(), "\n".join(check))
    return None


def stub(answer: str, name: str) -> str:
    """The answer without its solution; one that has dots in it already stays as it is.

    >>> print(stub("def slope(x):\\n    y = x * x\\n    return y", "slope"))
    def slope(x):
        return ...
    >>> stub('answer = {"a": 1, "b": None}', "answer")
    'answer = {"a": ..., "b": ...}'
    """
    answer = MARKED.sub("", answer).rstrip()
    lines = answer.splitlines()
    for node in reversed(ast.parse(answer).body):
        if not _defines(node, name):
            continue
        if any(isinstance(part, ast.Constant) and part.value is ... for part in ast.walk(node)):
            return answer
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        ends = node.end_lineno or node.lineno
        new = _function(node, lines) if isinstance(node, ast.FunctionDef) else _value(node, name)
        return "\n".join([*lines[: first - 1], *new, *lines[ends:]])
    return f"{answer}\n{name} = ...".strip()  # it was made inside the marks, or not at all


def _defines(node: ast.stmt, name: str) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name == name
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _function(node: ast.FunctionDef, lines: list[str]) -> list[str]:
    """Decorators, head and documentation as they stand, and dots for the body."""
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    documented = ast.get_docstring(node) is not None
    head_ends = (node.body[0].end_lineno or 0) if documented else node.body[0].lineno - 1
    if not documented and node.body[0].lineno == node.lineno:  # all of it in one line
        head = [lines[node.lineno - 1][: node.body[0].col_offset].rstrip()]
        return [*lines[first - 1 : node.lineno - 1], *head, "    return ..."]
    head = [line for line in lines[first - 1 : head_ends] if not line.strip().startswith("#")]
    return [*head, "    return ..."]


def _value(node: ast.stmt, name: str) -> list[str]:
    """``name = ...`` with the keys of a dict, or the length of a list, kept."""
    value = node.value if isinstance(node, ast.Assign) else None
    if isinstance(value, ast.Dict) and all(value.keys):
        keys = [ast.unparse(key).replace("'", '"') for key in value.keys if key is not None]
        short = f"{name} = {{{', '.join(f'{key}: ...' for key in keys)}}}"
        if len(short) <= 100:
            return [short]
        return [f"{name} = {{", *(f"    {key}: ...," for key in keys), "}"]
    if isinstance(value, ast.List):
        return [f"{name} = [{', '.join(['...'] * len(value.elts))}]"]
    return [f"{name} = ..."]
