"""Layer 5: the learner's frames, in which names are looked up.

One idea: to look leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_OPTIMIZED
from sys import getrefcount
from typing import Any

_ALONE = 3  # references to a dict that only its frame holds: the frame's, and two while it is asked


@contextmanager
def looked_into(*frames: Any) -> Iterator[None]:
    """A block that may ask these frames for their names.

    Up to Python 3.12 the frame of a function that is asked for its names keeps them in a dict, with
    all that they stand for: a tape would live on after ``del tape``, until the function ends. So that
    dict is emptied, unless somebody else has it, as who has called ``locals()``. The frame of a module
    or a class has no such dict: there it is the names themselves.
    """
    try:
        yield
    finally:
        for frame in frames:
            if frame.f_code.co_flags & CO_OPTIMIZED:
                names = frame.f_locals
                if type(names) is dict and getrefcount(names) == _ALONE:
                    names.clear()
