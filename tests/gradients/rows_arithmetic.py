"""Rows for sums, products, quotients and powers."""

import autodiff_kit as ad
from gradients.rows import Row

A, B = [[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]], [[1.5, 2.5, -0.5], [0.75, -2.0, 1.25]]
SIDE, COLUMN = [0.5, -1.25, 2.0], [[0.5], [-1.5]]

ROWS = [
    *(
        Row(type_, f, at)
        for type_, f in (
            ("AddV2", ad.add), ("Sub", ad.subtract), ("Mul", ad.multiply), ("RealDiv", ad.divide),
        )
        for at in ((A, B), (A, SIDE), (COLUMN, SIDE), (2.0, 0.5), (A, 0.5), ([[]], [[]]))
    ),
    Row("FloorMod", ad.floormod, ([7.5, -7.5, 3.25], [2.0, 2.0, -1.5])),
    Row("Pow", ad.pow, ([0.5, 1.5, 2.0], [2.0, -1.5, 0.5])),
    Row("Pow", lambda x: x**2.0, ([-1.5, 0.0, 2.0],), name="square"),
    Row("Pow", ad.pow, ([-2.0, 0.0], [2.0, 2.0]), order=1, expect=([-4.0, 0.0], [0.0, 0.0])),
    Row("Square", ad.square, (A,)),
    Row("Neg", ad.negative, (A,)),
]  # fmt: skip
