"""Where a returned notebook is graded: a worker's process, in a folder that is thrown away.

One idea: the worker is expendable. Whatever becomes of it, what it printed until then counts, and
neither a process nor a file of its notebook stays behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from autodiff_kit.course import processes


class Stopped(Exception):
    """Somebody has stopped all grading: what this notebook would have got nobody knows."""


def run(
    job: dict[str, Any], kit: Path, stop: threading.Event
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a worker read, and what came of it, in a folder that is thrown away.

    Raises:
      Stopped: ``stop`` was set before it was through.
    """
    folder = Path(tempfile.mkdtemp(prefix="g-"))
    try:
        (folder / "matplotlib").mkdir()
        for cache in kit.glob("*.json"):
            shutil.copy(cache, folder / "matplotlib")
        shown, remark = _worker(job | {"folder": str(folder)}, kit, environment(folder, kit), stop)
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


def _worker(
    job: dict[str, Any], kit: Path, variables: dict[str, str], stop: threading.Event
) -> tuple[str, str]:
    """What the worker prints; what became of it, if that is not all.

    It is started where no notebook can write, for Python also looks for modules there; and out of
    reach of the terminal's Ctrl-C, which would look like something that the notebook did.
    """
    command = [sys.executable, "-m", "autodiff_kit.course.worker"]
    own_group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows' word for a session
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given:
        json.dump(job, given)
        given.seek(0)
        process = subprocess.Popen(
            command, cwd=kit, env=variables, text=True, errors="replace",
            stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True, creationflags=own_group,
        )  # fmt: skip
    remark = "it ended the process that graded it"
    shown = _wait(process, job["seconds"] + 30, stop)
    if shown is None:
        remark = "endless: it was stopped with the process that graded it"
        processes.end(process.pid)
        process.kill()
        shown, _ = process.communicate()
    processes.end(process.pid)
    if stop.is_set():
        raise Stopped
    return shown, remark


def _wait(process: subprocess.Popen[str], seconds: float, stop: threading.Event) -> str | None:
    """All that a process prints; None if it takes too long, or if all is stopped."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not stop.is_set():
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=0.5)[0]
    return None


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


def warm(kit: Path) -> Path:
    """Compile the copy of the kit, and have Matplotlib's list of fonts made, once for all."""
    variables = environment(kit, kit) | {"MPLCONFIGDIR": str(kit)}
    del variables["PYTHONDONTWRITEBYTECODE"]
    command = [sys.executable, "-c", "import matplotlib.font_manager, autodiff_kit.teaching"]
    subprocess.run(command, env=variables, cwd=kit, capture_output=True, check=False)
    return kit
