"""Tables of results: columns as text, a real table in a notebook.

One idea: the same rows for the eye, for the ear and for the comparison of outputs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autodiff_kit.readers.shown.show import Table
from autodiff_kit.teaching.values import shown

__all__ = ["table"]


class ShownTable(Table):
    """A table that shows itself when it is a cell's last expression."""

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.html()


def table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> ShownTable:
    """A table with a caption; cells may be numbers, tensors, None or words.

    >>> table("Slopes", ["x", "dy/dx"], [[1.0, 2.0], [2.0, None]])
    Slopes
    <BLANKLINE>
      x    dy/dx
      1.0  2.0
      2.0  None
    """
    return ShownTable(caption, list(heads), [[shown(cell) for cell in row] for row in rows])
