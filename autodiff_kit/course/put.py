"""Put the notebooks into a student's folder, and never over the student's work.

One idea: a small record in the folder says what was put there. A notebook that is still as it was
put may be brought up to date; one that was changed is the student's, and stays.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from autodiff_kit.course.places import Trouble, counted, place

RECORD = ".autodiff-kit.json"


def put(folder: Path, renew: tuple[str, ...] = ()) -> list[str]:
    """Copy the notebooks that are missing or were never touched; say what was done.

    Args:
      folder: where to; it is made if need be.
      renew: beginnings of names of notebooks that are wanted fresh, or ``all``. What the student
        wrote in these is kept beside the fresh one, as "NAME (my copy 1).ipynb".

    Returns:
      Sentences.

    Raises:
      Trouble: the folder cannot be used, or no notebook has such a name.
    """
    sources = _sources()
    unknown = [name for name in renew if not any(_chosen(one, (name,)) for one in sources)]
    if unknown:
        raise Trouble(f"No notebook begins with {unknown[0]!r}; there are 00, 01 … or: all.")
    try:
        for name in sources:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        record = _read(folder / RECORD)
        said = [_one(folder, name, path, record, renew) for name, path in sources.items()]
        (folder / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    except (FileExistsError, NotADirectoryError) as error:
        file = _in_the_way(Path(error.filename or folder))
        raise Trouble(f"{file} is a file. Name a folder, there or not.") from None
    except OSError as error:
        refused = f"{error.filename or folder} cannot be read or written: {error.strerror}."
        raise Trouble(f"{refused} Name a folder of your own.") from None
    return _summary(folder, said)


def _in_the_way(path: Path) -> Path:
    """The file that stands where a folder should be: a path, or what it should lie in."""
    return next((one for one in (path, *path.parents) if one.is_file()), path)


def _sources() -> dict[str, Path]:
    root = place("notebooks")
    paths = (path.relative_to(root) for path in sorted(root.rglob("*.ipynb")))
    return {path.as_posix(): root / path for path in paths if not path.as_posix().startswith(".")
            and ".ipynb_checkpoints" not in path.parts}  # fmt: skip


def _chosen(name: str, renew: tuple[str, ...]) -> bool:
    return any(one == "all" or name.startswith(one) for one in renew)


def _read(path: Path) -> dict[str, str]:
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}  # without a record every file counts as the student's
    return record if isinstance(record, dict) else {}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _one(
    folder: Path, name: str, source: Path, record: dict[str, str], renew: tuple[str, ...]
) -> tuple[str, str]:
    """Treat one notebook; what became of it, and its name."""
    target = folder / name
    fresh = _digest(source)
    if target.exists():
        present = _digest(target)
        if present == fresh:
            record[name] = fresh
            return "there", name
        if present != record.get(name):
            if not _chosen(name, renew):
                newer = record.get(name, fresh) != fresh
                return "yours, and the kit has a newer one" if newer else "yours", name
            target.rename(_beside(target))
    shutil.copyfile(source, target)
    record[name] = fresh
    return "put", name


def _beside(target: Path) -> Path:
    """A name for the student's copy that nothing has yet."""
    number = 1
    while (path := target.with_name(f"{target.stem} (my copy {number}).ipynb")).exists():
        number += 1
    return path


def _summary(folder: Path, said: list[tuple[str, str]]) -> list[str]:
    count = {state: [name for s, name in said if s == state] for state, _ in said}
    done = {"put": f"put into {folder}", "there": f"already in {folder}"}
    lines = [
        f"{counted(len(count[state]), 'notebook')} {words}"
        for state, words in done.items()
        if state in count
    ]
    for state in ("yours", "yours, and the kit has a newer one"):
        if state in count:
            lines.append(f"kept as they are, because they are {state}: {', '.join(count[state])}")
            if "newer" in state:
                lines.append("(for a fresh one beside your own: --renew NAME)")
    return lines
