"""Layer 5: gradients as arrays.

One idea: on the way back a gradient may be a number, an array, a sum not yet added up or the parts of
several outputs; a reader asks the same questions of all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import value_of


def finite(value: Any) -> bool:
    """Whether a gradient has neither NaN nor infinities."""
    value = np.isfinite(dense(value))
    return bool(value) if isinstance(value, np.bool_) else bool(np.all(value))


def nonzero(value: Any) -> bool:
    """Whether anything in a gradient is not zero."""
    value = dense(value)  # a number alone is asked itself: it is ten times faster, in long chains
    return bool(value) if isinstance(value, np.generic) else bool(np.any(value))


def dense(value: Any) -> Any:
    """A gradient as an array, whatever form it has on the way back."""
    value = value_of(value)
    if isinstance(value, dict):
        return np.concatenate([np.ravel(dense(part)) for part in value.values()])
    return value
