"""The minutes that a notebook's first cell states: for all of it, and for its last part."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

TIME = re.compile(
    r"^\*\*Time:\*\* (\d+) minutes(?:, and (\d+) more for the last part if you like)?\. ", re.M
)


def stated(path: Path) -> tuple[int, int]:
    """The minutes of the core and of the last part, 0 if there is none."""
    core, more = TIME.findall(nbformat.read(path, 4).cells[0].source)[0]
    return int(core), int(more or 0)


def in_a_table(path: Path) -> str:
    """The same as the map and the guide write it."""
    core, more = stated(path)
    return f"{core} + {more}" if more else f"{core}"
