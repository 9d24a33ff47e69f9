"""What a class has handed in: whose each notebook is, and who has handed in something else.

One idea: the folder that is named holds a folder for each student, so a student is there also when no
notebook is. Everything is read here, before anything is run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autodiff_kit.course.places import look_into
from autodiff_kit.course.returned import MAX_BYTES

NOBODY = {"__MACOSX"}  # what a Mac puts into its ZIP files


@dataclass
class HandedIn:
    """A class's notebooks, and what else lies there.

    notebooks: the name of each, which begins with the student's folder, with its bytes; None for what
      is no plain file, or too large.
    paths: where they are.
    others: for each student's folder the names of what is no notebook.
    loose: files in no student's folder that are no notebook.
    """

    notebooks: dict[str, bytes | None] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)


def student(name: str) -> str:
    """Whose a file is: the folder's name, or all of the file's own.

    >>> student("anna/week 1/02.ipynb"), student("anna_02.ipynb"), student("ben/")
    ('anna', 'anna_02', 'ben')
    """
    return name.split("/")[0] if "/" in name else Path(name).stem


def collect(folder: Path, ours: tuple[str, ...] = ()) -> HandedIn:
    """Look through a folder, or at the one notebook that is named.

    Args:
      folder: with a folder for each student, or with files whose names say whose they are.
      ours: beginnings of names in it that are the grader's own.

    Raises:
      Trouble: it is not there, or closed.
    """
    if folder.is_file() and folder.suffix == ".ipynb":
        return HandedIn({folder.name: _bytes(folder)}, {folder.name: folder})
    look_into(folder)
    found = HandedIn()
    for entry in _visible(folder):
        if ours and entry.name.startswith(ours) and entry.suffix != ".ipynb":
            continue
        if entry.is_dir() and not entry.is_symlink():
            _student(found, folder, entry)
        elif entry.suffix == ".ipynb":
            _notebook(found, folder, entry)
        else:
            found.loose.append(entry.name)
    return found


def _student(found: HandedIn, folder: Path, own: Path) -> None:
    notebooks = [p for p in sorted(own.rglob("*.ipynb")) if _shown(p.relative_to(folder))]
    for path in notebooks:
        _notebook(found, folder, path)
    others = [entry.name for entry in _visible(own) if entry.suffix != ".ipynb"]
    found.others[own.name] = others + _closed(own)


def _closed(own: Path) -> list[str]:
    """What cannot be looked into: there may be notebooks in it."""
    errors: list[OSError] = []
    for _ in os.walk(own, onerror=errors.append):
        pass
    return [f"{Path(one.filename).name} (cannot be read)" for one in errors]


def _notebook(found: HandedIn, folder: Path, path: Path) -> None:
    name = path.relative_to(folder).as_posix()
    found.notebooks[name], found.paths[name] = _bytes(path), path


def _visible(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return  # a closed folder: nothing in it can be seen
    yield from (entry for entry in entries if _shown(Path(entry.name)))


def _shown(path: Path) -> bool:
    """Neither an editor's copy nor a system's own file."""
    return not any(part[0] == "." or part in NOBODY for part in path.parts)


def _bytes(path: Path) -> bytes | None:
    try:
        plain = path.is_file() and not path.is_symlink()
        return path.read_bytes() if plain and path.stat().st_size <= MAX_BYTES else None
    except OSError:
        return None
