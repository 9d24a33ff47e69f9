"""Gradients of the learner's own: what is heeded, what is refused, and what is warned about."""

from __future__ import annotations

import contextlib
import itertools
import threading
import warnings
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.registry import GRADIENTS
from autodiff_kit.tensor import RECORDING

numbers = itertools.count()


def named(f: Any) -> str:
    name = f"Test{next(numbers)}"
    ad.RegisterGradient(name)(f)
    return name


def gradient(f: Any, *at: Any) -> Any:
    xs = [ad.constant(x) for x in at]
    with ad.GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    return tape.gradient(y, xs)


def inside(mapping: Any, f: Any) -> Any:
    def g(*xs: Any) -> Any:
        with ad.gradient_override_map(mapping):
            return f(*xs)

    return g


# --- gradient_override_map --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mapping", "hint"),
    [
        ({"Identiy": "Floor"}, "'Identity'"),
        ({"Identity": "flor"}, "'Floor'"),
        ({"MatMull": "Mul"}, "'MatMul'"),
    ],
)  # fmt: skip
def test_a_mistyped_name_is_an_error_with_the_nearest_one(mapping: Any, hint: str) -> None:
    with pytest.raises(LookupError, match=f"did you mean {hint}"):
        ad.gradient_override_map(mapping)


def test_a_map_that_met_nothing_warns_at_the_learners_line() -> None:
    with pytest.warns(ad.GradientWarning, match="no operation of type Floor ran") as caught:
        with ad.gradient_override_map({"Floor": "Identity"}):
            ad.identity(1.0)
    assert caught[0].filename == __file__


def test_no_warning_when_met_or_when_an_error_ends_the_block() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with ad.gradient_override_map({"Floor": "Identity", "Ceil": "Identity"}):
            ad.floor(1.5)
        with pytest.raises(KeyError), ad.gradient_override_map({"Floor": "Identity"}):
            raise KeyError


@pytest.mark.parametrize("own", ["Identity", None])  # TensorFlow's way, and the kit's
def test_its_own_name_or_none_takes_an_outer_entry_back(own: str | None) -> None:
    def f(x: Any) -> Any:
        with ad.gradient_override_map({"Identity": own}):
            return ad.identity(x)

    with pytest.warns(ad.GradientWarning):  # the outer map met nothing
        found = gradient(inside({"Identity": named(lambda op, dy: 5.0 * dy)}, f), 3.0)
    assert found[0].numpy() == 1.0


def test_a_map_whose_operations_another_map_took_says_so() -> None:
    x = ad.Variable(2.7)
    with pytest.warns(ad.GradientWarning, match="of each Floor in its block another map") as caught:
        with ad.gradient_override_map({"Floor": "Identity"}):
            with ad.gradient_override_map({"Floor": "Sin"}), ad.GradientTape() as tape:
                y = ad.floor(x)
    assert len(caught) == 1
    assert tape.gradient(y, x).numpy() == np.cos(np.float32(2.7))


def test_a_map_may_be_entered_inside_its_own_block() -> None:
    mapping, x = ad.gradient_override_map({"Floor": "Identity"}), ad.Variable(2.7)
    with ad.GradientTape(persistent=True) as tape:
        with mapping:
            with mapping:
                ad.exp(x)
                inner = ad.floor(x)
            outer = ad.floor(x)
        after = ad.floor(x)
    assert [float(tape.gradient(y, x)) for y in (inner, outer)] == [1.0, 1.0]
    assert tape.gradient(after, x) is None
    with pytest.warns(ad.GradientWarning), mapping, mapping:
        pass
    with ad.gradient_override_map({"Ceil": "Identity"}):
        ad.math.ceil(x)
    assert ad.floor(x).numpy() == 2.0


