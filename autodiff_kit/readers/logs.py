"""Layer 5: what to do about a logarithm of zero.

One idea: a zero that exp or a softmax rounded to has its own form that never makes it; only a zero that
is really one needs a bound.
"""

from __future__ import annotations

import math

import numpy as np

from autodiff_kit.readers.births import input_value
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.lines import assigned_name
from autodiff_kit.readers.mends import Mend, instead, sum_of_exps, text_of, users
from autodiff_kit.readers.spelled import Spelled


def mend_of_log(case: Case, place: int) -> Mend:
    """What to do about a logarithm that is -inf or NaN: a sentence, and code if it is right."""
    text, value = text_of(case, place), input_value(case, place, 0)
    argument = text.arguments[0] if text is not None and len(text.arguments) == 1 else None
    if value is not None and np.any(np.asarray(value) < 0):
        return "A negative number has no logarithm: look at why the argument is below 0.", ""
    for mend in (_times_itself, _of_exps, _of_probabilities):
        found = mend(case, place, text)
        if found is not None:
            return found
    if argument is None:
        return "The logarithm of 0 is -inf: keep the argument above 0.", ""
    return (
        "The logarithm of 0 is -inf. Keep the argument away from 0; below the bound the gradient "
        "is then 0.",
        instead(f"ad.math.log(ad.maximum({argument}, 1e-7))", text),
    )


def _times_itself(case: Case, place: int, text: Spelled | None) -> Mend | None:
    """x log x, as in an entropy."""
    product = users(case, place, "Mul")
    words = text_of(case, product) if product is not None else None
    if words is None or text is None or len(text.arguments) != 1:
        return None
    argument = text.arguments[0]
    if set(words.arguments) not in (
        {argument, text.whole},
        {argument, assigned_name(case.line(place))},
    ):
        return None
    return (
        "The logarithm of 0 is -inf. xlogy is the product, and 0 at 0.",
        instead(f"ad.math.xlogy({argument}, {argument})", words),
    )


def _of_exps(case: Case, place: int, text: Spelled | None) -> Mend | None:
    """The logarithm of exp, or of a sum or a mean of exponentials, all of which became 0."""
    total = case.operation(place).places[0]
    kind = case.operation(total).type if total >= 0 else ""
    inner = case.operation(total).places[0] if kind in ("Sum", "Mean") else total
    if inner < 0 or case.operation(inner).type != "Exp":
        return None
    words = text_of(case, inner)
    if words is None or len(words.arguments) != 1:
        return None
    argument, became = words.arguments[0], "exp became 0, because its argument is so far below 0."
    if kind not in ("Sum", "Mean"):
        return f"{became} The logarithm of exp(x) is x.", instead(argument, text)
    if kind == "Sum":
        mend = sum_of_exps(case, inner, total, argument)
        code = mend[1] if mend else ""
    else:
        code = _mean_of_exps(case, total, argument, text)
    return f"{became} The logarithm of a sum of exponentials has a form without that zero.", code


def _mean_of_exps(case: Case, total: int, argument: str, text: Spelled | None) -> str:
    attrs, shape = case.operation(total).attrs, np.shape(input_value(case, total, 0))
    axes = tuple(attrs["axis"])
    if not shape:
        return ""
    count = math.prod(shape[axis] for axis in axes)
    axis = f", axis={axes[0] if len(axes) == 1 else axes}" if len(axes) < len(shape) else ""
    kept = ", keepdims=True" if attrs["keepdims"] else ""
    code = f"(ad.reduce_logsumexp({argument}{axis}{kept}) - {math.log(count):.7g})"
    return instead(code, text)


def _of_probabilities(case: Case, place: int, _text: Spelled | None) -> Mend | None:
    inner = case.operation(place).places[0]
    kind = case.operation(inner).type if inner >= 0 else ""
    if kind not in ("Sigmoid", "Softmax"):
        return None
    name = kind.lower()
    return (
        f"The {name} became 0, and the logarithm of 0 is -inf. Give the loss the logits, "
        f"from before the {name}: ad.nn.{name}_cross_entropy_with_logits does both in one.",
        "",
    )
