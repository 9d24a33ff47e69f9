"""Rows for the product of matrices."""

from itertools import product

import numpy as np

import autodiff_kit as ad
from gradients.rows import Row

rng = np.random.default_rng(5)
A, B = rng.normal(size=(2, 3)), rng.normal(size=(3, 4))
STACK, OTHER = rng.normal(size=(2, 1, 2, 3)), rng.normal(size=(5, 3, 2))


def _multiply(transpose_a: bool, transpose_b: bool) -> object:
    return lambda a, b: ad.matmul(a, b, transpose_a=transpose_a, transpose_b=transpose_b)


ROWS = [
    *(
        Row("MatMul", _multiply(ta, tb), (A.T if ta else A, B.T if tb else B), name=f"{ta}-{tb}")
        for ta, tb in product((False, True), repeat=2)
    ),
    *(
        Row(
            "BatchMatMulV2",
            _multiply(ta, tb),
            (STACK.swapaxes(-1, -2) if ta else STACK, OTHER.swapaxes(-1, -2) if tb else OTHER),
            name=f"{ta}-{tb}",
        )
        for ta, tb in product((False, True), repeat=2)
    ),
    Row("BatchMatMulV2", ad.matmul, (A, OTHER)),
    Row("BatchMatMulV2", ad.matmul, (OTHER, A)),
    Row("MatMul", ad.matmul, (np.ones((2, 0)), np.ones((0, 3)))),
    Row("MatMul", ad.matmul, (np.ones((0, 2)), np.ones((2, 0)))),
    Row("MatMul", lambda a: a @ a, (A[:, :2],), name="operator"),
]
