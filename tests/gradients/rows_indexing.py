"""Rows for the `[]` operator and for gathering."""

import numpy as np

import autodiff_kit as ad
from gradients.rows import Row

rng = np.random.default_rng(6)
X, CUBE = rng.normal(size=(3, 4)), rng.normal(size=(2, 3, 4))
KEYS = (
    0, -1, (1, 2), slice(None, None, -1), slice(1, 3), (..., 0), (None, 1, ..., None),
    (slice(None), slice(3, 0, -2)), ..., (),
)  # fmt: skip
PICKS = (
    (1, 0, 0), ([2, 0, 2], 0, 0), ([[0, 3], [1, 1]], 1, 0), ([2, 2, 2], -1, 0),
    ([[0, 1], [2, 2], [3, 0]], 1, 1),
)  # fmt: skip


def part(key: object) -> object:
    return lambda x: x[key]


def pick(indices: object, axis: int, batch_dims: int) -> object:
    return lambda x: ad.gather(x, indices, axis=axis, batch_dims=batch_dims)


ROWS = [
    *(Row("StridedSlice StridedSliceGrad", part(key), (X,), name=str(key)) for key in KEYS),
    Row("StridedSlice", part(...), (2.0,)),
    Row("StridedSlice", part((None, ..., None)), (2.0,)),
    Row("StridedSlice", lambda x: x[0] * x[0] + x[1] * x[-1], (X,), name="reads"),
    *(Row("GatherV2 GatherGrad", pick(*p), (X,), name=str(n)) for n, p in enumerate(PICKS)),
    Row("GatherV2", pick([[2, 0], [1, 1]], 2, 1), (CUBE,)),
    Row("GatherV2", pick([[[2, 0]] * 3, [[1, 3]] * 3], 2, 2), (CUBE,)),
    Row("GatherV2", lambda x: ad.boolean_mask(x, [[True, False] * 2] * 3), (X,), name="mask"),
    Row("GatherV2", lambda x: ad.boolean_mask(x, [True, False] * 2, axis=1), (X,), name="columns"),
    Row("GatherV2", lambda x: x[x > 0.0], (X,), name="positive"),
    *(
        Row(type_, f, (X,), expect=(np.zeros((3, 4)),), name="nothing")
        for type_, f in (
            ("StridedSlice", part(slice(2, 2))),
            ("GatherV2", lambda x: x[x > 100.0]),
            ("GatherV2", pick(np.zeros((3, 0), np.int32), 1, 1)),
            ("GatherV2", pick(np.array([], np.int32), 1, 0)),
        )
    ),
]
