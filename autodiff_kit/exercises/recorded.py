"""Was a gradient found by a tape, or by hand? What the checks of exercises 00.2, 01.2 and 02.2 look at.

One idea: the numbers of a formula are right too, but they stay the same if a tape says something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from autodiff_kit.tape import GradientTape
from autodiff_kit.teaching.values import plain

ASKED = ("gradient", "jacobian")
RECORD = "Record in a with block, and return what gradient says."
WHOLE = "Compute the whole target inside the with block, and return what gradient says."


@contextmanager
def tapes_say_twice() -> Iterator[None]:
    """While this block runs, all that a tape answers is twice as large."""
    usual = {name: getattr(GradientTape, name) for name in ASKED}
    for name in ASKED:
        setattr(GradientTape, name, _twice_as_large(usual[name]))
    try:
        yield
    finally:
        for name in ASKED:
            setattr(GradientTape, name, usual[name])


def _twice_as_large(ask: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **options: _doubled(ask(*args, **options))


def _doubled(said: Any) -> Any:
    if isinstance(said, (list, tuple)):
        return type(said)(map(_doubled, said))
    if isinstance(said, dict):
        return {key: _doubled(part) for key, part in said.items()}
    return None if said is None else 2.0 * said


def without_a_tape(answer: Callable[..., Any], *given: Any) -> str:
    """A remark on a function that returns wrong numbers, and the same ones whatever its tapes say.

    >>> without_a_tape(lambda x: 2.0 * x, 3.0)[:32]
    ' And no tape found these numbers'
    """
    found, otherwise = _said(answer, *given)
    if found.dtype.kind not in "biuf" or not np.any(found):  # twice 0, as of a tape, is 0 too
        return ""
    return f" And no tape found these numbers. {RECORD}" if np.array_equal(found, otherwise) else ""


def _said(answer: Callable[..., Any], *given: Any) -> tuple[Any, Any]:
    """What a function returns, and what it does if the tapes say otherwise."""
    found = np.ravel(plain(answer(*given)))
    with tapes_say_twice():
        return found, np.ravel(plain(answer(*given)))


def by_hand(answer: Callable[..., Any], *given: Any) -> str | None:
    """A hint if a function returns the right gradients, and some whatever its tapes say.

    Args:
      answer: the function that is judged.
      given: its arguments; none of the gradients there is 0.

    >>> by_hand(lambda x: 2.0 * x, 3.0)[:48]
    'the numbers are right, but no tape found them. R'
    """
    found, otherwise = _said(answer, *given)
    if found.shape != otherwise.shape:
        return f"the numbers are right, but no tape found them. {RECORD}"
    if np.all(np.isclose(otherwise, 2.0 * found)):
        return None
    stayed = np.isclose(otherwise, found)
    if not np.any(stayed):
        return (
            f"right, but a tape found only a part of it, and the rest was put in by hand. {WHOLE}"
        )
    all_of = "" if np.all(stayed) else "all of "
    return f"the numbers are right, but no tape found {all_of}them. {RECORD}"
