"""Rows for tensors made from a rule, and for tensors put together and taken apart."""

import numpy as np

import autodiff_kit as ad
from gradients.rows import Row

rng = np.random.default_rng(7)
A, B, CUBE = rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3, 4))
SIDE = rng.normal(size=3)


def spaced(num: int, axis: int) -> object:
    return lambda start, stop: ad.linspace(start, stop, num, axis=axis)


def joined(axis: int) -> object:
    return lambda *xs: ad.concat(xs, axis)


def stacked(axis: int) -> object:
    return lambda *xs: ad.stack(xs, axis)


ROWS = [
    Row("Fill", lambda x: ad.fill([2, 3], x), (1.5,)),
    Row("Fill", lambda x: ad.fill([], x), (1.5,)),
    *(
        Row("LinSpace", spaced(num, axis), at, name=f"{num}-{axis}")
        for num, axis, at in (
            (5, 0, (0.5, 2.0)), (2, 0, (0.5, 2.0)), (1, 0, (0.5, 2.0)), (4, -1, (A, B)),
            (4, 1, (A, SIDE)), (3, 0, (A, 1.5)),
        )
    ),
    Row("ExpandDims", lambda x: ad.expand_dims(x, -2), (A,)),
    Row("ExpandDims", lambda x: ad.expand_dims(x, 0), (2.0,)),
    Row("Squeeze", ad.squeeze, (A[:, None],)),
    Row("Squeeze", lambda x: ad.squeeze(x, [0, -1]), (A[None, ..., None],)),
    Row("Squeeze", ad.squeeze, ([[2.0]],)),
    *(Row("ConcatV2", joined(axis), (A, B, A), name=str(axis)) for axis in (0, 1, -1)),
    Row("ConcatV2", joined(1), (A, A[:, :0], A[:, :2])),
    Row("ConcatV2", lambda x: ad.concat([x, [[1.0] * 3], x], 0), (A,), name="constant"),
    *(Row("Pack", stacked(axis), (A, B), name=str(axis)) for axis in (0, 1, -1)),
    Row("Pack", stacked(0), (2.0, 3.0)),
    Row("Pack", lambda x, y: x * [[x, y], [y, 1.0]], (2.0, 3.0), name="list"),
]  # fmt: skip
