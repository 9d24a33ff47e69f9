"""Layer 5: from a note on the tape to the learner's own line.

One idea: the tape keeps a code object and an instruction, which cost nothing; here they become a
file or a cell, a line number and the text of that line.
"""

from __future__ import annotations

import ast
import io
import linecache
import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from autodiff_kit.readers.program.assigned import with_plain_assignments
from autodiff_kit.readers.program.folded import one_line
from autodiff_kit.readers.program.given import STRING, command_lines
from autodiff_kit.readers.program.imported import modules_in, read_as_usual
from autodiff_kit.readers.program.nodes import nodes_of
from autodiff_kit.readers.program.ran import codes_of, signature
from autodiff_kit.readers.program.timed import TIMED, timed_codes, timed_lines

Node = TypeVar("Node", bound=ast.AST)

_LONGEST = 100  # of an expression that is shown in one line
MOST_CELLS = 100  # of a notebook that are looked at
_TEXTS: dict[str, tuple[Any, str]] = {}  # the lines of each file, and these in one piece
_CHANGED: set[str] = set()  # texts that are not what ran: a learner edits while a notebook runs


class Spot(NamedTuple):
    """Where in the learner's program something was done, as the tape notes it."""

    code: Any
    instruction: int


def spot_of(record: Any) -> Spot:
    """Where the operation of a record was called: its last two entries."""
    return Spot(*record[-2:])


def codes_called(records: list[Any], *first: Any) -> list[Any]:
    """The code in which the operations of some records were called, each once, behind some other."""
    codes = {id(code): code for code in first}  # equal code may stand elsewhere
    codes.update({id(record[-2]): record[-2] for record in records})
    return [*codes.values()]


class Line(NamedTuple):
    """A line of the learner's program."""

    file: str
    number: int
    text: str

    @property
    def where(self) -> str:
        """For example ``line 3 of cell [5]`` or ``line 3 of model.py``."""
        cell = cell_number(self.file)
        name = f"cell [{cell}]" if cell is not None else os.path.basename(self.file)
        return f"line {self.number} of {name}"

    @property
    def statement(self) -> str:
        """The whole statement that the line is a part of, as one line; the line itself in a block."""
        statement = simple_statement(self)
        if statement is None or statement.end_lineno == statement.lineno:
            return self.text
        return one_line(segment(self.file, statement))

    @property
    def shown(self) -> str:
        """The line, or of an expression over several lines the whole: a part of it says little."""
        piece = _piece_at(self) if self.text else None
        if piece is None or piece.lineno == piece.end_lineno:
            return self.text
        folded = one_line(segment(self.file, piece))
        return self.text if "\n" in folded or len(folded) > _LONGEST else folded

    def __str__(self) -> str:
        return f"{self.where}: {self.shown}" if self.text else self.where


def line_of(spot: Spot) -> Line:
    """The line that a spot belongs to."""
    code, instruction = spot
    compare_with_text([code])
    number = code.co_firstlineno
    for start, end, line in code.co_lines():
        if start <= instruction < end and line is not None:
            number = line
    return line_at(code.co_filename, number)


def compare_with_text(codes: Iterable[Any]) -> None:
    """Give up the text of what was changed since it ran; for all of it at once, so that no answer is
    made half with that text.
    """
    for code in codes:
        if not is_what_ran(code):
            _CHANGED.add(text_of(code.co_filename))


def line_at(file: str, number: int) -> Line:
    """A line of a file or a cell."""
    if text_of(file) in _CHANGED:
        changed = "(the file was changed after it had been loaded)"
        return Line(file, number, changed if file not in (TIMED, STRING) else "")
    lines = _lines(file)
    return Line(file, number, lines[number - 1].strip() if 0 < number <= len(lines) else "")


def cell_number(file: str) -> int | None:
    """The number of the notebook cell that a file name stands for."""
    return _cell_numbers().get(file)


def cells_before(file: str) -> list[str]:
    """The last cells of a notebook that ran before one, the very last first; none outside of one."""
    numbers = _cell_numbers()
    earlier = [one for one, number in numbers.items() if number < numbers.get(file, 0)]
    return sorted(earlier, key=numbers.__getitem__, reverse=True)[:MOST_CELLS]


def _cell_numbers() -> dict[str, int]:
    numbers = getattr(getattr(shell(), "compile", None), "_filename_map", {})
    return {file: number for file, number in numbers.items() if isinstance(number, int)}


