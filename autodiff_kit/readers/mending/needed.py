"""Layer 5: of the lines above a block, those that a value needs.

One idea: the lines of one row run once and in their order, so the text tells which of them gave a name
the value that is read further down. Where another one may have given it, there is no answer.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.bound import PLAIN
from autodiff_kit.readers.program.lines import cell_number, tree_of
from autodiff_kit.readers.program.nodes import expression
from autodiff_kit.readers.program.plain import is_plain
from autodiff_kit.readers.program.statement import nodes_read
from autodiff_kit.readers.program.text import Named
from autodiff_kit.tensor import Tensor
from autodiff_kit.variable import Variable

_COMPUTES = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Compare, ast.Subscript)
_ROWS = ("body", "orelse", "finalbody", "handlers", "cases")


def needed_above(case: Case, block: Any, inside: bool) -> list[ast.stmt] | None:
    """The lines above a block that lead from the source to the target; None if there is none or
    nobody can tell.

    Args:
      case: the source, the target and the tape.
      block: the `with` statement.
      inside: whether the target was computed in the block, and not above it.
    """
    row = _Row(case, block)
    wanted = row.named(expression(case.target_name))
    return row.needed(row.through([*_one_by_one(block.body)], wanted) if inside else wanted)


def needed_for(case: Case, block: Any, statements: list[ast.stmt]) -> list[ast.stmt] | None:
    """The same for what some statements compute, those of the block and others below it."""
    row = _Row(case, block)
    own = [*_one_by_one(statements)]
    return row.needed(row.through(own, row.named(expression(case.target_name))))


def only_changes_a_variable(case: Case, one: ast.stmt) -> bool:
    """Whether a statement gives a variable another value: that needs no moving."""
    names = [name for _, name in case.flow.text.receivers(one)]
    held = all(isinstance(case.held.get(name), Variable) for name in names)
    return isinstance(one, ast.Expr) and held


class _Row:
    """The statements that run before a block and as often as it, and what each of them needs."""

    def __init__(self, case: Case, block: Any) -> None:
        self.case, self.block, self.text = case, block, case.flow.text
        file = case.flow.files.get(block, "")
        tree = tree_of(file)
        above = _above(tree.body, block) if tree is not None else None
        others = [] if self.text.within.get(block) else _earlier_cells(case, file)
        self.above = [*_one_by_one([*others, *(above or [])])]

    def named(self, node: ast.AST | None) -> set[Named]:
        """The names that a piece of the program reads, as they are meant where the block stands."""
        return {(self.text.owner(self.block, name), name) for name in _read(node)}

    def through(self, own: list[ast.stmt], wanted: set[Named]) -> set[Named]:
        """What the statements of a block take from above it, for a value that they compute."""
        if not any(wanted & self._bound(one) for one in own):
            return {name for one in own for name in self._reads(one)} | wanted
        for one in reversed(own):
            if wanted & self._bound(one):
                wanted = (wanted - self._replaced(one)) | self._reads(one)
        return wanted

    def needed(self, wanted: set[Named]) -> list[ast.stmt] | None:
        """The statements above that lead from the source to one of some names."""
        chosen, flow = self.chosen(wanted) or [], self.case.flow
        for names in (flow.source_names, flow.source_names | flow.holders):
            kept = self.made_of(names, chosen)
            if kept:
                return self.with_what_changed(kept, chosen)
        return None

    def chosen(self, wanted: set[Named]) -> list[ast.stmt] | None:
        """The statements above that gave the names their values, and those that they need; None if
        a name may have got its value otherwise.
        """
        found: list[ast.stmt] = []
        source = self.case.flow.source_names  # how it was made needs no moving
        for one in reversed(self.above):
            wanted = wanted - source
            if not wanted & self._bound(one) or only_changes_a_variable(self.case, one):
                continue
            if isinstance(one, PLAIN):
                found.insert(0, one)
                wanted = (wanted - self._replaced(one)) | self._reads(one)
            elif self._may_compute(one):
                return None
        return None if any(map(self._is_open, wanted - source)) else found

    def made_of(self, names: set[Named], chosen: list[ast.stmt]) -> list[ast.stmt]:
        """Those of the chosen statements that compute something of the source."""
        flow, found = self.case.flow, []
        live = names | {name for name in flow.names if name[1].endswith("(")}
        live |= {name for name in flow.names if not self._holds_computed(name[1])}
        for one in chosen:
            bound = set(self.text.receivers(one))
            if self.text.mentions(one, live) or self._calls_the_holder(one):
                live |= bound
                found += [one] if self._computes(one) and not self._is_a_number(one) else []
            elif not isinstance(one, ast.AugAssign):
                live -= bound - names
        return found

    def with_what_changed(self, kept: list[ast.stmt], chosen: list[ast.stmt]) -> Any:
        """The kept statements, and those whose names mean something else by now; None if the block
        reads such a name.
        """
        source = self.case.flow.source_names
        above = [one for one in self.above if not only_changes_a_variable(self.case, one)]
        places = {one: number for number, one in enumerate(above)}
        size = -1
        while size != len(kept):
            size = len(kept)
            for one in reversed(chosen):
                later = {name for other in above[places[one] + 1 :] for name in self._bound(other)}
                given = {name for other in kept for name in self._bound(other)}
                needed = {name for other in kept for name in self._reads(other)} - source
                if one not in kept and self._bound(one) & (later | given) & needed:
                    kept = [*kept, one]
        bound = {name for one in kept for name in self._bound(one)}
        last = {name: one for one in above for name in self._bound(one)}
        moved = {name for name in bound if last[name] not in kept}
        if any(moved & self._reads(one) for one in self.block.body):
            return None
        return sorted(kept, key=lambda one: places[one])

    def _bound(self, one: ast.stmt) -> set[Named]:
        """The names that a statement, or one inside it, gives a value or changes."""
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return set()
        inner = [n for n in ast.walk(one) if isinstance(n, ast.stmt) and n in self.text.read]
        return {name for n in inner for name in self.text.receivers(n)}

    def _replaced(self, one: ast.stmt) -> set[Named]:
        """The names that mean nothing but what a statement computes."""
        return self._bound(one) if isinstance(one, ast.Assign) and _plain(one) else set()

    def _reads(self, one: ast.stmt) -> set[Named]:
        names = {name for part in _parts(one) for name in _read(part)}
        if isinstance(one, ast.AugAssign):
            names |= {name for _, name in self._bound(one)}
        return {(self.text.owner(one, name), name) for name in names}

    def _may_compute(self, one: ast.stmt) -> bool:
        """Whether a statement, or one inside it, reads what may be made of the source."""
        names = self.case.flow.wide
        inner = [n for n in ast.walk(one) if isinstance(n, ast.stmt) and n in self.text.read]
        return any(self.text.mentions(n, names) for n in inner)

    def _is_open(self, named: Named) -> bool:
        """Whether a name that nothing above binds may hold what was made of the source."""
        flow = self.case.flow
        return (
            named in flow.names
            and self._holds_computed(named[1])
            and named[1] not in {function.name for function in self.text.functions}
        )

    def _holds_computed(self, name: str) -> bool:
        """Whether a name leads to tensors besides the source, or to what nobody knows any more."""
        case, root = self.case, name.split(".")[0].split("[")[0]
        if root not in case.names.known:
            return True
        within = (name, f"{name}.", f"{name}[")
        return any(
            type(one) is Tensor and one is not case.source
            and (held == name or held.startswith(within[1:]))
            for held, one in case.held.items()
        )  # fmt: skip

    def _calls_the_holder(self, one: ast.stmt) -> bool:
        """Whether a statement calls or hands on what holds the source: ``model(x)``, ``f(params)``."""
        held = {(owner, name.removesuffix("[*]")) for owner, name in self.case.flow.holders}
        return any(
            re.search(
                rf"(?<![\w.]){re.escape(name)}(\.\w+\(|(?!\w|\.|\[['\"\d-]))", self.text.read[one]
            )
            and self.text.owner(one, name) is owner
            for owner, name in held
        )

    def _is_a_number(self, one: ast.stmt) -> bool:
        """Whether what a statement computed is plain numbers, such as a length: they need no moving."""
        known = self.case.names.known
        return all(is_plain(known.get(name)) for _, name in self._bound(one))

    def _computes(self, one: Any) -> bool:
        """Whether a statement does more than to give another name to what there is."""
        if isinstance(one, ast.AugAssign):
            return True
        if isinstance(one.value, ast.Lambda):
            return False
        return any(isinstance(node, _COMPUTES) for node in ast.walk(one.value))


def _above(row: list[Any], block: Any) -> list[ast.stmt] | None:
    """The statements before a block that run as often as it does."""
    for number, one in enumerate(row):
        if one is block:
            return row[:number]
        for inner in (getattr(one, name, None) for name in _ROWS):
            found = _above(inner, block) if isinstance(inner, list) else None
            if found is not None:
                return [*row[:number], *found] if isinstance(one, ast.With) else found
    return None


def _one_by_one(row: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a row, those of a block in the place of the block."""
    for one in row:
        if isinstance(one, ast.With):
            yield from _one_by_one(one.body)
        else:
            yield one