def test_a_map_in_several_threads_at_a_time() -> None:
    mapping, x, met = ad.gradient_override_map({"Floor": "Identity"}), ad.Variable(2.7), []
    entered, left = threading.Barrier(2), threading.Barrier(2)

    def work(first: bool) -> None:
        other = ad.gradient_override_map({"Ceil": "Identity"})
        with other if first else contextlib.nullcontext():
            with mapping:
                ad.floor(x)
                entered.wait()
            left.wait()
            with ad.GradientTape() as tape:
                y = ad.math.ceil(x)
            met.append((first, tape.gradient(y, x) is not None))

    threads = [threading.Thread(target=work, args=(first,)) for first in (True, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(met) == [(False, False), (True, True)]


def test_an_overridden_operation_is_made_once() -> None:
    x = ad.Variable(2.7)
    with ad.gradient_override_map({"Floor": "Identity"}), ad.GradientTape() as tape:
        for _ in range(3):
            ad.floor(x)
    assert len({record[0] for record in tape.records if record[0].type == "Floor"}) == 1


def test_the_rule_of_another_operation_is_borrowed_with_its_broadcasting() -> None:
    a, b = gradient(
        inside({"Mul": "AddV2"}, lambda a, b: a * b), [[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]
    )
    assert a.numpy().tolist() == [[1.0, 1.0], [1.0, 1.0]] and b.numpy().tolist() == [2.0, 2.0]


def test_a_borrowed_rule_for_another_number_of_inputs_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'AddV2' has 2 inputs.*'Floor_\d+' has 1"):
        gradient(inside({"Floor": "AddV2"}, ad.floor), 1.5)


def test_an_overridden_rule_can_be_differentiated_again() -> None:
    mapping = {"Identity": named(lambda op, dy: dy * op.inputs[0] ** 3.0)}
    x = ad.Variable(2.0)
    with ad.GradientTape() as outer:
        with ad.GradientTape() as inner:
            y = inside(mapping, ad.identity)(x)
        first = inner.gradient(y, x)
    assert first.numpy() == 8.0 and outer.gradient(first, x).numpy() == 12.0


def test_values_and_the_records_before_stay_as_they_are() -> None:
    x = ad.Variable(2.7)
    with ad.GradientTape(persistent=True) as tape:
        before = ad.floor(x)
        with ad.gradient_override_map({"Floor": "Identity"}):
            within = ad.floor(x)
    assert before.numpy() == within.numpy() == 2.0
    assert tape.gradient(before, x) is None and tape.gradient(within, x).numpy() == 1.0


def test_a_registered_function_sees_the_operation() -> None:
    seen = []

    def look(op: Any, dy: Any) -> Any:
        seen.append(
            (op.type, op.get_attr("axis"), [i.shape for i in op.inputs], op.outputs[0].shape)
        )
        with pytest.raises(ValueError, match="no attr named"):
            op.get_attr("axes")
        return ad.ones_like(op.inputs[0])

    gradient(inside({"Sum": named(look)}, lambda x: ad.reduce_sum(x, 0)), [[1.0, 2.0]])
    assert seen == [("Sum", (0,), [(1, 2)], (2,))]


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda dy: [dy, dy], r"Num gradients 2 .* op: 'Floor' .* do not match num inputs 1"),
        (lambda dy: dy[:2], r"Floor.*\(3,\).*\(2,\)"),
        (lambda dy: ad.cast(dy, ad.float64), "dtype: float32.*dtype: float64"),
    ],
)
def test_a_gradient_that_does_not_fit_is_refused(returned: Any, message: str) -> None:
    mapping = {"Floor": named(lambda op, dy: returned(dy))}
    with pytest.raises(ValueError, match=message):
        gradient(inside(mapping, ad.floor), [1.0, 2.0, 3.0])


def test_an_operation_without_a_gradient_can_be_given_one() -> None:
    def second() -> Any:
        x = ad.Variable(1.0)
        with ad.GradientTape() as outer:
            with ad.GradientTape() as inner:
                y = ad.nn.softsign(x)
            first = inner.gradient(y, x)
        return outer.gradient(first, x)

    with pytest.raises(LookupError, match="gradient registry has no entry for: SoftsignGrad"):
        second()
    ad.RegisterGradient("SoftsignGrad")(lambda op, dy: [None, dy * 7.0])
    try:
        assert second().numpy() == 7.0
    finally:
        del GRADIENTS["SoftsignGrad"]


# --- custom_gradient --------------------------------------------------------------------------------


def test_keyword_arguments_keep_the_rule() -> None:
    f = ad.custom_gradient(lambda x, y: (x * y, lambda dy: (dy * 10.0, dy * 20.0)))
    for call in (lambda x, y: f(x=x, y=y), lambda x, y: f(y=y, x=x), lambda x, y: f(x, y=y)):
        assert [g.numpy() for g in gradient(call, 1.0, 2.0)] == [10.0, 20.0]


