"""Right answers of other shapes than the exercises' own, by the exercise's number."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.own_tape import Number, Tape, record


def _of_a_variable(f: Any) -> Any:
    def gradient(x: Any) -> Any:
        v = ad.Variable(x)
        with ad.GradientTape() as tape:
            y = f(v)
        return tape.gradient(y, v)

    return gradient


def _by_a_jacobian(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x**2 + 3.0 * x
    return tape.jacobian(y, [x])[0]


def _three_tapes(x: Any) -> Any:
    slopes = []
    for f in (lambda x: x**2, lambda x: x**3, lambda x: 1.0 / x):
        with ad.GradientTape() as tape:
            y = f(x)
        slopes.append(tape.gradient(y, x))
    return tuple(slopes)


def _zipped(tape: Any, target: Any) -> Any:
    variables = tape.watched_variables()
    names = [v.name for v in variables]
    return dict(zip(names, tape.gradient(target, variables), strict=True))


def _watched(layer: Any, x: Any) -> Any:
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean(ad.square(layer(x)))
    return tuple(tape.gradient(loss, tape.watched_variables()))


def _inverse_by_a_mask(x: Any) -> Any:
    mask = ad.cast(x > 0, x.dtype)
    return mask / (mask * x + (1.0 - mask))


def _inverse_by_a_sum(x: Any) -> Any:
    mask = ad.cast(x > 0, ad.float32)
    return mask / (x * mask + 1 - mask)


def _inverse_of_a_relu(x: Any) -> Any:
    return ad.math.divide_no_nan(1.0, ad.nn.relu(x))


def _inverse_where_not_zero(x: Any) -> Any:
    return ad.where(x > 0, 1.0 / ad.where(ad.equal(x, 0.0), 1.0, x), 0.0)


def _inverse_by_elements(x: Any) -> Any:
    return ad.stack([1.0 / e if float(e) > 0 else 0.0 * e for e in x])


@ad.custom_gradient
def _inverse_with_a_rule(x: Any) -> Any:
    y = ad.where(x > 0, 1.0 / ad.where(x > 0, x, 1.0), 0.0)
    return y, lambda upstream: -upstream * y * y


def _by_rows(f: Any, x: Any) -> Any:
    return [float(_gradient(f, ad.constant(element))) for element in x]


def _diagonal(f: Any, x: Any) -> Any:
    x = ad.constant(x)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return ad.linalg.diag_part(tape.jacobian(y, x))


def _hard_count_soft_slope(x: Any) -> Any:
    soft = ad.sigmoid(10.0 * (x - 1.0))
    hard = ad.cast(x > 1.0, x.dtype)
    return ad.reduce_sum(soft + ad.stop_gradient(hard - soft))


@ad.custom_gradient
def _hard_step_soft_rule(c: Any) -> Any:
    step = ad.sigmoid(4.0 * c)
    values = ad.where(c >= 0.0, 5.0, 2.0)
    return values, lambda upstream: upstream * 12.0 * step * (1.0 - step)


def _by_a_factor(op: Any, grad: Any) -> Any:
    return grad * ad.cast(ad.abs(op.inputs[0]) < 1.0, grad.dtype)


def _by_a_square(op: Any, grad: Any) -> Any:
    return [ad.where(op.inputs[0] ** 2 <= 1.0, grad, ad.zeros_like(grad))]


@ad.custom_gradient
def _limited(x: Any) -> Any:
    return 1.0 * x, lambda upstream: ad.maximum(ad.minimum(upstream, 1.0), -1.0)


@ad.custom_gradient
def _limited_by_where(x: Any) -> Any:
    def grad(upstream: Any) -> Any:
        return ad.where(ad.abs(upstream) > 1.0, ad.sign(upstream), upstream)

    return x, grad


@ad.custom_gradient
def _norm(v: Any) -> Any:
    size = ad.norm(v)
    return size, lambda upstream: upstream * v / ad.maximum(size, 1e-12)


@ad.custom_gradient
def _norm_by_where(v: Any) -> Any:
    size = ad.sqrt(ad.reduce_sum(v**2))
    safe = ad.where(size > 0.0, size, 1.0)
    return size, lambda upstream: upstream * ad.where(size > 0.0, v / safe, 0.0)


def _updated(x: Any) -> Any:
    table, product = ad.ones([x.shape[0]]), 1.0
    for i in range(x.shape[0]):
        product = product * x[i]
        table = ad.tensor_scatter_nd_update(table, [[i]], [product])
    return table


def _products_of_slices(x: Any) -> Any:
    return ad.stack([ad.reduce_prod(x[: i + 1]) for i in range(x.shape[0])])


def _back_in_numpy(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    kept = [w, opt.get_slot(w, "m"), opt.get_slot(w, "v")]
    before = [variable.numpy() for variable in kept]
    opt.apply_gradients([(gradient, w)])
    for variable, old in zip(kept, before, strict=True):
        variable.assign(np.where(free.numpy(), variable.numpy(), old))


def _with_a_mask(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    opt.apply_gradients([(gradient, w)], mask=[free])


def _step_by_hand(model: Any, optimizer: Any, points: Any, labels: Any) -> float:
    with ad.GradientTape() as tape:
        z = model(points)
        loss = ad.reduce_mean(ad.nn.softplus(z) - labels * z)
    pairs = zip(tape.gradient(loss, model.weights), model.weights, strict=True)
    optimizer.apply_gradients(list(pairs))
    return float(loss)


def _with_zeros(tape: Tape, target: Number, source: Number) -> Any:
    arrived = {target: Number(1.0)}
    for result, inputs in tape.records[::-1]:
        if result not in arrived:
            continue
        for number, rule in inputs:
            arrived[number] = arrived.get(number, Number(0.0)) + rule(arrived[result])
    return arrived.get(source)


def _with_lists(tape: Tape, target: Number, source: Number) -> Any:
    parts: dict[Any, Any] = {target: [Number(1.0)]}

    def total(number: Number) -> Any:
        first, *others = parts[number]
        for other in others:
            first = first + other
        return first

    for result, inputs in reversed(tape.records):
        if result in parts:
            for number, rule in inputs:
                parts.setdefault(number, []).append(rule(total(result)))
    return total(source) if source in parts else None


def _by_the_reciprocal(a: Number, b: Number) -> Number:
    minus = Number(-1.0)
    value = Number(1.0 / b.value)
    one_over_b: Number = record(value, [(b, lambda dy: minus * dy * one_over_b * one_over_b)])
    return a * one_over_b


def _by_its_result(a: Number, b: Number) -> Number:
    minus = Number(-1.0)
    y: Number = record(
        Number(a.value / b.value), [(a, lambda dy: dy / b), (b, lambda dy: minus * dy * y / b)]
    )
    return y


def _fit_in_steps(dy: Any, shape: Any) -> Any:
    while dy.ndim > len(shape):
        dy = dy.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            dy = dy.sum(axis=axis, keepdims=True)
    return dy


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
    return ad.stop_gradient(ad.where(c >= 0.0, 5.0, 2.0)) + soft - ad.stop_gradient(soft)


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


def _doubled(answer: Any) -> Any:
    """A right answer that is computed in float64, whatever it is given."""
    return lambda *given: answer(*(ad.cast(t, ad.float64) for t in given))


@ad.custom_gradient
def _limited_doubled(x: Any) -> Any:
    return ad.cast(x, ad.float64), lambda sent: ad.cast(ad.clip_by_value(sent, -1, 1), x.dtype)


@ad.custom_gradient
def _norm_doubled(v: Any) -> Any:
    size = ad.norm(ad.cast(v, ad.float64))
    slope = v / ad.maximum(ad.cast(size, v.dtype), 1e-12)
    return size, lambda sent: ad.cast(sent, v.dtype) * slope


def _value_first_doubled(c: Any) -> Any:
    soft = 2.0 + 3.0 * ad.sigmoid(4.0 * ad.cast(c, ad.float64))
    hard = ad.where(c >= 0.0, ad.constant(5.0, ad.float64), ad.constant(2.0, ad.float64))
    return ad.stop_gradient(hard - soft) + soft


def _singled(z: Any, t: Any) -> Any:
    return ad.reduce_mean(ad.sigmoid(5.0 * ad.cast(z * (2.0 * t - 1.0), ad.float32)))


def _penalty_in_a_loop(x: Any) -> Any:
    total = 0.0
    for part in x:
        total = total + ad.maximum(part - 1.0, 0.0)
    return total


def _distance_chosen_late(w: Any, points: Any) -> Any:
    """At the root it is enough: its rule sends 0 back where 0 arrives."""
    squares = ad.reduce_sum((w - points) ** 2, axis=1)
    return ad.reduce_mean(ad.where(squares > 0.0, ad.sqrt(squares), 0.0))


def _distance_in_a_loop(w: Any, points: Any) -> Any:
    distances = []
    for point in points:
        squares = ad.reduce_sum((w - point) ** 2)
        distances.append(ad.sqrt(squares) if squares > 0.0 else 0.0)
    return ad.reduce_mean(distances)


RIGHT: dict[str, tuple[Any, ...]] = {
    "00.1": (13, np.float32(13), ad.constant(13.0), ad.Variable(13.0), np.array(13)),
    "00.2": (
        lambda x: float(_gradient(lambda x: x**2 + 3.0 * x, x)),
        _of_a_variable(lambda v: v**2 + 3.0 * v),
        lambda x: _gradient(lambda x: x**2, x) + _gradient(lambda x: 3.0 * x, x),
        _by_a_jacobian,
        lambda x: _gradient(lambda x: x * (x + 3.0), ad.cast(x, ad.float64)),
    ),
    "01.1": (33, ad.constant(33.0), np.float64(33)),
    "01.2": (_three_tapes, lambda x: np.array(_three_tapes(x))),
    "02.2": (
        lambda v: _gradient(lambda v: ad.reduce_mean(ad.square(3.0 * v + 1.0)), v).numpy(),
        _of_a_variable(lambda v: ad.reduce_mean(9.0 * v**2 + 6.0 * v + 1.0)),
    ),
    "03.1": ((2, 4, 6), np.array([2, 4, 6]), ad.constant([2.0, 4.0, 6.0])),
    "03.2": (_zipped,),
    "04.1": ({"sin": "Input", "exp": "OUTPUT", "+": " nothing"},),
    "04.2": (26.0, np.int64(26), ad.constant(26)),
    "04.3": (_watched,),
    "05.3": (
        _inverse_by_a_mask,
        _inverse_by_a_sum,
        _inverse_of_a_relu,
        _inverse_where_not_zero,
        _inverse_by_elements,
        _inverse_with_a_rule,
        _doubled(_inverse_by_a_mask),
        lambda x: ad.where(x > 0, ad.math.divide_no_nan(1.0, x), 0.0),
        lambda x: ad.nn.relu(ad.math.divide_no_nan(1.0, x)),
        lambda x: ad.where(x > 0, x / ad.where(x > 0, x * x, 1.0), 0.0),
    ),
    "06.1": ((2, -2), {-2, 2}, np.array([2.0, -2.0])),
    "06.2": ((3, 2, 1), ad.constant([3.0, 2.0, 1.0])),
    "06.3": (
        _by_rows,
        _diagonal,
        lambda f, x: _of_a_variable(f)(x),
        lambda f, x: _gradient(lambda t: ad.reduce_sum(f(t)), ad.constant(x)).numpy(),
    ),
    "07.1": (
        {
            "round": None,
            "sign": 0.0,
            "abs": "gradient",
            "x > 1": "none",
            "x * floor(x)": "A gradient",
        },
    ),
    "07.2": (
        _hard_count_soft_slope,
        _doubled(lambda x: ad.reduce_sum(ad.sigmoid(10.0 * (x - 1.0)))),
        lambda x: ad.reduce_sum(ad.sigmoid(100.0 * (x - 1.0))),
        lambda x: ad.reduce_sum(ad.clip_by_value(5.0 * (x - 1.0) + 0.5, 0.0, 1.0)),
        lambda x: ad.reduce_sum(1.0 / (1.0 + ad.exp(-10.0 * (x - 1.0)))),
        lambda x: ad.reduce_sum(0.5 + 0.5 * ad.tanh(5.0 * (x - 1.0))),
        lambda x: sum(ad.sigmoid(10.0 * (element - 1.0)) for element in x),
    ),
    "08.2": (_round_with_a_rule, _round_straight_through, _doubled(_round_straight_through)),
    "09.1": (
        ad.relax.straight_through,
        lambda x: ad.stop_gradient(ad.floor(x)) + (x - ad.stop_gradient(x)),
        lambda x: ad.relax.straight_through(x, like=lambda t: ad.relax.sigmoid_sum(t, 5.0)),
    ),
    "09.2": (_value_first, _value_first_doubled, _hard_step_soft_rule),
    "10.1": (11, ad.constant(11.0)),
    "10.2": (_by_a_factor, _by_a_square),
    "11.1": (_limited, _limited_doubled, _limited_by_where),
    "11.2": (_norm, _norm_doubled, _norm_by_where),
    "12.2": (
        ad.math.cumprod,
        _doubled(ad.math.cumprod),
        _by_elements,
        _updated,
        _products_of_slices,
    ),
    "13.1": (-0.18, np.float32(-0.18), ad.constant(-0.18)),
    "13.2": (_back_in_numpy, _with_a_mask),
    "14.1": (4.69, 4.690416),
    "14.2": (
        ad.hvp,
        _sum_of_products,
        _one_tape,
        _variable,
        _forward_over_reverse,
        _reverse_over_forward,
    ),
    "14.3": (
        lambda s, h: ad.reduce_sum(s * h) / float(s.shape[0]),
        lambda s, h: float(np.mean(np.sum(s.numpy() * h.numpy(), axis=1))),
        lambda s, h: ad.linalg.trace(s @ ad.transpose(h)) / float(s.shape[0]),
        lambda s, h: sum(ad.reduce_sum(a * b) for a, b in zip(s, h, strict=True)) / s.shape[0],
    ),
    "15.2": (_step_with_keras, _step_by_hand),
    "15.3": (
        _singled,
        lambda z, t: 1.0 - ad.reduce_mean(ad.abs(t - ad.sigmoid(20.0 * z))),
        lambda z, t: ad.reduce_mean(ad.sigmoid(5.0 * z * (2.0 * t - 1.0))),
        lambda z, t: ad.reduce_mean(0.5 + 0.5 * ad.tanh(3.0 * z) * (2.0 * t - 1.0)),
        lambda z, t: ad.reduce_mean(ad.where(t > 0.5, ad.sigmoid(9.0 * z), ad.sigmoid(-9.0 * z))),
        lambda z, t: ad.reduce_mean(ad.clip_by_value(0.5 + z * (2.0 * t - 1.0), 0.0, 1.0)),
        lambda z, t: ad.reduce_mean(1.0 / (1.0 + ad.exp(-10.0 * z * (2.0 * t - 1.0)))),
        lambda z, t: 1.0 - ad.reduce_mean((t - ad.sigmoid(10.0 * z)) ** 2),
    ),
    "16.1": (_with_zeros, _with_lists),
    "16.2": (_by_the_reciprocal, _by_its_result),
    "16.3": (_fit_in_steps, lambda dy, shape: _fit_in_steps(dy, shape).tolist()),
    "17.1": (
        _penalty_in_a_loop,
        _doubled(_penalty_in_a_loop),
        lambda x: ad.reduce_sum(ad.cast(ad.maximum(x - 1.0, 0.0), ad.float64)),
        lambda x: ad.reduce_sum(ad.nn.relu(x - 1.0)),
        lambda x: ad.reduce_sum(ad.where(x > 1.0, x - 1.0, 0.0)),
        lambda x: ad.add_n([ad.maximum(part - 1.0, 0.0) for part in x]),
    ),
    "17.2": (
        lambda w, x, t: ad.reduce_mean(((x @ w)[:, 0] - t) ** 2),
        _doubled(lambda w, x, t: ad.reduce_mean(((x @ w)[:, 0] - t) ** 2)),
        lambda w, x, t: ad.reduce_mean((x @ w - ad.expand_dims(t, 1)) ** 2),
        lambda w, x, t: ad.reduce_mean(ad.square(ad.reshape(x @ w, (-1,)) - t)),
        lambda w, x, t: ad.keras.losses.MeanSquaredError()(ad.expand_dims(t, 1), x @ w),
    ),
    "17.3": (
        _distance_chosen_late,
        _doubled(lambda w, x: ad.reduce_mean(ad.sqrt(ad.reduce_sum((w - x) ** 2, axis=1) + 1e-12))),
        _distance_in_a_loop,
        lambda w, x: ad.reduce_mean(ad.sqrt(ad.reduce_sum((w - x) ** 2, axis=1) + 1e-12)),
    ),
}
