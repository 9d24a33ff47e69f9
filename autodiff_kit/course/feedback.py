"""What is made from the table's rows: each student's points, a page to read, and what to hand back.

One idea: a student gets what the check says of his own answers, and none of the remarks, which are
for the person who grades.
"""

from __future__ import annotations

from autodiff_kit.course.table import BETWEEN, Row, harmless
from autodiff_kit.exercises import DOTS

SHOWN = ("student", "file", "notebook", "points", "of", "right", "not yet", "remarks", "seconds")


def totals(rows: list[Row]) -> list[Row]:
    """For each student the points of each notebook, the best if there are several, and their sum."""
    most = {one["notebook"]: one["of"] for one in rows if one["notebook"]}
    found = []
    for name, own in by_student(rows).items():
        best: dict[str, float] = {}
        for one in own:
            if one["notebook"]:
                best[one["notebook"]] = max(points(one), best.get(one["notebook"], 0.0))
        cells = {"student": harmless(name), "points": f"{sum(best.values()):g}"}
        for number in sorted(most):
            given = f"{best[number]:g}" if number in best else ""
            cells[f"{number} (of {most[number]})"] = given
        found.append(cells | {"to look at": str(sum(bool(one["remarks"]) for one in own))})
    return found


def by_student(rows: list[Row]) -> dict[str, list[Row]]:
    """Each student's rows."""
    found: dict[str, list[Row]] = {}
    for one in sorted(rows, key=lambda one: (one["student"].lower(), one["student"], one["file"])):
        found.setdefault(one["student"], []).append(one)
    return found


def points(one: Row) -> float:
    """A row's points, which a person may have edited; 0 for what is no number.

    >>> points({"points": "1,5"}), points({"points": "?"})
    (1.5, 0.0)
    """
    try:
        return float(one["points"].replace(",", "."))
    except ValueError:
        return 0.0


def page(by_student: list[Row], rows: list[Row]) -> str:
    """The whole class, to be read: points, rows, and what the checks say."""
    lines = ["# Marks", "", *_table(by_student), "", "## Notebooks", ""]
    lines += _table([{key: one[key] for key in SHOWN} for one in rows])
    for one in rows:
        if said := _said(one):
            lines += ["", f"**{plain(one['file'])}**", "", *said]
    return "\n".join(lines) + "\n"


def _table(rows: list[Row]) -> list[str]:
    if not rows:
        return []
    head = list(rows[0])
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return lines + ["| " + " | ".join(plain(cell) for cell in one.values()) + " |" for one in rows]


def _said(one: Row) -> list[str]:
    said = one["what the check says"].replace(DOTS, "there is no answer yet.")
    return [f"- {plain(harmless(text))}" for text in said.split(BETWEEN) if text]


def letters(rows: list[Row]) -> dict[str, str]:
    """For each student a page to hand back, by the file's name."""
    found: dict[str, str] = {}
    for name, own in by_student(rows).items():
        found[_file(name, {one.lower() for one in found})] = _letter(name, own)
    return found


def _file(name: str, taken: set[str]) -> str:
    """A file's name that every system takes, and that nobody has yet."""
    safe = "".join(c if c.isalnum() or c in " ._-" else "_" for c in name)[:80].strip(" .") or "_"
    unique, number = f"{safe}.md", 1
    while unique.lower() in taken:
        unique, number = f"{safe} {number + 1}.md", number + 1
    return unique


def _letter(name: str, own: list[Row]) -> str:
    lines = [f"# {plain(name)}"]
    for one in own:
        lines += ["", f"## {plain(_title(one))}", "", *_said(one)]
        said = one["what the check says"].split(BETWEEN)
        told = {text.split(" ")[0] for text in said}
        lines += [
            f"- {number}: no point." for number in one["not yet"].split() if number not in told
        ]
        if one["remarks"].startswith(("broken", "missing")):
            lines.append(f"- {plain(one['remarks'].partition(';')[0])}")
    return "\n".join(lines) + "\n"


def _title(one: Row) -> str:
    file = one["file"].split("/", 1)[-1]
    if not one["notebook"]:
        return file or "No notebook"
    points = f"{one['points']} of {one['of']}"
    return f"Notebook {one['notebook']}, {points}{': ' if file else ''}{file}"


def plain(text: str) -> str:
    """Text in which nothing is markup."""
    for mark in "\\`*_[]<>|#!":
        text = text.replace(mark, "\\" + mark)
    return text
