"""Random programs: first and second order gradients against finite differences, in float64.

A program is a list of steps; each takes two of the 3x3 tensors made so far and appends a new one. Where
no gradient may flow (stop_gradient, a detour through NumPy) the value is frozen: the finite differences
use the one of the unperturbed run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_kit as ad

N = 3
MASK = np.array([[True, False, True], [False, False, True], [True, True, False]])


class Run:
    """One run of a program; `frozen` holds the values of an earlier run that must not move."""

    def __init__(self, variable: ad.Variable, frozen: list[Any] | None = None) -> None:
        self.variable = variable
        self.frozen = frozen
        self.seen: list[Any] = []

    def freeze(self, x: Any, through_numpy: bool) -> Any:
        if self.frozen is None:
            self.seen.append(x.numpy())
            return ad.constant(x.numpy()) if through_numpy else ad.stop_gradient(x)
        self.seen.append(self.frozen[len(self.seen)])
        return ad.constant(self.seen[-1])

    def inner_gradient(self, a: Any, b: Any) -> Any:
        with ad.GradientTape() as tape:
            tape.watch([a, b])
            y = ad.reduce_sum(ad.sin(a) * b * self.variable)
        return tape.gradient(y, a)

    def persistent(self, a: Any, b: Any) -> Any:
        with ad.GradientTape(persistent=True) as tape:
            tape.watch([a, b])
            y = ad.sin(a) * b
            with tape.stop_recording():
                z = y * b
        ga, gb = tape.gradient(y, [a, b])
        assert tape.gradient(z, a) is None
        return ga * gb

    def reassigned(self, a: Any, b: Any) -> Any:
        before = a * self.variable
        self.variable.assign_add(np.full((N, N), 0.25))
        after = b * self.variable
        self.variable.assign_sub(np.full((N, N), 0.25))
        return before + after

    def loop(self, a: Any, b: Any) -> Any:
        for row in a[:2]:
            b = b + row * 0.5
        return b


Step = Callable[[Run, Any, Any], Any]
STEPS: dict[str, Step] = {
    "add": lambda run, a, b: a + b,
    "sub": lambda run, a, b: 1.0 - a - b,
    "mul": lambda run, a, b: a * b,
    "div": lambda run, a, b: a / (b * b + 1.0),
    "pow": lambda run, a, b: a**3 * 0.5 + (b * b + 0.5) ** 0.5,
    "matmul": lambda run, a, b: a @ b,
    "matmul turned": lambda run, a, b: ad.matmul(a, b, transpose_a=True),
    "sin": lambda run, a, b: ad.sin(a),
    "square": lambda run, a, b: ad.square(a) - b,
    "exp": lambda run, a, b: ad.exp(-a * a) * b,
    "where": lambda run, a, b: ad.where(MASK, a, ad.sin(b)),
    "sum": lambda run, a, b: ad.reduce_sum(a, axis=0) * 0.3 + b,
    "mean": lambda run, a, b: ad.reduce_mean(a, axis=1, keepdims=True) * b,
    "total": lambda run, a, b: ad.reduce_mean(a) + ad.reduce_prod(b[0]),
    "row": lambda run, a, b: a[1] * b,
    "column": lambda run, a, b: a[:, 2, ad.newaxis] - b,
    "reversed": lambda run, a, b: a[::-1, ::-1] * b,
    "element": lambda run, a, b: a[2, 0] * b,
    "transpose": lambda run, a, b: ad.transpose(a) + b * 0.1,
    "gather": lambda run, a, b: ad.gather(a, [2, 0, 0]) + b * 0.1,
    "concat": lambda run, a, b: ad.concat([a[:1], b[1:]], 0),
    "stack": lambda run, a, b: ad.stack([a[0], b[0], a[0] * b[2]], axis=1),
    "unstack": lambda run, a, b: ad.stack(ad.unstack(a)[::-1]) * b,
    "reshape": lambda run, a, b: ad.reshape(ad.reshape(a, [9]) * 0.5, [N, N]) + b,
    "stop_gradient": lambda run, a, b: run.freeze(a, False) * b,
    "numpy": lambda run, a, b: run.freeze(a, True) + b * a,
    "variable": lambda run, a, b: run.variable * a + b,
    "assign": Run.reassigned,
    "constant": lambda run, a, b: a * np.linspace(-1, 1, 9).reshape(N, N) + 2,
    "inner gradient": Run.inner_gradient,
    "persistent tape": Run.persistent,
    "loop": Run.loop,
    "same": lambda run, a, b: ad.identity(a) * a,
    "dead end": lambda run, a, b: b + 0.0 * run.freeze(ad.floor(a), True),
}


def execute(program: list[tuple[str, int, int]], run: Run, x: Any) -> Any:
    """The program's result, a number; tanh keeps the values in bounds."""
    values = [x, x * 0.5 + run.variable * 0.1]
    for name, i, j in program:
        a, b = values[i % len(values)], values[j % len(values)]
        values.append(ad.broadcast_to(ad.tanh(STEPS[name](run, a, b)), (N, N)))
    return ad.reduce_sum(values[-1] * np.linspace(0.5, 1.0, 9).reshape(N, N)) + 0.1 * x[0, 0]


