"""The table of marks: CSV for a spreadsheet, Markdown for people.

One idea: what stands in it was written by students, so nothing in it may act: no formulas in a
spreadsheet, no markup in a document.
"""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

from autodiff_kit.course.places import Trouble

HEAD = ("file", "notebook", "points", "of", "right", "not yet", "remarks", "seconds")


def writable(out: Path) -> None:
    """See beforehand that the table can be written.

    Raises:
      Trouble: it cannot.
    """
    folder = out.resolve().parent
    if out.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise Trouble(f"{out} cannot be written: name a file in a folder that is there.")


def row(mark: Any) -> list[str]:
    """One notebook's row."""
    right = [n for n, one in mark.exercises.items() if one["right"]]
    wrong = [n for n in mark.exercises if n not in right]
    cells = [mark.name, mark.number, mark.points, mark.of, " ".join(right), " ".join(wrong)]
    return [_harmless(str(c)) for c in (*cells, "; ".join(mark.remarks), f"{mark.seconds:.1f}")]


def _harmless(text: str) -> str:
    """On one line, and no formula.

    >>> _harmless("=1+1"), _harmless("a\\nb")
    ("'=1+1", 'a b')
    """
    text = one_line(text)
    return f"'{text}" if text[:1] in tuple("=+-@") else text


def one_line(text: str) -> str:
    """Only what can be shown: no line ends, no commands to a terminal, no halves of characters."""
    return "".join(c if c.isprintable() else " " for c in text)


def write(out: Path, marks: list[Any]) -> None:
    """Write both tables, each at one blow."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEAD, *map(row, marks)])
    _put(out, text.getvalue())
    lines = ["# Marks", "", "| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    lines += ["| " + " | ".join(_plain(cell) for cell in row(mark)) + " |" for mark in marks]
    for mark in marks:
        hints = [one["text"] for one in mark.exercises.values() if one["text"]]
        if hints:
            lines += ["", f"**{_plain(_harmless(mark.name))}**", ""]
            lines += [f"- {_plain(_harmless(hint))}" for hint in hints]
    _put(out.with_suffix(".md"), "\n".join(lines) + "\n")


def _plain(text: str) -> str:
    for mark in "\\`*_[]<>|#!":
        text = text.replace(mark, "\\" + mark)
    return text


def _put(path: Path, text: str) -> None:
    try:
        beside = path.with_name(path.name + ".part")
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(path)
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}.") from None
