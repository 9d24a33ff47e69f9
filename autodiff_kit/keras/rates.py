"""Layer 4: what an optimizer takes as its learning rate: a number, or a function that returns one.

One idea: the number is copied, so that a variable in its place would be forgotten without a word.
Keras refuses it, and so does the kit; a function is asked again for each step.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from numbers import Real
from typing import Any

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.variable import Variable

_CHANGES = (
    "The optimizer keeps its own copy of the number: for a rate that changes give a function, "
    "learning_rate=lambda: rate, or assign to opt.learning_rate; for one that stays, float(rate)"
)
_LATER = "The variables come with each step: opt.apply_gradients(zip(gradients, variables))"


def check_rate(rate: Any) -> None:
    """Raise ValueError unless this can be a learning rate."""
    if callable(rate) or _is_number(rate):
        return
    text = (
        "Argument `learning_rate` should be float, or a callable (that takes in the current "
        "iteration value and returns the corresponding learning rate value). Received "
        f"instead: learning_rate={rate!r}"
    )
    if is_tensor(rate):
        text += f". {_CHANGES}"
    elif isinstance(rate, (list, tuple, dict)):
        text += f". {_LATER}"
    raise ValueError(text)


def _is_number(rate: Any) -> bool:
    if isinstance(rate, (bool, np.bool_)):
        return False
    return isinstance(rate, Real) or (isinstance(rate, np.ndarray) and rate.shape == ())


def schedule_of(rate: Any) -> Callable[[Variable], Any] | None:
    """A learning rate that is a function, as one of the step counter; None for a number."""
    if not callable(rate):
        return None
    try:
        signature(rate).bind()
    except (TypeError, ValueError):  # it wants an argument, or Python cannot say
        return rate
    return lambda _step: rate()
