"""Layer 0. Which notation numbers are printed in: 1234567.0 or 1.234567e+06.

One idea: NumPy's rules for that changed in 2.0 and again in 2.3, so the newest rules, which
TensorFlow prints by today, are applied here under every NumPy; all else is left to NumPy and to
the user's print options.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray

_SMALL = 1e-4
_RATIO = 1000.0


def scalar_text(value: Any) -> str:
    """Return `str(value)` of a NumPy scalar, with all its digits.

    >>> scalar_text(np.float32(999999)), scalar_text(np.float32(1e6))
    ('999999.0', '1e+06')
    """
    if not isinstance(value, np.floating):
        return str(value)
    size = abs(float(value))
    bound = 1e16 if value.dtype.itemsize == 8 else 10.0 ** np.finfo(value.dtype).precision
    if not np.isfinite(value) or size == 0 or _SMALL <= size < bound:
        return np.format_float_positional(value, trim="0")
    return np.format_float_scientific(value, trim="-")


def notation(array: Array) -> dict[str, Any]:
    """Return the arguments of `np.array2string` that make it follow the newest rules.

    >>> np.array2string(large := np.float32([2e6, 1]), **notation(large))
    '[2.e+06 1.e+00]'
    """
    options: dict[str, Any] = dict(np.get_printoptions())
    kind = "int" if array.dtype.kind in "iu" else "float"
    if array.dtype.kind not in "iuf" or array.size == 0 or _has_formatter(options, kind):
        return {}
    shown = _corners(array, options["edgeitems"]) if array.size > options["threshold"] else array
    if kind == "int":
        return {"formatter": {"int_kind": _signed(shown, options["sign"])}}
    return _float_notation(shown, options) if array.dtype.itemsize < 8 else {}


def _has_formatter(options: dict[str, Any], kind: str) -> bool:
    names = {"all", kind, f"{kind}_kind"}
    return any(name in names and made for name, made in (options["formatter"] or {}).items())


def _float_notation(shown: Array, options: dict[str, Any]) -> dict[str, Any]:
    sizes = np.abs(shown[np.isfinite(shown) & (shown != 0)])
    if not sizes.size:
        return {}
    largest, smallest = sizes.max(), sizes.min()
    if largest >= 10.0 ** np.finfo(shown.dtype).precision:
        return {"formatter": {"float_kind": _scientific(shown, options)}}
    with np.errstate(over="ignore"):
        wide = smallest < shown.dtype.type(_SMALL) or largest / smallest > _RATIO
    return {} if wide else {"suppress_small": True}


def _corners(array: Array, edge: int) -> Array:
    for axis, size in enumerate(array.shape):
        if size > 2 * edge:
            array = array.take([*range(edge), *range(size - edge, size)], axis)
    return array


def _signed(shown: Array, sign: str) -> Callable[[Any], str]:
    if sign == " " and shown.min() < 0:
        sign = "-"
    # NumPy leaves room for the sign in front of the largest number, not of the smallest.
    largest = len(str(shown.max())) + (sign != "-" and bool(shown.max() >= 0))
    return f"{{:{sign}{max(largest, len(str(shown.min())))}d}}".format


def _scientific(shown: Array, options: dict[str, Any]) -> Callable[[Any], str]:
    # The width of a column fits all the numbers shown, so it is settled before the first.
    plus, fixed = options["sign"] == "+", options["floatmode"] == "fixed"
    precision = None if options["floatmode"] == "unique" else options["precision"]
    style = {"unique": not fixed, "trim": "k" if fixed else ".", "sign": plus}
    finite = shown[np.isfinite(shown)]
    parts = [
        re.split("[.e]", np.format_float_scientific(x, precision=precision, **style))
        for x in finite
    ]
    left, digits, exponent = (max(map(len, column)) for column in zip(*parts, strict=True))
    left += options["sign"] == " " and not np.signbit(finite).any()
    right = exponent + 2 + digits
    specials = [_special(x, options) for x in shown[~np.isfinite(shown)]]
    left = max([left, *(len(text) - right for text in specials)])
    style |= {"trim": "k", "precision": digits, "min_digits": digits}
    style |= {"pad_left": left, "exp_digits": exponent - 1}

    def text(x: Any) -> str:
        if np.isfinite(x):
            return np.format_float_scientific(x, **style)
        return _special(x, options).rjust(left + right)

    return text


def _special(x: Any, options: dict[str, Any]) -> str:
    sign = "-" if x < 0 else "+" if options["sign"] == "+" else ""
    return sign + str(options["nanstr"] if np.isnan(x) else options["infstr"])
