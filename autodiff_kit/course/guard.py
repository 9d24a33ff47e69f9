"""What a returned notebook must not change: the kit that grades, and what the others returned.

One idea: what is graded was read before anything ran, and the kit that grades is a copy. So where the
system does not forbid writing (see ``confined.py``), it is enough to find what was written.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path


class Guard:
    """The copy of the kit, which is mended if it was changed; the returned files, which are watched."""

    def __init__(self, package: Path, scratch: Path, files: Iterable[Path]) -> None:
        self.root = scratch / "kit"
        skip = shutil.ignore_patterns("notebooks", "tools", "__pycache__")
        copied = Path(shutil.copytree(package, self.root / package.name, ignore=skip))
        self.content = {path: path.read_bytes() for path in sorted(copied.rglob("*.py"))}
        self.state = {path: self._look(path) for path in [*self.content, *files]}

    @staticmethod
    def _look(path: Path) -> tuple[int, int] | None:
        with contextlib.suppress(OSError):
            found = path.lstat()
            return found.st_mtime_ns, found.st_size
        return None

    def remarks(self) -> list[str]:
        """Has anything changed since the last time? The copy is put right, never a returned file."""
        changed = [path for path, state in self.state.items() if self._look(path) != state]
        for path in changed:
            if path in self.content:
                with contextlib.suppress(OSError):
                    path.write_bytes(self.content[path])
            self.state[path] = self._look(path)
        names = ", ".join(f"{path.parent.name}/{path.name}" for path in changed[:3])
        return [f"files were changed while it ran: {names}"] * bool(changed)
