"""A returned notebook beside the kit's own: which one it is, its exercises, and what was changed.

One idea: what is asked comes from the kit's notebook, and its cells are found by their ids; of the
returned one only the code is taken. Nothing is run here, but reading can do harm, too: a worker reads.
"""

from __future__ import annotations

import ast
import contextlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autodiff_kit.course.doubt import doubts, runnable
from autodiff_kit.course.magics import SHOWN
from autodiff_kit.course.places import Trouble, counted, place

MAX_BYTES = 20_000_000
ASKED = 5  # after how many cells one exercise is looked at


@dataclass
class Returned:
    """A returned notebook: its number, code cells, the exercises' cells, and remarks.

    answers: for each exercise the positions of its cells among the code cells, and the expressions
      that are the answer; none if no cell is there.
    raises: the positions of cells that end in an error on purpose.
    doubtful: the positions of cells that could deceive a check, with what to take in their place.
    """

    number: str
    code: list[str]
    answers: dict[str, list[tuple[int, str]]]
    remarks: list[str] = field(default_factory=list)
    raises: list[int] = field(default_factory=list)
    doubtful: dict[int, str] = field(default_factory=dict)


def course() -> dict[str, Any]:
    """The kit's notebooks that have exercises, by number."""
    found = {}
    for path in sorted(place("notebooks").glob("[0-9][0-9]_*.ipynb")):
        notebook = json.loads(path.read_text("utf-8"))
        if exercises(notebook):
            found[path.name[:2]] = notebook
    return found


def brief(known: dict[str, Any]) -> dict[str, Any]:
    """Of the kit's notebooks what a worker has to know: code, no pictures."""
    kept = ("id", "cell_type", "source")
    return {
        number: {"cells": [{key: cell.get(key) for key in kept} for cell in code_cells(notebook)]}
        for number, notebook in known.items()
    }


def source(cell: Any) -> str:
    """A cell's text, which a file may hold as a list of lines."""
    text = cell.get("source", "") if isinstance(cell, dict) else ""
    text = "".join(map(str, text)) if isinstance(text, list) else str(text)
    return text.replace("\r\n", "\n")


def code_cells(notebook: Any) -> list[Any]:
    """The code cells of a notebook, whatever else it may be."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    cells = cells if isinstance(cells, list) else []
    return [c for c in cells if isinstance(c, dict) and c.get("cell_type") == "code"]


def checks(text: str) -> dict[str, str]:
    """The calls ``check("NN.k", answer)`` in a cell: numbers and expressions."""
    found: dict[str, str] = {}
    if "check" not in text:
        return found
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        for node in ast.walk(ast.parse(SHOWN.sub("", text))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "check":
                if len(node.args) == 2 and isinstance(node.args[0], ast.Constant):
                    found[str(node.args[0].value)] = ast.unparse(node.args[1])
    return found


def exercises(notebook: Any) -> dict[str, tuple[str, str]]:
    """For each exercise of a notebook of the kit: the id of its cell, and the answer's expression."""
    return {
        number: (str(cell.get("id")), expression)
        for cell in code_cells(notebook)
        for number, expression in checks(source(cell)).items()
    }


def read(data: bytes) -> Any:
    """A file's bytes as a notebook.

    Raises:
      Trouble: it is none.
    """
    if len(data) > MAX_BYTES:
        raise Trouble(f"the file has {len(data)} bytes, more than {MAX_BYTES}")
    try:
        notebook = json.loads(data)  # also what an editor has saved as UTF-16, or with a mark
    except (ValueError, RecursionError):
        raise Trouble("the file cannot be read as a notebook") from None
    if not code_cells(notebook):
        raise Trouble("there is no code cell in it")
    return notebook


def which(notebook: Any, name: str, known: dict[str, Any]) -> str:
    """The number of the kit's notebook that this is a copy of: by its cells, else by its name."""
    cells = _marks(notebook)
    shared = {number: len(cells & _marks(own)) for number, own in known.items()}
    best = max(shared, key=lambda number: shared[number], default="")
    if best and shared[best]:
        return best
    named = re.search(r"(?<!\d)(\d\d)_", Path(name).name)
    if named and named[1] in known:
        return named[1]
    raise Trouble("it is no notebook of this course: neither its cells nor its name are known")


def _raises(cell: Any) -> bool:
    return "raises-exception" in str(cell.get("metadata"))


def _marks(notebook: Any) -> set[str]:
    """By what cells are known again: ids, which not every program keeps, and exercises."""
    cells = code_cells(notebook)
    ids = {str(cell["id"]) for cell in cells if cell.get("id")}
    return ids.union(*(checks(source(cell)) for cell in cells))


def compare(notebook: Any, number: str, own: Any) -> Returned:
    """Find the exercises' cells, and say what was deleted or edited."""
    cells = code_cells(notebook)
    code = [runnable(source(cell)) for cell in cells]
    found = Returned(number, code, {}, raises=[i for i, c in enumerate(cells) if _raises(c)])
    _find_answers(found, cells, exercises(own))
    kits = {str(cell.get("id")): source(cell) for cell in code_cells(own)}
    _note_deleted(found, cells, kits, exercises(own))
    _note_doubtful(found, cells, kits)
    return found


def _find_answers(found: Returned, cells: list[Any], asked: dict[str, tuple[str, str]]) -> None:
    positions = {str(cell.get("id")): index for index, cell in enumerate(cells)}
    called = [checks(text) for text in found.code]
    for exercise, (cell_id, expression) in asked.items():
        places = {i for i, calls in enumerate(called) if exercise in calls}
        first = {positions[cell_id]} if cell_id in positions else set()
        # An answer written into the call itself is an answer, too: it is not the call that judges.
        found.answers[exercise] = [
            (at, called[at].get(exercise, expression))
            for at in sorted(first) + sorted(places - first)[1 - ASKED :]
        ]
        if not first | places:
            found.remarks.append(f"{exercise}: its cell was deleted")
        elif not places:
            found.remarks.append(f"{exercise}: its check was edited or is missing")


def _note_deleted(
    found: Returned, cells: list[Any], kits: dict[str, str], asked: dict[str, tuple[str, str]]
) -> None:
    """Remark which of the kit's cells are gone, other than those of exercises."""
    texts = {source(cell).strip() for cell in cells}
    there = {str(cell.get("id")) for cell in cells}
    there |= {cell_id for exercise, (cell_id, _) in asked.items() if found.answers[exercise]}
    gone = [one for one, text in kits.items() if one not in there and text.strip() not in texts]
    if gone:
        were = f"{counted(len(gone), 'code cell')} {'was' if len(gone) == 1 else 'were'}"
        more = ", …" if len(gone) > 5 else ""
        found.remarks.append(f"{were} deleted: {', '.join(gone[:5])}{more}")


def _note_doubtful(found: Returned, cells: list[Any], kits: dict[str, str]) -> None:
    """Note the cells that could deceive a check, and remark what in them should be looked at."""
    words: list[str] = []
    for position, cell in enumerate(cells):
        if source(cell) not in kits.values() and (seen := doubts(found.code[position])):
            found.doubtful[position] = runnable(kits.get(str(cell.get("id")), ""))
            words += [word for word in seen if word not in words]
    if words:
        more = f" and {len(words) - 12} more" if len(words) > 12 else ""
        found.remarks.append(f"look at: {', '.join(word[:60] for word in words[:12])}{more}")
