"""Layer 5: what to do where NumPy computes something that no one function of the kit's does alike.

One idea: "use the kit's own operation" helps nobody if there is none, so here is how it is computed.
"""

from __future__ import annotations

POSITIONS = (
    "NumPy gives positions or counts here, which only jump, and no gradient flows to them. If they "
    "only choose, compute with tensors from there on (between two points of a table: y0 + (x - x0) * "
    "(y1 - y0) / (x1 - x0)); if they are what is learned, weigh all the choices softly."
)
CHOSEN = (
    "NumPy gives a position here, which only jumps, and no gradient flows to it. If it chooses what is "
    "done, as an action, let the logarithm of its probability enter `{0}`, computed with tensors: "
    "minus that, times what it earned (REINFORCE). If it chooses a row or a value, weigh all of them "
    "softly, with ad.nn.softmax."
)
_ORDERED = (
    "ad.sort gives the values in order, and they have a gradient: take the one in the middle or at "
    "that position, or mix its two neighbours."
)
_SPECTRUM = (
    "The kit has no {name}. A Fourier transform is a product with two matrices of constants, one of "
    "cosines and one of sines: make these with NumPy, and multiply with ad.linalg.matvec."
)
_EIGEN = (
    "The kit has no {name}. Of a symmetric matrix ad.linalg.eigh and ad.linalg.eigvalsh give "
    "eigenvalues that have a gradient; of any other ad.linalg.trace and ad.linalg.det give their sum "
    "and their product."
)
_SINGULAR = (
    "Use ad.linalg.svd in the place of {name}, and go on with the tensors: it returns s, u and v, and "
    "v is not transposed; compute_uv=False gives s alone."
)
_AREA = "Add up slices of the tensor: ad.reduce_sum((f[1:] + f[:-1]) / 2.0 * dx)."
_SLICES = (
    "Subtract slices of the tensor: f[1:] - f[:-1], or (f[2:] - f[:-2]) / (2.0 * dx) in the middle."
)
_LEAST = (
    "The kit has no {name}. Solve the normal equations with tensors: "
    "ad.linalg.solve(ad.transpose(X) @ X, ad.transpose(X) @ y), where X has rows and y one column."
)
_CONVOLVED = (
    "ad.nn.conv1d does it with tensors, of shape (batch, length, channels); it does not turn the "
    "kernel round, as np.convolve does."
)
_BETWEEN = (
    "The kit has no {name}. Find the interval with NumPy, for a position needs no gradient, and "
    "compute with tensors in it: y0 + (x - x0) * (y1 - y0) / (x1 - x0)."
)
_JOINED = (
    "ad.stack puts vectors beside each other, with axis=1 as columns, and ad.concat joins tables along "
    "an axis: both keep the tensors together."
)
_DIAGONAL = (
    "ad.linalg.diag makes a matrix of its diagonal, and ad.linalg.diag_part takes the diagonal of a "
    "matrix: both have a gradient."
)
_TRIANGLE = (
    "Use ad.linalg.band_part in the place of {name}: band_part(A, -1, 0) is the lower triangle, "
    "band_part(A, 0, -1) the upper one."
)
_WORDS = {
    **dict.fromkeys(("vstack", "column_stack"), _JOINED),
    "hstack": "Use ad.concat in the place of {name}, along axis 0 for vectors and 1 for tables.",
    **dict.fromkeys(("diag", "diagonal"), _DIAGONAL),
    **dict.fromkeys(("tril", "triu"), _TRIANGLE),
    "average": "Use ad.reduce_sum(w * x) / ad.reduce_sum(w), without NumPy; w are the weights.",
    "hypot": "Use ad.sqrt(a * a + b * b), without NumPy.",
    "logaddexp": "Use ad.reduce_logsumexp(ad.stack([a, b]), axis=0), without NumPy.",
    "interp": _BETWEEN,
    **dict.fromkeys(("convolve", "correlate"), _CONVOLVED),
    **dict.fromkeys(("median", "percentile", "quantile"), _ORDERED),
    **dict.fromkeys(("fft", "ifft", "rfft", "irfft"), _SPECTRUM),
    **dict.fromkeys(("eig", "eigvals"), _EIGEN),
    "svd": _SINGULAR,
    **dict.fromkeys(("trapezoid", "trapz"), _AREA),
    **dict.fromkeys(("diff", "gradient"), _SLICES),
    "lstsq": _LEAST,
    **dict.fromkeys(("digitize", "histogram", "searchsorted"), POSITIONS),
    "log10": "The kit has no {name}: ad.math.log(x) / np.log(10.0) is the same, with a gradient.",
    "log2": "The kit has no {name}: ad.math.log(x) / np.log(2.0) is the same, with a gradient.",
    "outer": "Use a[:, None] * b[None, :] with tensors, without NumPy.",
    "dot": "Use ad.reduce_sum(a * b) for two vectors, and a @ b for matrices, without NumPy.",
}
# As `numpys.SAME`, but the arguments may differ.
_ALIKE = {
    "cumsum": "cumsum", "cumprod": "math.cumprod", "roll": "roll", "where": "where",
    "matmul": "matmul", "einsum": "einsum", "tensordot": "tensordot", "reshape": "reshape",
    "squeeze": "squeeze", "expand_dims": "expand_dims", "tile": "tile", "repeat": "repeat",
    "flip": "reverse", "solve": "linalg.solve", "cholesky": "linalg.cholesky",
    "slogdet": "linalg.slogdet", "trace": "linalg.trace", "eigh": "linalg.eigh",
    "eigvalsh": "linalg.eigvalsh",
    "meshgrid": "meshgrid", "linspace": "linspace", "pad": "pad", "split": "split",
}  # fmt: skip
KNOWN = (*_ALIKE, *_WORDS)


def instead_of(function: str, name: str) -> str:
    """What to write in place of a function of NumPy's, in words; "" if nothing is known of it.

    Args:
      function: its last name, for example ``"rfft"``.
      name: as it is written, for example ``"np.fft.rfft"``.
    """
    if function in _ALIKE:
        return (
            f"Use ad.{_ALIKE[function]} in the place of {name}, and go on with the tensor; what the "
            "arguments are called may differ."
        )
    return _WORDS.get(function, "").replace("{name}", name)
