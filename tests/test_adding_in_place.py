"""Gradients of indexing are added up in one array; nothing of it shows outside."""

from __future__ import annotations

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.in_place import added


def test_reads_of_elements_and_of_the_whole_add_up() -> None:
    x = ad.constant([1.0, 2.0, 3.0])
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x[0] * 2.0 + ad.reduce_sum(x * x) + x[-1] + ad.reduce_sum(x[:2]) + x[0]
    assert tape.gradient(y, x).numpy().tolist() == [2.0 + 2.0 + 1.0 + 1.0, 4.0 + 1.0, 6.0 + 1.0]


def test_a_source_asked_for_twice_gets_the_same_twice() -> None:
    v = ad.Variable([1.0, 2.0])
    with ad.GradientTape() as tape:
        y = v[0] + v[0] + ad.gather(v, [1, 1])[0]
        v.assign([5.0, 6.0])
        y = y + v[0] * v[1]
    first, second = tape.gradient(y, [v, v])
    assert first.numpy().tolist() == second.numpy().tolist() == [2.0 + 6.0, 1.0 + 5.0]


def test_a_gradient_that_is_kept_does_not_grow() -> None:
    x = ad.constant([1.0, 2.0])
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x[0] * x[1] + x[0]
    before = tape.gradient(y, x)
    was = before.numpy().tolist()
    after = tape.gradient(y, x)
    assert before.numpy().tolist() == was == after.numpy().tolist() == [3.0, 1.0]


def test_the_account_shows_each_sum_as_it_was() -> None:
    x = ad.constant([1.0, 2.0])
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x[0] + x[1] * 3.0
    flows = [
        flow
        for step in ad.replay(tape, y, x).steps
        if step.type == "StridedSlice"
        for flow in step.flows
    ]
    assert [np.asarray(flow.gradient).tolist() for flow in flows] == [[0.0, 3.0], [1.0, 0.0]]
    assert [np.asarray(flow.sum).tolist() for flow in flows] == [[0.0, 3.0], [1.0, 3.0]]


@pytest.mark.parametrize("count", [3, 100])
@pytest.mark.parametrize("wrong", [-1, 5])
def test_gather_refuses_positions_beyond_the_ends(count: int, wrong: int) -> None:
    positions = np.zeros(count, np.int32)
    positions[2] = wrong
    with pytest.raises(ad.errors.InvalidArgumentError, match=rf"indices\[2\] = {wrong} is not in"):
        ad.gather(ad.constant([1.0] * 5), ad.constant(positions))


@pytest.mark.parametrize("rows", [[0.0, 2.0], [1e-30, 1e-12], [1e30, 1e30], [1e-20, 1e-25]])
def test_products_that_vanish_or_overflow_have_right_gradients(rows: list[float]) -> None:
    x = ad.constant([[*rows, 3.0], [1.0, 2.0, 3.0]])
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.reduce_sum(ad.reduce_prod(x, axis=1))
    found = tape.gradient(y, x).numpy()
    a, b, c = (np.float32(n) for n in (*rows, 3.0))
    with np.errstate(all="ignore"):
        expected = np.array([[b * c, a * c, a * b], [6.0, 3.0, 2.0]], np.float32)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_row_read_by_a_single_number_gets_its_gradient() -> None:
    x = ad.constant([[1.0, 2.0], [3.0, 4.0]])
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.reduce_sum(ad.gather(x, 1) * 3.0) + ad.gather(x, [0, 0])[0, 1]
    assert tape.gradient(y, x).numpy().tolist() == [[0.0, 1.0], [3.0, 3.0]]


@pytest.mark.parametrize("large", [0, 10**9])
def test_every_order_of_arrival_where_records_are_used_up(
    large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autodiff_kit.request.LARGE", large)
    x = ad.constant([1.0, 2.0, 3.0, 4.0])
    total = ad.reduce_sum
    programs = {
        "part, whole": lambda: x[0] + total(x * x),
        "whole, part": lambda: total(x * x) + x[0] * 2.0 + x[1],
        "slices": lambda: total(x[1:] * x[:-1]) + total(x),
        "gather": lambda: total(ad.gather(x, [1, 1, 2])) + total(x * x),
        "where": lambda: total(ad.where(x > 2.0, x * x, x)) + x[3],
        "concat": lambda: total(ad.concat([x, x * x], 0)) + total(x),
        "stack": lambda: total(ad.stack([x, x * x])) * x[1],
        "split": lambda: total(ad.split(x, 2)[0]) + total(x * x) + x[0],
        "add_n": lambda: total(ad.add_n([x, x, x * x])) + total(x) + x[2],
        "square": lambda: total((y := ad.sin(x)) * y * 2.0) + total(y * y * x) + total(y),
    }
    for name, program in programs.items():
        found = []
        for persistent in (True, False):
            with ad.GradientTape(persistent=persistent) as tape:
                tape.watch(x)
                y = program()
            found.append(tape.gradient(y, x).numpy().tolist())
        assert found[0] == found[1], name


@pytest.mark.parametrize("held", [(), ("sum",), ("sum", "new"), ("new",)], ids=str)
def test_a_sum_is_made_in_memory_that_nobody_else_holds(held: tuple[str, ...]) -> None:
    """Which one is taken; where Python counts references in yet another way this says so."""
    grads, da = [np.zeros(3)], np.ones(3)
    so_far = grads[0]
    holding = [{"sum": so_far, "new": da}[what] for what in held]
    total = added(grads, 0, da)
    assert (total is so_far) == ("sum" not in held)
    assert (total is da) == ("sum" in held and "new" not in held)
    assert total.tolist() == [1.0, 1.0, 1.0]
    del holding


def test_a_sum_is_not_made_in_memory_that_another_gradient_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autodiff_kit.request.LARGE", 0)
    x, v, c = ad.constant([1.0, 2.0]), ad.constant([3.0, 5.0]), ad.constant([7.0, 11.0])
    with ad.GradientTape() as tape:
        tape.watch([x, v])
        y = ad.reduce_sum(ad.square(x + v)) + ad.reduce_sum(x * c)
    dx, dv = tape.gradient(y, [x, v])
    assert dv.numpy().tolist() == [8.0, 14.0]
    assert dx.numpy().tolist() == [15.0, 25.0]
    assert c.numpy().tolist() == [7.0, 11.0]


def test_many_rows_are_added_as_numbers_with_the_same_result() -> None:
    rng = np.random.default_rng(0)
    for shape, count, kind in (((100, 32), (90,), "int64"), ((30, 4, 5), (40, 20), "int16")):
        x = ad.constant(rng.standard_normal(shape).astype("float32"))
        rows = rng.integers(0, shape[0], count).astype(kind)
        with ad.GradientTape() as tape:
            tape.watch(x)
            taken = ad.gather(x, rows)
            weights = rng.standard_normal(taken.shape).astype("float32")
            y = ad.reduce_sum(taken * weights)
        by_hand = np.zeros(shape, "float32")
        np.add.at(by_hand, rows, weights)
        assert np.array_equal(tape.gradient(y, x).numpy(), by_hand)
