"""Layer 5: a value that was only looked at to choose something.

One idea: the text says whether a number was compared or used as a key; then nothing of it came back.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.softly import asked_for, mixed_softly, spelled_out
from autodiff_kit.readers.mending.weights import MIX, instead_of_deciding, mixture_for
from autodiff_kit.readers.program.lines import covers, nodes_in, tree_of
from autodiff_kit.readers.program.nodes import nodes_of
from autodiff_kit.readers.program.numpys import is_numpys
from autodiff_kit.readers.program.spots import (
    bindings,
    called,
    expression_at,
    span_at,
    span_of,
    stands_in,
    statement_of,
)
from autodiff_kit.readers.program.statement import nodes_read

SOFTLY = (
    "Mix the candidates softly instead of taking one: weigh them with ad.nn.softmax of what is "
    "compared, and add them up."
)
HOW = ("numpy()", "NumPy", "float()", "int()")  # the events of a value that leaves the tensors


def only_compared(event: Any) -> bool:
    """Whether a number left the tensors only as the key of a choice, or in a condition."""
    span, line = span_at(event.spot), event.line
    nodes = nodes_in(line.file, ast.AST)
    choosers = [c for node in nodes for c in _choosers(node) if covers(c, line.number)]
    if span is not None:
        return any(stands_in(span, chooser) for chooser in choosers)
    calls = [n for n in nodes_in(line.file, ast.Call) if called(n) in ("float", "int", "numpy")]
    calls = [n for n in calls if covers(n, line.number)]
    return bool(calls) and all(any(stands_in(span_of(n), c) for c in choosers) for n in calls)


def _choosers(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Call):
        return [k.value for k in node.keywords if k.arg == "key"]
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return [node.test]
    if isinstance(node, ast.comprehension):
        return list(node.ifs)
    return []


def only_a_position(event: Any) -> bool:
    """Whether a whole number only says where, or how often: ``table[int(x)]``, ``range(int(x))``.

    Yes too where nobody can tell.
    """
    tree, span = tree_of(event.code.co_filename), span_at(event.spot)
    if tree is None or isinstance(expression_at(event.spot), ast.Subscript):
        return True
    name = bindings(tree).get(span) if span is not None else _bound_at(event)
    return _says_where(tree, span, name)


@lru_cache(maxsize=4096)
def _says_where(tree: ast.Module, span: Any, name: str | None) -> bool:
    """Whether a number stands where one of several is chosen, or has a name that stands only there."""
    places = [place for node in nodes_of(tree) for place in _places(node)]
    if span is not None and any(stands_in(span, place) for place in places):
        return True
    if not name:
        return span is None
    names = [node for node in nodes_of(tree) if isinstance(node, ast.Name) and node.id == name]
    loads = [span_of(node) for node in names if isinstance(node.ctx, ast.Load)]
    return all(any(stands_in(load, place) for place in places) for load in loads)


_POSITIONS = ("argmax", "argmin", "argsort", "digitize", "searchsorted")


def makes_positions(event: Any, functions: Sequence[str] = _POSITIONS) -> bool:
    """Whether a value left only for a function that answers with positions: ``np.argsort(x)``."""
    calls = nodes_in(event.code.co_filename, ast.Call)
    asked = [n for n in calls if called(n) in functions and is_numpys(n)]
    return _stands_in_one(event, asked)


def makes_answers(event: Any) -> bool:
    """Whether a value left only to be compared, as for a mask: ``(x.numpy() > 0) * y``."""
    return _stands_in_one(event, nodes_in(event.code.co_filename, ast.Compare))


def _stands_in_one(event: Any, nodes: Sequence[ast.expr]) -> bool:
    span = span_at(event.spot)
    return span is not None and any(stands_in(span, node) for node in nodes)


def _bound_at(event: Any) -> str | None:
    """The name that gets a whole number, where the text has no columns to tell: ``n = int(x)``."""
    statement: Any = statement_of(event.spot)
    value = getattr(statement, "value", None)
    if not isinstance(statement, ast.Assign) or not isinstance(value, ast.Call):
        return None
    plain = called(value) == "int" and isinstance(statement.targets[0], ast.Name)
    return statement.targets[0].id if plain else None  # type: ignore[attr-defined]


def _places(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Call) and called(node) in ("range", "gather", "one_hot"):
        return node.args
    return []


def chosen_by(case: Case) -> Finding | None:
    """The source only took part in a choice in Python, and something else was chosen."""
    events = [e for e in case.time.all(*HOW) if e.subject in case.below and only_compared(e)]
    if not events or case.path:
        return None
    event = events[-1]
    asked = asked_for(event)
    both = spelled_out(event) or f"{MIX} {mixture_for({asked})}"
    return case.none(
        "condition",
        f"What was made of `{case.source_name}` was looked at here ({event.kind}) only to choose. "
        f"`{case.target_name}` does not contain it, and no gradient flows to what decides a choice.",
        mixed_softly(case, events),
        line=event.line,
        advice=instead_of_deciding(event, both if asked else SOFTLY),
    )


def taken_by_position(case: Case) -> Finding | None:
    """A whole number that was made of the source only says which of several becomes the target."""
    events = [e for e in case.time.all("int()") if e.subject in case.below]
    for event in [] if case.path else reversed(events):
        taken = _taken_by(case, event) if only_a_position(event) else None
        if taken is not None:
            return case.none(
                "condition",
                f"What was made of `{case.source_name}` became a whole number here, and only says "
                f"which one is taken: `{ast.unparse(taken)}`. A position chooses, and no gradient "
                "flows to it.",
                "",
                line=event.line,
                advice=SOFTLY,
            )
    return None


def _taken_by(case: Case, event: Any) -> ast.Subscript | None:
    """What is taken by the whole number, and leads to the target, says the text."""
    text, statement = case.flow.text, statement_of(event.spot)
    if statement not in text.read:
        return None
    names, target = set(text.receivers(statement)), case.flow.named([case.target_name])
    for one in text.read:
        for node in (n for n in nodes_read(one) if isinstance(n, ast.Subscript)):
            by = ast.unparse(node.slice)
            if text.mentions(one, names, by) or one is statement and "int(" in by:
                got = set(text.receivers(one))
                if got & target or case.flow.leads_to_it(one):
                    return node
    return None
