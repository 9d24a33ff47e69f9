"""Layer 5: branches of the learner's program that did not run.

One idea: had the branch run, its use of the source would be on the tape; so when the tape has no
use of the source, or only uses that a condition looked at, and the program's text has one inside a
branch, that branch was not taken.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.program.checks import only_shows
from autodiff_kit.readers.program.lines import Line, line_at
from autodiff_kit.readers.program.loops import Loop, use_in
from autodiff_kit.readers.program.reach import reached
from autodiff_kit.readers.program.spots import called, statement_of

LAZY = {
    "and": "false",
    "or": "true",
}  # what the part before must be for the next not to be computed
_CHOICES = {"cond", "case", "switch_case"}


def untaken_branch(case: Any) -> tuple[Line, str] | None:
    """The line in a branch not taken that uses the source's name, and what kind of branch it is."""
    begin = case.entered
    if begin is None or not case.would_be_seen or not case.conditions.issuperset(case.uses):
        return None
    ran = {id(statement_of(case.spot(place))) for place in case.uses}
    for scope, name, file in reached(begin.file, begin.number, case.source_name):
        for kind, branch in _branches(scope, name):
            if any(id(node) in ran for part in branch for node in ast.walk(part)):
                continue
            use = _use_of([part for part in branch if not only_shows(part)], name)
            if kind in LAZY and use is not None:
                use = use_in(Loop(None, branch, branch[0], set()), name)
            if use is not None:
                return line_at(file, use.lineno), kind
    return None


def _branches(scope: ast.AST, name: str) -> Iterator[tuple[str, list[Any]]]:
    """Every branch in a piece of a program, but in what is only shown."""
    asked, shown = _asked_in(scope), _shown_in(scope)
    for node in ast.walk(scope):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _after_leaving(node.body, ast.Return, "after an early return")
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            yield from _after_leaving(node.body, ast.Return, "after an early return")
            yield from _after_leaving(node.body, ast.Break, "after a break")
            yield from _after_leaving(node.body, ast.Continue, "after a continue")
        if isinstance(node, ast.If):
            yield from _two(list(node.body), list(node.orelse), name)
        elif node in shown:
            continue
        elif isinstance(node, ast.IfExp):
            yield from _two([node.body], [node.orelse], name)
        elif isinstance(node, ast.BoolOp) and node not in asked:
            kind = "and" if isinstance(node.op, ast.And) else "or"
            yield from ((kind, [one]) for one in node.values[1:] if not _only_asks(one))
        elif isinstance(node, ast.Match):
            yield from (("case", list(one.body)) for one in node.cases)
        elif isinstance(node, ast.Call):
            if called(node) in _CHOICES:
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                lambdas = [n for a in given for n in ast.walk(a) if isinstance(n, ast.Lambda)]
                for one in lambdas:
                    yield f"ad.{called(node)}", [one.body]


def _two(body: list[Any], other: list[Any], name: str) -> Iterator[tuple[str, list[Any]]]:
    """The two branches of a condition. One of them was taken: what both use is used in any case."""
    if _use_of(body, name) is None or _use_of(other, name) is None:
        yield "if", body
        yield "else", other


def _asked_in(scope: ast.AST) -> set[ast.AST]:
    """All that stands in the conditions of a piece of a program: they choose, and compute nothing."""
    nodes = [*ast.walk(scope)]
    tests = [node.test for node in nodes if hasattr(node, "test")]
    tests += [test for node in nodes for test in getattr(node, "ifs", [])]
    return {node for test in tests for node in ast.walk(test)}


def _shown_in(scope: ast.AST) -> set[ast.AST]:
    """All that stands in statements which only show something."""
    statements = [node for node in ast.walk(scope) if isinstance(node, ast.Expr)]
    return {node for one in statements if only_shows(one) for node in ast.walk(one)}


def _only_asks(node: ast.expr) -> bool:
    """Whether a comparison computes with nothing: ``w is not None``."""
    asks = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
    return isinstance(node, ast.Compare) and all(isinstance(one, asks) for one in node.ops)


def _after_leaving(body: list[Any], leaving: Any, kind: str) -> Iterator[tuple[str, list[Any]]]:
    """What stands after an `if` that returns, or ends the loop or the round."""
    for position, statement in enumerate(body):
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], leaving):
            yield kind, list(body[position + 1 :])


def _use_of(branch: list[Any], name: str) -> Any:
    for part in branch:
        for node in ast.walk(part):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
                if isinstance(node.ctx, ast.Load) and ast.unparse(node) == name:
                    return node
    return None
