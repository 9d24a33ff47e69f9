"""Watch a kernel while it runs, and end it when it takes too much.

One idea: what a notebook uses is counted from outside, for all that it started together: time,
processes, threads, memory, and files, also those that are in no folder any more.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from autodiff_kit.course import processes

PROCESSES, THREADS = 50, 300
DISK_BYTES, FILES = 500_000_000, 20_000


class Watch(threading.Thread):
    """Ends the kernel when a limit is passed, and remembers which."""

    def __init__(self, folder: Path, seconds: float, megabytes: int) -> None:
        super().__init__(daemon=True)
        self.folder = folder
        self.until, self.megabytes = time.monotonic() + seconds, megabytes
        self.seconds, self.reason, self.over = seconds, "", threading.Event()

    def run(self) -> None:
        """Look every now and then."""
        while not self.over.wait(0.05):
            below = processes.descendants(os.getpid())
            if time.monotonic() > self.until:
                self.end(f"endless: it was stopped after {self.seconds:g} s")
            elif len(below) > PROCESSES:
                self.end(f"it started more than {PROCESSES} processes")
            elif sum(use.threads for use in below.values()) > THREADS:
                self.end(f"it started more than {THREADS} threads")
            elif sum(use.memory for use in below.values()) > self.megabytes * 2**20:
                self.end(f"it used more than {self.megabytes} MB of memory")
            else:
                self.look_at_files(list(below))

    def look_at_files(self, below: list[int]) -> None:
        """How much is in the folder; also what is in no folder any more."""
        try:
            used, entries = processes.disk(self.folder, FILES)
        except OSError:
            return self.end("a folder that it made cannot be looked into")
        if used + sum(map(processes.deleted, below)) > DISK_BYTES:
            self.end(f"it wrote more than {DISK_BYTES // 10**6} MB")
        elif entries >= FILES:
            self.end(f"it made more than {FILES} files")

    def end(self, reason: str) -> None:
        """End the kernel and all that it started."""
        self.reason = self.reason or reason
        processes.end(os.getpid())
