"""How was a product with the Hessian found? What the check of exercise 14.2 looks at.

One idea: a function that is asked for its second derivatives can see how: where it is called, and how
often a gradient comes back through it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.registry import GRADIENTS
from autodiff_kit.teaching.values import same


class Probe:
    """A function that notes where it is asked, and how often a gradient comes back through it."""

    NAME = "exercise 14.2"

    def __init__(self) -> None:
        self.places: list[Any] = []
        self.ways_back = 0
        GRADIENTS[self.NAME] = self._rule

    def __call__(self, x: Any) -> Any:
        self.places.append(np.array(x))
        with ad.gradient_override_map({"Identity": self.NAME}):
            z = ad.identity(x)
        return ad.reduce_sum(z**3) + z[0] * z[1] ** 2

    def _rule(self, op: Any, grad: Any) -> Any:
        self.ways_back += max(1, int(np.size(grad)) // max(1, int(np.size(op.inputs[0]))))
        return grad


def by_the_way(answer: Any) -> str | None:
    """A hint if a product of the Hessian with a vector was found by a step, or by all of its rows."""
    f = Probe()
    at = np.arange(1.0, 9.0)
    step = np.array([1.0, -1.0, 2.0, 0.5, 1.0, -2.0, 3.0, 1.0])
    result = answer(f, ad.constant(at), ad.constant(step))
    if not all(np.array_equal(place, at) for place in f.places):
        return (
            "f is also asked at other places than x, so there is a step in it. A second tape that "
            "watches how the gradient at x is made needs none."
        )
    right = 6.0 * at * step
    right[:2] += [2.0 * at[1] * step[1], 2.0 * at[1] * step[0] + 2.0 * at[0] * step[1]]
    if not same(result, right):
        return "right for the two numbers of x0³ + x0·x1², but not for every f and every x."
    if max(f.ways_back, len(f.places)) >= at.size:
        return (
            "the product is right, but it takes as many runs as the Hessian has rows. After the "
            "gradient one is enough: a way back that begins with d."
        )
    return None
