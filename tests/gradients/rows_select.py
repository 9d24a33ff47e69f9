"""Rows for choosing, for passing a value on, and for the rectifier."""

import numpy as np

import autodiff_kit as ad
from gradients.rows import Row

A, B = [[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]], [[1.5, 2.5, -0.5], [0.75, -2.0, 1.25]]
C = np.array([[True, False, True], [False, False, True]])
COLUMN = np.array([[True], [False]])
LARGE = np.linspace(-2.0, 3.0, 9000)
RANDOM = np.random.default_rng(0).random(9000) < 0.5


def select(condition):
    # Squares, so that there is a second order to be seen.
    return lambda a, b: ad.square(ad.where(condition, a, b))


ROWS = [
    Row("SelectV2", select(C), (A, B)),
    Row("SelectV2", select(COLUMN), (A, [1.0, 2.0, 3.0]), name="broadcast3"),
    Row("SelectV2", select(True), (A, 2.0), name="scalar_condition"),
    Row("SelectV2", select(C), (2.0, 3.0), name="wide_condition"),
    Row("SelectV2", select(np.zeros((2, 0), bool)), (np.zeros((2, 0)), np.zeros((2, 0))), name="empty"),
    Row("SelectV2", select(True), (1.5, -0.5)),
    Row("SelectV2", select(RANDOM), (LARGE, -LARGE), name="bits"),
    Row("SelectV2", select(RANDOM), (LARGE, 2.0), name="bits_scalar"),
    Row("SelectV2", lambda x: ad.where(x > 0.0, x * x, x), ([-1.0, 0.0, 2.0],), order=1,
        expect=([1.0, 1.0, 4.0],)),
    Row("Identity", lambda x: ad.square(ad.identity(x)), (A,)),
    Row("Identity", lambda x: ad.square(ad.identity(x)), (2.0,)),
    Row("Relu ReluGrad", lambda x: ad.square(ad.nn.relu(x)), (A,)),
    Row("Relu ReluGrad", lambda x: ad.square(ad.nn.relu(x)), (2.0,)),
    Row("Relu", ad.nn.relu, ([-1.0, 0.0, -0.0, 2.0],), expect=([0.0, 0.0, 0.0, 1.0],)),
]  # fmt: skip
