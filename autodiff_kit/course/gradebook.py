"""All that is written of a class: the table, a table of students, a page to read, a page for each.

One idea: the table is the one source. All else is made from its rows, also from rows that a person
has edited, and a table that was there is never lost.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from autodiff_kit.course import feedback, table
from autodiff_kit.course.handed_in import student
from autodiff_kit.course.mark import Mark
from autodiff_kit.course.places import Trouble
from autodiff_kit.course.table import Row


class Gradebook:
    """The table in a file, with the rows that it had before."""

    def __init__(self, out: Path, append: bool = False) -> None:
        """Read what is there if it is to be kept; else keep a copy of it.

        Raises:
          Trouble: what is there cannot be read or copied.
        """
        self.out, self.backup = out, ""
        self.head, self.rows, self.separator = list(table.HEAD), list[Row](), ","
        if append and not out.exists():
            raise Trouble(f"There is no {out} to append to.")
        if append:
            self.head, self.rows, self.separator = table.read(out)
            self.head += [name for name in table.HEAD if name not in self.head]
        if out.exists():
            self.backup = _copy(out).name

    @staticmethod
    def ours(out: Path) -> tuple[str, ...]:
        """How the names of the files begin that are written beside a table, and with it."""
        return (out.name, f"{out.stem}.md", f"{out.stem}-students.csv", f"{out.stem}-feedback")

    def has(self, name: str) -> bool:
        """Does this file stand in it?"""
        return any(one["file"] == table.harmless(name) for one in self.rows)

    def marks(self) -> list[Mark]:
        """The rows of before, as far as one must know them to see what is missing."""
        return [Mark(one["file"], one["notebook"]) for one in self.rows]

    def students(self) -> frozenset[str]:
        """Who stands in it."""
        return frozenset(student(one["file"]) for one in self.rows)

    def write(self, marks: Iterable[Mark]) -> list[Row]:
        """Write the table alone: the rows of before, and those of new marks, which are returned too.

        A row "missing" goes when what it misses has come.
        """
        new = [table.row(mark) for mark in sorted(marks, key=lambda mark: (mark.name, mark.number))]
        come = {(student(one["file"]), number) for one in new for number in (one["notebook"], "")}
        rows = [one for one in self.rows if not (_missing(one) and _what(one) in come)] + new
        table.put(self.out, table.as_csv(self.head, rows, self.separator))
        return rows

    def finish(self, marks: Iterable[Mark]) -> None:
        """Write the table and everything that is made from it."""
        rows = self.write(marks)
        by_student = feedback.totals(rows)
        text = table.as_csv(list(by_student[0]) if by_student else ["student"], by_student)
        table.put(self.out.with_name(f"{self.out.stem}-students.csv"), text)
        table.put(self.out.with_suffix(".md"), feedback.page(by_student, rows))
        folder = self.out.with_name(f"{self.out.stem}-feedback")
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise Trouble(f"{folder} cannot be made: {error.strerror}.") from None
        for name, text in feedback.letters(rows).items():
            table.put(folder / name, text)


def _missing(one: Row) -> bool:
    return one["file"][-1:] == "/" and one.get("remarks", "").startswith("missing")


def _what(one: Row) -> tuple[str, str]:
    return student(one["file"]), one["notebook"]


def _copy(out: Path) -> Path:
    """A copy beside a table, under a name that nothing has yet."""
    number = 1
    while (path := out.with_name(f"{out.name}.bak{number if number > 1 else ''}")).exists():
        number += 1
    try:
        shutil.copyfile(out, path)
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}.") from None
    return path
