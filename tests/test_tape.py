"""What a tape promises besides TensorFlow's results (those are in test_as_tensorflow.py)."""

from __future__ import annotations

import contextvars
import warnings
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.noted import noted
from autodiff_kit.opdef import OpDef
from autodiff_kit.tensor import RECORDING


def grads(found: Any) -> Any:
    """Gradients as plain numbers."""
    return ad.nest.map_structure(lambda g: None if g is None else g.numpy().tolist(), found)


def test_an_exception_inside_the_block_leaves_no_tape_recording() -> None:
    x = ad.Variable(3.0)
    with pytest.raises(KeyError):
        with ad.GradientTape() as outer, ad.GradientTape(persistent=True) as inner:
            y = x * x
            raise KeyError("a mistake of the learner's")
    assert RECORDING.get() == ()
    z = y * x
    assert grads([outer.gradient(y, x), inner.gradient(y, x)]) == [6.0, 6.0]
    assert inner.gradient(z, x) is None, "what came after the exception is not recorded"


def test_a_failing_gradient_leaves_no_tape_recording() -> None:
    @ad.custom_gradient
    def broken(x: Any) -> Any:
        def grad(dy: Any) -> Any:
            raise ZeroDivisionError

        return x * 2.0, grad

    x = ad.Variable(3.0)
    with ad.GradientTape() as outer:
        with pytest.raises(ZeroDivisionError):
            with ad.GradientTape() as inner:
                y = broken(x)
                inner.gradient(y, x)
        z = x * x
    assert RECORDING.get() == ()
    assert grads(outer.gradient(z, x)) == 6.0


def test_stopped_recording_goes_on_after_an_exception() -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        with pytest.raises(KeyError):
            with tape.stop_recording():
                raise KeyError
        y = x * x
    assert grads(tape.gradient(y, x)) == 6.0


def test_tapes_may_end_in_any_order() -> None:
    x = ad.Variable(2.0)
    first, second = ad.GradientTape(), ad.GradientTape()
    first.__enter__()
    second.__enter__()
    y = x * x
    first.__exit__(None, None, None)
    z = y * x
    second.__exit__(None, None, None)
    assert RECORDING.get() == ()
    assert first.gradient(z, x) is None
    assert grads(second.gradient(z, [x, y])) == [12.0, 2.0]


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6, 7])
def test_derivatives_of_any_order(depth: int) -> None:
    """The nth derivative of exp(2x) is 2**n exp(2x)."""
    x = ad.constant(0.5, ad.float64)
    tapes = [ad.GradientTape() for _ in range(depth)]
    for tape in tapes:
        tape.__enter__()
        tape.watch(x)
    y = ad.exp(2.0 * x)
    for tape in reversed(tapes):
        tape.__exit__(None, None, None)
        y = tape.gradient(y, x)
    np.testing.assert_allclose(y.numpy(), 2.0**depth * np.exp(1.0), rtol=1e-12)


def test_one_persistent_tape_gives_every_order_inside_its_block() -> None:
    x = ad.Variable(2.0, dtype=ad.float64)
    found = []
    with pytest.warns(ad.GradientWarning, match="persistent tape inside its context"):
        with ad.GradientTape(persistent=True) as tape:
            y = x**5
            for _ in range(5):
                y = tape.gradient(y, x)
                found.append(y.numpy())
    np.testing.assert_allclose(found, [80, 160, 240, 240, 120])


def test_gradients_of_a_plain_and_a_persistent_tape_are_the_same_bits() -> None:
    x = ad.Variable(np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4))
    w = ad.Variable(np.linspace(1, -1, 8, dtype=np.float32).reshape(4, 2))
    answers = []
    for persistent in (False, True, True):
        with ad.GradientTape(persistent) as tape:
            y = ad.reduce_mean(ad.tanh(x @ w) ** 2)
        answers.append([g.numpy().tobytes() for g in tape.gradient(y, [x, w])])
        if persistent:
            assert [g.numpy().tobytes() for g in tape.gradient(y, [x, w])] == answers[0]
    assert answers[0] == answers[1] == answers[2]


