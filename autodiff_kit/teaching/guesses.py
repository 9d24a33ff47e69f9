"""What a learner writes in quotes, and means as a number, a list of numbers or an error.

One idea: a guess is read as it is meant; whoever knows the answer shall not be told otherwise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff_kit.teaching.values import plain

__all__ = ["as_numbers", "names_an_error", "written_out"]

WORDS = {"zero": 0.0, "zeros": 0.0, "infinity": np.inf, "infinite": np.inf}


def as_numbers(guess: Any) -> Any:
    """A guess with the words that mean a number replaced by the number.

    >>> as_numbers(["zero", "NaN", "0", 2]), as_numbers("one"), as_numbers("-inf")
    ([0.0, nan, 0.0, 2], 'one', -inf)
    >>> as_numbers("(2, 4)"), as_numbers("1.0, None"), as_numbers("no, none")
    ([2, 4], [1.0, None], 'no, none')
    """
    if isinstance(guess, (list, tuple)):
        return [as_numbers(part) for part in guess]
    if isinstance(guess, str):
        return _read(guess)
    return guess


def _read(word: str) -> Any:
    text = word.strip().casefold()
    if text in WORDS:
        return WORDS[text]
    try:
        return float(text)
    except ValueError:
        return _as_list(word)


def _as_list(word: str) -> Any:
    """The list that is written in a word, or the word itself."""
    if not re.search(r"[(\[,]", word):
        return word
    try:
        return as_numbers(ast.literal_eval(word.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return word


def names_an_error(guess: Any) -> bool:
    """Does a guess say that an error comes: ``"an error"``, ``"LookupError"``, ``KeyError``?

    >>> names_an_error("an error"), names_an_error(LookupError), names_an_error("None")
    (True, True, False)
    """
    word = plain(guess)
    if not isinstance(word, str):
        return False
    return bool(re.fullmatch(r"(an? )?(\w*error|\w*exception)", word.strip(" .!").casefold()))


def written_out(guess: Any, among: Iterable[str]) -> Any:
    """A word, or a list of words, with the beginning of a name replaced by the whole name.

    >>> names = ["maximum with 0.3", "cast to int", "cast to bool"]
    >>> written_out("Maximum", names), written_out(["cast", "cast to i"], names)
    ('maximum with 0.3', ['cast', 'cast to int'])
    """
    names = list(among)
    if isinstance(guess, (list, tuple)):
        return [written_out(part, names) for part in guess]
    word = guess.strip().casefold() if isinstance(guess, str) else ""
    found = [name for name in names if word and name.casefold().startswith(word)]
    return found[0] if len(found) == 1 and guess not in names else guess
