"""Layer 5: the text of a notebook's cell that begins with ``%%time``.

One idea: IPython runs it under a name that all such cells share, and keeps no text under that. The last
of them is taken, and whether it is what ran, its code tells.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.program.ran import codes_of, signature

TIMED = "<timed exec>"


def timed_lines(shell: Any) -> list[str]:
    """The lines of the last cell that was timed, without its first; none outside of a notebook."""
    cells = getattr(getattr(shell, "history_manager", None), "input_hist_raw", [])
    timed = (cell for cell in reversed(cells) if re.match(r"%%time\s", cell))
    return _body(next(timed, ""), shell)


@lru_cache(maxsize=4)
def _body(cell: str, shell: Any) -> list[str]:
    body = cell.partition("\n")[2]
    return str(shell.transform_cell(body)).splitlines(keepends=True) if body else []


def timed_codes(text: str) -> set[Any] | None:
    """The signatures of the code of a timed cell: an expression at its end is run for itself."""
    try:
        last = ast.parse(text).body[-1]
    except (SyntaxError, ValueError, IndexError):
        return set()
    head = "".join(text.splitlines(keepends=True)[: last.lineno - 1])
    found = (codes_of(text) or set()) | (codes_of(head) or set())
    if isinstance(last, ast.Expr):
        found.add(signature(compile(ast.Expression(last.value), "", "eval")))
    return found
