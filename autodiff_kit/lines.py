"""Layer 0: the learner's own line.

One idea: the learner's frame is the innermost one without the kit's mark. Records, values that no
tape tracks and events each note its code and its instruction, so that `explain` can show the line.
"""

from __future__ import annotations

import contextlib
import sys
from contextvars import ContextVar
from itertools import count
from typing import Any

from autodiff_kit.contexts import own_var

# Typed as it is used: below a learner's frame there is always one.
_getframe: Any = sys._getframe
_CONTEXTLIB = vars(contextlib)  # the kit's `with` blocks made there are entered through its frames
tick = count(1).__next__  # the kit's clock: one tick for every value and every event off the tape


# Where a tensor that no tape recorded came from: the operation's type, the learner's code and
# instruction, and the time. A plain tuple, because every such tensor has one.
Origin = tuple[str, Any, int, int]


# While rules run on tensors: the frame of the learner who asked for the gradient. All of their
# operations stem from that line, and to go up to it each time would take as long as to compute.
ASKING: ContextVar[Any] = own_var("asking", None)
asking = ASKING.get


# Libraries that take tensors for arrays and numbers, and have functions written in Python.
LIBRARIES = {"numpy", "scipy", "pandas", "matplotlib", "sklearn", "statistics"}


class Learner:
    """The code of the learner's that called last. Most calls come from the same function as the one
    before, and to compare two objects is quicker than to look for the kit's mark.
    """

    code: Any = None


LEARNER = Learner()


def learners(frame: Any) -> Any:
    """The frame itself if it is the learner's, and otherwise the nearest above it that is."""
    names = frame.f_globals
    while "__autodiff_kit__" in names or names is _CONTEXTLIB:
        frame = frame.f_back
        names = frame.f_globals
    LEARNER.code = frame.f_code
    return frame


def user_frame() -> Any:
    """The innermost frame that is not the kit's own: the learner's line."""
    return learners(_getframe(2))


def beyond_libraries(frame: Any) -> Any:
    """The learner's frame, also where a library written in Python lies between it and the kit:
    ``np.mean`` asks a tensor for its array two frames below the line that calls it.
    """
    frame = learners(frame)
    while frame.f_globals.get("__name__", "").partition(".")[0] in LIBRARIES and frame.f_back:
        frame = learners(frame.f_back)
    return frame


def origin(type: str, frame: Any) -> Origin:
    """A note of an operation that no tape recorded."""
    return type, frame.f_code, frame.f_lasti, tick()
