"""Validate anybody's notebooks as the kit's own are: ``autodiff-kit validate FOLDER``.

One idea: nbval runs them; the kit's plug-in for it compares numbers as numbers, and the kit's rules
look for what was never there. All of it is the code in ``tools/``, in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from autodiff_kit.course.places import PACKAGE, Trouble, look_into, need, place

MODULES = ("pytest", "nbval", "nbformat", "ipykernel")


def validate(folder: Path, further: list[str]) -> int:
    """Run every cell against its stored output, then check the files; 0 if all is well.

    Args:
      folder: a folder of notebooks, searched with its subfolders, or one notebook.
      further: arguments for pytest.

    Raises:
      Trouble: there is no notebook, or what is needed is not installed.
    """
    need("teach", *MODULES)
    if folder.suffix != ".ipynb" or not folder.is_file():
        look_into(folder)
    found = [folder] if folder.suffix == ".ipynb" else sorted(folder.rglob("*.ipynb"))
    found = [p for p in found if not any(part[:1] == "." for part in p.relative_to(folder).parts)]
    if not found:
        raise Trouble(f"There is no notebook in {folder}.")
    tools = place("tools")
    paths = [str(tools), str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    bad, readable = 0, [str(path) for path in found if _readable(path)]
    # First what changed, which matters most; then what the files alone tell, as of links.
    if readable:
        print("Every cell, run and compared with its stored output:", flush=True)
        run = [sys.executable, "-m", "pytest", "-c", str(tools / "notebook_validate.ini")]
        run += [f"--rootdir={folder if folder.is_dir() else folder.parent}", *further, *readable]
        bad = subprocess.call(run, env=environment)
    print("The files:", flush=True)
    files = [sys.executable, str(tools / "notebook_files.py"), "--anybody", str(folder)]
    bad = subprocess.call(files, env=environment) or bad
    print("There is something to mend: see above." if bad else "All is well.", flush=True)
    return 1 if bad else 0


def _readable(path: Path) -> bool:
    """Can nbval read it? Otherwise it would look at none of them."""
    import nbformat

    try:
        return bool(nbformat.v4.reads(path.read_text("utf-8")).cells)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError, OSError):
        return False
