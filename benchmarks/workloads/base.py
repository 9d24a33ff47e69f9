"""What a workload is: inputs, one loss for all libraries, and the same by hand in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.libraries.base import Library

Call = Callable[[], Any]


@dataclass(frozen=True)
class Workload:
    """One program to be timed.

    Args:
      name: what the table calls it.
      inputs: ``inputs(size)`` returns the NumPy arrays of the leaves and those of the constants.
      loss: ``loss(lib, size)(*leaves, *constants)``, written once for all libraries.
      by_hand: ``by_hand(size)(*leaves, *constants)`` returns, in NumPy, what `ask` asks for.
      size: how large; `tiny` is the size at which the tests run it.
      ask: which method of the library is called.
      target: the ratio to hand-written NumPy that the kit is to reach.
      parameters: whether the leaves are weights (variables, where a library has them).
      skip: libraries that cannot do this, or only in minutes.
    """

    name: str
    inputs: Callable[[int], tuple[Sequence[Any], Sequence[Any]]]
    loss: Callable[[Library, int], Callable[..., Any]]
    by_hand: Callable[[int], Callable[..., Any]]
    size: int
    tiny: int
    ask: str = "gradient"
    target: float | None = None
    parameters: bool = False
    skip: tuple[str, ...] = ()

    def library(self, lib: Library, size: int) -> Call:
        """The call that is timed for a library; it returns that library's own values."""
        leaves, constants = self.inputs(size)
        fixed = [lib.constant(value) for value in constants]
        loss = self.loss(lib, size)
        f = (lambda *xs: loss(*xs, *fixed)) if fixed else loss
        if self.ask == "adam":
            return lib.adam(f, leaves, 1e-3)
        make = lib.parameter if self.parameters else lib.leaf
        xs = [make(value) for value in leaves]
        if self.ask == "retained":
            return lib.retained(f, xs)
        ask = getattr(lib, self.ask)
        return lambda: ask(f, xs)

    def numpy(self, size: int) -> Call:
        """The call that is timed for NumPy by hand."""
        leaves, constants = self.inputs(size)
        by_hand = self.by_hand(size)
        leaves = [np.array(value)[()] for value in leaves]  # Adam changes its own
        return lambda: by_hand(*leaves, *constants)


def normal(*shape: int, seed: int = 0, scale: float = 1.0) -> Any:
    """Reproducible float32 numbers."""
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)
