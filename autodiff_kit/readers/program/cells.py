"""Layer 5: which cells of a notebook belong together.

One idea: a name means what the last cell before has made of it. So the cells that made what a cell
reads belong with it, and what an earlier experiment called by the same name does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.program.asked import NOWHERE, is_reference, led_to
from autodiff_kit.readers.program.lines import cell_number, cells_before, tree_of

_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def share_names(code: Any, frame: Any) -> bool:
    """Whether a frame calls things as a code does: its own, or that of another cell of its notebook."""
    here = frame.f_code
    if code is here:
        return True
    cells = [cell_number(one.co_filename) for one in (code, here)]
    return code.co_name == here.co_name == "<module>" and None not in cells


def at_hand(text: str, code: Any, frame: Any) -> Any:
    """What a text that stands in a code leads to now, `NOWHERE` if that is not certain."""
    known = is_reference(text) and share_names(code, frame)
    return led_to(text, frame) if known else NOWHERE


def where_bound(file: str, name: str) -> str:
    """The file itself if a name is bound anywhere in it, otherwise the last cell before that does."""
    if name in _names(file).bound | _names(file).inner:
        return file
    return next((one for one in cells_before(file) if name in _names(one).bound), file)


def _makers(earlier: list[str], name: str) -> Iterator[str]:
    """The last of some cells that binds a name, and those since then that change what it means."""
    for one in earlier:
        if name in _names(one).bound | _names(one).changed:
            yield one
        if name in _names(one).bound:
            return


def with_those_behind(files: set[str]) -> set[str]:
    """The files, and of a notebook also the cells that made what these cells read, and so on."""
    found, todo = set(files), [file for file in files if cell_number(file) is not None]
    while todo:
        cell = todo.pop()
        earlier = cells_before(cell)
        new = {one for name in _names(cell).free for one in _makers(earlier, name)} - found
        todo += new
        found |= new
    return found


class Names:
    """What a cell reads before it has made it, what it makes, and of what it changes a part: a list
    that it appends to, an attribute that it sets. Imports are no part of this.
    """

    def __init__(self) -> None:
        self.free: set[str] = set()
        self.bound: set[str] = set()
        self.changed: set[str] = set()
        self.inner: set[str] = set()  # made in functions, and in comprehensions

    def go_through(self, statements: Iterable[ast.stmt]) -> None:
        """Take the statements one by one, as they run."""
        for one in statements:
            if isinstance(one, _DEFINES):
                self._take(ast.walk(one), inner=True)
                self.bound.add(one.name)
            elif not isinstance(one, (ast.Import, ast.ImportFrom)):
                self._take(_head_of(one))
                for rows in _rows_of(one):
                    self.go_through(rows)

    def _take(self, nodes: Iterable[ast.AST], inner: bool = False) -> None:
        nodes = list(nodes)
        names = [node for node in nodes if isinstance(node, ast.Name)]
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        own = {node.arg for node in nodes if isinstance(node, ast.arg)} | _gone_through(nodes)
        own |= stored if inner else set()
        read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        self.inner |= own
        self.free |= read - own - self.bound
        self.bound |= stored - own
        self.changed |= {root for node in nodes if (root := _changed_by(node))} - own


def _changed_by(node: ast.AST) -> str:
    """What a node changes: ``rows`` for ``rows.append(x)`` and for ``rows[0].w = x``; "" if nothing."""
    part: Any = node if isinstance(getattr(node, "ctx", None), ast.Store) else None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        part = node.value.func
    if not isinstance(part, (ast.Attribute, ast.Subscript)):
        return ""
    while isinstance(part, (ast.Attribute, ast.Subscript)):
        part = part.value
    return part.id if isinstance(part, ast.Name) else ""


def _gone_through(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that comprehensions among some nodes give to what they go through."""
    targets = [node.target for node in nodes if isinstance(node, ast.comprehension)]
    return {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}


def _rows_of(one: ast.stmt) -> list[list[ast.stmt]]:
    """The rows of statements that stand in a statement."""
    inner = [one, *getattr(one, "handlers", []), *getattr(one, "cases", [])]
    rows = [getattr(part, name, []) for part in inner for name in ("body", "orelse", "finalbody")]
    return [row for row in rows if isinstance(row, list)]


def _head_of(one: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that stand before those rows; all of one that has none."""
    below = {id(node) for row in _rows_of(one) for inner in row for node in ast.walk(inner)}
    return [node for node in ast.walk(one) if id(node) not in below]


def _names(cell: str) -> Names:
    tree = tree_of(cell)
    return _names_in(tree) if tree is not None else Names()


@lru_cache(maxsize=256)
def _names_in(tree: ast.Module) -> Names:
    found = Names()
    found.go_through(tree.body)
    return found
