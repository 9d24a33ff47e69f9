"""What the table says of one notebook, and what can be said only of the whole class.

One idea: who has handed in nothing that can be graded needs a row most of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autodiff_kit.course import returned
from autodiff_kit.course.handed_in import HandedIn, student
from autodiff_kit.course.table import harmless
from autodiff_kit.exercises import DOTS


@dataclass
class Mark:
    """What the table says of one notebook."""

    name: str
    number: str = ""
    points: int = 0
    of: int = 0
    exercises: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    seconds: float = 0.0


def empty_handed(handed_in: HandedIn, known: frozenset[str] = frozenset()) -> list[Mark]:
    """Rows for those who have handed in no notebook, unless their name is known from the table."""
    have = {harmless(student(name)) for name in handed_in.notebooks} | known
    rows = [
        Mark(f"{one}/", remarks=[f"missing: no notebook in this folder; in it: {there(others)}"])
        for one, others in handed_in.others.items() if harmless(one) not in have
    ]  # fmt: skip
    if handed_in.others:  # where students have folders, a file beside them is nobody's
        return rows
    loose = [name for name in handed_in.loose if harmless(student(name)) not in known]
    return rows + [Mark(name, remarks=["missing: this is no notebook"]) for name in loose]


def there(others: list[str]) -> str:
    """The names of a few files.

    >>> there(["hw2.py", "hw.zip"]), there([])
    ('hw2.py, hw.zip', 'nothing')
    """
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    return ", ".join(others[:3]) + more if others else "nothing"


def missing(marks: list[Mark], others: Mapping[str, list[str]] | None = None) -> list[Mark]:
    """Rows for the notebooks that a student has not returned and more than half of the class have.

    The class is here all who have returned a notebook; who has not has a row that says so.

    Args:
      marks: all rows so far.
      others: for each student the names of what is no notebook.
    """
    rows = [(harmless(student(m.name)), m.number, m.name) for m in marks if "/" in m.name]
    have = {(one, number) for one, number, _ in rows}
    come = {(one, number) for one, number, name in rows if name[-1] != "/"}
    students = {one for one, _ in come}
    returned_by = Counter(number for _, number in come)
    expected = [n for n, count in returned_by.items() if n and 2 * count > len(students) > 1]
    students -= {one for one, number in have if not number}  # it may be the broken one
    known, others = returned.course(), others or {}
    return [
        Mark(f"{one}/", number, of=len(returned.exercises(known[number])) if number in known else 0,
             remarks=["missing: not returned" + _beside(others.get(one, []))])
        for one in sorted(students) for number in expected if (one, number) not in have
    ]  # fmt: skip


def _beside(others: list[str]) -> str:
    return f" (there is also {there(others)})" if others else ""


def twice(marks: list[Mark]) -> None:
    """Remark where one student has handed in one notebook more than once."""
    rows: dict[tuple[str, str], list[Mark]] = {}
    for mark in marks:
        if "/" in mark.name and mark.number:
            rows.setdefault((harmless(student(mark.name)), mark.number), []).append(mark)
    for same in rows.values():
        for mark in same:
            names = [one.name.split("/", 1)[1] for one in same if one is not mark]
            if names and mark.name[-1] != "/":
                mark.remarks.append(f"twice: notebook {mark.number} is also {there(names)}")


def alike(marks: list[Mark], files: Mapping[str, bytes | None]) -> None:
    """Remark where several students have handed in one and the same file, with answers in it."""
    holders: dict[bytes | None, list[str]] = {}
    for name, data in files.items():
        holders.setdefault(data, []).append(name)
    for mark in marks:
        data, whose = files.get(mark.name), student(mark.name)
        others = [name for name in holders.get(data, ()) if student(name) != whose]
        if data is not None and others and _answered(mark):
            mark.remarks.append(f"alike: to the byte the file of {there(others)}")


def _answered(mark: Mark) -> bool:
    """Whether there is an answer at all: who has given none has copied none."""
    said = [one["text"] for one in mark.exercises.values()]
    return mark.points > 0 or any(text and DOTS not in text for text in said)
