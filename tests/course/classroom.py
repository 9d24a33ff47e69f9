"""A class of returned notebooks: honest ones made from the solutions, and hostile ones.

Run as a program it makes a class in a folder: ``python tests/course/classroom.py FOLDER 200``.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autodiff_kit.course.places import place
from autodiff_kit.course.returned import checks, code_cells, course, source

Notebook = dict[str, Any]


def solved(number: str, leave_out: int = 0) -> Notebook:
    """The kit's notebook with the solutions written into its exercises, but for the last ones."""
    notebook = copy.deepcopy(course()[number])
    path = next((place("notebooks") / "solutions").glob(f"{number}_*.ipynb"))
    solution: dict[str, str] = {}
    set_up, *cells = code_cells(json.loads(path.read_text("utf-8")))
    for cell in cells:
        solution |= dict.fromkeys(checks(source(cell)), f"{source(set_up)}\n{source(cell)}")
    numbers = sorted(solution)[: len(solution) - leave_out]
    for cell in code_cells(notebook):
        for one in checks(source(cell)):
            if one in numbers:
                cell["source"] = solution[one]
    return notebook


def exercise_cell(notebook: Notebook) -> Any:
    """The first cell that checks an answer."""
    return next(cell for cell in code_cells(notebook) if checks(source(cell)))


def first(code: str) -> Callable[[Notebook], Notebook]:
    """Code that runs before everything else in a notebook with nothing solved."""

    def spoil(notebook: Notebook) -> Notebook:
        cell = code_cells(notebook)[0]
        cell["source"] = source(cell) + "\n" + code
        return notebook

    return spoil


def delete(notebook: Notebook) -> Notebook:
    """Without its exercises' cells."""
    notebook["cells"] = [c for c in notebook["cells"] if not checks(source(c))]
    return notebook


def edit(notebook: Notebook) -> Notebook:
    """The check replaced by a print of what it says of right answers."""
    for cell in code_cells(notebook):
        for number in checks(source(cell)):
            cell["source"] = f"answer = 1\ndef f(*a): return 1\nprint('{number} right.')"
    return notebook


FORK = "import os\nwhile True: os.fork()"
MEMORY = "import os\nfor _ in range(8): os.fork() or [x for x in [bytearray(10**9)] if x.pop()]"
WRITES = """
import glob, pathlib, autodiff_kit.exercises as e
for path in [e.__file__, *glob.glob("{folder}/**/*.ipynb", recursive=True)]:
    try: pathlib.Path(path).write_text("")
    except OSError: pass
try: pathlib.Path("{folder}/../written.txt").write_text("here")
except OSError: pass"""
PATCHED = """
import autodiff_kit.exercises as e
e.verdict = lambda number, answer: e.Verdict(True, f"{number} right.")
e._ask = lambda exercise, answer: None"""
PATCHED_SAME = """
import autodiff_kit.teaching.values as v, autodiff_kit.exercises.hints as h, sys
for m in [m for n, m in sys.modules.items() if n.startswith("autodiff_kit")]:
    if hasattr(m, "same"): m.same = lambda *a, **k: True"""
PATCHED_DATA = """
import dataclasses, importlib, autodiff_kit.exercises as e
for n in ["00", "01", "02", "12", "14"]:
    x = importlib.import_module(f"autodiff_kit.exercises.n{n}").EXERCISES
    for k in x: x[k] = dataclasses.replace(x[k], check=lambda answer: None)"""
KILLS = "import os, signal\nos.kill(os.getppid(), 9)"
ALL = "import os, signal\nos.kill(-1, 9)"
CATCHES = """
while True:
    try:
        while True: pass
    except BaseException: pass"""

HOSTILE: dict[str, tuple[Callable[[Notebook], Any], str]] = {
    "endless": (first("while True: pass"), "endless"),
    "endless-and-catches": (first(CATCHES), "endless"),
    "fork-bomb": (first(FORK), "look at: os"),
    "memory": (first("x = bytearray(10**11)"), ""),
    "memory-in-children": (first(MEMORY), "look at: os"),
    "os-exit": (first("import os\nos._exit(0)"), "its process ended"),
    "sys-exit": (first("import sys\nsys.exit(0)"), ""),
    "quit": (first("quit()"), ""),
    "giant-output": (first("while True: print('x' * 100000)"), ""),
    "deleted-cells": (delete, "was deleted"),
    "edited-checks": (edit, "check was edited"),
    "patched-grader": (first(PATCHED), "patched"),
    "patched-same": (first(PATCHED_SAME), "patched"),
    "patched-data": (first(PATCHED_DATA), "patched"),
    "writes-outside": (first(WRITES), ""),
    "kills-its-worker": (first(KILLS), ""),
    "kills-all": (first(ALL), ""),
    "no-json": (lambda notebook: "{", "broken"),
    "empty": (lambda notebook: {"cells": []}, "broken"),
    "odd": (lambda notebook: {"cells": [None, 3, {"cell_type": "code"}], "nbformat": 4}, "broken"),
}
SAFE_ON_EVERY_SYSTEM = {  # the others need Linux with Landlock to be harmless
    "endless", "os-exit", "sys-exit", "giant-output", "deleted-cells", "edited-checks",
    "patched-grader", "patched-same", "patched-data", "no-json", "empty", "odd",
}  # fmt: skip


def hand_in(folder: Path, student: str, number: str, notebook: Any) -> None:
    """Put a notebook into a student's folder."""
    (folder / student).mkdir(parents=True, exist_ok=True)
    text = notebook if isinstance(notebook, str) else json.dumps(notebook)
    (folder / student / f"{number}_returned.ipynb").write_text(text, "utf-8")


def hostile(folder: Path, name: str, number: str) -> None:
    """Hand in a hostile notebook under its own name."""
    made = HOSTILE[name][0](copy.deepcopy(course()[number]))
    text = made if isinstance(made, str) else json.dumps(made)
    hand_in(folder, name, number, text.replace("{folder}", str(folder.resolve())))


def main(folder: Path, count: int) -> None:
    """A class: one hostile notebook of each kind, the rest honest, each third incomplete."""
    numbers = sorted(course())
    for name in HOSTILE:
        hostile(folder, name, "02")
    for index in range(count - len(HOSTILE)):
        number = numbers[index % len(numbers)]
        hand_in(folder, f"student{index:03}", number, solved(number, leave_out=index % 3 == 0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
