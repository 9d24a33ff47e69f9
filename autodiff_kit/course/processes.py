"""Which processes a process has started, what they use, and how to end all of them.

One idea: on Linux even those that left their parent are found again, because the grader asks to be
given them (a "subreaper"). Elsewhere only the kernel's own group is ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

SUBREAPER, DUMPABLE = 36, 4


def adopt() -> None:
    """Be the one that orphaned descendants are given to; be closed to other processes' eyes."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(SUBREAPER, 1, 0, 0, 0)
        libc.prctl(DUMPABLE, 0, 0, 0, 0)


def descendants(root: int) -> dict[int, int]:
    """All processes below one, with the bytes of memory that each uses."""
    children: dict[int, list[int]] = {}
    memory = {}
    page = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
    for name in filter(str.isdigit, os.listdir("/proc") if Path("/proc/self").exists() else ()):
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            if fields[0] != "Z":  # an ended one that nobody has asked about yet
                children.setdefault(int(fields[1]), []).append(int(name))
                memory[int(name)] = int(fields[21]) * page
    found, queue = {}, [root]
    while queue:
        for child in children.get(queue.pop(), []):
            found[child] = memory[child]
            queue.append(child)
    return found


def end(root: int, group: int = 0) -> None:
    """End everything below a process: all are stopped first, so that none starts another."""
    for _ in range(200):
        below = list(descendants(root))
        for process in below:
            _send(process, "SIGSTOP")
        if set(descendants(root)) <= set(below):
            break
    for process in descendants(root):
        _send(process, "SIGKILL")
    if group and not Path("/proc/self").exists() and hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)


def _send(process: int, name: str) -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.kill(process, getattr(signal, name))


def reap() -> None:
    """Forget ended orphans."""
    with contextlib.suppress(OSError, AttributeError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
