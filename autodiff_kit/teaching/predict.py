"""Predictions: the student writes one down, runs the cell, and sees how it compares.

One idea: a guess is never marked. A missing one is asked for, a wrong one is answered.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff_kit.teaching.guesses import as_numbers, names_an_error, written_out
from autodiff_kit.teaching.values import has_dots, has_shapes, in_lines, plain, quoted, same, shown

__all__ = ["compare"]

NEAR = 0.02
NO_GUESS = "no guess yet"


def compare(guess: Any, actual: Any, among: Iterable[str] = ()) -> None:
    """Print how a guess compares with what came out.

    Args:
      guess: a number, nested lists of numbers, a tensor, None, a word, an error or its name, or a
        list or dict of these; ``...`` stands for no guess yet.
      actual: what came out, in any of these forms.
      among: the words to choose from; the beginning of one of them is enough, if no other begins so.

    >>> compare(..., 4.0)
    no guess yet
    the answer is 4.0
    >>> compare(4, 4.0)
    right: 4.0
    >>> compare(0, None)
    you guessed 0; the answer is None. These two are not the same: None says that no gradient was
    computed, 0 that one was, and is flat.
    """
    parts = _parts(written_out(guess, among), actual)
    if all(has_dots(one) for _, one, _ in parts):
        # On a line of its own: JupyterLab shows the first one of an output that is folded away.
        said = [NO_GUESS, *(f"{key}the answer is {shown(answer)}" for key, _, answer in parts)]
    else:
        said = [f"{key}{_sentence(one, answer)}" for key, one, answer in parts]
    print(*map(in_lines, said), sep="\n")


def _parts(guess: Any, actual: Any) -> list[tuple[str, Any, Any]]:
    """The guess with its answer, or those of a dict of answers, each with its key."""
    if isinstance(actual, dict) and isinstance(guess, (list, tuple)) and len(guess) == len(actual):
        guess = dict(zip(actual, guess, strict=True))
    if isinstance(actual, dict) and isinstance(guess, dict) and guess.keys() == actual.keys():
        return [(f"{key}: ", guess[key], actual[key]) for key in actual]
    return [("", guess, actual)]


def _sentence(guess: Any, actual: Any) -> str:
    if has_dots(guess):
        return f"{NO_GUESS}; the answer is {shown(actual)}"
    if same(guess, actual) or _meant(guess, actual):
        return f"right: {shown(actual)}"
    alike = shown(guess) == shown(actual)
    answer = (
        f"you guessed {quoted(guess) if alike else shown(guess)}; the answer is {shown(actual)}"
    )
    about = (_shapes if has_shapes(actual) else note)(plain(as_numbers(guess)), plain(actual))
    return f"{answer}. {about}" if about else answer


def note(guess: Any, actual: Any) -> str:
    """A word about the difference, where there is one to say."""
    if any(_none_or_zero(one, other) for one, other in _pairs(guess, actual)):
        return (
            "These two are not the same: None says that no gradient was computed, 0 that one was, "
            "and is flat."
        )
    if isinstance(guess, np.ndarray) and isinstance(actual, np.ndarray):
        return _numbers(guess, actual)
    return _words(guess, actual) if isinstance(actual, list) else ""


def _words(guess: Any, actual: list[Any]) -> str:
    """Of a list of words, in any order: how many were guessed."""
    if isinstance(guess, str):
        known = any(same(guess, word) for word in actual)
        return f"That is one of the {len(actual)}." if known else ""
    if not isinstance(guess, list):
        return ""
    if sorted(map(shown, guess)) == sorted(map(shown, actual)):
        return "All there, in another order."
    if not all(isinstance(word, str) for word in (*guess, *actual)):
        return ""
    hits = sum(any(same(one, word) for one in guess) for word in actual)
    return f"Of the {len(actual)} you have {hits or 'none'}."


def _shapes(guess: Any, actual: Any) -> str:
    """A word about a guessed shape: its own length says how many axes there are."""
    if not isinstance(guess, np.ndarray) or not isinstance(actual, np.ndarray):
        return ""
    if guess.ndim == 0 and actual.ndim == 1:
        return "A single number is no shape: one axis of length 5 is written (5,)."
    if guess.ndim == actual.ndim == 1 and guess.size != actual.size:
        return f"Your guess has {_axes(guess.size)}, the answer {_axes(actual.size)}."
    return ""


def _axes(count: int) -> str:
    return f"{count or 'no'} {'axis' if count == 1 else 'axes'}"


def _meant(guess: Any, actual: Any) -> bool:
    """Is the answer meant, in words (``"NaN"``, ``"LookupError"``), or with one 0 for many zeros?"""
    guess, actual = as_numbers(guess), plain(actual)
    if same(actual, "error") and names_an_error(guess):
        return True
    if same(guess, actual):
        return True
    return _zero(actual) and _zero(plain(guess)) and np.ndim(plain(guess)) == 0


def _pairs(guess: Any, actual: Any) -> list[tuple[Any, Any]]:
    """The two answers, or their parts if both have as many."""
    both = [value for value in (guess, actual) if isinstance(value, list) or np.ndim(value)]
    if len(both) == 2 and len(guess) == len(actual):
        return [(plain(one), plain(other)) for one, other in zip(guess, actual, strict=True)]
    return [(guess, actual)]


def _none_or_zero(one: Any, other: Any) -> bool:
    return (one is None and _zero(other)) or (other is None and _zero(one))


def _zero(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype != bool and not np.any(value)


def _numbers(guess: np.ndarray, actual: np.ndarray) -> str:
    if guess.shape != actual.shape:
        return f"Your guess has the shape {guess.shape}, the answer {actual.shape}."
    if np.allclose(guess, actual, rtol=NEAR, atol=0):
        return "Very close."
    if np.allclose(-guess.astype(float), actual, rtol=NEAR, atol=0):
        return "Only the sign differs."
    return ""
