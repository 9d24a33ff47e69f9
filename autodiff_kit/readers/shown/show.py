"""Layer 5: how readers show numbers and tables: as plain text, as Markdown, as HTML.

One idea: a table is its caption, its heads and its rows; each form is made from these three alone, so
that a screen reader, a terminal and a notebook tell the same.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

FEW = 6  # an array with more elements than this is shown by its shape and a few of them


def number(value: Any) -> str:
    """One element in six significant digits, as many as two processors agree on.

    >>> number(np.float32(0.1)), number(2.0), number(np.int32(3)), number(1 / 3)
    ('0.1', '2.0', '3', '0.333333')
    """
    if np.asarray(value).dtype.kind != "f":
        return str(value)
    shown = f"{float(value):.6g}"
    return shown if re.search("[.en]", shown) else shown + ".0"


def brief(value: Any) -> str:
    """A value in one line: a small one as it is, a large one by its shape and a few elements.

    >>> brief(np.float32([[1, 2], [3, 4]]))
    '[[1.0, 2.0], [3.0, 4.0]]'
    >>> brief(np.zeros((20, 30)))
    '(20, 30) [0.0, 0.0, … 0.0]'
    >>> brief(None)
    'None'
    """
    if value is None:
        return "None"
    if isinstance(value, dict):  # what arrived at each output of an operation that has several
        return ", ".join(f"{key}: {brief(part)}" for key, part in sorted(value.items()))
    array = np.asarray(value)
    if array.size <= FEW:
        return _nested(array) if array.size or array.ndim == 1 else f"{array.shape} []"
    first, last = array.ravel()[:2], array.ravel()[-1]
    few = ", ".join(map(number, first))
    return f"{array.shape} [{few}, … {number(last)}]".replace("'", "")


def _nested(array: Any) -> str:
    if array.ndim == 0:
        return number(array[()])
    return "[" + ", ".join(_nested(part) for part in array) + "]"


@dataclass
class Table:
    """A table with a caption, and notes below it.

    heads: one for each column.
    rows: cells as plain text; the first cell of a row is its head. A string in place of a row is a
      heading for the rows that follow.
    code: the columns that hold code or numbers, which HTML shows in a fixed width.
    shared: how many cells at the beginning of a row hold for the rows below it whose first is empty.
    """

    caption: str
    heads: list[str]
    rows: list[list[str] | str]
    notes: list[str] = field(default_factory=list)
    code: frozenset[int] = frozenset()
    shared: int = 1

    def text(self) -> str:
        """Columns under one another, for a terminal.

        >>> print(Table("Two numbers", ["name", "value"], [["x", "1.0"], ["weight", "2.0"]]).text())
        Two numbers
        <BLANKLINE>
          name    value
          x       1.0
          weight  2.0
        """
        rows = [row if isinstance(row, str) else list(map(_flat, row)) for row in self.rows]
        body = [row for row in [self.heads, *rows] if not isinstance(row, str)]
        widths = [max(map(len, column)) for column in zip(*body, strict=True)]
        lines = [
            _flat(row)
            if isinstance(row, str)
            else "  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
            for row in [self.heads, *rows]
        ]
        return "\n".join([self.caption, "", *lines, *[f"\n{note}" for note in self.notes]])

    def markdown(self) -> str:
        """A Markdown table under its caption."""
        lines = [_row(self.heads), _row(["---"] * len(self.heads))]
        lines += [self._markdown_row(row) for row in self.rows]
        notes = [f"\n{_plain(note)}" for note in self.notes]
        return "\n".join([f"**{_plain(self.caption)}**", "", *lines, *notes])

    def _markdown_row(self, row: list[str] | str) -> str:
        if isinstance(row, str):
            return _row([f"*{_plain(row)}*", *[""] * (len(self.heads) - 1)])
        return _row([_code(c) if i in self.code and c else _plain(c) for i, c in enumerate(row)])

    def html(self) -> str:
        """A real table: a screen reader announces its caption and the heads of each cell.

        Colours are left to the page, so that it is readable in light and dark themes.
        """
        heads = "".join(f'<th scope="col" style="{_LEFT}">{_html(h)}</th>' for h in self.heads)
        groups: list[list[str]] = [[]]
        for number, row in enumerate(self.rows):
            if isinstance(row, str):
                groups.append([])
            groups[-1].append(self._html_row(row, self._continued(number)))
        rows = "\n".join(f"<tbody>\n{_lines(group)}\n</tbody>" for group in groups if group)
        notes = "".join(f"\n<p>{_html(note)}</p>" for note in self.notes)
        caption = (
            f'<caption style="{_LEFT};caption-side:top;font-weight:bold;color:inherit">'
            f"{_html(self.caption)}</caption>"
        )
        return f"<table>\n{caption}\n<thead><tr>{heads}</tr></thead>\n{rows}\n</table>" + notes

    def _continued(self, number: int) -> int:
        """How many of the rows below go on with the first cells of this one: theirs are empty."""
        below = 0
        for row in self.rows[number + 1 :]:
            if isinstance(row, str) or row[0]:
                break
            below += 1
        return below

    def _html_row(self, row: list[str] | str, continued: int) -> str:
        if isinstance(row, str):
            span = f'colspan="{len(self.heads)}" scope="rowgroup"'
            return f'<tr><th {span} style="{_LEFT}">{_html(row)}</th></tr>'
        span = f' rowspan="{continued + 1}"' if continued else ""
        cells = []
        for column, cell in enumerate(row):
            if row[0] == "" and column < self.shared:
                continue
            text = f"<code>{_html(cell)}</code>" if column in self.code and cell else _html(cell)
            tag, role = ("th", ' scope="row"') if column == 0 else ("td", "")
            spans = span if column < self.shared else ""
            cells.append(f'<{tag}{role}{spans} style="{_LEFT}">{text}</{tag}>')
        return f"<tr>{''.join(cells)}</tr>"


_LEFT = "text-align:left;vertical-align:top"


def _lines(rows: list[str]) -> str:
    return "\n".join(rows)


def _flat(text: str) -> str:
    return text.replace("\n", " ")


def _html(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _plain(text: str) -> str:
    escaped = re.sub(r"([\\`*_\[\]<>#|$~])", r"\\\1", text)
    return escaped.replace("\n", "<br>")


def _code(text: str) -> str:
    # A bar ends a cell even inside code, and a backtick ends the code.
    return "<br>".join(f"`{line}`" for line in text.replace("|", "∣").replace("`", "ʼ").split("\n"))
