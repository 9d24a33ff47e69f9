"""Which processes a process has started, what they use, and how to end all of them.

One idea: on Linux even those that left their parent are found again, because the grader asks to be
given them (a "subreaper"). Elsewhere none is found: a kernel has to notice that its worker is gone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import stat
import sys
from pathlib import Path
from typing import NamedTuple

SUBREAPER, DUMPABLE = 36, 4


def adopt() -> None:
    """Be the one that orphaned descendants are given to; be closed to other processes' eyes."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(SUBREAPER, 1, 0, 0, 0)
        libc.prctl(DUMPABLE, 0, 0, 0, 0)


class Use(NamedTuple):
    """What a process uses: bytes of memory, and threads."""

    memory: int
    threads: int


def descendants(root: int) -> dict[int, Use]:
    """All processes below one, with what each uses."""
    children: dict[int, list[int]] = {}
    uses = {}
    page = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
    for name in filter(str.isdigit, os.listdir("/proc") if Path("/proc/self").exists() else ()):
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            if fields[0] != "Z":  # an ended one that nobody has asked about yet
                children.setdefault(int(fields[1]), []).append(int(name))
                uses[int(name)] = Use(int(fields[21]) * page, int(fields[17]))
    found, queue = {}, [root]
    while queue:
        for child in children.get(queue.pop(), []):
            found[child] = uses[child]
            queue.append(child)
    return found


def end(root: int) -> None:
    """End everything below a process: all are stopped first, so that none starts another."""
    for _ in range(200):
        below = list(descendants(root))
        for process in below:
            _send(process, "SIGSTOP")
        if set(descendants(root)) <= set(below):
            break
    for process in descendants(root):
        _send(process, "SIGKILL")


def _send(process: int, name: str) -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.kill(process, getattr(signal, name))


def disk(folder: Path, most: int) -> tuple[int, int]:
    """The bytes and the entries in a folder, also deep down; at ``most`` entries it stops counting.

    Raises:
      OSError: something in it cannot be looked at: too deep, or closed.
    """
    used = entries = 0
    queue = [str(folder)]
    while queue and entries < most:
        with contextlib.suppress(FileNotFoundError), os.scandir(queue.pop()) as found:
            for entry in found:
                entries += 1
                if entry.is_dir(follow_symlinks=False):
                    queue.append(entry.path)
                with contextlib.suppress(FileNotFoundError):
                    used += getattr(entry.stat(follow_symlinks=False), "st_blocks", 0) * 512
    return used, entries


def deleted(process: int) -> int:
    """The bytes of deleted files that a process still holds open."""
    used = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir(f"/proc/{process}/fd"):
            with contextlib.suppress(OSError):
                about = entry.stat()
                if stat.S_ISREG(about.st_mode) and not about.st_nlink:
                    used += about.st_blocks * 512
    return used
