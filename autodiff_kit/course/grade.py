"""Grade a folder of returned notebooks: ``autodiff-kit grade FOLDER --out TABLE.csv``.

One idea: everything is read before anything is run, each notebook runs as a copy in a worker of its
own, and what one does can neither stop the others nor change what is said about them.
"""

from __future__ import annotations

import base64
import contextlib
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autodiff_kit.course import processes, returned, table, workplace
from autodiff_kit.course.guard import Guard
from autodiff_kit.course.places import PACKAGE, Trouble, need

MODULES = ("nbclient", "nbformat", "ipykernel")


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


def grade(folder: Path, out: Path, seconds: float, megabytes: int, jobs: int) -> int:
    """Grade all notebooks below a folder, write the table; 0 when it is written.

    Args:
      folder: with a subfolder for each student, or with files whose names say whose they are.
      out: where the table goes, as CSV; beside it the same as Markdown, with the hints.
      seconds, megabytes: the most that one notebook may take.
      jobs: how many run at once; 0 for one per processor.

    Raises:
      Trouble: there is nothing to grade, or the table cannot be written.
    """
    need("teach", *MODULES)
    files = collect(folder)
    if not files:
        raise Trouble(f"There is no notebook in {folder}.")
    table.writable(out)
    with contextlib.suppress(AttributeError):
        # A terminal may not know all letters of a name.
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    marks = run_all(files, seconds, megabytes, jobs or os.cpu_count() or 1)
    marks += missing(marks)
    table.write(out, sorted(marks, key=lambda mark: (mark.name, mark.number)))
    print(f"{len(files)} notebooks graded: {out} and {out.with_suffix('.md')}")
    return 0


def collect(folder: Path) -> dict[Path, bytes | None]:
    """All returned files with their bytes; None for what is no plain file, or too large."""
    if not folder.is_dir():
        raise Trouble(f"There is no folder {folder}.")
    paths = sorted(p for p in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    return {path: _bytes(path) for path in paths}


def _bytes(path: Path) -> bytes | None:
    try:
        plain = path.is_file() and not path.is_symlink()
        return path.read_bytes() if plain and path.stat().st_size <= returned.MAX_BYTES else None
    except OSError:
        return None


def run_all(
    files: dict[Path, bytes | None], seconds: float, megabytes: int, jobs: int
) -> list[Mark]:
    """Grade each, some at once, and show how far it is."""
    known, root = returned.course(), Path(os.path.commonpath([path.parent for path in files]))
    limits = {"seconds": seconds, "megabytes": megabytes, "known": returned.brief(known)}
    processes.adopt()
    started, marks = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="grade-") as scratch, ThreadPoolExecutor(jobs) as pool:
        guard = Guard(PACKAGE, Path(scratch), files)
        kit = workplace.warm(guard.root)

        def one(path: Path) -> Mark:
            name = path.relative_to(root).as_posix()
            try:
                return _mark(name, files[path], kit, limits)
            except Exception as error:  # whatever it is, the others go on
                return Mark(name, remarks=[f"it could not be graded: {type(error).__name__}"])

        for future in as_completed(_submit(pool, one, list(files))):
            mark = future.result()
            mark.remarks += guard.remarks()
            marks.append(mark)
            _progress(len(marks), len(files), started, mark)
    return marks


def _submit(pool: ThreadPoolExecutor, one: Callable[[Path], Mark], paths: list[Path]) -> list[Any]:
    return [pool.submit(one, path) for path in paths]


def _mark(name: str, data: bytes | None, kit: Path, limits: dict[str, Any]) -> Mark:
    """Grade one notebook; once more, without its doubtful cells, if there are any."""
    if data is None:
        large = f"larger than {returned.MAX_BYTES // 10**6} MB"
        return Mark(name, remarks=[f"broken: no plain file that can be read, or {large}"])
    started = time.monotonic()
    job = {"name": name, "data": base64.b64encode(data).decode("ascii"), **limits}
    about, result = workplace.run(job | {"strict": False}, kit)
    mark = Mark(name, about["number"], of=len(about["of"]))
    mark.remarks = about["remarks"] + result["remarks"]
    for number in about["of"]:
        mark.exercises[number] = result["exercises"].get(number, {"right": False, "text": ""})
    right = [number for number, one in mark.exercises.items() if one["right"]]
    if right and about["doubtful"]:
        _, again = workplace.run(job | {"strict": True}, kit)
        for number in right:
            if not again["exercises"].get(number, {"right": False})["right"]:
                mark.exercises[number] = {"right": False, "text": ""}
                mark.remarks.append(f"{number}: right only with what is to be looked at: no point")
    mark.points = sum(bool(one["right"]) for one in mark.exercises.values())
    mark.seconds = time.monotonic() - started
    return mark


def missing(marks: list[Mark]) -> list[Mark]:
    """Rows for the notebooks that a student has not returned and more than half of the class have."""
    students = {mark.name.split("/")[0] for mark in marks if "/" in mark.name}
    returned_by = Counter(n for n, _ in {(m.number, m.name.split("/")[0]) for m in marks})
    expected = [n for n, count in returned_by.items() if n and 2 * count > len(students) > 1]
    have = {(mark.name.split("/")[0], mark.number) for mark in marks}
    students -= {student for student, number in have if not number}  # it may be the broken one
    known = returned.course()
    return [
        Mark(f"{student}/", number, of=len(returned.exercises(known[number])),
             remarks=["missing: not returned"])
        for student in students for number in expected if (student, number) not in have
    ]  # fmt: skip


def _progress(done: int, total: int, started: float, mark: Mark) -> None:
    left = (time.monotonic() - started) / done * (total - done)
    remarks = f"  {mark.remarks[0][:60]}" if mark.remarks else ""
    line = f"[{done:>{len(str(total))}}/{total}] {mark.name}: {mark.points} of {mark.of}"
    line += f" ({mark.seconds:.1f} s; about {left:.0f} s left){remarks}"
    print(table.one_line(line), flush=True)  # a file's name may move a terminal's cursor
