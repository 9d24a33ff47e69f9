"""One row for each thing that is checked about an operation's gradient.

A row is a function of float64 arrays and a point at which to check it. The checks themselves, finite
differences of first and second order, are in `test_gradients.py`, one for all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Row:
    """A function of tensors, and the point at which its gradient is checked.

    types: the operation types that this row checks, as TensorFlow spells them, separated by blanks.
    f: takes one tensor for each array of `at`; returns a tensor, or a tuple of them.
    at: float64 arrays, or what becomes one.
    order: 2 if the second order is checked too, 1 if the function has none at this point.
    expect: the gradient for each array where finite differences cannot know it (ties, kinks, poles).
    """

    types: str
    f: Callable[..., Any]
    at: tuple[Any, ...]
    order: int = 2
    expect: tuple[Any, ...] | None = None
    name: str = ""
    rtol: float = 1e-6

    def __post_init__(self) -> None:
        self.at = tuple(np.asarray(x, np.float64) for x in self.at)

    @property
    def id(self) -> str:
        """What the test report calls the row."""
        shapes = "_".join("x".join(map(str, x.shape)) or "0d" for x in self.at)
        return "-".join(part for part in (self.types.replace(" ", "+"), self.name, shapes) if part)
