"""Every operation's gradient against finite differences in float64, first and second order."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.opdef import all_operations, no_gradient

OPERATIONS = all_operations()
MODULES = sorted(p.stem for p in Path(__file__).parent.glob("rows_*.py"))
ROWS = [row for name in MODULES for row in importlib.import_module(f"gradients.{name}").ROWS]


def direction(rng: np.random.Generator, x: Any) -> Any:
    """A random direction none of whose entries is small, so that no wrong entry can hide."""
    return rng.uniform(0.5, 1.0, x.shape) * rng.choice([-1.0, 1.0], x.shape)


def outputs(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


def gradients(f: Any, at: Any, seeds: Any) -> list[Any]:
    """The gradient of the weighted sum of f's outputs, as arrays."""
    tensors = [ad.constant(x) for x in at]
    with ad.GradientTape() as tape:
        tape.watch(tensors)
        ys = outputs(f(*tensors))
    found = tape.gradient(ys, tensors, output_gradients=[ad.constant(s) for s in seeds])
    return [np.zeros_like(x) if g is None else g.numpy() for g, x in zip(found, at, strict=True)]


def difference(f: Any, at: Any, steps: Any, eps: float) -> list[Any]:
    """The derivative of f's outputs along `steps`, by a central difference of fourth order."""

    def moved(k: float) -> list[Any]:
        values = f(*[x + k * eps * d for x, d in zip(at, steps, strict=True)])
        return [np.asarray(v, np.float64) for v in values]

    pairs = zip(moved(1), moved(-1), moved(2), moved(-2), strict=True)
    return [(8 * (a - b) - (c - d)) / (12 * eps) for a, b, c, d in pairs]


def agree(f: Any, back: Any, at: Any, rtol: float) -> None:
    """The gradient `back(at, seeds)` must be the transpose of what moving the inputs does."""
    rng = np.random.default_rng(0)
    steps = [direction(rng, x) for x in at]
    moved = difference(f, at, steps, 1e-3)
    seeds = [direction(rng, v) for v in moved]
    forward = sum(float(np.sum(s * m)) for s, m in zip(seeds, moved, strict=True))
    found = back(at, seeds)
    for g, x in zip(found, at, strict=True):
        assert g.shape == x.shape and g.dtype == np.float64
    backward = sum(float(np.sum(g * d)) for g, d in zip(found, steps, strict=True))
    scale = sum(float(np.sum(np.abs(s * m))) for s, m in zip(seeds, moved, strict=True))
    assert abs(forward - backward) <= rtol * scale + 1e-11, (forward, backward)


def check(row: Any) -> None:
    """First order, second order, and the expected gradient where the row gives one."""

    def f(*at: Any) -> list[Any]:
        return [y.numpy() for y in outputs(row.f(*map(ad.constant, at)))]

    if row.expect is not None:
        ones = [np.ones_like(y) for y in f(*row.at)]
        for found, expected in zip(gradients(row.f, row.at, ones), row.expect, strict=True):
            np.testing.assert_allclose(found, np.asarray(expected), rtol=1e-12, atol=1e-12)
        return
    agree(f, lambda at, seeds: gradients(row.f, at, seeds), row.at, row.rtol)
    if row.order == 2:
        check_second(row, [np.asarray(y) for y in f(*row.at)])


def check_second(row: Any, ys: Any) -> None:
    """The gradient's own gradient: a function of the inputs and of the seeds."""
    rng = np.random.default_rng(1)
    seeds = [direction(rng, y) for y in ys]

    def first(*tensors: Any) -> list[Any]:
        with ad.GradientTape() as tape:
            tape.watch(tensors)
            values = outputs(row.f(*tensors))
        return tape.gradient(
            values, list(tensors), [ad.constant(s) for s in seeds],
            unconnected_gradients="zero",
        )  # fmt: skip

    def numbers(*at: Any) -> list[Any]:
        return [g.numpy() for g in first(*map(ad.constant, at))]

    agree(numbers, lambda at, s: gradients(first, at, s), row.at, row.rtol * 100)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_gradient(row: Any) -> None:
    check(row)


def test_every_operation_has_a_row() -> None:
    rows = {type_ for row in ROWS for type_ in row.types.split()}
    without_rule = {
        type_ for type_, op in OPERATIONS.items()
        if op.pull is None and all(vjp is no_gradient for vjp in op.vjps)
    }  # fmt: skip
    assert not rows - set(OPERATIONS), "rows for operations that do not exist"
    assert set(OPERATIONS) - rows - without_rule == set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_check_sees_a_broken_rule(row: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that is 0.1 % wrong must turn the row red, first order or second."""
    if row.expect is not None or not any(x.size for x in row.at):
        pytest.skip("says nothing about a rule's numbers")
    for type_ in row.types.split():
        op = OPERATIONS[type_]
        if op.pull is not None:
            wrong_pull = _scaled_pull(op.pull)
            monkeypatch.setattr(op, "pull", wrong_pull)
        monkeypatch.setattr(op, "at_ones", op)  # shorter ways that give the same: test_shortcuts
        monkeypatch.setattr(op, "passes_on", False)
        monkeypatch.setattr(op, "multiplies", False)
        monkeypatch.setattr(op, "add_in", None)
        monkeypatch.setattr(op, "vjps", tuple(_scaled(vjp) for vjp in op.vjps))
        monkeypatch.setattr(op, "vjp_a", _scaled(op.vjp_a))
        monkeypatch.setattr(op, "vjp_b", _scaled(op.vjp_b))
    with pytest.raises(AssertionError):
        check(row)


def _scaled(vjp: Any) -> Any:
    def wrong(*args: Any, **attrs: Any) -> Any:
        dx = vjp(*args, **attrs)
        return dx if dx is None or isinstance(dx, dict) else dx * 1.001

    return wrong


def _scaled_pull(pull: Any) -> Any:
    def wrong(*args: Any) -> Any:
        return [None if dx is None else dx * 1.001 for dx in pull(*args)]

    return wrong


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_tape_that_uses_its_records_up_gives_the_same(
    row: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with large arrays: records dropped, sums added in place."""
    found = []
    for large in (10**9, 0):
        monkeypatch.setattr("autodiff_kit.request.LARGE", large)
        tensors = [ad.constant(x) for x in row.at]
        with ad.GradientTape() as tape:
            tape.watch(tensors)
            ys = [y for y in outputs(row.f(*tensors)) if y.dtype.is_floating]
        found.append([tape.gradient(ys, tensors), tape.spent])
    for one, other in zip(found[0][0], found[1][0], strict=True):
        assert (one is None) == (other is None)
        assert one is None or np.array_equal(one.numpy(), other.numpy(), equal_nan=True)
