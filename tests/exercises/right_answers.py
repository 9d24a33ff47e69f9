"""Right answers of other shapes than the exercises' own, by the exercise's number."""

from __future__ import annotations

from typing import Any

import autodiff_kit as ad


def _gradient(f: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def _sum_of_products(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape() as outer:
        outer.watch(x)
        along = ad.reduce_sum(_gradient(f, x) * d)
    return outer.gradient(along, x)


def _one_tape(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(x)
        gradient = tape.gradient(f(x), x)
    return tape.gradient(gradient, x, output_gradients=d)


def _variable(f: Any, x: Any, d: Any) -> Any:
    v = ad.Variable(x)
    with ad.GradientTape() as outer, ad.GradientTape() as inner:
        y = f(v)
        gradient = inner.gradient(y, v)
    return outer.gradient(gradient, v, output_gradients=d)


def _forward_over_reverse(f: Any, x: Any, d: Any) -> Any:
    with ad.autodiff.ForwardAccumulator(x, d) as forward:
        gradient = _gradient(f, x)
    return forward.jvp(gradient)


def _reverse_over_forward(f: Any, x: Any, d: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        with ad.autodiff.ForwardAccumulator(x, d) as forward:
            y = f(x)
        along = forward.jvp(y)
    return tape.gradient(along, x)


@ad.custom_gradient
def _round_with_a_rule(x: Any) -> Any:
    return ad.round(x), lambda upstream: upstream


def _round_straight_through(x: Any) -> Any:
    return ad.stop_gradient(ad.round(x)) + (x - ad.stop_gradient(x))


def _value_first(c: Any) -> Any:
    soft = 2.0 + 3.0 * ad.sigmoid(4.0 * c)
    return ad.stop_gradient(2.0 + 3.0 * ad.floor(c + 1.0)) + soft - ad.stop_gradient(soft)


def _by_elements(x: Any) -> Any:
    products, product = [], 1.0
    for element in x:
        product = product * element
        products.append(product)
    return ad.stack(products)


def _step_with_keras(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.keras.losses.BinaryCrossentropy(from_logits=True)(labels, model(points))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return loss


RIGHT: dict[str, tuple[Any, ...]] = {
    "07.2": (
        lambda x: ad.reduce_sum(0.5 + 0.5 * ad.tanh(5.0 * (x - 1.0))),
        lambda x: sum(ad.sigmoid(10.0 * (element - 1.0)) for element in x),
    ),
    "08.2": (_round_with_a_rule, _round_straight_through),
    "09.2": (_value_first,),
    "12.2": (ad.math.cumprod, _by_elements),
    "14.1": (4.69, 4.690416),
    "14.2": (
        ad.hvp,
        _sum_of_products,
        _one_tape,
        _variable,
        _forward_over_reverse,
        _reverse_over_forward,
    ),
    "15.2": (_step_with_keras,),
    "15.3": (
        lambda z, t: 1.0 - ad.reduce_mean(ad.abs(t - ad.sigmoid(20.0 * z))),
        lambda z, t: ad.reduce_mean(ad.sigmoid(5.0 * z * (2.0 * t - 1.0))),
        lambda z, t: ad.reduce_mean(0.5 + 0.5 * ad.tanh(3.0 * z) * (2.0 * t - 1.0)),
        lambda z, t: 1.0 - ad.reduce_mean((t - ad.sigmoid(10.0 * z)) ** 2),
    ),
}
