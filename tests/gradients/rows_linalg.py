"""Rows for diagonals, determinants, inverses, equations and sums of products."""

import numpy as np

import autodiff_kit as ad
from autodiff_kit import linalg
from gradients.rows import Row

rng = np.random.default_rng(9)
A, B, WIDE = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=(3, 4))
STACK, SIDE = rng.normal(size=(2, 3, 3)) + 2 * np.eye(3), rng.normal(size=3)
LOWER = np.tril(rng.normal(size=(2, 3, 3))) + 2 * np.eye(3)
CUBE = rng.normal(size=(2, 3, 4))


def with_(f: object, *args: object, **options: object) -> object:
    return lambda *xs: f(*xs, *args, **options)


def summed(equation: str) -> object:
    return lambda *xs: ad.einsum(equation, *xs)


def symmetric(f: object) -> object:
    """Through a symmetric matrix, because only its lower part is read."""
    return lambda x: f(ad.matmul(x, x, transpose_b=True))


def each_plane(f: object) -> object:
    """The products of a vector with itself, or with its partner, for each of them: no sign is seen."""
    return lambda x: [ad.einsum("...ik,...jk->...kij", *pair) for pair in f(x)]


def of_matrix(x: ad.Tensor) -> ad.Tensor:
    """exp(x), of a symmetric matrix."""
    w, v = linalg.eigh(x)
    return ad.einsum("...ik,...k,...jk->...ij", v, ad.exp(w), v)


def left_and_right(full_matrices: bool = False) -> object:
    def pairs(x: ad.Tensor) -> object:
        s, u, v = linalg.svd(x, full_matrices=full_matrices)
        p = s.shape[-1]
        return [(u, u), (v, v), (u[..., :p] * s[..., None, :], v[..., :p])]

    return pairs


TALL, ONE_MORE = rng.normal(size=(4, 2)), rng.normal(size=(2, 2, 3))
BANDS = (0, 1, -2, (-1, 1), (0, 2), (-2, -1))
EQUATIONS = (
    ("ij,jk->ik", (A, WIDE)), ("ij,kj", (A, B)), ("ij->ji", (WIDE,)), ("ij->i", (WIDE,)),
    ("ij->", (WIDE,)), ("ii->i", (A,)), ("ii", (A,)), ("iij->j", (rng.normal(size=(3, 3, 2)),)),
    ("i,j->ij", (SIDE, SIDE)), ("ij,k->", (A, SIDE)), ("i,i->", (SIDE, SIDE)), ("ii,jj->ij", (A, B)),
    ("...ij,...jk->...ik", (STACK[:, None], rng.normal(size=(4, 3, 2)))),
    ("...i->...", (CUBE,)), ("b...i,i...->b...", (CUBE, rng.normal(size=(4, 3)))),
    ("i,j,k->ijk", (SIDE, SIDE, [1.0, 2.0])), ("ij,jk,kl->il", (A, B, WIDE)), (",i->i", (2.0, SIDE)),
    ("->", (2.0,)), ("iii->", (rng.normal(size=(2, 2, 2)),)), ("ij,ij->j", (A, B)),
)  # fmt: skip

