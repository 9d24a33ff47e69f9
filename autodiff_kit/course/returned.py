"""A returned notebook beside the kit's own: which one it is, its exercises, and what was changed.

One idea: what is asked comes from the kit's notebook, and its cells are found by their ids; of the
returned one only the code is taken. Nothing is run here.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autodiff_kit.course.places import Trouble, place

MAX_BYTES = 20_000_000
# What an answer has no need of, and a deception may have: somebody should look at it.
WORDS = re.compile(
    r"\b(exercises\.n\d\d|EXERCISES|verdict|\.reference|_getframe|__code__|__globals__|sys\.modules|"
    r"setattr|importlib|inspect|ctypes|gc\.|subprocess|os\.\w+|shutil|socket|threading|multiprocessing|"
    r"open\(|write_text|write_bytes|unlink|unittest\.mock|"
    r"from autodiff_kit\.exercises import (?!check\b))"
)


@dataclass
class Returned:
    """A returned notebook: its number, code cells, the exercises' cells, and remarks.

    answers: for each exercise the position of its cell among the code cells, and the expression
      that is the answer; None if the cell is not there.
    raises: the positions of cells that end in an error on purpose.
    """

    number: str
    code: list[str]
    answers: dict[str, tuple[int, str] | None]
    remarks: list[str] = field(default_factory=list)
    raises: list[int] = field(default_factory=list)


def course() -> dict[str, Any]:
    """The kit's notebooks that have exercises, by number."""
    found = {}
    for path in sorted(place("notebooks").glob("[0-9][0-9]_*.ipynb")):
        notebook = json.loads(path.read_text("utf-8"))
        if exercises(notebook):
            found[path.name[:2]] = notebook
    return found


def source(cell: Any) -> str:
    """A cell's text, which a file may hold as a list of lines."""
    text = cell.get("source", "") if isinstance(cell, dict) else ""
    return "".join(map(str, text)) if isinstance(text, list) else str(text)


def code_cells(notebook: Any) -> list[Any]:
    """The code cells of a notebook, whatever else it may be."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    cells = cells if isinstance(cells, list) else []
    return [c for c in cells if isinstance(c, dict) and c.get("cell_type") == "code"]


def checks(text: str) -> dict[str, str]:
    """The calls ``check("NN.k", answer)`` in a cell: numbers and expressions."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found = {}
    for node in ast.walk(tree):
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
        notebook = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Trouble("the file cannot be read as a notebook") from None
    if not code_cells(notebook):
        raise Trouble("there is no code cell in it")
    return notebook


def which(notebook: Any, name: str, known: dict[str, Any]) -> str:
    """The number of the kit's notebook that this is a copy of: by its cells' ids, else by its name."""
    ids = {str(cell.get("id")) for cell in code_cells(notebook)}
    shared = {n: len(ids & {str(c.get("id")) for c in code_cells(known[n])}) for n in known}
    best = max(shared, key=lambda number: shared[number], default="")
    if best and shared[best]:
        return best
    named = re.search(r"(?<!\d)(\d\d)_", Path(name).name)
    if named and named[1] in known:
        return named[1]
    raise Trouble("it is no notebook of this course: neither its cells nor its name are known")


def _raises(cell: Any) -> bool:
    return "raises-exception" in str(cell.get("metadata"))


def compare(notebook: Any, number: str, own: Any) -> Returned:
    """Find the exercises' cells, and say what was deleted or edited."""
    cells = code_cells(notebook)
    code = [source(cell) for cell in cells]
    positions = {str(cell.get("id")): index for index, cell in enumerate(cells)}
    found = Returned(number, code, {}, raises=[i for i, c in enumerate(cells) if _raises(c)])
    for exercise, (cell_id, expression) in exercises(own).items():
        by_check = [i for i, text in enumerate(code) if exercise in checks(text)]
        at = positions.get(cell_id, by_check[0] if by_check else None)
        # An answer written into the call itself is an answer, too: it is not the call that judges.
        theirs = None if at is None else checks(code[at]).get(exercise)
        found.answers[exercise] = None if at is None else (at, theirs or expression)
        if at is None:
            found.remarks.append(f"{exercise}: its cell was deleted")
        elif theirs is None:
            found.remarks.append(f"{exercise}: its check was edited or is missing")
    gone = [str(c.get("id")) for c in code_cells(own) if str(c.get("id")) not in positions]
    if gone:
        found.remarks.append(f"{len(gone)} code cells were deleted: {', '.join(gone[:5])}")
    words = {match[0] for match in WORDS.finditer("\n".join(code))}
    words -= {match[0] for match in WORDS.finditer("\n".join(map(source, code_cells(own))))}
    if words:
        found.remarks.append(f"look at: {', '.join(sorted(words))}")
    return found
