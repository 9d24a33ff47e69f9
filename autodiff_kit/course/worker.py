"""Grade one notebook: a process of its own, which runs it with nbclient in a confined kernel.

A job comes as JSON on stdin; two lines of JSON go to stdout, what was read and what came of it. One
idea: this process never runs a student's code. It watches the kernel, asks it after each exercise,
and ends it when it is too much. It can die of what it reads: then only this notebook has no marks.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import zmq
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from autodiff_kit.course import calls, processes, returned
from autodiff_kit.course.places import Trouble, counted
from autodiff_kit.course.returned import Returned
from autodiff_kit.course.watch import Watch
from autodiff_kit.course.witness import MIME, judge, question

# All that cells show while they run, also what the next frame of an animation takes the place of: much
# more than a file that is read can hold.
OUTPUT_BYTES = 50_000_000
MESSAGE_BYTES = 20_000_000
KERNEL = "confined"
# What a notebook writes into its folder is no module: it could have the name of a harmless one.
NO_MODULES = """
import sys, os
sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != os.getcwd()]
del sys, os
"""


class Client(NotebookClient):
    """nbclient, but not for endless output."""

    watch: Watch
    written = 0

    def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
        """Keep what a cell shows, up to a size."""
        self.written += len(str(msg.get("content", "")))
        if self.written > OUTPUT_BYTES:
            self.watch.end(f"giant output: more than {OUTPUT_BYTES:,} characters")
            return None
        return super().process_message(msg, cell, cell_index)


def notebook(found: Returned) -> tuple[Any, dict[int, Any]]:
    """The cells to run, each exercise's followed by the question; what was asked where."""
    cells, asked = [], {}
    at: dict[int, list[tuple[str, str]]] = {}
    for number, places in found.answers.items():
        for position, expression in places:
            at.setdefault(position, []).append((number, expression))
    for position, source in enumerate(found.code):
        cells.append(nbformat.v4.new_code_cell(source))
        for number, expression in at.get(position, []):
            text, order, word = question(number, expression)
            asked[len(cells)] = (number, order, word)
            cells.append(nbformat.v4.new_code_cell(text))
    return nbformat.v4.new_notebook(cells=cells), asked


def manager(folder: Path, job: dict[str, Any]) -> AsyncKernelManager:
    """A kernel of this Python, started by ``confined.py``; its sockets are files in the folder."""
    place, startup = folder / "kernels" / KERNEL, folder / "profile_default" / "startup"
    place.mkdir(parents=True)
    startup.mkdir(parents=True)
    (startup / "00.py").write_text(NO_MODULES)
    launch = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    confined = Path(__file__).with_name("confined.py")
    limits = [str(folder), str(job["megabytes"]), str(job["seconds"])]
    limits.append(calls.program(platform.machine()).hex())
    argv = launch if os.name == "nt" else [sys.executable, str(confined), *limits, *launch]
    spec = {"argv": argv, "display_name": KERNEL, "language": "python"}
    (place / "kernel.json").write_text(json.dumps(spec))
    specs = KernelSpecManager(kernel_dirs=[str(folder / "kernels")], ensure_native_kernel=False)
    kernel = AsyncKernelManager(kernel_name=KERNEL, kernel_spec_manager=specs)
    kernel.connection_file = str(folder / "connection.json")
    if os.name != "nt":
        kernel.transport, kernel.ip = "ipc", str(folder / "s")
    kernel.context.setsockopt(zmq.MAXMSGSIZE, MESSAGE_BYTES)  # a larger message is not taken
    return kernel


def run(job: dict[str, Any], found: Returned) -> tuple[Any, dict[int, Any], str]:
    """Run the notebook as far as it goes; what it came to, what was asked, why it was ended."""
    cells, asked = notebook(found)
    folder = Path(job["folder"])
    watch = Watch(folder, job["seconds"], job["megabytes"])
    client = Client(
        cells, km=manager(folder, job), allow_errors=True, timeout=max(5, job["seconds"] // 3),
        interrupt_on_timeout=True, record_timing=False, resources={"metadata": {"path": folder}},
    )  # fmt: skip
    client.watch = watch
    quiet = subprocess.DEVNULL
    reason = ""
    watch.start()
    try:
        client.execute(cleanup_kc=False, stdin=quiet, stdout=quiet, stderr=quiet)
    except DeadKernelError:
        reason = "its process ended: by itself, or at a limit of memory, time or output"
    except CellTimeoutError:
        reason = "endless: a cell could not be interrupted"
    except Exception as error:
        reason = f"it could not be run to its end: {type(error).__name__}: {str(error)[:200]}"
    watch.over.set()
    processes.end(os.getpid())
    return cells, asked, watch.reason or reason


def result(job: dict[str, Any], found: Returned) -> dict[str, Any]:
    """Run and judge."""
    cells, asked, reason = run(job, found)
    remarks = [reason] if reason else []
    exercises: dict[str, dict[str, Any]] = {}
    for position, (number, order, word) in asked.items():
        replies = [o.get("data", {}).get(MIME) for o in cells.cells[position].outputs]
        reply = next((r for r in replies if isinstance(r, dict) and r.get("word") == word), None)
        right, text, trouble = judge(reply, order, word)
        if right or not exercises.get(number, {"right": False})["right"]:
            exercises[number] = {"right": right, "text": text or trouble}
        if trouble and not (reason and reply is None):
            remarks.append(f"{number}: {trouble}")
    return {"exercises": exercises, "remarks": remarks + errors(found, cells, asked)}


def errors(found: Returned, cells: Any, asked: dict[int, Any]) -> list[str]:
    """Which errors cells ended in that were not meant to."""
    own = [cell for position, cell in enumerate(cells.cells) if position not in asked]
    names = [
        str(output.ename)[:40]
        for position, cell in enumerate(own)
        for output in cell.outputs
        if output.output_type == "error" and position not in found.raises
    ]
    said = ["endless: a cell was interrupted"] if "KeyboardInterrupt" in names else []
    if names:
        many = counted(len(names), "cell")
        said.append(f"{many} ended in an error: {', '.join(sorted(set(names))[:4])}")
    return said


def read(job: dict[str, Any]) -> Returned:
    """The job's notebook; in the second turn with the kit's cells for the doubtful ones."""
    notebook = returned.read(base64.b64decode(job["data"]))
    number = returned.which(notebook, job["name"], job["known"])
    found = returned.compare(notebook, number, job["known"][number])
    if job["strict"]:
        for position, text in found.doubtful.items():
            found.code[position] = text
    return found


def limit(megabytes: int) -> None:
    """The memory of this process, which reads what students wrote."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = (megabytes + 2000) * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main() -> None:
    """One job."""
    processes.adopt()
    job = json.loads(sys.stdin.read())
    limit(job["megabytes"])
    try:
        found = read(job)
    except Trouble as trouble:
        print(json.dumps({"number": "", "of": [], "remarks": [f"broken: {trouble}"]}))
    else:
        about = {"number": found.number, "of": list(found.answers), "remarks": found.remarks}
        print(json.dumps(about | {"doubtful": bool(found.doubtful)}), flush=True)
        try:
            print(json.dumps(result(job, found)), flush=True)
        finally:
            processes.end(os.getpid())
    sys.stdout.flush()
    os._exit(0)  # the client's threads and loops have nothing more to say


if __name__ == "__main__":
    main()
