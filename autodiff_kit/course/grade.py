"""Grade a folder of returned notebooks: ``autodiff-kit grade FOLDER --out TABLE.csv``.

One idea: everything is read before anything is run, each notebook runs as a copy in a worker of its
own, and what one does can neither stop the others nor change what is said about them. What is graded
is in the table at once, so that nothing is lost when the rest is stopped.
"""

from __future__ import annotations

import base64
import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from autodiff_kit.course import handed_in, processes, returned, table, workplace
from autodiff_kit.course.gradebook import Gradebook
from autodiff_kit.course.guard import Guard
from autodiff_kit.course.handed_in import HandedIn
from autodiff_kit.course.mark import Mark, alike, empty_handed, missing, there, twice
from autodiff_kit.course.places import PACKAGE, Trouble, counted, need

__all__ = ["Mark", "grade", "missing"]

MODULES = ("nbclient", "nbformat", "ipykernel")
STOPPED = 130  # the exit code of what was ended by Ctrl-C


def grade(
    folder: Path, out: Path, seconds: float, megabytes: int, jobs: int, append: bool = False
) -> int:
    """Grade all notebooks below a folder, write the table; 0 when it is written.

    Args:
      folder: with a subfolder for each student, or with files whose names say whose they are.
      out: where the table goes, as CSV; what is made from it stands beside it.
      seconds, megabytes: the most that one notebook may take.
      jobs: how many run at once; 0 for one per processor.
      append: whether the table's rows are kept, and only what is not in it is graded.

    Raises:
      Trouble: there is nothing to grade, or the table cannot be written.
    """
    need("teach", *MODULES)
    table.writable(out)
    beside = folder.is_dir() and out.resolve().parent == folder.resolve()
    class_ = handed_in.collect(folder, Gradebook.ours(out) if beside else ())
    if not class_.notebooks:
        raise Trouble(f"There is no notebook in {folder}.")
    book = Gradebook(out, append)
    with contextlib.suppress(AttributeError):
        # A terminal may not know all letters of a name.
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    files = dict(class_.notebooks)
    print(*_beforehand(class_, book), sep="", end="", flush=True)
    marks: list[Mark] = []
    running = run_all(class_, seconds, megabytes, jobs or os.cpu_count() or 1)
    try:
        with contextlib.closing(running):
            for mark in running:
                marks.append(mark)
                book.write(marks)
    except KeyboardInterrupt:
        return _stopped(book, marks, len(class_.notebooks), files)
    alike(marks, files)
    _of_the_class(class_, book, marks)
    book.finish(marks)
    print(f"{counted(len(class_.notebooks), 'notebook')} graded: {', '.join(Gradebook.ours(out))}")
    return 0


def _beforehand(class_: HandedIn, book: Gradebook) -> Iterator[str]:
    """Leave out what stands in the table; sentences about that, each with its line's end."""
    if book.backup:
        yield f"{book.out} was there: a copy of it is {book.backup}.\n"
    if again := [name for name in class_.notebooks if book.has(name)]:
        for name in again:
            del class_.notebooks[name]
        line = (
            f"In the table already, and not graded again unless you delete the row: {there(again)}"
        )
        yield table.one_line(line) + ".\n"
    if class_.others and class_.loose:
        yield f"In no student's folder, and no notebook: {table.one_line(there(class_.loose))}.\n"
    if class_.notebooks:
        yield f"{counted(len(class_.notebooks), 'notebook')} to grade.\n"


def _of_the_class(class_: HandedIn, book: Gradebook, marks: list[Mark]) -> None:
    """Add what can be said only when all are there: what is missing, and what is there twice."""
    marks += empty_handed(class_, book.students())
    before = book.marks()
    marks += missing(before + marks, class_.others)
    twice(before + marks)


def _stopped(book: Gradebook, marks: list[Mark], total: int, files: dict[str, Any]) -> int:
    if not marks:
        print("stopped: no notebook was graded yet.", file=sys.stderr)
        return STOPPED
    alike(marks, files)
    twice(marks)
    book.finish(marks)
    print(
        f"stopped: {len(marks)} of {total} notebooks are graded, and stand in {book.out}. The same "
        "command with --append goes on from here.",
        file=sys.stderr,
    )
    return STOPPED


def run_all(
    class_: HandedIn, seconds: float, megabytes: int, jobs: int
) -> Generator[Mark, None, None]:
    """Grade each, some at once, and show how far it is; on Ctrl-C what runs is ended."""
    names, paths = list(class_.notebooks), class_.paths
    limits = {
        "seconds": seconds,
        "megabytes": megabytes,
        "known": returned.brief(returned.course()),
    }
    processes.adopt()
    started, stop = time.monotonic(), threading.Event()
    with tempfile.TemporaryDirectory(prefix="grade-") as scratch, ThreadPoolExecutor(jobs) as pool:
        guard = Guard(PACKAGE, Path(scratch), [paths[name] for name in names])
        kit = workplace.warm(guard.root)

        def one(name: str) -> Mark:
            try:
                return _mark(name, class_.notebooks[name], kit, limits, stop)
            except workplace.Stopped:
                raise
            except Exception as error:  # whatever it is, the others go on
                return Mark(name, remarks=[f"it could not be graded: {type(error).__name__}"])

        try:
            for done, future in enumerate(as_completed(_submit(pool, one, names)), start=1):
                mark = future.result()
                mark.remarks += guard.remarks()
                yield mark  # who is told that a notebook is done finds it in the table
                _progress(done, len(names), started, mark)
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def _submit(
    pool: ThreadPoolExecutor, one: Callable[[str], Mark], names: list[str]
) -> list[Future[Mark]]:
    return [pool.submit(one, name) for name in names]


def _mark(
    name: str, data: bytes | None, kit: Path, limits: dict[str, Any], stop: threading.Event
) -> Mark:
    """Grade one notebook; once more, without its doubtful cells, if there are any."""
    if data is None:
        large = f"larger than {returned.MAX_BYTES // 10**6} MB"
        return Mark(name, remarks=[f"broken: no plain file that can be read, or {large}"])
    started = time.monotonic()
    job = {"name": name, "data": base64.b64encode(data).decode("ascii"), **limits}
    about, result = workplace.run(job | {"strict": False}, kit, stop)
    mark = Mark(name, about["number"], of=len(about["of"]))
    mark.remarks = about["remarks"] + result["remarks"]
    for number in about["of"]:
        mark.exercises[number] = result["exercises"].get(number, {"right": False, "text": ""})
    right = [number for number, one in mark.exercises.items() if one["right"]]
    if right and about["doubtful"]:
        _, again = workplace.run(job | {"strict": True}, kit, stop)
        for number in right:
            if not again["exercises"].get(number, {"right": False})["right"]:
                mark.exercises[number] = {"right": False, "text": ""}
                mark.remarks.append(f"{number}: right only with what is to be looked at: no point")
    mark.points = sum(bool(one["right"]) for one in mark.exercises.values())
    mark.seconds = time.monotonic() - started
    return mark


def _progress(done: int, total: int, started: float, mark: Mark) -> None:
    left = (time.monotonic() - started) / done * (total - done)
    remarks = f"  {mark.remarks[0][:60]}" if mark.remarks else ""
    line = f"[{done:>{len(str(total))}}/{total}] {mark.name}: {mark.points} of {mark.of}"
    line += f" ({mark.seconds:.1f} s; about {left:.0f} s left){remarks}"
    print(table.one_line(line), flush=True)  # a file's name may move a terminal's cursor
