"""What a student may write down as an answer, made comparable and printable.

One idea: a tensor, a NumPy array and nested lists of numbers mean the same; None, words and errors
mean themselves.
"""

from __future__ import annotations

import re
from textwrap import TextWrapper
from typing import Any

import numpy as np

from autodiff_kit.readers.shown.show import brief

CLOSE = 1e-4  # a guess such as 0.3333 for 1/3 is right
_WIDTH = 100
_TIE = "\N{NO-BREAK SPACE}"
# The spaces in "5 points", in "- 3" or "= 0.5", and between the two of "(-1.0, 2.5)".
_WHOLE = re.compile(r"(?<=\d) (?=[^\W\d]|[%°])|(?<= [-+=±≈]) (?=[-\d.])|(?<=,) (?=[^\s,()]+\))")


def plain(value: Any) -> Any:
    """A value as NumPy array, None, word, or list, tuple or dict of these.

    >>> import autodiff_kit as ad
    >>> plain(ad.Variable(2.0)), plain(" None "), plain(ValueError("no")), plain([None, [1, 2]])
    (array(2., dtype=float32), None, 'ValueError', [None, array([1, 2])])
    """
    if value is None or value is ...:
        return value
    if isinstance(value, str):
        return None if value.strip().casefold() == "none" else value.strip()
    if isinstance(value, BaseException):
        return type(value).__name__
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    array = _array(value)
    if array is not None:
        return array
    if isinstance(value, (list, tuple, set, frozenset)):
        parts = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return [plain(part) for part in parts]
    return getattr(value, "__name__", type(value).__name__)


def _array(value: Any) -> Any:
    """Numbers as an array, or None if these are not (only) numbers."""
    try:
        array = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    except (TypeError, ValueError):  # ragged lists, words among numbers
        return None
    return array if array.dtype.kind in "biuf" else None


def same(one: Any, other: Any, rtol: float = CLOSE) -> bool:
    """Do two answers mean the same? Numbers may differ a little, words in their case.

    >>> same(0.3333, 1 / 3), same([1, 2], (1.0, 2.0)), same("None", None), same(None, 0.0)
    (True, True, True, False)
    """
    a, b = plain(one), plain(other)
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and bool(np.allclose(a, b, rtol=rtol, atol=0, equal_nan=True))
    if isinstance(a, str) and isinstance(b, str):
        return " ".join(a.casefold().split()) == " ".join(b.casefold().split())
    if isinstance(a, list) and isinstance(b, list):
        pairs = zip(a, b, strict=False)
        return len(a) == len(b) and all(same(x, y, rtol) for x, y in pairs)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key], rtol) for key in a)
    return a is None and b is None


def has_dots(answer: Any) -> bool:
    """Is there still a ``...`` in an answer?

    >>> has_dots(...), has_dots({"y": [1, ...]}), has_dots([1, 2])
    (True, True, False)
    """
    if isinstance(answer, dict):
        return any(map(has_dots, answer.values()))
    if isinstance(answer, (list, tuple)):
        return any(map(has_dots, answer))
    return answer is ...


def quoted(value: Any) -> str:
    """As `shown`, but with quotes around words, which could otherwise be taken for numbers.

    >>> quoted("13"), quoted(13), quoted(["a", "b"])
    ("'13'", '13', "['a', 'b']")
    """
    if isinstance(value, (list, tuple)) and any(isinstance(part, str) for part in value):
        return "[" + ", ".join(map(quoted, value)) + "]"
    return repr(value) if isinstance(value, str) else shown(value)


def has_shapes(value: Any) -> bool:
    """Is it a shape, or a list with one in it, and so not numbers to be compared one by one?

    >>> has_shapes((4, 3)), has_shapes(()), has_shapes([(4, 3), (3,)]), has_shapes([4, 3])
    (True, True, True, False)
    """
    if isinstance(value, tuple):
        return all(isinstance(size, int) for size in value)
    return isinstance(value, list) and any(isinstance(part, tuple) for part in value)


def shown(value: Any) -> str:
    """An answer in one line, with digits that every processor agrees on.

    >>> shown([1.0, 2.0]), shown((4, 3)), shown({"dy": None, "word": "zero"})
    ('[1.0, 2.0]', '(4, 3)', 'dy: None, word: zero')
    >>> shown(["yes", "no"]), shown(["yes", "no, not at all"])
    ('yes, no', "'yes', 'no, not at all'")
    """
    if has_shapes(value):
        return str(tuple(value)) if isinstance(value, tuple) else ", ".join(map(shown, value))
    value = plain(value)
    if isinstance(value, np.ndarray):
        return brief(value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {shown(part)}" for key, part in value.items())
    if isinstance(value, list):
        commas = any(isinstance(part, str) and "," in part for part in value)
        return ", ".join(map(quoted if commas else shown, value)) or "nothing"
    return str(value)


def in_lines(text: str, indent: str = "") -> str:
    """A long sentence in several lines: a notebook would break it in the middle of a word or number.

    Args:
      text: what is to be printed. A number stays with its sign and its unit, a pair in brackets whole.
      indent: what the lines begin with that were not lines before.

    >>> print(in_lines("right: " + "a notebook of usual width " * 4))
    right: a notebook of usual width a notebook of usual width a notebook of usual width a notebook of
    usual width
    """
    rows = text.split("\n")  # what is short may be an array, whose spaces are to stay
    if max(map(len, rows)) <= _WIDTH:
        return text
    wrapper = TextWrapper(
        _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(wrapper.fill(_WHOLE.sub(_TIE, row)).replace(_TIE, " ") for row in rows)
