"""Layer 5: a piece of the learner's program that goes over several lines, on one.

One idea: what stands between two pieces on one line stays as it is, so that what was written on one
line is found again in it; only the line breaks and the comments go. (Several lines of code made one
expression: `mending/inlined.py`.)
"""

from __future__ import annotations

import ast
import io
import tokenize
from functools import lru_cache

_DROPPED = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER)
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


@lru_cache(maxsize=256)
def one_line(text: str) -> str:
    """An expression or a statement on one line, as it is where that cannot be.

    >>> one_line("ad.round(\\n    x*2,  # hard\\n)"), one_line("a  +  b"), one_line("(a,\\n)")
    ('ad.round(x*2)', 'a  +  b', '(a,)')
    >>> one_line("y = ad.sin(\\n    x\\n)")
    'y = ad.sin(x)'
    """
    if "\n" not in text:
        return text
    meaning = _meaning(text)
    if meaning is None:
        return text
    joined = (_joined(text, commas) for commas in (False, True))
    same = (one for one in joined if "\n" not in one and _meaning(one) == meaning)
    return next(same, text)


def _meaning(text: str) -> str | None:
    for written in (f"({text})", text):
        try:
            return ast.dump(ast.parse(written))
        except SyntaxError:
            pass
    return None


def _joined(text: str, commas: bool) -> str:
    """The lines put together, with the commas after which a bracket closes on the next, or without."""
    lines = f"({text}\n)".splitlines()
    tokens = [
        one
        for one in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline)
        if one.type not in _DROPPED
    ]
    found, row, column = "", 1, 0
    for one in tokens:
        (first, begin), (last, end) = one.start, one.end
        if first != row:
            if one.string in _CLOSING:
                found = found if commas else found.removesuffix(",")
            elif one.string not in (".", ",") and not found.endswith(_OPENING):
                found += " "
            column = begin
        found += one.string if first != last else lines[last - 1][column:end]
        row, column = last, end
    return found[1:-1]
