"""Links in a release: none to the solutions, and none to notebooks that are not part of it.

One idea: what a link said stays, as plain text; only what could not be followed goes.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from autodiff_kit.course.places import Trouble

NO_SOLUTIONS = "Your instructor has the solutions."
SOLUTIONS = re.compile(
    r"(?:Solutions(?: are in|:) |The )\[[^\]]*\]\(solutions/[^)]*\)(?: are in [^.\n]*)?\."
)
NOTEBOOK = re.compile(
    r"(?<!!)\[([^\[\]]*)\]\((?![a-z][a-z0-9+.-]*:)([^)\s#]+\.ipynb)(?:#[^)\s]*)?\)"
)


def without_solutions(cell: Any, name: str) -> None:
    """Take the link to the solutions out of a cell of text.

    Raises:
      Trouble: it stands there in other words than the kit's.
    """
    cell.source = SOLUTIONS.sub(NO_SOLUTIONS, cell.source)
    if "](solutions/" in cell.source:
        raise Trouble(
            f"{name}: cell {cell.id} leads to the solutions in words that are not known here. "
            "Write: Solutions: [NN](solutions/NN_name.ipynb)."
        )


def without_absent(cell: Any, there: Collection[str]) -> set[str]:
    """Make links to notebooks that are not ``there`` plain text; which ones that were."""
    absent = set()

    def plain(link: re.Match[str]) -> str:
        target = link[2].replace("%20", " ")
        if target in there:
            return link[0]
        absent.add(target)
        return link[1]

    cell.source = NOTEBOOK.sub(plain, cell.source)
    return absent
