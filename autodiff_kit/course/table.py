"""The table of marks: a row for each notebook, as CSV for a spreadsheet.

One idea: what stands in it was written by students, so nothing in it may act: no formulas in a
spreadsheet, no markup in a document.
"""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

from autodiff_kit.course.handed_in import student
from autodiff_kit.course.places import Trouble

HEAD = ["student", "file", "notebook", "points", "of", "right", "not yet", "remarks", "seconds"]
HEAD += ["what the check says"]
BETWEEN = " | "  # the exercises' sentences, in one cell
Row = dict[str, str]


def writable(out: Path) -> None:
    """See beforehand that the table can be written.

    Raises:
      Trouble: it cannot.
    """
    folder = out.resolve().parent
    if out.is_dir() or not folder.is_dir():
        raise Trouble(f"{out} cannot be written: name a file in a folder that is there.")
    if not os.access(folder, os.W_OK):
        raise Trouble(f"{out} cannot be written: nothing can in that folder. Name one of your own.")


def row(mark: Any) -> Row:
    """One notebook's row."""
    right = [n for n, one in mark.exercises.items() if one["right"]]
    wrong = [n for n in mark.exercises if n not in right]
    said = [one["text"] for one in mark.exercises.values() if one["text"]]
    cells = [student(mark.name), mark.name, mark.number, mark.points, mark.of]
    cells += [" ".join(right), " ".join(wrong), "; ".join(mark.remarks), f"{mark.seconds:.1f}"]
    cells.append(BETWEEN.join(said))
    return {key: harmless(str(cell)) for key, cell in zip(HEAD, cells, strict=True)}


def harmless(text: str) -> str:
    """On one line, and no formula.

    >>> harmless("=1+1"), harmless("a\\nb")
    ("'=1+1", 'a b')
    """
    text = one_line(text)
    return f"'{text}" if text[:1] in tuple("=+-@") else text


def one_line(text: str) -> str:
    """Only what can be shown: no line ends, no commands to a terminal, no halves of characters."""
    return "".join(c if c.isprintable() else " " for c in text)


def as_csv(head: list[str], rows: list[Row], separator: str = ",") -> str:
    """Rows as the text of a CSV file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, head, restval="", delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read(out: Path) -> tuple[list[str], list[Row], str]:
    """A table that was written before, maybe edited since: its head, its rows, what separates cells.

    Raises:
      Trouble: it cannot be read, or it is another table.
    """
    try:
        text = out.read_text("utf-8-sig")
    except (OSError, ValueError):
        raise Trouble(f"{out} cannot be read as a table in UTF-8.") from None
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, restval=""))
    head = [name for name in (rows[0] if rows else HEAD) if name]
    if not {"file", "notebook", "points"} <= set(head):
        raise Trouble(f"{out} has no columns file, notebook, points: it is no table of marks.")
    return head, [_complete({name: one[name] for name in head}) for one in rows], separator


def _complete(one: Row) -> Row:
    """A row with all columns; spreadsheets make 2 of 02."""
    number = one.get("notebook", "")
    number = number.zfill(2) if number.isdecimal() else number
    return {**dict.fromkeys(HEAD, ""), "student": student(one["file"]), **one, "notebook": number}


def put(path: Path, text: str) -> None:
    """Write a file at one blow.

    Raises:
      Trouble: it cannot be written.
    """
    try:
        beside = path.with_name(path.name + ".part")
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(path)
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}.") from None