def test_an_outer_tape_does_not_change_the_inner_gradient() -> None:
    """Rules run on bare values without an outer tape and on tensors under one: the same bits."""
    x = ad.Variable(np.linspace(0.1, 2, 5, dtype=np.float32))

    def inner() -> Any:
        with ad.GradientTape() as tape:
            y = ad.reduce_prod(ad.exp(x) / (x + 1.0)) * ad.reduce_max(x)
        return tape.gradient(y, x)

    alone = inner()
    with ad.GradientTape():
        below = inner()
    assert alone.numpy().tobytes() == below.numpy().tobytes()


def test_a_gradient_has_the_shape_and_dtype_of_its_source() -> None:
    for dtype in (ad.float16, ad.float32, ad.float64):
        for shape in ((), (1,), (3,), (2, 1), (1, 3), (2, 3), (0, 3)):
            x = ad.Variable(np.ones(shape), dtype=dtype)
            other = ad.cast(ad.ones((2, 3)), dtype) if 0 not in shape else ad.cast(1.0, dtype)
            with ad.GradientTape() as tape:
                y = ad.reduce_sum(x * other * 2)
            g = tape.gradient(y, x)
            assert (g.dtype, g.shape) == (dtype, shape)


def test_watched_variables_in_the_order_of_construction() -> None:
    a, b, c = (ad.Variable(1.0, name=name) for name in "abc")
    frozen, whole = ad.Variable(1.0, trainable=False, name="frozen"), ad.Variable(1, name="int")
    with ad.GradientTape() as tape:
        _ = c * a
        tape.watch(frozen)
        _ = whole + 1, b + 1.0
    assert [v.name for v in tape.watched_variables()] == ["a:0", "b:0", "c:0", "frozen:0", "int:0"]


def test_every_refused_question_leaves_the_tape_as_it_was() -> None:
    x = ad.Variable([3.0, 4.0])
    refused: list[Any] = [
        lambda t, y: t.gradient(None, x),
        lambda t, y: t.gradient([y, None], x),
        lambda t, y: t.gradient(2.0, x),
        lambda t, y: t.gradient(y, None),
        lambda t, y: t.gradient(y, [x, 3.0]),
        lambda t, y: t.gradient(y, {1: x, "b": x}),
        lambda t, y: t.gradient(y, np.ones(2)),
        lambda t, y: t.gradient(y, "x"),
        lambda t, y: t.gradient(y, x, unconnected_gradients="bogus"),
        lambda t, y: t.gradient(y, x, output_gradients=ad.ones((3,))),
        lambda t, y: t.gradient(y, x, output_gradients=ad.ones((2,), ad.float64)),
        lambda t, y: t.gradient(y, x, output_gradients=[ad.ones((2,)), ad.ones((2,))]),
        lambda t, y: t.gradient(y, x, output_gradients="ab"),
        lambda t, y: t.jacobian([y, y], x),
        lambda t, y: t.jacobian(None, x),
        lambda t, y: t.jacobian(y, 3.0),
        lambda t, y: t.jacobian(y, x, unconnected_gradients="bogus"),
        lambda t, y: t.batch_jacobian(y, x),
        lambda t, y: t.batch_jacobian(y, 3.0),
        lambda t, y: t.batch_jacobian(None, x),
        lambda t, y: t.batch_jacobian(y, [x]),
        lambda t, y: t.batch_jacobian(y, x, unconnected_gradients="bogus"),
        lambda t, y: t.watch(3.0),
        lambda t, y: t.watch([ad.constant(1.0), np.ones(2)]),
        lambda t, y: t.reset(),
        lambda t, y: t.stop_recording().__enter__(),
    ]
    for question in refused:
        with ad.GradientTape() as tape:
            y = x * x
        before = list(tape.records), dict(tape.variables), list(tape.events), tape.home
        with pytest.raises((TypeError, ValueError, RuntimeError)):
            question(tape, y)
        after = list(tape.records), dict(tape.variables), list(tape.events), tape.home
        assert all(a is b or a == b for a, b in zip(before[1:], after[1:], strict=True))
        assert len(before[0]) == len(after[0])
        assert all(a is b for a, b in zip(before[0], after[0], strict=True))
        assert RECORDING.get() == ()
        assert grads(tape.gradient(y, x)) == [6.0, 8.0]