ROWS = [
    *(Row("MatrixDiagPartV3", with_(linalg.diag_part, k=k), (WIDE,), name=str(k)) for k in BANDS),
    Row("MatrixDiagPartV3", with_(linalg.diag_part, k=(-1, 2), align="LEFT_RIGHT"), (CUBE,)),
    *(Row("MatrixDiagV3", with_(linalg.diag, k=k), (SIDE,), name=str(k)) for k in (0, 2, -1)),
    Row("MatrixDiagV3", with_(linalg.diag, k=-1, num_rows=4, num_cols=5, padding_value=7.0), (SIDE,)),
    Row("MatrixDiagV3", with_(linalg.diag, k=(-1, 1)), (CUBE,)),
    Row("MatrixSetDiagV3", linalg.set_diag, (WIDE, SIDE)),
    Row("MatrixSetDiagV3", with_(linalg.set_diag, k=(0, 1)), (WIDE, WIDE[:2, :3])),
    Row("MatrixSetDiagV3", with_(linalg.set_diag, k=-1), (STACK, WIDE[:2, :2])),
    Row("MatrixBandPart", with_(linalg.band_part, -1, 0), (STACK,)),
    Row("MatrixBandPart", with_(linalg.band_part, 1, 2), (WIDE,)),
    Row("MatrixDiagPartV3", linalg.trace, (STACK,), name="trace"),
    Row("MatrixDeterminant", linalg.det, (A,)),
    Row("MatrixDeterminant MatrixInverse", linalg.det, (STACK,)),
    *(
        Row("LogMatrixDeterminant", lambda x: linalg.slogdet(x)[1], (at,), name="second")
        for at in (A, STACK)
    ),
    Row("LogMatrixDeterminant", lambda x: linalg.slogdet(x)[0], (A,), expect=(np.zeros((3, 3)),)),
    Row("Cholesky", symmetric(linalg.logdet), (STACK,), name="logdet"),
    Row("Cholesky", symmetric(linalg.cholesky), (LOWER,)),
    Row("Cholesky", symmetric(linalg.cholesky), (LOWER[0],)),
    Row(
        "Cholesky",
        linalg.cholesky,
        ([[4.0, 99.0], [2.0, 5.0]],),
        expect=([[0.1875, 0.125], [0.125, 0.25]],),
    ),
    *(Row("SelfAdjointEigV2", linalg.eigvalsh, (at,), name="values") for at in (A, STACK)),
    *(Row("SelfAdjointEigV2", lambda x: linalg.eigh(x)[0], (at,)) for at in (A, STACK)),
    *(Row("SelfAdjointEigV2", of_matrix, (at,), name="exp") for at in (A, STACK)),
    *(
        Row("SelfAdjointEigV2", each_plane(lambda x: [linalg.eigh(x)[1:] * 2]), (at,), name="planes")
        for at in (A, STACK)
    ),
    # Equal eigenvalues: TensorFlow says 0 where the vectors have no derivative.
    Row(
        "SelfAdjointEigV2",
        lambda x: linalg.eigh(x)[1] ** 2,
        (np.diag([1.0, 1.0, 3.0]),),
        expect=(np.zeros((3, 3)),),
    ),
    Row("SelfAdjointEigV2", linalg.eigvalsh, (np.eye(3),), expect=(np.eye(3),), name="equal"),
    *(
        Row("Svd", with_(linalg.svd, compute_uv=False), (at,), name="values")
        for at in (A, WIDE, TALL, STACK)
    ),
    *(Row("Svd", lambda x: linalg.svd(x)[0], (at,)) for at in (WIDE, TALL)),
    *(
        Row("Svd", each_plane(left_and_right()), (at,), name="planes")
        for at in (A, WIDE, TALL, STACK, ONE_MORE)
    ),
    *(
        Row("Svd", each_plane(left_and_right(True)), (at,), name="full")
        for at in (A, WIDE, WIDE.T, ONE_MORE)
    ),
    *(Row("Svd", lambda x, k=k: linalg.svd(x)[k] ** 2, (TALL,), name=str(k)) for k in (1, 2)),
    Row("Svd", lambda x: linalg.svd(x)[1] ** 2, (np.eye(2),), expect=(np.zeros((2, 2)),)),
    *(
        Row("MatrixInverse", with_(linalg.inv, adjoint=t), (at,), name=str(t))
        for at in (A, STACK)
        for t in (False, True)
    ),
    *(
        Row("MatrixSolve", with_(linalg.solve, adjoint=t), at, name=str(t))
        for at in ((A, WIDE), (STACK, STACK[:, :, :2]))
        for t in (False, True)
    ),
    *(
        Row(
            "MatrixTriangularSolve",
            with_(linalg.triangular_solve, lower=low, adjoint=t),
            at,
            name=f"{low}-{t}",
        )
        for at in ((A, WIDE), (STACK, STACK[:, :, :2]), (A, STACK))
        for low in (False, True)
        for t in (False, True)
    ),
    Row("MatrixTriangularSolve", linalg.cholesky_solve, (LOWER, SIDE[:, None]), name="cholesky"),
    *(Row("Einsum", summed(equation), at, name=equation) for equation, at in EQUATIONS),
    Row("MatMul", with_(ad.tensordot, 1), (A, WIDE), name="tensordot"),
    Row(
        "MatMul",
        with_(ad.tensordot, [[0, 1], [1, 0]]),
        (CUBE, rng.normal(size=(3, 2, 2))),
        name="lists",
    ),
    Row("MatMul", with_(ad.tensordot, 0), (A, SIDE), name="outer"),
    Row("Mul Sum", with_(ad.tensordot, 1), (A[0], A[1]), name="dot"),
    Row("MatMul", with_(ad.tensordot, 1), (WIDE[0], WIDE.T), name="a vector and a matrix"),
    Row("MatMul", with_(ad.tensordot, [-1, 0]), (CUBE, rng.normal(size=(4, 2))), name="pair"),
    Row("MatMul", linalg.matvec, (A, SIDE), name="matvec"),
    Row("BatchMatMulV2", with_(linalg.matvec, transpose_a=True), (STACK, SIDE), name="matvec"),
    Row("Transpose", linalg.matrix_transpose, (CUBE,), name="matrix"),
]  # fmt: skip
