"""Layer 4: what one step of each optimizer does to the numbers.

One idea: an update is a function of bare arrays, element by element. It writes the new moments
into the arrays it was given and returns the new value as a new array, because a tape may still
hold the old one. The order of the operations is that of Keras or of TensorFlow 1's kernels, so the
last bits agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.variable import Variable

Slots = dict[str, Any]  # arrays by slot name; every update may write into them


def zeros(variable: Variable) -> Any:
    """Zeros of a variable's shape and dtype, with which most slots begin."""
    return np.zeros_like(variable._value)


def single(value: float) -> Any:
    """A number in float32; Keras casts some of its constants through it, also for float64 variables."""
    return np.float32(value)


def descend(value: Any, gradient: Any, _slots: Slots, rate: Any) -> Any:
    """``value - rate * gradient``."""
    step = np.multiply(gradient, rate)
    return np.subtract(value, step, out=step)


def keras_momentum(
    value: Any, gradient: Any, slots: Slots, rate: Any, momentum: Any, nesterov: bool
) -> Any:
    """Keras' momentum: the slot holds the step itself, the rate already in it."""
    m = slots["momentum"]
    step = np.multiply(gradient, rate)
    m *= momentum
    m -= step
    if not nesterov:
        return np.add(value, m, out=step)
    return np.add(value, np.multiply(m, momentum) - step)


def v1_momentum(
    value: Any, gradient: Any, slots: Slots, rate: Any, momentum: Any, nesterov: bool
) -> Any:
    """TensorFlow 1's momentum: the slot adds up gradients, the rate comes after."""
    accumulated = slots["momentum"]
    accumulated *= momentum
    accumulated += gradient
    if not nesterov:
        return descend(value, accumulated, slots, rate)
    return value - (gradient * rate + accumulated * momentum * rate)


def adam(
    value: Any, gradient: Any, slots: Slots, rate: Any, fresh: tuple[Any, Any], epsilon: Any
) -> Any:
    """Adam. ``rate`` has the bias correction in it; ``fresh`` is how much of the new enters m and
    v.

    Source: https://arxiv.org/abs/1412.6980, the form just before section 2.1
    """
    m, v = slots["m"], slots["v"]
    work = np.subtract(gradient, m)
    work *= fresh[0]
    m += work
    np.multiply(gradient, gradient, out=work)
    work -= v
    work *= fresh[1]
    v += work
    if "vhat" in slots:
        v = np.maximum(slots["vhat"], v, out=slots["vhat"])
    np.sqrt(v, out=work)
    work += epsilon
    step = np.multiply(m, rate)
    step /= work
    return np.subtract(value, step, out=step)


def keras_rmsprop(
    value: Any,
    gradient: Any,
    slots: Slots,
    rate: Any,
    rho: Any,
    fresh: Any,
    epsilon: Any,
    momentum: Any,
) -> Any:
    """Keras' RMSprop; with a slot ``mg`` it is the centered one, with ``momentum`` the one with
    inertia.
    """
    rms = slots["rms"]
    rms *= rho
    rms += fresh * np.square(gradient)
    spread = rms
    if "mg" in slots:
        mean = slots["mg"]
        mean *= rho
        mean += fresh * gradient
        spread = rms - np.square(mean)
    step = (rate * gradient) / np.sqrt(spread + epsilon)
    if "momentum" in slots:
        inertia = slots["momentum"]
        inertia *= momentum
        inertia += step
        step = inertia
    return np.subtract(value, step)


def v1_rmsprop(
    value: Any, gradient: Any, slots: Slots, rate: Any, fresh: Any, epsilon: Any, momentum: Any
) -> Any:
    """TensorFlow 1's RMSProp, whose ``rms`` begins at one."""
    rms, inertia = slots["rms"], slots["momentum"]
    rms += (np.square(gradient) - rms) * fresh
    spread = rms
    if "mg" in slots:
        mean = slots["mg"]
        mean += (gradient - mean) * fresh
        spread = rms - np.square(mean)
    inertia *= momentum
    inertia += (gradient * rate) / np.sqrt(spread + epsilon)
    return np.subtract(value, inertia)


def adagrad(value: Any, gradient: Any, slots: Slots, rate: Any, epsilon: Any) -> Any:
    """Adagrad: the more an element has moved, the smaller its steps.

    Source: https://jmlr.org/papers/v12/duchi11a.html
    """
    accumulated = slots["accumulator"]
    accumulated += np.square(gradient)
    return value - (rate * gradient) / np.sqrt(accumulated + epsilon)
