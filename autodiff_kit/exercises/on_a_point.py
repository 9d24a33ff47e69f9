"""Does a point on which the place lies still pull at it? A hint of exercise 17.3.

One idea: where all distances are 0 the gradient should be 0, and whatever is left of it was put in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.teaching.values import quoted

PLACE = [1.0, 2.0]


def pulls(answer: Any) -> str | None:
    """A hint if a mean distance has a slope where the place lies on every point.

    >>> pulls(lambda w, points: ad.reduce_sum(w - points))[:62]
    'where w lies on a point, this point should add nothing to the '
    """
    w = ad.Variable(PLACE)
    with ad.GradientTape() as tape:
        y = answer(w, ad.constant([PLACE]))
    slope = tape.gradient(y, w) if ad.is_tensor(y) else None
    if slope is None or not np.all(np.isfinite(slope)) or np.max(np.abs(slope)) < 1e-3:
        return None
    return (
        "where w lies on a point, this point should add nothing to the gradient, and yours adds "
        f"{quoted(slope)}. A small number added to the differences would do that: they are 0 no more "
        "then, and have a direction. Leave them as they are, and let ad.where choose a safe argument "
        "for the root."
    )
