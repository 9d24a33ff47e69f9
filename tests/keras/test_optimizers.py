"""Optimizers: TensorFlow's numbers, frozen elements, refused calls, slots, minimize."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from recorded_training import KERAS as RECORD

V1, KERAS = ad.compat.v1.train, ad.keras.optimizers
MAKERS = {
    "SGD": lambda: KERAS.SGD(0.1),
    "momentum": lambda: KERAS.SGD(0.1, momentum=0.9, nesterov=True),
    "RMSprop": lambda: KERAS.RMSprop(0.1, momentum=0.5, centered=True),
    "Adagrad": lambda: KERAS.Adagrad(0.1),
    "Adam": lambda: KERAS.Adam(0.1, amsgrad=True),
    "v1 descent": lambda: V1.GradientDescentOptimizer(0.1),
    "v1 momentum": lambda: V1.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "v1 RMSProp": lambda: V1.RMSPropOptimizer(0.1, momentum=0.5, centered=True),
    "v1 Adagrad": lambda: V1.AdagradOptimizer(0.1),
    "v1 Adam": lambda: V1.AdamOptimizer(0.1),
}
every = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def state(opt: Any, variables: list[Any]) -> list[bytes]:
    """The bits of everything that an update may change."""
    own = opt.variables() if callable(opt.variables) else opt.variables
    return [v.numpy().tobytes() for v in [*variables, *own]]


ROWS = [(KERAS, row) for row in RECORD["keras"]] + [(V1, row) for row in RECORD["v1"]]


@pytest.mark.parametrize(("module", "row"), ROWS)
def test_three_steps_as_tensorflow(module: Any, row: Any) -> None:
    opt = getattr(module, row["name"])(**row["options"])
    w = ad.Variable(RECORD["start"], dtype=row["dtype"])
    rtol = 3e-6 if row["dtype"] == "float32" else 1e-13
    for g, expected in zip(RECORD["gradients"], row["values"], strict=True):
        opt.apply_gradients([(ad.constant(g, row["dtype"]), w)])
        np.testing.assert_allclose(w.numpy(), expected, rtol, rtol)
        assert w.dtype == row["dtype"]


@every
def test_frozen_elements_keep_every_bit(make: Any) -> None:
    opt, w = make(), ad.Variable([1.0, -2.0, 3.0, 4.0])
    other, lone = make(), ad.Variable([1.0, 3.0])
    mask = np.array([True, False, True, False])
    for g in ([1.0, 2.0, -3.0, 0.5], [0.5, 1.0, 0.0, -1.0]):
        opt.apply_gradients([(ad.constant(g), w)])
        other.apply_gradients([(ad.constant(g[::2]), lone)])
    slots = [opt.get_slot(w, name) for name in opt.get_slot_names()]
    before = [v.numpy()[~mask].tobytes() for v in (w, *slots)]
    for bad in (np.nan, np.inf, 1e30, 0.0):
        g = ad.constant([2.0, bad, -1.0, bad])
        opt.apply_gradients([(g, w)], mask=[mask])
        other.apply_gradients([(g[::2], lone)])
    assert [v.numpy()[~mask].tobytes() for v in (w, *slots)] == before
    assert np.array_equal(w.numpy()[mask], lone.numpy())
    for name in opt.get_slot_names():
        assert np.array_equal(
            opt.get_slot(w, name).numpy()[mask], other.get_slot(lone, name).numpy()
        )


@every
@pytest.mark.parametrize("mask", [False, 0, 0.0, np.array(False), "tensor"])
def test_a_frozen_scalar(make: Any, mask: Any) -> None:
    if isinstance(mask, str):
        mask = ad.constant(False)
    opt, w, free = make(), ad.Variable(1.0), ad.Variable([[1.0, 2.0]])
    g = ad.constant([[1.0, 1.0]])
    opt.apply_gradients([(ad.constant(1.0), w), (g, free)])
    before = [v.numpy().tobytes() for v in (w, *(opt.get_slot(w, s) for s in opt.get_slot_names()))]
    moving = free.numpy()
    opt.apply_gradients([(ad.constant(float("nan")), w), (g, free)], mask=[mask, None])
    slots = [opt.get_slot(w, s) for s in opt.get_slot_names()]
    assert [v.numpy().tobytes() for v in (w, *slots)] == before
    assert (free.numpy() != moving).all()
    opt.apply_gradients([(ad.constant(1.0), w), (g, free)], mask=[True, None])
    assert w.numpy() != np.frombuffer(before[0], np.float32)[0]


def test_masks_broadcast() -> None:
    opt, w = KERAS.SGD(1.0), ad.Variable(np.zeros((2, 3)), dtype="float32")
    opt.apply_gradients([(ad.ones([2, 3]), w)], mask=[[[1], [0]]])
    assert w.numpy().tolist() == [[-1.0] * 3, [0.0] * 3]


BAD: dict[str, tuple[Any, type[Exception]]] = {
    "shape": (lambda: ad.constant([1.0]), ValueError),
    "broadcast": (lambda: ad.constant(1.0), ValueError),
    "dtype": (lambda: ad.constant([1.0, 2.0], ad.float64), ad.errors.InvalidArgumentError),
    "integers": (lambda: ad.constant([1, 2]), ad.errors.InvalidArgumentError),
    "text": (lambda: "gradient", ValueError),
    "ragged": (lambda: [[1.0], [1.0, 2.0]], ValueError),
}


@every
@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("steps", [0, 1])
def test_a_refused_call_changes_nothing(make: Any, case: str, steps: int) -> None:
    opt, a, b = make(), ad.Variable([1.0, 2.0]), ad.Variable([3.0, 4.0])
    g = ad.constant([1.0, -1.0])
    for _ in range(steps):
        opt.apply_gradients([(g, a), (g, b)])
    before = state(opt, [a, b])
    value, error = BAD[case]
    with pytest.raises(error):
        opt.apply_gradients([(g, a), (value(), b)])
    assert state(opt, [a, b]) == before


@every
@pytest.mark.parametrize(
    "mask", [[None], [None, None, None], True, [None, [True]], [None, [0.5, 1.0]], [None, ["a", "b"]],
             [None, [True, False, True]]],
)  # fmt: skip
def test_a_refused_mask_changes_nothing(make: Any, mask: Any) -> None:
    opt, a, b = make(), ad.Variable([1.0, 2.0]), ad.Variable([3.0, 4.0])
    g = ad.constant([1.0, -1.0])
    opt.apply_gradients([(g, a), (g, b)])
    before = state(opt, [a, b])
    if mask == [None, [True]]:  # of length 1, it broadcasts
        opt.apply_gradients([(g, a), (g, b)], mask=mask)
        return
    with pytest.raises(ValueError, match="mask"):
        opt.apply_gradients([(g, a), (g, b)], mask=mask)
    assert state(opt, [a, b]) == before


@every
def test_what_is_not_a_pair_or_a_variable(make: Any) -> None:
    opt, w = make(), ad.Variable(1.0)
    for wrong in (
        [w],
        [(w, ad.constant(1.0))],
        [(ad.constant(1.0), 3.0)],
        [(ad.constant(1.0), w, w)],
    ):
        with pytest.raises(TypeError, match="grads_and_vars"):
            opt.apply_gradients(wrong)
    with pytest.raises(ValueError, match="floating"):
        opt.apply_gradients([(ad.constant(1), ad.Variable(1))])


@every
def test_nan_is_allowed_and_goes_where_it_must(make: Any) -> None:
    opt, w = make(), ad.Variable([1.0, 2.0])
    opt.apply_gradients([(ad.constant([float("nan"), 1.0]), w)])
    assert np.isnan(w.numpy()).tolist() == [True, False]


@every
def test_what_was_read_before_stays_as_it_was(make: Any) -> None:
    opt, w = make(), ad.Variable([1.0, 2.0])
    g = ad.constant([1.0, -1.0])
    opt.apply_gradients([(g, w)])
    held = [w.read_value(), *(opt.get_slot(w, name).value() for name in opt.get_slot_names())]
    own = opt.variables() if callable(opt.variables) else opt.variables
    held += [v._read() for v in own]
    before = [tensor.numpy() for tensor in held]
    for _ in range(3):
        opt.apply_gradients([(g, w)])
    assert all(np.array_equal(t.numpy(), b) for t, b in zip(held, before, strict=True))


def test_a_tape_keeps_the_value_from_before_the_step() -> None:
    opt, w = KERAS.Adam(0.1), ad.Variable([1.0, 2.0])
    with ad.GradientTape(persistent=True) as tape:
        y = ad.reduce_sum(w * w)
    first = tape.gradient(y, w).numpy()
    opt.apply_gradients([(first, w)])
    assert np.array_equal(tape.gradient(y, w).numpy(), first)


@pytest.mark.parametrize("make", list(MAKERS.values())[:5], ids=list(MAKERS)[:5])
def test_saved_and_restored(make: Any) -> None:
    def trained(opt: Any, w: Any, steps: int) -> Any:
        for number in range(steps):
            opt.apply_gradients([(ad.constant([1.0, float(number)]), w)])
        return w

    w, opt = ad.Variable([1.0, 2.0]), make()
    trained(opt, w, 3)
    copy, again = ad.Variable(w.numpy()), make()
    again.build([copy])
    again.set_weights(opt.get_weights())
    assert np.array_equal(trained(opt, w, 2).numpy(), trained(again, copy, 2).numpy())
    before = state(again, [copy])
    with pytest.raises(ValueError, match="set_weights"):
        again.set_weights(opt.get_weights()[:-1])
    assert state(again, [copy]) == before


def test_minimize_by_function_and_by_tape() -> None:
    a, b = ad.Variable(3.0), ad.Variable(3.0)
    one, other = KERAS.Adam(0.1), KERAS.Adam(0.1)
    one.minimize(lambda: a * a, [a])
    with ad.GradientTape() as tape:
        loss = b * b
    other.minimize(loss, [b], tape=tape)
    assert a.numpy() == b.numpy() != 3.0
    with pytest.raises(ValueError, match="`tape` is required when a `Tensor` loss is passed"):
        other.minimize(loss, [b])


def test_v1_minimize_finds_its_variables_and_counts() -> None:
    w, counter, opt = ad.Variable(3.0, name="w"), ad.Variable(0), V1.GradientDescentOptimizer(0.5)
    opt.minimize(lambda: w * w, global_step=counter)
    assert (w.numpy(), counter.numpy()) == (0.0, 1)
    with pytest.raises(
        RuntimeError, match="`loss` passed to Optimizer.compute_gradients should be a"
    ):
        opt.compute_gradients(w * w)


def test_the_learning_rate_can_change() -> None:
    w = ad.Variable(0.0)
    opt = KERAS.SGD(lambda step: 1.0 if step < 1 else 0.5)
    one = ad.constant(1.0)
    opt.apply_gradients([(one, w)])
    opt.apply_gradients([(one, w)])
    assert w.numpy() == -1.5
    opt.learning_rate = 0.25
    opt.apply_gradients([(one, w)])
    assert w.numpy() == -1.75
    opt.learning_rate.assign(2.0)
    opt.apply_gradients([(one, w)])
    assert w.numpy() == -3.75 and float(opt.learning_rate) == 2.0


@pytest.mark.parametrize("rate", [ad.Variable(0.1), ad.constant(0.1), "0.1", None, True, [0.1]])
def test_a_learning_rate_is_a_number_or_a_function(rate: Any) -> None:
    words = "^Argument `learning_rate` should be float, or .*Received instead: learning_rate="
    with pytest.raises(ValueError, match=words) as caught:
        KERAS.Adam(rate)
    assert ("lambda: rate" in str(caught.value)) == ad.is_tensor(rate)


@pytest.mark.parametrize("rate", [1, np.float32(0.5), np.float64(0.5), np.array(0.5)])
def test_numbers_that_are_no_floats_are_learning_rates_too(rate: Any) -> None:
    assert KERAS.SGD(rate).learning_rate.numpy() == rate


def test_what_is_said_of_a_variable_as_learning_rate_helps() -> None:
    rate, w, one = ad.Variable(0.5), ad.Variable(0.0), ad.constant(1.0)
    opt = KERAS.SGD(lambda: rate)
    opt.apply_gradients([(one, w)])
    rate.assign(0.25)
    opt.apply_gradients([(one, w)])
    assert w.numpy() == -0.75
    opt.learning_rate = rate  # a copy of its number, as in Keras
    rate.assign(1.0)
    opt.apply_gradients([(one, w)])
    assert w.numpy() == -1.0


def test_momentum_must_be_a_float() -> None:
    for wrong in (1, -0.1, 1.1):
        with pytest.raises(ValueError, match=r"`momentum` must be a float between \[0, 1\]"):
            KERAS.SGD(momentum=wrong)


@every
def test_only_a_frozen_variable_may_lack_its_gradient(make: Any) -> None:
    opt, a, b = make(), ad.Variable([1.0]), ad.Variable([1.0])
    opt.apply_gradients([(ad.constant([1.0]), a), (None, b)], mask=[None, False])  # no warning
    assert b.numpy() == 1.0
