"""A function that is not finite for a small argument: explain says where it is defined."""

from __future__ import annotations

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.namespace import FAMILIES, xp

POINTS = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)


@pytest.mark.parametrize("name", sorted(FAMILIES))
@np.errstate(all="ignore")
def test_it_is_not_said_that_small_numbers_are_too_large(name: str) -> None:
    for point in POINTS:
        x = ad.Variable(point)
        try:
            with ad.GradientTape(persistent=True) as tape:
                y = getattr(xp, name)(x.read_value())
        except Exception:
            return  # not a function of one number
        if isinstance(y, ad.Tensor) and y.dtype == "float32" and not np.isfinite(y.numpy()):
            says = str(ad.explain(tape, y, x))
            assert "ends at" not in says, (
                f"{name}({point}): say in mends.OUTSIDE where it is defined"
            )
