"""nbgrader's notes on a cell: which cell holds an answer, which one is graded, and for how much.

One idea: the notes are nbgrader's own (schema 3), so that its tools and extensions read them; the
kit needs none of them to run.

Source: https://nbgrader.readthedocs.io/en/stable/contributor_guide/metadata.html
"""

from __future__ import annotations

import hashlib
from typing import Any

SCHEMA = 3


def mark_answer(cell: Any, number: str) -> None:
    """This cell is where the student writes."""
    _mark(cell, f"answer-{number}", grade=False, solution=True)


def mark_check(cell: Any, number: str, points: float = 1.0) -> None:
    """This cell says how it went; it is locked, and worth points."""
    _mark(cell, f"check-{number}", grade=True, solution=False, points=points)


def _mark(
    cell: Any, name: str, *, grade: bool, solution: bool, points: float | None = None
) -> None:
    notes = {
        "cell_type": cell.cell_type,
        "grade": grade,
        "grade_id": name.replace(".", "-"),
        "locked": not solution,
        "schema_version": SCHEMA,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        notes["points"] = points
    cell.metadata["deletable"] = False  # JupyterLab heeds these two even without nbgrader
    if not solution:
        cell.metadata["editable"] = False
    cell.metadata["nbgrader"] = {**notes, "checksum": checksum(cell.source, notes)}


def checksum(source: str, notes: dict[str, Any]) -> str:
    """What nbgrader compares to see whether a locked cell was changed."""
    parts = [source, notes["cell_type"]]
    parts += [str(bool(notes[key])) for key in ("grade", "solution", "locked")]
    parts.append(notes["grade_id"])
    if notes["grade"]:
        parts.append(str(float(notes["points"])))
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()
