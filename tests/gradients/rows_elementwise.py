"""Rows for functions of each element by itself, and for pairs of elements."""

import numpy as np

import autodiff_kit as ad
from autodiff_kit.namespace import xp
from gradients.rows import Row

m = ad.math
ANY = [[0.5, -1.5, 2.0], [-3.0, 0.25, -0.75]]
ABOVE_ZERO, ABOVE_ONE, INSIDE = [0.5, 1.5, 3.0], [1.25, 2.0, 3.5], [0.5, -0.25, 0.75]
SIDE, COLUMN = [0.6, -1.25, 2.1], [[0.75], [-1.5]]
inf, nan = np.inf, np.nan

EVERYWHERE = (
    ("Sin", ad.sin), ("Cos", ad.cos), ("Atan", ad.atan), ("Sinh", ad.sinh), ("Cosh", ad.cosh),
    ("Tanh TanhGrad", ad.tanh), ("Asinh", ad.asinh), ("Exp", ad.exp), ("Expm1", m.expm1),
    ("Sigmoid SigmoidGrad", ad.sigmoid), ("Softplus", m.softplus), ("Neg", m.log_sigmoid),
    ("Erf", m.erf), ("Erfc", m.erfc), ("Tan", ad.tan), ("Reciprocal ReciprocalGrad", m.reciprocal),
)  # fmt: skip
SOMEWHERE = (
    ("Asin", ad.asin, INSIDE), ("Acos", ad.acos, INSIDE), ("Atanh", ad.atanh, INSIDE),
    ("Acosh", ad.acosh, ABOVE_ONE), ("Log", m.log, ABOVE_ZERO), ("Log1p", m.log1p, ABOVE_ZERO),
    ("Sqrt SqrtGrad", ad.sqrt, ABOVE_ZERO), ("Rsqrt RsqrtGrad", m.rsqrt, ABOVE_ZERO),
    ("Abs", ad.abs, ANY), ("Digamma Polygamma", m.digamma, ABOVE_ZERO),
    ("Lgamma Digamma", m.lgamma, ABOVE_ZERO), ("Erfinv", m.erfinv, INSIDE),
)  # fmt: skip
PAIRS = (
    ("SquaredDifference", m.squared_difference), ("MulNoNan", m.multiply_no_nan),
    ("DivNoNan", m.divide_no_nan), ("Xdivy", m.xdivy), ("Atan2", ad.atan2),
    ("Maximum", ad.maximum), ("Minimum", ad.minimum),
)  # fmt: skip

ROWS = [
    *(Row(t, f, (at,)) for t, f in EVERYWHERE for at in (ANY, 0.75, np.zeros((2, 0)))),
    *(Row(t, f, (at,)) for t, f, at in SOMEWHERE),
    *(Row(t, f, (at[0],), name="0-d") for t, f, at in SOMEWHERE if at is not ANY),
    *(Row(t, f, (at,), name="tail") for t, f in (("Sigmoid", ad.sigmoid), ("Softplus", m.softplus))
      for at in ([6.0, -6.0],)),
    # The gradients that are operations of their own, in both of their arguments.
    Row("TanhGrad", xp.tanh_grad, (SIDE, INSIDE)),
    Row("SigmoidGrad", xp.sigmoid_grad, (SIDE, INSIDE)),
    Row("SqrtGrad", xp.sqrt_grad, (SIDE, INSIDE)),
    Row("RsqrtGrad", xp.rsqrt_grad, (SIDE, INSIDE)),
    Row("ReciprocalGrad", xp.reciprocal_grad, (SIDE, INSIDE)),
    *(
        Row(t, f, at)
        for t, f in PAIRS
        for at in ((ANY, np.array(ANY) + 0.5), (ANY, SIDE), (COLUMN, SIDE), (2.0, 0.5), ([[]], [[]]))
    ),
    Row("Xlogy", m.xlogy, (ANY, ABOVE_ZERO)),
    Row("Xlog1py", m.xlog1py, (COLUMN, ABOVE_ZERO)),
    Row("AddN", lambda *xs: m.add_n(xs), (SIDE, INSIDE, ABOVE_ONE)),
    Row("AddN", lambda x: m.add_n([x, x * x, x]), (2.0,), name="same"),
    Row("Mul", m.scalar_mul, (2.0, SIDE), name="scalar_mul"),
    Row("Cast", lambda x: ad.cast(3.0 * ad.cast(x, "float32"), "float64"), (SIDE,),
        expect=([3, 3, 3],)),
    Row("Sign", ad.sign, ([1.5, 0.0, -2.0],), expect=([0, 0, 0],)),
    # Kinks, ties and poles: what TensorFlow gives there.
    Row("Abs", ad.abs, ([0.0, -0.0],), expect=([0, 0],), name="kink"),
    Row("Maximum", ad.maximum, ([1.0, nan, 1.0], [1.0, 1.0, nan]), expect=([1, 0, 0], [0, 1, 1])),
    Row("Minimum", ad.minimum, ([1.0, nan, 1.0], [1.0, 1.0, nan]), expect=([1, 0, 0], [0, 1, 1])),
    Row("Maximum Minimum", ad.clip_by_value, ([0.0, 0.5, 1.0, 2.0, -1.0], 0.0, 1.0),
        expect=([1, 1, 1, 0, 0], 1, 1), name="clip"),
    Row("Sqrt", ad.sqrt, ([0.0],), expect=([inf],), name="pole"),
    Row("Sqrt", lambda x: 0.0 * ad.sqrt(x), ([0.0, 4.0],), expect=([0, 0],), name="pole-zero"),
    Row("Rsqrt", lambda x: 0.0 * m.rsqrt(x), ([0.0, 4.0],), expect=([0, 0],), name="pole-zero"),
    Row("Reciprocal", lambda x: 0.0 * m.reciprocal(x), ([0.0, 4.0],), expect=([0, 0],),
        name="pole-zero"),
    Row("Reciprocal", m.reciprocal, (0.0,), expect=(-inf,), name="pole"),
    Row("Sqrt", lambda x: 0.0 * ad.sqrt(x), (0.0,), expect=(0.0,), name="pole-zero"),
    Row("Log", lambda x: 0.0 * m.log(x), ([0.0],), expect=([nan],), name="pole-zero"),
    Row("Acosh", ad.acosh, ([1.0],), expect=([inf],), name="pole"),
    Row("Atan2", ad.atan2, ([0.0], [0.0]), expect=([nan], [nan]), name="pole"),
    Row("Xlogy", m.xlogy, ([0.0, 0.0], [0.0, 2.0]), expect=([0, 0], [0, 0]), name="zero"),
    Row("Xdivy", m.xdivy, ([0.0, 0.0], [0.0, 2.0]), expect=([0, 0], [0, 0]), name="zero"),
    Row("DivNoNan", m.divide_no_nan, ([0.0, 1.0], [0.0, 0.0]), expect=([0, 0], [0, 0]), name="zero"),
    Row("MulNoNan", m.multiply_no_nan, ([nan, 1.0], [0.0, 0.0]), expect=([0, 0], [nan, 1]),
        name="zero"),
    Row("Maximum", lambda x: ad.clip_by_norm(x, 1.0), ([3.0, 4.0],), name="clip_by_norm"),
    Row("Maximum", lambda x: ad.clip_by_norm(x, 1.0), ([0.0, 0.0],), expect=([1, 1],), name="norm-0"),
    Row("Maximum", lambda x: ad.clip_by_norm(x, 1.0, axes=1), (ANY,), name="clip_by_norm-axes"),
]  # fmt: skip
