"""Does the training move, and arrive? The check of exercise 09.1.

One idea: the stand-in trains the notebook's kernel, and is told first what stops it: no gradient, none
where it is needed, values that are not floor's, or a way that leads elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.hints import a_function, a_tensor
from autodiff_kit.teaching.values import quoted, same

SIGNAL = np.array([0.3, -0.5, -0.9, -1.0, 0.6, 0.8, 0.2, 0.5, 0.1, 0.9, 0.6, -1.0])
WANTED = np.array([2.0, 2.0, 2.0, 2.0, 5.0, 5.0, 5.0, 5.0, 5.0, 2.0])
START, RATE, STEPS = (0.1, 0.1, 0.1), 0.02, 100


def narrow_ramp(x: Any) -> Any:
    """The ramp of the notebook that does not train."""
    return ad.relax.piecewise_linear(x, width=0.03)


def moves(answer: Any) -> str | None:
    """A hint unless the answer has floor's values, and trains until all ten outputs are right."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    ten = _inputs(ad.constant(START, ad.float64))
    y = answer(ten)
    wrong = a_tensor(y)
    if wrong:
        return wrong
    if y.shape != ten.shape:
        return f"a stand-in gives as many values as it gets, and yours has the shape {y.shape}."
    return _stands_still(answer) or _values(answer, ten) or _arrives(answer)


def _stands_still(answer: Any) -> str | None:
    """A hint if no gradient reaches the kernel."""
    gradient = _gradient(answer, ad.Variable(START, dtype=ad.float64))
    if gradient is None:
        return "the gradient is None: nothing in your stand-in has one. What goes round the floor?"
    if np.any(gradient):
        return None
    x = _inputs(ad.constant(START, ad.float64))
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = answer(x)
    if not np.any(tape.gradient(y, x)):
        return (
            "it does not move: the gradient that comes back is that of a function which is flat at all "
            "ten values. (In straight_through, `like` says whose gradient it is.)"
        )
    return (
        "it does not move yet. Only the outputs that are wrong send something back: those at 1.04 and "
        "1.05. Your stand-in has slopes, but none there."
    )


def _values(answer: Any, ten: Any) -> str | None:
    """A hint unless the values are floor's, at the notebook's places and at others."""
    more = np.array([-1.3, -0.01, 0.0, 0.985, 2.5])
    for x in (ten.numpy(), more):
        y, right = np.asarray(answer(ad.constant(x))), np.floor(x)
        if not same(y + 10.0, right + 10.0):
            worst = int(np.argmax(np.abs(y - right) > 1e-6))
            return (
                f"it moves, but its values are not floor's any more: at {x[worst]:.4g} it is "
                f"{quoted(y[worst])}, and floor {quoted(right[worst])}."
            )
    return None


def _arrives(answer: Any) -> str | None:
    """A hint unless all ten outputs are right after the notebook's training."""
    kernel = ad.Variable(START, dtype=ad.float64)
    for _ in range(STEPS):
        kernel.assign_sub(RATE * _gradient(answer, kernel))
    right = int(np.sum(_outputs(ad.floor, kernel) == WANTED))
    if right == len(WANTED):
        return None
    return (
        f"it moves, but after {STEPS} steps only {right} of the ten outputs are right. In the table "
        "above, which stand-ins got all ten? Take the gradient of one of them."
    )


def _inputs(kernel: Any) -> Any:
    """What the stand-in gets: the convolved signal plus one."""
    return kernel[0] * SIGNAL[:-2] + kernel[1] * SIGNAL[1:-1] + kernel[2] * SIGNAL[2:] + 1.0


def _outputs(stand_in: Any, kernel: Any) -> Any:
    return 2.0 + 3.0 * stand_in(_inputs(kernel))


def _gradient(stand_in: Any, kernel: Any) -> Any:
    """The gradient of the notebook's loss for the kernel."""
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean((_outputs(stand_in, kernel) - WANTED) ** 2)
    return tape.gradient(loss, kernel)
