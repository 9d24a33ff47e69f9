"""Layer 2: whether gradients are sound.

One idea: a tape that has answered lets its records go, unless there is something that the learner may
want to have explained.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from math import inf, isfinite
from typing import Any

import numpy as np

from autodiff_kit.tensor import Tensor


def healthy(gradients: list[Tensor | None]) -> bool:
    """Whether there is nothing that the learner may want to have explained: no None, zero, NaN."""
    for gradient in gradients:
        if gradient is None:
            return False
        value = gradient._value
        if not (_sound(value) if type(value) is np.ndarray else value and isfinite(value)):
            return False
    return True


SOUND = partial(bool, True)  # what `look_later` would return where a look has found nothing


def look_later(gradients: list[Tensor | None]) -> Callable[[], bool]:
    """What tells whether these gradients are healthy when it is called, as long as they exist.

    To look at each number of large arrays takes a tenth of a step's time, and few ever ask.
    """
    values = [None if gradient is None else gradient._value for gradient in gradients]
    kept = [value for value in values if value is None or not value.shape]
    seen = [weakref.ref(value) for value in values if value is not None and value.shape]

    def look() -> bool:
        now = [*kept, *[ref() for ref in seen]]
        return all(value is not None and _sound(value) for value in now)

    return look


def _sound(value: Any) -> bool:
    """Whether a gradient is finite and somewhere not zero, seen in one pass over it.

    The sum of the squares is the fastest pass there is. Where the squares of sound numbers are too
    small or too large, this says no, and the tape merely keeps what it could have let go.
    """
    if not value.shape:
        return bool(value and isfinite(value))
    flat = value.ravel("K")
    return 0.0 < float(flat.dot(flat)) < inf or not value.size