def gradients(
    program: list[tuple[str, int, int]], x0: Any, w0: Any, frozen: list[Any] | None = None
) -> tuple[list[Any], list[Any]]:
    """The gradients at a point, as arrays, and the values that were frozen."""
    x, w = ad.constant(x0), ad.Variable(w0)
    run = Run(w, frozen)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = execute(program, run, x)
    found = tape.gradient(y, [x, w], unconnected_gradients="zero")
    return [g.numpy() for g in found], run.seen


def value(program: list[tuple[str, int, int]], x0: Any, w0: Any, frozen: list[Any]) -> float:
    return float(execute(program, Run(ad.Variable(w0), frozen), ad.constant(x0)))


program_of = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 9), st.integers(0, 9)),
    min_size=1,
    max_size=8,
)


def point(seed: int) -> list[Any]:
    """x, w and a direction for each, with no entry near zero."""
    rng = np.random.default_rng(seed)
    return [rng.uniform(0.5, 1, (N, N)) * rng.choice([-1, 1], (N, N)) for _ in range(4)]


@settings(max_examples=150)
@given(program_of, st.integers(0, 2**16))
def test_first_order(program: list[tuple[str, int, int]], seed: int) -> None:
    x, w, dx, dw = point(seed)
    (gx, gw), frozen = gradients(program, x, w)
    h = 1e-5
    up = value(program, x + h * dx, w + h * dw, frozen)
    down = value(program, x - h * dx, w - h * dw, frozen)
    expected = np.sum(gx * dx) + np.sum(gw * dw)
    np.testing.assert_allclose((up - down) / (2 * h), expected, rtol=1e-6, atol=1e-8)


@settings(max_examples=100)
@given(program_of, st.integers(0, 2**16))
def test_second_order(program: list[tuple[str, int, int]], seed: int) -> None:
    x0, w0, dx, dw = point(seed)
    x, w = ad.constant(x0), ad.Variable(w0)
    run = Run(w)
    with ad.GradientTape() as outer:
        outer.watch(x)
        with ad.GradientTape() as inner:
            inner.watch(x)
            y = execute(program, run, x)
        gx, gw = inner.gradient(y, [x, w], unconnected_gradients="zero")
        along = ad.reduce_sum(gx * dx) + ad.reduce_sum(gw * dw)
    hx, hw = outer.gradient(along, [x, w], unconnected_gradients="zero")
    plain, _ = gradients(program, x0, w0)
    for g, under_a_tape in zip(plain, (gx, gw), strict=True):  # parts may be added up otherwise
        np.testing.assert_allclose(under_a_tape.numpy(), g, rtol=1e-12, atol=1e-14)
    h = 1e-5
    up, _ = gradients(program, x0 + h * dx, w0 + h * dw, run.seen)
    down, _ = gradients(program, x0 - h * dx, w0 - h * dw, run.seen)
    for found, above, below in zip((hx, hw), up, down, strict=True):
        np.testing.assert_allclose(found.numpy(), (above - below) / (2 * h), rtol=1e-5, atol=1e-7)


@settings(max_examples=40)
@given(program_of, st.integers(0, 2**16))
def test_persistent_outer_tapes_and_jacobians_agree(
    program: list[tuple[str, int, int]], seed: int
) -> None:
    x0, w0, _, _ = point(seed)
    x, w = ad.constant(x0), ad.Variable(w0)
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = execute(program, Run(w), x)
    (gx, gw), _ = gradients(program, x0, w0)
    for _ in range(2):
        again = tape.gradient(y, [x, w], unconnected_gradients="zero")
        assert [g.numpy().tobytes() for g in again] == [gx.tobytes(), gw.tobytes()]
    rows = tape.jacobian(y, [x, w], unconnected_gradients="zero")
    assert [g.numpy().tobytes() for g in rows] == [gx.tobytes(), gw.tobytes()]


def test_every_step_by_itself() -> None:
    for name in STEPS:
        for program in ([(name, 0, 1)], [(name, 1, 1)], [(name, 0, 0), (name, 2, 1)]):
            test_first_order.hypothesis.inner_test(program, 5)  # type: ignore[attr-defined]
            test_second_order.hypothesis.inner_test(program, 7)  # type: ignore[attr-defined]
