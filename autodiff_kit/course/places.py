"""Where the notebooks and the tools that validate them are: in the wheel, or in a checkout.

One idea: they exist once. The wheel carries them inside the package; a checkout has them beside it.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


class Trouble(Exception):
    """What a command cannot go on with, as a sentence for whoever typed it."""


def place(name: str) -> Path:
    """The folder ``notebooks`` or ``tools``.

    >>> sorted(path.name for path in place("notebooks").glob("01*.ipynb"))
    ['01_tape_and_persistent_tape.ipynb']
    """
    for folder in (PACKAGE.parent / name, PACKAGE / "course" / name):
        # Beside the package only in a checkout: site-packages may hold anybody's "tools".
        if folder.is_dir() and (folder.parent != PACKAGE.parent or _is_checkout()):
            return folder
    raise Trouble(f"This installation lacks the {name}: install autodiff_kit again.")


def _is_checkout() -> bool:
    project = PACKAGE.parent / "pyproject.toml"
    return project.is_file() and 'name = "autodiff_kit"' in project.read_text("utf-8")


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "notebook"), counted(0, "cell")
    ('1 notebook', '0 cells')
    """
    return f"{number} {thing}{'s' * (number != 1)}"


def look_into(folder: Path) -> None:
    """Stop unless a folder is there and open; one that is closed looks empty.

    Raises:
      Trouble: it is not.
    """
    if folder.is_file():
        raise Trouble(f"{folder} is neither a notebook nor a folder.")
    if not folder.is_dir():
        raise Trouble(f"There is no folder {folder}.")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise Trouble(f"{folder} cannot be read: it is closed to you.")


def need(extra: str, *modules: str) -> None:
    """Stop with advice unless these modules are installed."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise Trouble(
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed for this and "
            f'not installed. Install what is missing: python -m pip install "autodiff_kit[{extra}]"'
        )
