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
    _mark(cell, f"answer-{number}", {"grade": False, "locked": False, "solution": True})


def mark_check(cell: Any, number: str) -> None:
    """This cell says how it went; it is locked, and worth a point."""
    notes = {"grade": True, "locked": True, "solution": False, "points": 1.0}
    _mark(cell, f"check-{number}", notes)
    cell.metadata["editable"] = False


def _mark(cell: Any, name: str, notes: dict[str, Any]) -> None:
    notes = {**notes, "cell_type": cell.cell_type, "grade_id": name.replace(".", "-")}
    notes |= {"schema_version": SCHEMA, "task": False}
    cell.metadata["deletable"] = False  # JupyterLab heeds it and "editable" even without nbgrader
    cell.metadata["nbgrader"] = {**notes, "checksum": checksum(cell.source, notes)}


def checksum(source: str, notes: dict[str, Any]) -> str:
    """What nbgrader compares to see whether a locked cell was changed."""
    parts = [source, notes["cell_type"]]
    parts += [str(bool(notes[key])) for key in ("grade", "solution", "locked")]
    parts.append(notes["grade_id"])
    if notes["grade"]:
        parts.append(str(float(notes["points"])))
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()
