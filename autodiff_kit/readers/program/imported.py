"""Layer 5: what the kit, NumPy and math are called in a learner's file.

One idea: the readers know them as ``ad``, ``np`` and ``math``. A file that says ``import autodiff_kit
as tf`` or ``from numpy import sin`` is read as if it said so too.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

from autodiff_kit.readers.program.nodes import nodes_of

USUAL = {"autodiff_kit": "ad", "numpy": "np", "math": "math"}

Meanings = dict[str, str]  # what a name of the learner's is usually called: {"tf": "ad"}


@lru_cache(maxsize=64)
def imports_in(tree: ast.AST) -> Meanings:
    """What a text imports of the three, by the name that it gets there and that nothing else gets.

    >>> imports_in(ast.parse("import autodiff_kit as tf; from math import sin as s, pi; pi = 3"))
    {'tf': 'ad', 's': 'math.sin'}
    """
    others = _bound_otherwise(tree)
    return {name: usual for name, usual in _imported(tree) if name not in others}


@lru_cache(maxsize=64)
def _bound_otherwise(tree: ast.AST) -> set[str]:
    return {name for name, usual in _imported(tree) if not usual} | set(_bound(tree))


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name that an import binds, with its usual name; ``""`` for what is none of the three."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                whole = one.name if one.asname else one.name.partition(".")[0]
                yield one.asname or whole, _usual(whole)
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                known = _usual(node.module or "") if not node.level else ""
                yield one.asname or one.name, f"{known}.{one.name}" if known else ""


def _usual(module: str) -> str:
    root, _, rest = module.partition(".")
    return USUAL.get(root, "") + (f".{rest}" if rest and root in USUAL else "")


def modules_in(scope: Mapping[str, Any]) -> Meanings:
    """The names that lead to the three where a program runs, as in the cells of a notebook."""
    modules = {name: one for name, one in scope.items() if isinstance(one, ModuleType)}
    found = {name: _usual(one.__name__) for name, one in modules.items()}
    return {name: usual for name, usual in found.items() if usual and name[:1] != "_"}


def read_as_usual(tree: ast.Module, around: Meanings) -> ast.Module:
    """A tree in which the three have their usual names; its places in the text stay what they were.

    Args:
      tree: the text of a file or a cell.
      around: what the other cells have imported.
    """
    meanings = {**around, **imports_in(tree)}
    others = _bound_otherwise(tree)
    taken = others | {name for name, usual in meanings.items() if usual in USUAL.values()
                      and name in USUAL.values() and name != usual}  # fmt: skip
    wanted = {
        name: usual for name, usual in meanings.items()
        if name not in (others | {usual, "numpy"}) and usual.partition(".")[0] not in taken
    }  # fmt: skip
    return _Renamed(wanted).visit(copy.deepcopy(tree)) if wanted else tree


def _bound(tree: ast.AST) -> Iterator[str]:
    """The names that something else than an import binds."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Meanings) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        root, *rest = self.names[node.id].split(".")
        found: ast.expr = ast.copy_location(ast.Name(root, node.ctx), node)
        for name in rest:
            found = ast.copy_location(ast.Attribute(found, name, node.ctx), node)
        return found