def test_the_wrong_number_of_gradients_is_refused() -> None:
    f = ad.custom_gradient(lambda x, y: (x * y, lambda dy: (dy, dy, dy)))
    with pytest.raises(ValueError, match="expected to return 2 gradients, but returned 3"):
        gradient(f, 1.0, 2.0)


@pytest.mark.parametrize(
    "returned",
    [
        lambda dy, x, w: dy * w,  # the second list is forgotten
        lambda dy, x, w: (dy * w, dy * x),  # it is there, but no list
        lambda dy, x, w: ad.stack([dy * w, dy * x]),  # a tensor would unpack into its two rows
        lambda dy, x, w: [dy * x],
        lambda dy, x, w: None,
    ],
)
def test_a_rule_without_a_list_for_the_variables_is_told_what_to_return(returned: Any) -> None:
    w = ad.Variable(3.0, name="w")

    @ad.custom_gradient
    def line(x: Any) -> Any:
        return w * x, lambda dy, variables=None: returned(dy, x, w)

    with pytest.raises(TypeError, match=r"line must return two things.*\(w:0\).*the second a list"):
        gradient(line, 2.0)


@pytest.mark.parametrize("pack", [list, tuple])
def test_the_two_lists_of_a_rule_may_be_tuples(pack: Any) -> None:
    w = ad.Variable(3.0, name="w")

    @ad.custom_gradient
    def line(x: Any) -> Any:
        return w * x, lambda dy, variables=None: pack([dy * w, pack([dy * x])])

    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y = line(x)
    assert [g.numpy() for g in tape.gradient(y, [x, w])] == [3.0, 2.0]


def test_a_gradient_of_the_wrong_shape_names_the_function_and_both_shapes() -> None:
    @ad.custom_gradient
    def scaled(x: Any) -> Any:
        return x * 2.0, lambda dy: ad.reduce_sum(dy)

    with pytest.raises(ValueError, match=r"scaled.*\(2,\).*\(\)"):
        gradient(scaled, [1.0, 2.0])


def test_an_error_in_the_body_leaves_nothing_recording() -> None:
    @ad.custom_gradient
    def fails(x: Any) -> Any:
        raise KeyError(x)

    with pytest.raises(KeyError):
        fails(ad.constant(1.0))
    assert RECORDING.get() == ()


def test_each_of_two_tapes_goes_back_its_own_way() -> None:
    x, c = ad.constant(2.0), ad.constant(3.0)
    f = ad.custom_gradient(lambda c: (x * c, lambda dy: dy * 1000.0))
    with ad.GradientTape() as of_x, ad.GradientTape() as of_c:
        of_x.watch(x)
        of_c.watch(c)
        y = f(c)
    assert of_x.gradient(y, x).numpy() == 3.0 and of_c.gradient(y, c).numpy() == 1000.0


def test_nested_structures_in_and_out() -> None:
    @ad.custom_gradient
    def f(pair: Any, scale: Any) -> Any:
        return {"a": pair[0] * 1.0, "b": [pair[1] * 1.0]}, lambda da, db: (
            [da * 2.0, db * 3.0],
            None,
        )

    def g(x: Any, y: Any) -> Any:
        out = f([x, y], 5.0)
        return out["a"] + out["b"][0]

    assert [v.numpy() for v in gradient(g, 1.0, 1.0)] == [2.0, 3.0]


def test_recompute_grad_agrees_with_the_function_and_keeps_less() -> None:
    w = ad.Variable([[0.5, -0.25], [1.0, 0.75]])

    def f(x: Any, y: Any) -> Any:
        for _ in range(5):
            x = ad.tanh(ad.matmul(x, w)) * y
        return x

    found = []
    for g in (f, ad.recompute_grad(f)):
        x, y = ad.Variable([[1.0, 2.0]]), ad.Variable(0.5)
        with ad.GradientTape() as tape:
            value = g(x, y)
            length = len(tape.records)
        found.append((length, tape.gradient(value, [x, y, w])))
    assert found[1][0] < found[0][0]
    for ours, theirs in zip(found[1][1], found[0][1], strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-6)


def test_the_function_keeps_its_name_and_documentation() -> None:
    @ad.custom_gradient
    def f(x: Any) -> Any:
        """Words."""
        return x, lambda dy: dy

    assert (f.__name__, f.__doc__) == ("f", "Words.")
    assert ad.recompute_grad(f).__wrapped__ is f and ad.grad_pass_through(f).__name__ == "f"
