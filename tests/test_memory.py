"""Long chains, and memory that is free as soon as the tape is, without the garbage collector."""

from __future__ import annotations

import gc
import sys
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.request import LARGE, RAW_RULES

LONG = 100_000
bare_rules = pytest.mark.skipif(not RAW_RULES, reason="under NumPy 1 rules run on tensors")


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Only reference counts free memory."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def chain(x: Any, length: int) -> Any:
    y = x
    for _ in range(length):
        y = y * 1.0001 + x
    return y


def test_a_chain_of_100_000_operations(no_collector: None) -> None:
    x = ad.Variable(1.0, dtype=ad.float64)
    before = sys.getrecursionlimit()
    with ad.GradientTape() as tape:
        y = chain(x, LONG // 2)
    g = tape.gradient(y, x)
    assert sys.getrecursionlimit() == before
    powers = np.cumsum(1.0001 ** np.arange(LONG // 2 + 1))[-1]
    np.testing.assert_allclose(g.numpy(), powers, rtol=1e-9)


def test_a_long_chain_of_tensors_is_freed_without_recursion(no_collector: None) -> None:
    x = ad.constant([1.0, 2.0])
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x
        for _ in range(LONG):
            y = ad.sin(y)
    assert tape.gradient(y, x) is not None
    del tape, y


def used() -> int:
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("persistent", [False, True])
def test_memory_is_free_once_the_tape_is_gone(persistent: bool, no_collector: None) -> None:
    x = ad.Variable(np.ones(1000, np.float32))

    def use() -> Any:
        with ad.GradientTape(persistent) as tape:
            y = x
            for _ in range(200):
                y = ad.sin(y) * x
            y = ad.reduce_sum(y)
        return tape.gradient(y, x)

    use()
    tracemalloc.start()
    try:
        before = used()
        for _ in range(3):
            g = use()
        del g
        assert used() - before < 20_000, "one value alone has 4000 bytes, the tape had 400 of them"
    finally:
        tracemalloc.stop()


def test_a_plain_tape_keeps_nothing_after_its_gradient(no_collector: None) -> None:
    x = ad.Variable(np.ones(1000, np.float32))
    tracemalloc.start()
    try:
        before = used()
        with ad.GradientTape() as tape:
            y = x
            for _ in range(200):
                y = ad.sin(y) * x
        held = used() - before
        g = tape.gradient(y, x)
        del y
        left = used() - before
        assert held > 800_000 > 100_000 > left, "Python itself keeps a few hundred empty tuples"
    finally:
        tracemalloc.stop()
    assert g.shape == (1000,)


def test_a_chain_of_additions_keeps_no_values(no_collector: None) -> None:
    x = ad.Variable(np.ones(1000, np.float32))
    tracemalloc.start()
    try:
        before = used()
        with ad.GradientTape() as tape:
            y = x
            for _ in range(200):
                y = (y + 1.0) * 2.0 - 3.0
        assert used() - before < 400_000, "no rule needs any of the 600 values of 4000 bytes"
    finally:
        tracemalloc.stop()
    assert tape.gradient(y, x).shape == (1000,)


@pytest.mark.parametrize(
    "use",
    [
        lambda t, y, x: t.gradient(y, x),
        lambda t, y, x: t.jacobian(y, x),
        lambda t, y, x: (t.gradient(y, x), t.gradient(y, x)),
        lambda t, y, x: None,
        lambda t, y, x: t.gradient(x, y),
        lambda t, y, x: ad.explain(t, y, x),
        lambda t, y, x: ad.replay(t, y, x),
        lambda t, y, x: ad.draw(t, y, x),
    ],
    ids=["gradient", "jacobian", "twice", "unused", "none", "explain", "replay", "draw"],
)
def test_no_reference_cycles(use: Any, no_collector: None) -> None:
    x = ad.Variable([1.0, 2.0])
    with ad.GradientTape(persistent=True) as tape:
        y = ad.reduce_sum(ad.where(x > 1.5, ad.exp(x), x * x))
        y = ad.reduce_sum(ad.stack([y, x[0]]))
    use(tape, y, x)
    gone = weakref.ref(tape)
    del tape, y
    assert gone() is None


@pytest.mark.parametrize("ask", [ad.explain, ad.replay, ad.draw])
def test_who_asks_in_a_function_can_let_the_tape_go(ask: Any, no_collector: None) -> None:
    x = ad.Variable(1.0)
    mine = locals()
    with ad.GradientTape(persistent=True) as tape:
        y = x * x
    ask(tape, y, x)
    assert mine["x"] is x, "the dict of who called locals() is left alone"
    del mine
    ask(tape, y, x)
    gone = weakref.ref(tape)
    del tape, y
    assert gone() is None


def test_no_reference_cycles_with_nested_tapes(no_collector: None) -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as outer:
        with ad.GradientTape() as inner:
            y = x**3
        g = inner.gradient(y, x)
    h = outer.gradient(g, x)
    gone = [weakref.ref(outer), weakref.ref(inner)]
    del outer, inner
    assert [one() for one in gone] == [None, None]
    assert h.numpy() == 18.0 and g.numpy() == 27.0


def test_a_tensor_does_not_keep_its_tape(no_collector: None) -> None:
    x = ad.constant(3.0)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    gone = weakref.ref(tape)
    del tape
    assert gone() is None and y.numpy() == 9.0
    with ad.GradientTape() as again:  # and is nobody's afterwards
        again.watch(x)
        z = x * y
    assert again.gradient(z, [x, y])[0].numpy() == 9.0


def test_a_new_tape_does_not_mistake_old_tensors_for_its_own(no_collector: None) -> None:
    """Tapes are made where others were freed: no place may be taken for one of the new tape."""
    x = ad.Variable(3.0)
    for _ in range(200):
        with ad.GradientTape() as old:
            left = x * x
        del old
        with ad.GradientTape() as new:
            y = left * x
        assert new.gradient(y, x).numpy() == 9.0


def test_a_persistent_tape_in_a_loop_frees_what_it_resets(no_collector: None) -> None:
    x = ad.Variable(np.ones(1000, np.float32))
    tracemalloc.start()
    try:
        with ad.GradientTape(persistent=True) as tape:
            sizes = []
            for _ in range(6):
                tape.reset()
                y = x
                for _ in range(50):
                    y = ad.sin(y)
                del y
                sizes.append(used())
        assert sizes[-1] - sizes[1] < 20_000
    finally:
        tracemalloc.stop()


@bare_rules
def test_a_plain_tape_uses_up_large_records_on_the_way_back() -> None:
    n = LARGE
    x, w = ad.constant(np.ones(n, np.float32)), ad.constant(np.full(n, 2, np.float32))
    with ad.GradientTape() as tape:
        tape.watch([x, w])
        y = ad.reduce_sum(x * w * x)
    tracemalloc.start()
    try:
        dx, dw = tape.gradient(y, [x, w])
        peak = tracemalloc.get_traced_memory()[1] / (4 * n)
    finally:
        tracemalloc.stop()
    assert (dx.numpy()[0], dw.numpy()[0]) == (4.0, 1.0)
    assert peak < 4.1  # what comes in, what goes out, and the two results


def test_what_adds_up_in_place_is_nobody_elses() -> None:
    n = LARGE
    x = ad.constant(np.ones(n, np.float32))
    seed = ad.constant(np.full(n, 3, np.float32))
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ((x + x) + x) + x * 2.0  # the same array is passed on to several places
    gradient = tape.gradient(y, x, output_gradients=seed)
    assert set(gradient.numpy().tolist()) == {15.0}
    assert set(seed.numpy().tolist()) == {3.0}


@bare_rules
def test_large_and_not_sound_is_explained_as_far_as_it_goes() -> None:
    x = ad.constant(np.zeros(LARGE, np.float32))
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.reduce_sum(x * x)
    assert not tape.gradient(y, x).numpy().any()
    (finding,) = ad.explain(tape, y, x).findings
    assert (finding.status, finding.cause) == ("unknown", "released")
    assert "so large" in finding.why


def test_a_large_tape_survives_a_rule_that_fails() -> None:
    @ad.custom_gradient
    def failing(x):
        def grad(dy):
            if not well:
                raise RuntimeError("not yet")
            return dy

        return x * 1.0, grad

    well = False
    x = ad.constant(np.ones(LARGE, np.float32))
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.reduce_sum(failing(x) * x)
    with pytest.raises(RuntimeError, match="not yet"):
        tape.gradient(y, x)
    well = True
    assert tape.gradient(y, x).numpy()[0] == 2.0


def test_a_sum_in_place_leaves_alone_what_was_passed_on_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autodiff_kit.request.LARGE", 0)
    u, v = ad.constant([1.0, 2.0]), ad.constant([3.0, 4.0])
    with ad.GradientTape() as tape:
        tape.watch([u, v])
        a, b = u * 1.0, v * 1.0
        twice = a * 2.0
        y = (a + b) + twice  # one array goes on to `a` and to `b`, and `a` gets more
    du, dv = tape.gradient(y, [u, v])
    assert (du.numpy().tolist(), dv.numpy().tolist()) == ([3.0, 3.0], [1.0, 1.0])


def test_a_weak_reference_leads_to_a_tensor_as_long_as_it_lives() -> None:
    x = ad.constant([1.0, 2.0])
    seen = weakref.ref(x)
    assert seen() is x
    del x
    assert seen() is None
