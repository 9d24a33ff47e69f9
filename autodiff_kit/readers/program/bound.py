"""Layer 5: names that never got anything but what was made of the source.

One idea: which of several assignments to a name was the last is not known in general. If each of them
reads the source, it does not matter.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.program.statement import code_of
from autodiff_kit.readers.program.takes import values_in
from autodiff_kit.readers.program.text import Named, Text

PLAIN = (ast.Assign, ast.AugAssign)


def always_made_of(source: set[Named], text: Text, frame: Any) -> set[Named]:
    """The names that got nothing but what an expression made of the source, or of one of these."""
    bound: dict[Named, list[ast.stmt]] = {}
    for statement in text.read:
        for named in text.receivers(statement):
            bound.setdefault(named, []).append(statement)
    open_names = {n: [(one, _value_of(one, frame)) for one in some] for n, some in bound.items()
                  if n not in source and not _is_parameter(n)}  # fmt: skip
    found: set[Named] = set()
    size = -1
    while size != len(found):
        size = len(found)
        for named, pairs in open_names.items():
            if all(value and _takes(text, one, value, source, found) for one, value in pairs):
                found.add(named)
    return found


def _value_of(statement: Any, frame: Any) -> ast.AST | None:
    """What a plain assignment gives to one name; nothing for a list and for a mere other name."""
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    value = statement.value if isinstance(statement, PLAIN) else None
    if len(targets) != 1 or not isinstance(targets[0], ast.Name):
        return None
    return (
        values_in(value, frame) if isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Call)) else None
    )


def _takes(
    text: Text, statement: ast.stmt, value: ast.AST, source: set[Named], names: set[Named]
) -> bool:
    """Whether a value is made of the source or of one of other names, not of something it holds."""
    if text.mentions(statement, source, code_of(value)):
        return True
    inside = {id(node.value) for node in ast.walk(value) if isinstance(node, ast.Attribute)}
    taken = {n.id for n in ast.walk(value) if isinstance(n, ast.Name) and id(n) not in inside}
    return any((text.owner(statement, name), name) in names for name in taken)


def _is_parameter(named: Named) -> bool:
    function, name = named
    arguments = ast.walk(function.args) if function is not None else ()
    return any(isinstance(one, ast.arg) and one.arg == name for one in arguments)
