"""Layer 5: factors that are no 0, and were rounded to one.

One idea: constants of nature, multiplied in Python or in float32, leave its range; the same
expression in float64 says what the factor is.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.limits import dtype_at, wider
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.program.cells import share_names
from autodiff_kit.readers.program.literal import arithmetic

_SMALLEST = {"float16": "6e-8", "float32": "1e-45"}


def rounded_to_zero(case: Case, place: int, text: str) -> tuple[str, str] | None:
    """What to say, and to do, about a zero input whose expression is not 0 with more digits."""
    dtype = dtype_at(case, place)
    if dtype not in _SMALLEST or not share_names(case.spot(place).code, case.names.frame):
        return None  # of a function that has come back, the names lead nowhere
    try:
        with np.errstate(all="ignore"):
            node = ast.parse(text.strip(), mode="eval").body
            value = np.asarray(arithmetic(node, lambda part: _double(case, part)))
            is_rounded = not np.any(value.astype(dtype))
    except (ValueError, SyntaxError, TypeError):
        return None
    if not is_rounded or not np.all(np.isfinite(value)) or not np.any(value):
        return None
    return (
        f" But `{text}` is {float(np.max(np.abs(value))):.2g}: that was rounded to 0, for the smallest "
        f"number of {dtype} is {_SMALLEST[dtype]}",
        "Take units in which the numbers are of ordinary size, multiply in an order in which none "
        f"becomes so small, or compute in ad.{wider(dtype)}.",
    )


def _double(case: Case, node: ast.expr) -> Any:
    """The value of a number or a name, in float64."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return np.float64(node.value)
    known = case.names.known.get(node.id) if isinstance(node, ast.Name) else None
    if known is None or not isinstance(known, (int, float, np.number)) and not is_tensor(known):
        raise ValueError(ast.unparse(node))
    return np.asarray(tensor_behind(known)._value if is_tensor(known) else known, np.float64)