def test_refused_inside_the_block_the_tape_records_on() -> None:
    x = ad.Variable([3.0, 4.0])
    with ad.GradientTape() as tape:
        y = x * x
        with pytest.raises(TypeError):
            tape.gradient(y, 3.0)
        with pytest.raises(ValueError):
            tape.__enter__()
        with pytest.raises(ValueError):
            tape.watch("x")
        z = y * x
    assert grads(tape.gradient(z, x)) == [27.0, 48.0]


def test_an_operation_that_fails_leaves_no_record() -> None:
    x = ad.Variable([3.0, 4.0])
    with ad.GradientTape() as tape:
        y = x * x
        number = len(tape.records)
        for wrong in (
            lambda: x + ad.constant([1.0, 2.0, 3.0]),
            lambda: x + ad.constant(1),
            lambda: x @ x,
            lambda: ad.reduce_sum(x, axis=3),
            lambda: ad.reshape(x, [5]),
            lambda: x[7],
            lambda: ad.concat([x, ad.constant([1])], 0),
            lambda: ad.cast(x, "complex64"),
            lambda: ad.where(x, x, x),
        ):
            with pytest.raises((TypeError, ValueError, IndexError)):
                wrong()
        assert len(tape.records) == number
    assert grads(tape.gradient(y, x)) == [6.0, 8.0]


def test_a_second_gradient_says_what_to_do_and_never_works() -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    for _ in range(2):
        for ask in (tape.gradient, tape.jacobian):
            with pytest.raises(RuntimeError, match="non-persistent GradientTape can only be used"):
                ask(y, x)


def test_the_answer_to_nothing_is_empty() -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape(persistent=True) as tape:
        y = x * x
    assert tape.gradient(y, []) == [] and tape.gradient(y, {}) == {} and tape.gradient(y, ()) == ()
    assert tape.gradient([], x) is None


def test_a_jacobian_is_made_of_the_gradients_of_its_rows() -> None:
    x = ad.Variable([[1.0, -2.0], [0.5, 3.0]])
    with ad.GradientTape(persistent=True) as tape:
        y = ad.tanh(x @ x) * x[0]
        rows = ad.unstack(ad.reshape(y, [-1]))
    found = tape.jacobian(y, x)
    assert found.shape == (2, 2, 2, 2)
    stacked = np.stack([tape.gradient(row, x).numpy() for row in rows])
    np.testing.assert_array_equal(found.numpy().reshape(4, 2, 2), stacked)


def test_an_empty_jacobian_is_zeros_where_a_gradient_flows() -> None:
    x, z = ad.Variable(np.zeros((0, 2), np.float32)), ad.Variable(1.0)
    with ad.GradientTape(persistent=True) as tape:
        y = x * 2.0
    assert tape.jacobian(y, x).shape == (0, 2, 0, 2)
    assert tape.jacobian(y, z) is None
    assert tape.batch_jacobian(y, x).shape == (0, 2, 2)


def test_a_rule_of_the_learners_has_lines_of_its_own_under_an_outer_tape() -> None:
    @ad.custom_gradient
    def f(x):
        def rule(dy):
            return ad.sin(dy)

        return x * 1.0, rule

    x = ad.constant(2.0)
    with ad.GradientTape() as outer:
        outer.watch(x)
        with ad.GradientTape() as inner:
            inner.watch(x)
            y = f(x) * x
        inner.gradient(y, x)
    made_in = [record[7].co_name for record in outer.records if record[0].type == "Sin"]
    assert made_in == ["rule"]


@pytest.mark.parametrize("seed", [None, 5.0])
def test_a_target_that_was_assigned_and_not_read_since_counts_for_itself(seed: Any) -> None:
    v = ad.Variable([1.0, 2.0])
    with ad.GradientTape() as tape:
        y = v * 3.0
        v.assign([7.0, 8.0])
    seeds = None if seed is None else [ad.fill([2], seed), None]
    assert tape.gradient([v, y], v, seeds).numpy().tolist() == [3.0 + (seed or 1.0)] * 2


def test_the_sum_of_one_variable_is_a_tensor_of_its_own() -> None:
    v, c = ad.Variable([1.0, 2.0]), ad.constant([3.0])
    with ad.GradientTape() as tape:
        n = ad.add_n([v])
        y = ad.reduce_sum(n) + ad.reduce_sum(v * 5.0)
    assert tape.gradient(y, n).numpy().tolist() == [1.0, 1.0]
    assert ad.add_n(x for x in [c]) is c


