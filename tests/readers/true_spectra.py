"""More programs for `true_programs.TRUTHS`: vectors of equal eigenvalues, or of equal singular values.

Importing this adds them.
"""

from __future__ import annotations

from readers.true_programs import truth

EQUAL = "two of the eigenvalues are equal (1)|leaves out what that adds, as TensorFlow's does"
ZERO = ("zero", "equal values")
FLOWS = ("flows", "flows", "")
HEAD = """
a = ad.Variable({})
with ad.GradientTape() as tape:
    {}  # here
    {}
ad.explain(tape, loss, a)
"""
FIRST = "loss = ad.reduce_sum(v[0] * [1.0, 2.0])"
PLAIN = "[[1.0, 0.0], [0.0, 1.0]]"


def spectrum(
    name: str,
    told: tuple[str, str, str],
    words: str,
    matrix: str,
    *lines: str,
    mended: bool = False,
) -> None:
    text = HEAD.format(matrix, *lines)
    truth(name, told, words, text if told[0] == "zero" else text.replace("  # here", ""), mended)


spectrum(
    "vectors of equal eigenvalues", (*ZERO, "SelfAdjointEigV2"),
    f"{EQUAL}|ad.linalg.eigh(a + ad.linalg.diag(0.001 * ad.range(2.0)))    # instead of",
    PLAIN, "w, v = «ad.linalg.eigh(a)»", FIRST, mended=True,
)  # fmt: skip
spectrum(
    "vectors of equal eigenvalues of a large float64 matrix", (*ZERO, "SelfAdjointEigV2"),
    "two of the eigenvalues are equal (2e+04)|diag(20.0 * ad.range(2.0, dtype=ad.float64))",
    "2e4 * ad.eye(2, dtype=ad.float64)", "w, v = «ad.linalg.eigh(tensor=a)»",
    "loss = ad.reduce_sum(v[0] * ad.constant([1.0, 2.0], ad.float64))", mended=True,
)  # fmt: skip
spectrum(
    "vectors of a matrix of zeros", (*ZERO, "SelfAdjointEigV2"),
    "two of the eigenvalues are equal (0)|0.001 * ad.range(2.0)",
    "ad.zeros([2, 2])", "w, v = «ad.linalg.eigh(a)»", FIRST, mended=True,
)  # fmt: skip
spectrum(
    "vectors of equal singular values", (*ZERO, "Svd"),
    "two of the singular values are equal (1)|the rule of Svd leaves out",
    PLAIN, "s, u, v = «ad.linalg.svd(a, full_matrices=True)»", FIRST, mended=True,
)  # fmt: skip
spectrum(
    "vectors of equal singular values of a tall matrix", (*ZERO, "Svd"),
    "singular values are equal (1)|Let only the values enter|by a small part added to the matrix",
    "[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]", "s, u, v = ad.linalg.svd(a)", FIRST,
)  # fmt: skip
spectrum(
    "a part comes from the values, and the vectors are those of equal ones", FLOWS,
    f"{EQUAL}|ad.linalg.eigh(a + ad.linalg.diag(0.001 * ad.range(2.0))).", PLAIN,
    "w, v = ad.linalg.eigh(a)", "loss = ad.reduce_sum(v[0] * [1.0, 2.0]) + ad.reduce_sum(w)",
)  # fmt: skip
spectrum(
    "one matrix of a stack has equal eigenvalues", FLOWS, EQUAL,
    "[[[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]]]", "w, v = ad.linalg.eigh(a)",
    "loss = ad.reduce_sum(v[:, 0] * [1.0, 2.0] + w)",
)  # fmt: skip
spectrum(
    "vectors of nearly equal eigenvalues", FLOWS,
    "two of the eigenvalues are nearly equal (1, 2e-06 apart)|mostly rounding|huge",
    "[[1.0, 1e-6], [1e-6, 1.0]]", "w, v = ad.linalg.eigh(a)",
    "loss = ad.reduce_sum(v[0] ** 2 * [1.0, 2.0])",
)  # fmt: skip
spectrum(
    "a singular vector too many", ("error", "refused", "Svd"),
    "svd gradient is not implemented for abs(m - n) > 1|Without full_matrices",
    "[[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [3.0, 0.0]]",
    "s, u, v = ad.linalg.svd(a, full_matrices=True)", FIRST,
)  # fmt: skip
