"""Where the way back leaves out a call or a product, the numbers are those of the rules themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.opdef import OpDef, all_operations
from autodiff_kit.request import RAW_RULES
from autodiff_kit.tensor import tensor_of

SPECIAL = [0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan, 1e-40]
SHORTER = [op for op in all_operations().values() if op.at_ones is not op and op.arity == 2]
PASSING = [op for op in all_operations().values() if op.passes_on]
SHAPES = [
    ((), ()),
    ((8,), (8,)),
    ((8,), ()),
    ((), (8,)),
    ((2, 8), (8,)),
    ((2, 1), (1, 8)),
    ((0,), ()),
]


def special(shape: tuple[int, ...], shift: int) -> Any:
    return np.resize(np.roll(np.float32(SPECIAL), shift), shape)[()]


def same(found: Any, expected: Any) -> bool:
    a, b = (np.asarray(getattr(one, "_value", one)) for one in (found, expected))
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


@pytest.mark.parametrize("op", SHORTER, ids=lambda op: op.type)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_at_ones_the_shorter_rules_give_the_same_bits(op: OpDef, shapes: Any) -> None:
    a, b = special(shapes[0], 0), special(shapes[1], 3)
    with np.errstate(all="ignore"):
        y = op.kernel(a, b)
        ones = np.ones_like(y)[()]
        for wrap in (lambda value: value, tensor_of):
            arguments = [wrap(value) for value in (ones, a, b, y)]
            for rule, short in zip(op.vjps, op.at_ones.vjps, strict=True):
                assert same(short(*arguments), rule(*arguments))


@pytest.mark.parametrize("op", SHORTER, ids=lambda op: op.type)
def test_the_shorter_rules_need_nothing_that_the_tape_does_not_keep(op: OpDef) -> None:
    for short, long in zip(op.at_ones.needs, op.needs, strict=True):
        assert all(kept or not asked for asked, kept in zip(short, long, strict=True))


@pytest.mark.parametrize("axis", [(0,), (1,), (0, 1), ()], ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("values", [SPECIAL, [1.5, -2.0, 3.0, 0.5], [0.0, 2.0, 3.0, 4.0]], ids=str)
def test_products_at_ones(values: Any, axis: Any, keepdims: bool) -> None:
    op = all_operations()["Prod"]
    x = np.resize(np.float32(values), (3, 4))
    attrs = {"axis": axis, "keepdims": keepdims}
    with np.errstate(all="ignore"):
        y = op.kernel(x, **attrs)
        ones, attrs = np.ones_like(y)[()], {**attrs, "shapes": (x.shape,)}
        for wrap in (lambda value: value, tensor_of):
            given = [wrap(value) for value in (ones, x, y)]
            assert same(op.at_ones.vjps[0](*given, **attrs), op.vjps[0](*given, **attrs))


def test_every_shorter_rule_is_tested() -> None:
    shorter = {op.type for op in all_operations().values() if op.at_ones is not op}
    assert shorter == {"Mul", "Pow", "Prod", "Sum"}


def test_what_passes_its_gradient_on_does_so_by_its_rules() -> None:
    dy = np.float32([1.0, 2.0])
    assert {op.type for op in PASSING} == {"AddV2", "BiasAdd"}
    assert all(rule(dy, None, None, None) is dy for op in PASSING for rule in op.vjps)


def test_what_multiplies_does_so_by_its_rules() -> None:
    (op,) = [op for op in all_operations().values() if op.multiplies]
    dy, a, b = special((8,), 0), special((8,), 1), special((8,), 2)
    with np.errstate(all="ignore"):
        assert op.type == "Mul"
        assert same(op.vjps[0](dy, a, b, None), dy * b)
        assert same(op.vjps[1](dy, a, b, None), dy * a)


@pytest.mark.skipif(not RAW_RULES, reason="with NumPy 1 all rules run on tensors")
@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0, 3.0, -1.0, 0.5])
@pytest.mark.parametrize("shape", [(), (8,)], ids=str)
def test_powers_on_bare_values_have_the_bits_of_powers_of_tensors(
    exponent: Any, shape: Any
) -> None:
    op = all_operations()["Pow"]
    for wide in (1.0, 1e38):
        dy, a = special(shape, 1) * np.float32(wide), special(shape, 0)
        for b in (np.float32(exponent), np.array(exponent, np.float32)):
            with np.errstate(all="ignore"):
                short = op.vjps[0](dy, a, b, None)
                assert same(short, op.vjps[0](tensor_of(dy), tensor_of(a), tensor_of(b), None))


def test_a_variable_that_is_its_own_target_under_another_tape() -> None:
    v = ad.Variable(3.0, trainable=False)
    with ad.GradientTape():
        with ad.GradientTape() as tape:
            pass
        assert tape.gradient(v, v).numpy() == 1.0


IN_PLACE = {
    "StridedSlice": [
        (lambda x: x[1], (4,)), (lambda x: x[-1], (2, 3)), (lambda x: x[::-2, None], (5, 2)),
        (lambda x: x[..., 1:], (2, 3)), (lambda x: x[3:], (2,)),
    ],
    "GatherV2": [
        (lambda x: ad.gather(x, [0, 2, 0]), (3,)), (lambda x: ad.gather(x, 1), (2, 3)),
        (lambda x: ad.gather(x, [[1], [1]], axis=1), (2, 3)),
        (lambda x: ad.gather(x, [[1, 1], [0, 2]], batch_dims=1), (2, 3, 2)),
        (lambda x: ad.gather(x, np.arange(40) % 3), (3, 30)),
    ],
    "GatherNd": [
        (lambda x: ad.gather_nd(x, [[0], [2], [0]]), (3, 2)),
        (lambda x: ad.gather_nd(x, [[1, 1], [1, 1]]), (2, 2)),
        (lambda x: ad.gather_nd(x, np.zeros((2, 0), np.int32)), (3,)),
    ],
}  # fmt: skip


def test_all_that_is_added_in_place_is_tested() -> None:
    assert {op.type for op in all_operations().values() if op.add_in} == IN_PLACE.keys()


@pytest.mark.parametrize(
    ("type_", "program", "shape"),
    [(type_, *case) for type_, cases in IN_PLACE.items() for case in cases],
)
def test_in_place_is_added_what_the_rule_gives(type_: str, program: Any, shape: Any) -> None:
    rng = np.random.default_rng(0)
    x = ad.constant(rng.standard_normal(shape).astype("float32"))
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = program(x)
    op, _, _, a, b, _, attrs, _, _ = tape.records[tape.find(y)]
    assert op.type == type_
    dy = rng.standard_normal(y.shape).astype("float32")[()]
    dx = op.vjps[0](dy, a._value, *([b._value] if op.arity == 2 else []), None, **attrs)
    total = rng.integers(-8, 8, shape).astype("float32")
    expected = total + dx
    op.add_in(total, dy, b._value, attrs)
    np.testing.assert_allclose(total, expected, rtol=1e-5, atol=1e-5)
    assert dx.any() or not y.shape or not dy.size


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1, (), (0, 1)])
def test_a_sum_makes_ones_of_ones(axis: Any, keepdims: bool) -> None:
    spreading = [op for op in all_operations().values() if op.spreads or op.at_ones.spreads]
    assert [op.type for op in spreading] == ["Sum"]
    shape, axes = (3, 2), {None: (0, 1), 0: (0,), 1: (1,)}.get(axis, axis)
    ones = np.ones(np.zeros(shape).sum(axis=axes, keepdims=keepdims).shape, np.float32)[()]
    for one in (ones, tensor_of(ones)):
        attrs = {"axis": axes, "keepdims": keepdims, "shapes": (shape,)}
        assert same(spreading[0].at_ones.vjps[0](one, None, None, **attrs), np.ones(shape, "f"))
    x = ad.ones([3, 2])
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.reduce_sum(x * 5.0, axis=axis, keepdims=keepdims)
    assert tape.gradient(y, x).numpy().tolist() == [[5.0] * 2] * 3


def test_a_gradient_is_a_tensor_of_its_own() -> None:
    """The gradient of b * x for x has the numbers of b, but it is not b."""
    x, b = ad.Variable(3.0), ad.Variable(5.0)
    with ad.GradientTape(persistent=True) as outer:
        with ad.GradientTape() as inner:
            y = b * x
        g = inner.gradient(y, x)
        z = g * b
    assert g is not b and g.numpy() == 5.0
    assert outer.gradient(z, g).numpy() == 5.0  # as a factor of z; through b it would be 10
    assert outer.gradient(z, b).numpy() == 10.0


@pytest.mark.parametrize("factor", [2.0, ad.constant(2.0)], ids=["number", "constant"])
def test_to_watch_a_gradient_watches_no_constant(factor: Any) -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as outer:
        with ad.GradientTape() as inner:
            y = factor * x
        g = inner.gradient(y, x)
        outer.watch(g)
        z = factor * factor * ad.constant(1.0)
    assert outer.gradient(z, g) is None


@pytest.mark.parametrize("size", [3, 1 << 18])
def test_a_gradient_with_the_numbers_of_a_weight_leaves_the_weight_alone(size: int) -> None:
    w, c = ad.Variable(ad.ones([size])), ad.constant(np.full(size, 2.0, np.float32))
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum(w * c) + ad.reduce_sum(w * w)
    (gradient,) = tape.gradient(loss, [w])
    assert (gradient.numpy()[0], c.numpy()[0], w.numpy()[0]) == (4.0, 2.0, 1.0)
    ad.keras.optimizers.SGD(0.5).apply_gradients([(gradient, w)])
    assert (gradient.numpy()[0], c.numpy()[0], w.numpy()[0]) == (4.0, 2.0, -1.0)
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum(w * c)
    (gradient,) = tape.gradient(loss, [w])
    ad.keras.optimizers.Adam(0.5).apply_gradients([(gradient, w)])
    assert (gradient.numpy()[0], c.numpy()[0]) == (2.0, 2.0)


def test_what_gradients_are_asked_to_begin_with_is_not_taken_for_ones() -> None:
    x = ad.Variable([1.0, 2.0])
    with ad.GradientTape(persistent=True) as tape:
        y = x * ad.constant([3.0, 4.0])
    assert tape.gradient(y, x, [ad.constant([1.0, 1.0])]).numpy().tolist() == [3.0, 4.0]
    assert tape.gradient(y, x, [ad.constant([2.0, 1.0])]).numpy().tolist() == [6.0, 4.0]
    assert tape.gradient([y, y], x).numpy().tolist() == [6.0, 8.0]


@pytest.mark.parametrize("value", [0.7, [0.5, -2.0]])
def test_both_factors_of_a_square_get_the_same(value: Any) -> None:
    x = ad.constant(value)
    with ad.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with ad.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = ad.sin(x)
            z = y * y * y
        dx = inner.gradient(z, x)
    s, c = np.sin(x.numpy()), np.cos(x.numpy())
    np.testing.assert_allclose(dx.numpy(), 3 * s * s * c, rtol=1e-5)
    np.testing.assert_allclose(inner.gradient(z, y).numpy(), 3 * s * s, rtol=1e-5)
    second = outer.gradient(dx, x).numpy()
    np.testing.assert_allclose(second, 6 * s * c * c - 3 * s * s * s, rtol=1e-5)
