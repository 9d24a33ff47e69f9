"""Grade a folder of returned notebooks: ``autodiff-kit grade FOLDER --out TABLE.csv``.

One idea: everything is read before anything is run, each notebook runs as a copy in a worker of its
own, and what one does can neither stop the others nor change what is said about them.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autodiff_kit.course import processes, returned, table
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
        kit = _warm(guard.root)

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
    about, result = _run(job | {"strict": False}, kit)
    mark = Mark(name, about["number"], of=len(about["of"]))
    mark.remarks = about["remarks"] + result["remarks"]
    for number in about["of"]:
        mark.exercises[number] = result["exercises"].get(number, {"right": False, "text": ""})
    right = [number for number, one in mark.exercises.items() if one["right"]]
    if right and about["doubtful"]:
        _, again = _run(job | {"strict": True}, kit)
        for number in right:
            if not again["exercises"].get(number, {"right": False})["right"]:
                mark.exercises[number] = {"right": False, "text": ""}
                mark.remarks.append(f"{number}: right only with what is to be looked at: no point")
    mark.points = sum(bool(one["right"]) for one in mark.exercises.values())
    mark.seconds = time.monotonic() - started
    return mark


def _run(job: dict[str, Any], kit: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a worker read, and what came of it, in a folder that is thrown away."""
    folder = Path(tempfile.mkdtemp(prefix="g-"))
    try:
        (folder / "matplotlib").mkdir()
        for cache in kit.glob("*.json"):
            shutil.copy(cache, folder / "matplotlib")
        shown, remark = _worker(job | {"folder": str(folder)}, kit, environment(folder, kit))
    finally:
        _remove(folder)
    nothing: dict[str, Any] = {"number": "", "of": [], "remarks": [], "doubtful": False}
    lines = [json.loads(line) for line in shown.splitlines() if line.endswith("}")]
    about = lines[0] if lines else nothing | {"remarks": ["broken: it could not be read"]}
    if len(lines) > 1 or not about["of"]:
        remark = ""
    return nothing | about, (lines[1:] or [{"exercises": {}, "remarks": [remark] * bool(remark)}])[
        0
    ]


def _remove(folder: Path) -> None:
    """Remove a folder, whatever a notebook has left there."""
    with contextlib.suppress(OSError, RecursionError):
        for place, names, _ in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                if not os.path.islink(path):
                    os.chmod(path, 0o700)
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        if os.name == "posix":  # as deep as it likes
            subprocess.run(["rm", "-rf", str(folder)], capture_output=True, check=False)


def _worker(job: dict[str, Any], kit: Path, variables: dict[str, str]) -> tuple[str, str]:
    """What the worker prints; what became of it, if that is not all.

    It is started where no notebook can write, for Python also looks for modules there.
    """
    command = [sys.executable, "-m", "autodiff_kit.course.worker"]
    process = subprocess.Popen(
        command, cwd=kit, env=variables, text=True, errors="replace",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    remark = "it ended the process that graded it"
    try:
        shown, _ = process.communicate(json.dumps(job), timeout=job["seconds"] + 30)
    except subprocess.TimeoutExpired:
        remark = "endless: it was stopped with the process that graded it"
        processes.end(process.pid)
        process.kill()
        shown, _ = process.communicate()
    processes.end(process.pid)
    return shown, remark


def environment(folder: Path, kit: Path) -> dict[str, str]:
    """What a worker and its kernel find in their environment: nothing of the teacher's own."""
    names = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    places = ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "IPYTHONDIR", "JUPYTER_CONFIG_DIR",
              "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")  # fmt: skip
    one_thread = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {
        **kept,
        **dict.fromkeys(places, str(folder)),
        **dict.fromkeys(one_thread, "1"),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
        "PYTHONPATH": str(kit),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }


def _warm(kit: Path) -> Path:
    """Compile the copy of the kit, and have Matplotlib's list of fonts made, once for all."""
    variables = environment(kit, kit) | {"MPLCONFIGDIR": str(kit)}
    del variables["PYTHONDONTWRITEBYTECODE"]
    command = [sys.executable, "-c", "import matplotlib.font_manager, autodiff_kit.teaching"]
    subprocess.run(command, env=variables, cwd=kit, capture_output=True, check=False)
    return kit


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
