"""Layer 5: code for a place at which no statement can stand.

One idea: in a lambda or a comprehension nothing can be given a name beforehand, nor where a line begins
with something else; so each name of the code is replaced by what it was to stand for. (What only
takes the line breaks out of the learner's text is `program/folded.py`.)
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autodiff_kit.readers.program.lines import Spot, segment, text_of
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import in_comprehension, statement_of
from autodiff_kit.readers.program.words import replaced

_NO_STATEMENTS = ("<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_NAMED = re.compile(r"(\w+) = (.*?)(?:    # .*)?")


def inlined(case: Any, place: int, code: str) -> str:
    """The code as it is, or in one expression where an operation stands in a lambda."""
    lines, spot = code.splitlines(), case.spot(place)
    alone = spot[0].co_name in _NO_STATEMENTS or in_comprehension(spot)
    if len(lines) < 2 or not (alone or _is_in_a_line(spot)):
        return code
    meanings: dict[str, str] = {}
    for line in lines[:-1]:
        named = _NAMED.fullmatch(line)
        if named is None:
            return code
        meanings[named[1]] = bracketed(_written_out(named[2], meanings))
    return _written_out(lines[-1], meanings)


def _is_in_a_line(spot: Spot) -> bool:
    """Whether no line can stand before a statement: ``def f(x): return ad.sqrt(x)``, ``elif``, and
    ``while``, which asks in each round.
    """
    statement, file = statement_of(spot), spot.code.co_filename
    if statement is None or isinstance(statement, ast.While):
        return statement is not None
    before = text_of(file).splitlines()[statement.lineno - 1].encode()[: statement.col_offset]
    return bool(before.strip()) or segment(file, statement).startswith("elif")


def _written_out(text: str, meanings: dict[str, str]) -> str:
    """An expression without the names.

    >>> _written_out("ad.where(ok, ad.sqrt(safe), 0.0)", {"ok": "(x > 0)", "safe": "f(x)"})
    'ad.where((x > 0), ad.sqrt(f(x)), 0.0)'
    """
    for name, meaning in meanings.items():
        text = replaced(name, meaning, text)
    return text
