"""Layer 5: what to do where eigenvalues, or singular values, are equal and their vectors are used.

One idea: a small diagonal of different numbers tells them apart; then their vectors have a derivative.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.account import Step, value_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.coinciding import Pair
from autodiff_kit.readers.mending.here import here
from autodiff_kit.readers.program.spelled import bracketed

_OTHERWISE = (
    "Let only the values enter, a function of all of them as their sum or their product is; or compute "
    "from the matrix without its vectors, as with ad.linalg.inv, ad.linalg.det and ad.matmul"
)


def apart(case: Case, step: Step, pair: Pair) -> tuple[str, str]:
    """What to do about it, in words and in code, if the code is certain."""
    spot, values = here(case, step.operation.place), step.operation.outputs[0]
    matrix = spot.argument(0, "tensor") if spot is not None else ""
    shapes = [np.shape(value_of(one))[-2] for one in step.operation.outputs[1:]]
    if spot is None or spot.text is None or not matrix or len(set(shapes)) != 1:
        return f"{_OTHERWISE}. Or make the values differ, by a small part added to the matrix.", ""
    n, kind = np.shape(value_of(values))[-1], value_of(values).dtype.name
    dtype = "" if kind == "float32" else f", dtype=ad.{kind}"
    small = float(f"{(pair.largest or 1.0) * 1e-3:.0e}")
    added = f"{bracketed(matrix)} + ad.linalg.diag({small} * ad.range({float(n)}{dtype}))"
    differ = "Or let the values differ a little, by a small diagonal of different numbers."
    return f"{_OTHERWISE}. {differ}", spot.instead(spot.text.with_first(added, without="tensor"))
