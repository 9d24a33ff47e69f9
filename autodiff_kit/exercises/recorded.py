"""Was a gradient found by a tape, or by hand? What the checks of exercises 00.2 and 01.2 look at.

One idea: the numbers of a formula are right too, so it is noted whether a tape's block was begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autodiff_kit.tape import GradientTape


@contextmanager
def tapes_begun() -> Iterator[list[Any]]:
    """The tapes whose blocks are begun while this block runs."""
    found: list[Any] = []
    usual = GradientTape.__enter__

    def noted(tape: GradientTape) -> GradientTape:
        found.append(tape)
        return usual(tape)

    GradientTape.__enter__ = noted  # type: ignore[method-assign]
    try:
        yield found
    finally:
        GradientTape.__enter__ = usual  # type: ignore[method-assign]


def by_hand(answer: Callable[..., Any], *given: Any) -> str | None:
    """A hint if a function that returns the right gradients begins no tape.

    >>> by_hand(lambda x: 2.0 * x, 3.0)[:48]
    'the numbers are right, but no tape found them. R'
    """
    with tapes_begun() as tapes:
        answer(*given)
    if tapes:
        return None
    return (
        "the numbers are right, but no tape found them. Record in a with block, and return what "
        "gradient says."
    )
