"""Layer 5: products of many factors, and quotients by infinity.

One idea: what comes back to one factor is the product of all others, and that can be 0 although not
all of them are; what comes back through a quotient is divided, and by infinity anything is 0.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.births import began
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.spoiling import is_finite

Told = tuple[str, tuple[str, str]]  # why, and what to do: a sentence and code


def by_factors(case: Case, step: Step) -> Told | None:
    """Why a product of all elements, or a quotient, sends back zeros; None for anything else."""
    ways = {"Prod": _of_all, "RealDiv": _by_infinity}
    way = ways.get(step.operation.type)
    return way(case, step) if way is not None else None


def _of_all(case: Case, step: Step) -> Told | None:
    value, attrs = input_value(case, step.operation.place, 0), step.operation.attrs
    if value is None:
        return None
    zeros = np.sum(value == 0, axis=attrs["axis"], keepdims=attrs["keepdims"])
    zeros = np.asarray(zeros)[dense(step.dy) != 0]
    if np.all(zeros >= 2):
        return (
            "what comes back to one factor is the product of the others, and at least two are 0",
            ("Look at why they are 0. What is to be 0 only if all of them are is a sum.", ""),
        )
    if not np.any(zeros):
        return (
            f"the products of all factors but one are too small for {np.asarray(value).dtype}, and "
            "became 0",
            (
                "Take the logarithm, ad.reduce_sum(ad.math.log(...)): a sum does not become too small, "
                "and where the product is largest, so is its logarithm.",
                "",
            ),
        )
    return None


def _by_infinity(case: Case, step: Step) -> Told | None:
    below = input_value(case, step.operation.place, 1)
    if below is None or is_finite(below) or np.any(np.isnan(below)):
        return None
    where = ""
    if step.operation.places[1] >= 0:
        first = began(case, [step.operation.places[1]])
        name = case.operation(first.place).type
        where = f", since {case.line(first.place).where} ({name})"
    return (
        f"what it is divided by is infinite{where}, and divided by infinity anything is 0",
        ("Keep the divisor finite: look at why it is so large.", ""),
    )
