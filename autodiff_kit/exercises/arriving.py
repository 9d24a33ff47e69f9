"""What a check sends back through an answer: numbers in the answer's own dtype.

One idea: an answer may be computed in float64, and a tape takes only what has the target's dtype.
"""

from __future__ import annotations

from typing import Any

import autodiff_kit as ad


def arriving(numbers: Any, y: Any) -> Any:
    """Numbers that arrive at y, as a tensor of its dtype if that is one of floats.

    >>> arriving([2.0, -3.0], ad.constant([0.0, 1.0], ad.float64)).dtype
    ad.float64
    """
    dtype = getattr(y, "dtype", None)
    return ad.constant(numbers, dtype if getattr(dtype, "is_floating", False) else ad.float32)
