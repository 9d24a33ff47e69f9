"""Layer 5: who knows what to do about the first value that is not finite.

One idea: a table from the operation to the one who knows it; all others are asked for a recipe.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value, input_values
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.not_finite.addedexps import log_of_sum
from autodiff_kit.readers.not_finite.domains import kept_inside
from autodiff_kit.readers.not_finite.logs import mend_of_log
from autodiff_kit.readers.not_finite.lostbounds import lost_bound
from autodiff_kit.readers.not_finite.maskedout import all_masked, infinities_met
from autodiff_kit.readers.not_finite.mends import OUTSIDE, Mend, mend_of_value
from autodiff_kit.readers.not_finite.quotients import mend_of_quotient
from autodiff_kit.readers.not_finite.ruled import slope_divided
from autodiff_kit.readers.not_finite.spared import safe_where_left_out
from autodiff_kit.readers.not_finite.tiny import tiny_divisor
from autodiff_kit.readers.program.spelled import instead


def remedy(case: Case, place: int, mask: int = -1) -> Mend:
    """What to do about the operation that made the first value which is not finite.

    ``mask`` is the operation that a mask of -inf went into, if one did.
    """
    masked = all_masked(case, place, mask)
    if masked is not None:
        return masked
    special = {
        "Exp": log_of_sum, "Log": mend_of_log, "Cholesky": _not_positive,
        "Mean": _of_nothing, "Mul": _zero_times,
        "AddV2": infinities_met, "Sub": infinities_met, "RealDiv": _divided,
        "Reciprocal": _inverted, "SqrtGrad": slope_divided, "MatrixTriangularSolve": _zero_pivot,
    }.get(case.operation(place).type)  # fmt: skip
    found = special(case, place) if special else safe_where_left_out(case, place)
    return found or _bounded(case, place)


def _divided(case: Case, place: int) -> Mend | None:
    return slope_divided(case, place) or mend_of_quotient(case, place)


def _inverted(case: Case, place: int) -> Mend | None:
    return slope_divided(case, place) or tiny_divisor(case, place)


def _bounded(case: Case, place: int) -> Mend:
    """A recipe, if no bound was meant to keep the argument inside, and was rounded away."""
    recipe = mend_of_value(case, place)
    if case.operation(place).type not in OUTSIDE:
        return recipe
    lost = lost_bound(case, place, recipe[0].partition(":")[0])
    return lost or (recipe if recipe[1] else kept_inside(case, place) or recipe)


def _not_positive(case: Case, place: int) -> Mend | None:
    matrix = input_value(case, place, 0)
    if matrix is None:
        return None
    whole = np.tril(matrix) + np.swapaxes(np.tril(matrix, -1), -1, -2)  # only this half is read
    smallest = float(np.min(np.linalg.eigvalsh(whole)))
    size = np.shape(matrix)[-1]
    return (
        f"The matrix is not positive definite: its smallest eigenvalue is {smallest:.2g}, and a "
        "Cholesky factor needs all of them above 0. If rounding made it so small, add a little to the "
        f"diagonal (a small multiple of ad.eye({size})). If the matrix itself is learned, learn a "
        "lower triangular L with a positive diagonal in its place, and use L @ transpose(L).",
        "",
    )


def _zero_pivot(case: Case, place: int) -> Mend | None:
    matrix = input_value(case, place, 0)
    if matrix is None:
        return None
    diagonal = np.diagonal(matrix, axis1=-2, axis2=-1)
    if diagonal.all():
        return None
    where = "".join(f"[{i}]" for i in np.argwhere(diagonal == 0)[0].tolist())
    return (
        f"The matrix has a 0 on its diagonal, at {where} of it, and each unknown is divided by its "
        "number there. A factor of Cholesky's has only positive numbers there; if the matrix itself is "
        "learned, ad.exp or ad.math.softplus of the diagonal keeps them above 0.",
        "",
    )


def _of_nothing(case: Case, place: int) -> Mend | None:
    value = input_value(case, place, 0)
    if value is None or np.size(value):
        return None
    return (
        "The mean of no elements is 0 / 0, which is NaN: look at what was to be taken, or divide the "
        "sum by the count, and by 1 if that is 0.",
        "",
    )


def _zero_times(case: Case, place: int) -> Mend | None:
    """A product that is NaN, although neither factor is: one is 0 there, and the other infinite."""
    values = input_values(case, place)
    if any(value is None or np.any(np.isnan(value)) for value in values):
        return None
    first, second = np.broadcast_arrays(*values)
    nan = np.isnan(np.asarray(first * second))
    if not np.any(nan):
        return None
    words = "0 * inf is NaN: a factor of 0 does not take away what is infinite."
    zero = next((n for n, one in enumerate((first, second)) if not np.any(one[nan])), None)
    text = text_of(case, place)
    if zero is None or text is None or len(text.arguments) != 2:
        return f"{words} Choose with ad.where before it is multiplied.", ""
    code = f"ad.math.multiply_no_nan({text.arguments[1 - zero]}, {text.arguments[zero]})"
    return f"{words} multiply_no_nan is 0 wherever its second factor is.", instead(code, text)
