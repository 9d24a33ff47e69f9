"""Layer 0: NumPy's names for what TensorFlow has under another name, or in a line of code.

One idea: a part of the table in `foreign.py`; the code in each text does what NumPy's function does.
"""

from __future__ import annotations

_ORDER = "Use ad.transpose(x, perm), where perm is the order of all axes."
_CONSTANT = "It is a number of Python's: import math."

NUMPYS: dict[str, str] = {
    "arcsin": "Use ad.asin(x).",
    "arccos": "Use ad.acos(x).",
    "arctan": "Use ad.atan(x).",
    "arctan2": "Use ad.atan2(x, y).",
    "arcsinh": "Use ad.asinh(x).",
    "arccosh": "Use ad.acosh(x).",
    "arctanh": "Use ad.atanh(x).",
    "log2": "Use ad.math.log(x) / 0.6931471805599453.",
    "log10": "Use ad.math.log(x) / 2.302585092994046.",
    "exp2": "Use 2.0 ** x.",
    "cbrt": "Use ad.sign(x) * ad.abs(x) ** (1 / 3).",
    "deg2rad radians": "Use x * 0.017453292519943295.",
    "rad2deg degrees": "Use x * 57.29577951308232.",
    "fabs": "Use ad.abs(x).",
    "hypot": "Use ad.sqrt(x * x + y * y).",
    "logaddexp": "Use ad.reduce_logsumexp(ad.stack([x, y]), axis=0).",
    "remainder": "Use x % y.",
    "floor_divide": "Use x // y.",
    "true_divide": "Use x / y.",
    "vdot": "Use ad.reduce_sum(x * y).",
    "outer": "Use ad.tensordot(x, y, 0).",
    "diff": "Use x[1:] - x[:-1].",
    "ptp": "Use ad.reduce_max(x) - ad.reduce_min(x).",
    "average": "Use ad.reduce_mean(x).",
    "append": "Use ad.concat([x, y], axis=0).",
    "column_stack": "Use ad.stack([x, y], axis=1).",
    "flip flipud": "Use ad.reverse(x, [0]).",
    "fliplr": "Use ad.reverse(x, [1]).",
    "swapaxes moveaxis rollaxis": _ORDER,
    "tril": "Use ad.linalg.band_part(x, -1, 0).",
    "triu": "Use ad.linalg.band_part(x, 0, -1).",
    "take": "Use ad.gather(x, indices).",
    "argwhere nonzero": "Use ad.where(x != 0.0).",
    "isnan": "Use ad.math.is_nan(x).",
    "isinf": "Use ad.math.is_inf(x).",
    "isfinite": "Use ad.math.is_finite(x).",
    "isclose": "Use ad.abs(x - y) < 1e-6.",
    "allclose": "Use ad.reduce_all(ad.abs(x - y) < 1e-6).",
    "nan_to_num": "Use ad.where(ad.math.is_finite(x), x, ad.zeros_like(x)).",
    "astype": "Use ad.cast(x, dtype), with ad.float32 for example.",
    "copy": "Use ad.identity(x).",
    "empty": "Use ad.zeros(shape).",
    "empty_like": "Use ad.zeros_like(x).",
    "full_like": "Use ad.fill(x.shape, value).",
    "ndim": "Use x.ndim.",
    "pi e inf nan": _CONSTANT,
}
