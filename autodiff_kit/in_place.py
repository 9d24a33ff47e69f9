"""Layer 2: sums of gradients in memory that is there already.

One idea: an array that nobody else holds may be overwritten, and Python counts who holds it.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

import numpy as np


def holders(grads: list[Any], place: int, dx: Any) -> tuple[int, int]:
    """How many hold what has arrived at a place, and how many hold ``dx``."""
    return getrefcount(grads[place]), getrefcount(dx)


def alone() -> tuple[int, int]:
    """What `holders` says in `added` if nobody else holds either; Pythons count differently."""

    def as_in_added(grads: list[Any], place: int, dx: Any) -> tuple[int, int]:
        return holders(grads, place, dx)

    grads, da = [np.zeros(1)], np.zeros(1)
    _so_far = grads[0]  # `go_back` has such a variable
    return as_in_added(grads, 0, da)


ALONE = alone()


def added(grads: list[Any], place: int, dx: Any) -> Any:
    """The sum of what has arrived at a place and of ``dx``, in the memory of one of them if nobody
    else holds it: no rule that passed it on, no view, no tensor.
    """
    count, count_dx = holders(grads, place, dx)
    so_far = grads[place]
    if type(so_far) is np.ndarray and type(dx) is np.ndarray:
        if so_far.flags.owndata and count == ALONE[0]:
            return np.add(so_far, dx, out=so_far)
        if dx.flags.owndata and count_dx == ALONE[1]:
            return np.add(so_far, dx, out=dx)
    return so_far + dx