def shell() -> Any:
    """What runs the cells of a notebook, None outside of one."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def is_what_ran(code: Any) -> bool:
    """Whether a code object stems from the text that its file has now, as far as can be told."""
    return _is_what_ran(code, code.co_filename, text_of(code.co_filename))


@lru_cache(maxsize=1024)
def _is_what_ran(code: Any, file: str, text: str) -> bool:  # equal code may have another file
    if file == TIMED:
        return signature(code) in (timed_codes(text) or ())
    if file == STRING and text:  # what `exec` runs is called so too
        return signature(code) in (codes_of(text) or ())
    if not os.path.exists(file) or any(name.startswith("@py") for name in code.co_names):
        return True  # a cell, a string; or pytest has rewritten the assertions
    known = codes_of(text)
    return known is None or signature(code) in known


def text_of(file: str) -> str:
    """The text of a file or a cell, "" if it is not to be had."""
    lines = _lines(file)
    if _TEXTS.get(file, (None, ""))[0] is not lines:
        _TEXTS[file] = (lines, "".join(lines))
    return _TEXTS[file][1]


def _lines(file: str) -> list[str]:
    if file == TIMED:
        return timed_lines(shell())
    return linecache.getlines(file) or (command_lines() if file == STRING else [])


def known_text(file: str) -> str:
    """The text of a file or a cell as it ran, "" if that is not to be had."""
    text = text_of(file)
    return "" if text in _CHANGED and file in (TIMED, STRING) else text


def tree_of(file: str) -> ast.Module | None:
    """The syntax tree of a file or a cell, as far as its text is to be had.

    In it the kit is called ``ad`` and NumPy ``np``, whatever the file calls them, and what
    gives something a value is a plain assignment.
    """
    text = text_of(file)
    if text in _CHANGED:
        return None
    return _parsed(text, file == TIMED or cell_number(file) is not None)


def nodes_in(file: str, kind: type[Node]) -> list[Node]:
    """All parts of one kind of a file or a cell, none where its text is not to be had."""
    tree = tree_of(file)
    return [node for node in nodes_of(tree) if isinstance(node, kind)] if tree is not None else []


def written_tree(file: str) -> ast.Module | None:
    """The same with the names that the learner has written."""
    return _as_written(text_of(file))


@lru_cache(maxsize=4 * MOST_CELLS)  # a tree is known by its identity, so none may be read anew
def _parsed(text: str, is_cell: bool) -> ast.Module | None:
    tree, around = _as_written(text), modules_in(shell().user_ns) if is_cell else {}
    return with_plain_assignments(read_as_usual(tree, around)) if tree else None


@lru_cache(maxsize=4 * MOST_CELLS)
def _as_written(text: str) -> ast.Module | None:
    try:
        return ast.parse(text) if text else None
    except (SyntaxError, ValueError):
        return None


def segment(file: str, node: ast.AST) -> str:
    """The text of a piece of a program, an expression on one line."""
    if getattr(node, "unwritten", False):
        return ast.unparse(node)
    text = _as_it_stands(file, node)
    return one_line(text) if isinstance(node, ast.expr) else text


def _as_it_stands(file: str, node: ast.AST) -> str:
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", None)
    if not first or last is None:
        return ""
    lines = [line.encode() for line in _lines_of(text_of(file))[first - 1 : last]]
    if lines:  # what comes after it first: on one line the end would move
        lines[-1] = lines[-1][: node.end_col_offset]  # type: ignore[attr-defined]
        lines[0] = lines[0][node.col_offset :]  # type: ignore[attr-defined]
    return b"".join(lines).decode()


@lru_cache(maxsize=64)
def _lines_of(text: str) -> list[str]:
    """The lines as Python counts them."""
    return io.StringIO(text, newline=None).readlines()


def simple_statement(line: Line) -> ast.stmt | None:
    """The statement that a line is a part of, None if that holds others, as a loop does."""
    statement = statement_at(line.file, line.number)
    return None if hasattr(statement, "body") else statement


def same_statement(one: Line | None, other: Line | None) -> bool:
    """Whether two lines are one, or parts of one statement."""
    if one is None or other is None or one == other:
        return one == other
    statement = simple_statement(one)
    return statement is not None and statement is simple_statement(other)


def _piece_at(line: Line) -> Any:
    """What begins a line, as much of it as there is; otherwise the least that has all of the line."""
    statement, number = simple_statement(line), line.number
    if statement is None:
        return None
    written = _lines(line.file)[number - 1]
    begin = len(written) - len(written.lstrip())
    nodes = [one for one in ast.walk(statement) if isinstance(one, (ast.expr, ast.stmt))]
    nodes = [one for one in nodes if not isinstance(one, ast.Attribute)]  # its call says more
    first = [one for one in nodes if (one.lineno, one.col_offset) == (number, begin)]
    if first:
        return max(first, key=_extent)
    around = [one for one in nodes if one.lineno < number <= (one.end_lineno or 0)]
    return min(around, key=_extent, default=statement)


def _extent(node: Any) -> tuple[int, int]:
    return node.end_lineno - node.lineno, node.end_col_offset


def covers(node: ast.AST, number: int) -> bool:
    """Whether a piece of a program stands on a line."""
    first = getattr(node, "lineno", None)
    return first is not None and first <= number <= (getattr(node, "end_lineno", None) or first)


def statement_at(file: str, number: int, word: str = "") -> ast.stmt | None:
    """The innermost statement on a line, rather one with a certain word in it."""
    return min(
        [one for one in nodes_in(file, ast.stmt) if covers(one, number)],
        key=lambda n: (
            (n.end_lineno or n.lineno) - n.lineno,
            bool(word) and word not in ast.unparse(n),
        ),
        default=None,
    )


def target_of(statement: Any) -> Any:
    """What a statement gives its value to, the first of several; None if it is no assignment."""
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    return targets[0]


def assigned_name(line: Line) -> str | None:
    """What a line binds: ``h`` for ``h = ad.tanh(x)``, ``self.w`` for ``self.w[0] = 1``."""
    statement = statement_at(line.file, line.number)
    target = target_of(statement)
    while isinstance(target, ast.Subscript):
        target = target.value
    return ast.unparse(target) if isinstance(target, (ast.Name, ast.Attribute)) else None
