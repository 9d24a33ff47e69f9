"""Layer 5: what the learner's functions were given, as the tape saw it.

One idea: the tape has the very expression that stands as an argument in a call, so the parameter that
got its value is known even where no name leads there: ``metric.update(ad.reduce_mean(error))``. So it
is with what is made there: ``Bell(ad.Variable(0.0))``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from autodiff_kit.readers.program.lines import Spot
from autodiff_kit.readers.program.spots import expression_at, span_of, statement_of
from autodiff_kit.readers.program.statement import nodes_read
from autodiff_kit.readers.program.text import Named, Text


def passed_on(text: Text, spots: Iterable[Spot]) -> set[Named]:
    """The parameters that got a value that was computed at one of some spots."""
    found: set[Named] = set()
    for spot in spots:
        node, statement = expression_at(spot), statement_of(spot)
        if node is not None and statement is not None and statement in text.read:
            for call in (n for n in nodes_read(statement) if isinstance(n, ast.Call)):
                found |= set(_parameters(text, call, span_of(node)))
            for given in text.built.get(statement, ()):
                if _has(given.value, span_of(node)):
                    found.add((given.function, given.parameter))
    return found


def _parameters(text: Text, call: ast.Call, span: Any) -> Iterator[Named]:
    """The parameters of what is called that get the argument in which an expression stands."""
    for number, given in enumerate(call.args):
        if _has(given, span):
            for function in text.called_by(call):
                names = [a.arg for a in function.args.args if a.arg != "self"]
                yield from ((function, name) for name in names[number : number + 1])
    for keyword in call.keywords:
        if keyword.arg is not None and _has(keyword.value, span):
            yield from ((function, keyword.arg) for function in text.called_by(call))


def _has(given: ast.AST, span: Any) -> bool:
    return any(isinstance(n, ast.expr) and span_of(n) == span for n in ast.walk(given))
