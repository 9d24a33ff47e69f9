"""Layer 2: what a tape can watch.

One idea: whatever is wrong with what is to be watched is told before any of it is.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nest
from autodiff_kit.loud import warn
from autodiff_kit.operators import CLASSES


def watchable(structure: Any) -> list[Any]:
    """The tensors and variables of a nested structure, one after the other."""
    found = nest.flatten(structure)
    for one in found:
        if type(one) not in CLASSES:
            hint = "make it a tensor with ad.constant before it is used"
            if hasattr(type(one), "trainable_variables"):
                hint = (
                    "its trainable_variables are watched by themselves, each as soon as it is read"
                )
            raise ValueError(
                f"Passed in object {one} of type {type(one).__name__!r}, not ad.Tensor or "
                f"ad.Variable; {hint}"
            )
    for one in found:
        if not one.dtype.is_floating:
            warn(
                "The dtype of the watched tensor must be floating (e.g. ad.float32), got "
                f"{one.dtype!r}: no gradient flows to it"
            )
    return found