def test_a_gradient_while_the_tape_pauses_and_what_is_recorded_after_it() -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = x * x
        with tape.stop_recording():
            first = tape.gradient(y, x)
        z = x * x * x
    assert (first.numpy(), tape.gradient(z, x).numpy()) == (6.0, 27.0)


def test_a_tape_that_is_entered_while_it_pauses_does_not_stand_twice_among_the_recording() -> None:
    tape = ad.GradientTape()
    with pytest.raises(ValueError, match="still recording"), tape, tape.stop_recording():
        tape.__enter__()
    assert RECORDING.get() == ()


def test_a_block_that_is_left_elsewhere() -> None:
    def steps() -> Any:
        with ad.GradientTape() as tape:
            yield tape

    generator = steps()
    tape = contextvars.copy_context().run(next, generator)
    generator.close()
    assert RECORDING.get() == () and not tape._recording


def test_a_tape_used_again_and_again_remembers_only_the_last_time() -> None:
    x, tape = ad.Variable(3.0), ad.GradientTape()
    for _ in range(5):
        with tape:
            y = x * x
        tape.gradient(y, x)
    assert len(tape.events) == 3


def test_watching_is_all_or_nothing_where_warnings_are_errors() -> None:
    x, n = ad.constant(1.0), ad.constant(1)
    with ad.GradientTape() as tape, warnings.catch_warnings():
        warnings.simplefilter("error", ad.GradientWarning)
        with pytest.raises(ad.GradientWarning, match="must be floating"):
            tape.watch([x, n])
        y = x * 2.0
    assert tape.gradient(y, x) is None


def test_a_rule_may_watch_a_number_without_watching_it_everywhere() -> None:
    seen = []

    @ad.RegisterGradient("WatchesItsInputs")
    def rule(op: Any, dy: Any) -> Any:
        with ad.GradientTape() as inner:
            inner.watch(op.inputs)
            z = op.inputs[0] * op.inputs[1] * 2.0
        seen.extend(g.numpy() for g in inner.gradient(z, list(op.inputs)))
        return [dy, dy]

    x = ad.Variable(3.0)
    with ad.GradientTape() as tape, ad.gradient_override_map({"Mul": "WatchesItsInputs"}):
        y = x * 2.0
    tape.gradient(y, x)
    assert seen == [4.0, 6.0]


def test_where_gradients_are_overridden_an_operation_still_runs_once() -> None:
    ran = []

    def kernel(x: Any) -> Any:
        ran.append(x)
        return x

    op = OpDef("RunsOnce", kernel, (lambda dy, _x, _y, shapes: dy,))
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape, ad.gradient_override_map({"Floor": "Identity"}):
        y = ad.floor(noted(op, x._read(), kernel(x.numpy()), {"shapes": ((),)}))
    assert tape.gradient(y, x).numpy() == 1.0 and ran == [3.0]


def test_nothing_derives_from_tensor() -> None:
    with pytest.raises(TypeError, match=r"derive from ad\.Variable"):

        class Named(ad.Tensor):
            pass


@pytest.mark.parametrize("given", [(), ([1.0, 2.0],), (np.zeros(2),), (1.0,)])
def test_a_tensor_is_not_made_by_calling_its_class(given: Any) -> None:
    with pytest.raises(TypeError, match=r"takes no arguments; ad\.constant"):
        ad.Tensor(*given)


def test_sources_may_stand_in_another_order_than_they_were_read_in() -> None:
    early, late = ad.Variable(2.0), ad.Variable(5.0)
    with ad.GradientTape() as tape:
        y = early * early * 1.0
        y = y * late
    assert [g.numpy() for g in tape.gradient(y, [late, early])] == [4.0, 20.0]


def test_parts_of_what_a_tape_does_not_track_are_not_on_it() -> None:
    x = ad.constant([1.0, 2.0, 3.0, 4.0])
    with ad.GradientTape() as tape:
        parts = [*ad.split(x, 2), *ad.unstack(x), *ad.split(x, [1, 3])]
        assert not tape.records
    assert all(tape.find(part) < 0 for part in parts)