def _earlier_cells(case: Case, file: str) -> list[ast.stmt]:
    """The statements of the cells of a notebook that ran before the one with the block."""
    own = cell_number(file)
    others = {one: cell_number(one) or 0 for one in set(case.flow.files.values()) - {file}}
    earlier = [one for one, number in others.items() if own is None or number < own]
    cells = [one for one in earlier if not os.path.exists(one)]  # a module's names are its own
    trees = [tree_of(one) for one in sorted(cells, key=others.__getitem__)]
    return [statement for tree in trees if tree is not None for statement in tree.body]


def _plain(one: ast.Assign) -> bool:
    targets = [part for target in one.targets for part in getattr(target, "elts", [target])]
    return all(isinstance(target, (ast.Name, ast.Attribute)) for target in targets)


def _parts(one: ast.stmt) -> Iterable[ast.AST]:
    """The parts of a statement in which it reads something."""
    if hasattr(one, "body"):
        return [one]
    subscripts = [n for target in getattr(one, "targets", []) for n in ast.walk(target)]
    return [*nodes_read(one), *(n for n in subscripts if isinstance(n, ast.Subscript))]


def _read(node: ast.AST | None) -> Iterator[str]:
    """The names in a piece of a program, and what they have: ``net``, ``net.w``."""
    for one in ast.walk(node) if node is not None else ():
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute):
            yield ast.unparse(one)
