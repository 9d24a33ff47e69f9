"""Layer 5: a decision of the learner's program that could be one expression.

One idea: an `if` that gives one name its value, or returns one of two, and ``a if c else b`` choose
between two expressions; both of them can be computed, and then mixed.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from autodiff_kit.readers.program.lines import Spot, nodes_in, segment
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import span_at, span_of, stands_in, statement_of

_Simple = tuple[str, ast.expr, str]  # "y = ", the value, and its text


class Decision(NamedTuple):
    """What is asked, and the texts of what is chosen between.

    node: the `if` or the expression.
    begin: what stands before the value: ``y =``, ``return``, or nothing.
    values: the two expressions; None for a name that keeps its value.
    instead: what of the program the mixture takes the place of, in words.
    """

    node: ast.AST
    test: ast.expr
    begin: str
    values: tuple[ast.expr | None, ast.expr | None]
    yes: str
    no: str
    instead: str


def decision_at(spot: Spot) -> Decision | None:
    """The decision that is made at a spot; None if it is none of these."""
    file, statement = spot.code.co_filename, statement_of(spot)
    if isinstance(statement, ast.If):
        return _of_if(file, statement)
    nodes = [n for n in (ast.walk(statement) if statement else ()) if isinstance(n, ast.IfExp)]
    span = span_at(spot)
    asked = [n for n in nodes if span and (stands_in(span, n.test) or span == span_of(n))]
    found = asked or (nodes if span is None else [])
    if len(found) != 1:
        return None
    (node,) = found
    yes, no = (segment(file, part) for part in (node.body, node.orelse))
    return Decision(node, node.test, "", (node.body, node.orelse), yes, no, "")


def _of_if(file: str, statement: ast.If) -> Decision | None:
    if segment(file, statement)[:2] != "if":
        return None  # an elif
    other, instead = statement.orelse, "the whole if"
    after = _after(file, statement)
    if not other and isinstance(statement.body[0], ast.Return) and isinstance(after, ast.Return):
        other, instead = [after], "the if and the return after it"
    yes = _simple(file, statement.body)
    no = _simple(file, other) if other else None
    if yes is None or other and (no is None or no[0] != yes[0]) or not other and "=" not in yes[0]:
        return None
    name = yes[0].split(" ")[0]
    values = yes[1], no[1] if no is not None else None
    return Decision(
        statement, statement.test, yes[0], values, yes[2], no[2] if no else name, instead
    )


def _simple(file: str, body: list[ast.stmt]) -> _Simple | None:
    """A body that only gives a name a value or returns one."""
    statement = body[0]
    if len(body) != 1:
        return None
    if isinstance(statement, ast.Return) and statement.value is not None:
        return "return ", statement.value, segment(file, statement.value)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        if isinstance(statement.targets[0], ast.Name):
            text = segment(file, statement.value)
            return f"{statement.targets[0].id} = ", statement.value, text
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        name, value = statement.target.id, bracketed(segment(file, statement.value))
        sign = ast.unparse(ast.BinOp(ast.Name("a"), statement.op, ast.Name("b")))[2:-2]
        return f"{name} = ", statement.value, f"{name} {sign} {value}"
    return None


def _after(file: str, statement: ast.stmt) -> ast.stmt | None:
    """The statement that follows one in the same block."""
    for node in nodes_in(file, ast.AST):
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(block, list) and statement in block[:-1]:
                found: ast.stmt = block[block.index(statement) + 1]
                return found
    return None
