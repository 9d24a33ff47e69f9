"""Threads and asyncio tasks do not see one another's tapes."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit import recorder
from autodiff_kit.contexts import OwnVar
from autodiff_kit.tensor import RECORDING

ROOT = Path(__file__).parents[1]


def run(*works: Any) -> None:
    """Run each in a thread of its own, and raise what one of them raised."""
    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(work) for work in works]:
            done.result(timeout=60)


def test_a_thread_does_not_record_on_the_tape_of_another() -> None:
    x = ad.Variable(3.0)
    both = threading.Barrier(2, timeout=30)

    def learner(power: int) -> None:
        with ad.GradientTape(persistent=True) as tape:
            both.wait()
            y = x**power
            both.wait()
            assert RECORDING.get() == (tape,)
            assert [v is x for v in tape.watched_variables()] == [True]
        assert tape.gradient(y, x).numpy() == power * 3.0 ** (power - 1)
        assert [record[0].type for record in tape.records].count("Pow") == 1

    run(lambda: learner(2), lambda: learner(3))


def test_a_tape_of_the_main_thread_does_not_record_in_a_worker() -> None:
    x = ad.Variable(3.0)
    made: list[Any] = []
    with ad.GradientTape() as tape:
        worker = threading.Thread(target=lambda: made.append((x * x, RECORDING.get())))
        worker.start()
        worker.join(30)
        z = x * 2.0
    ((y, recording),) = made
    assert recording == ()
    assert tape.gradient([y, z], x).numpy() == 2.0


def test_the_same_variables_in_many_threads() -> None:
    w = ad.Variable([1.0, 2.0, 3.0])
    start = threading.Barrier(4, timeout=30)

    def learner(k: int) -> None:
        start.wait()
        for _ in range(200):
            with ad.GradientTape() as outer:
                with ad.GradientTape() as inner:
                    y = ad.reduce_sum(w * w * w) * float(k)
                g = inner.gradient(y, w)
            h = outer.gradient(g, w)
            assert g.numpy().tolist() == [3.0 * k, 12.0 * k, 27.0 * k]
            assert h.numpy().tolist() == [6.0 * k, 12.0 * k, 18.0 * k]

    run(*[lambda k=k: learner(k) for k in range(1, 5)])


def test_the_same_watched_tensor_in_many_threads() -> None:
    """The tensor carries the note of one tape only; the others must keep theirs elsewhere."""
    x = ad.constant(3.0)
    start = threading.Barrier(4, timeout=30)

    def learner(k: int) -> None:
        start.wait()
        for _ in range(200):
            with ad.GradientTape() as tape:
                tape.watch(x)
                y = x * x * float(k)
            assert tape.gradient(y, x).numpy() == 6.0 * k

    run(*[lambda k=k: learner(k) for k in range(1, 5)])


def test_two_threads_that_watch_one_tensor_at_the_very_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The tensor's note says that its last tape is gone; both threads read it before either writes."""
    both, watched = threading.Barrier(2), threading.Barrier(2)

    class Slow(recorder.Home):
        def __call__(self) -> Any:
            found = super().__call__()
            with contextlib.suppress(threading.BrokenBarrierError):
                both.wait(timeout=0.2)
            return found

    monkeypatch.setattr(recorder, "Home", Slow)
    x = ad.constant(3.0)
    x._home = Slow(ad.GradientTape())

    def learner(k: int) -> None:
        with ad.GradientTape() as tape:
            for _ in range(k):
                tape.watch(ad.constant(1.0))
            tape.watch(x)
            watched.wait(30)
            y = x * x * float(k)
        gradient = tape.gradient(y, x)
        assert gradient is not None and gradient.numpy() == 6.0 * k

    run(lambda: learner(1), lambda: learner(2))


def test_an_override_is_the_threads_own() -> None:
    @ad.RegisterGradient("ThreadsTimesFive")
    def five(op: Any, grad: Any) -> Any:
        return 5.0 * grad

    x = ad.Variable(3.0)
    both = threading.Barrier(2, timeout=30)

    def plain() -> None:
        both.wait()
        with ad.GradientTape() as tape:
            y = ad.identity(x)
        both.wait()
        assert tape.gradient(y, x).numpy() == 1.0

    def overridden() -> None:
        with ad.get_default_graph().gradient_override_map({"Identity": "ThreadsTimesFive"}):
            both.wait()
            with ad.GradientTape() as tape:
                y = ad.identity(x)
            both.wait()
        assert tape.gradient(y, x).numpy() == 5.0

    run(plain, overridden)


def test_tasks_do_not_see_one_anothers_tapes() -> None:
    x = ad.Variable(3.0)

    async def learner(power: int) -> float:
        with ad.GradientTape() as tape:
            await asyncio.sleep(0)
            y = x * x
            for _ in range(power - 2):
                await asyncio.sleep(0)
                y = y * x
            assert RECORDING.get() == (tape,)
        await asyncio.sleep(0)
        return float(tape.gradient(y, x))

    async def main() -> list[float]:
        return await asyncio.gather(*[learner(power) for power in (2, 3, 4, 5)])

    assert asyncio.run(main()) == [6.0, 27.0, 108.0, 405.0]
    assert RECORDING.get() == ()


def test_a_task_started_inside_a_block_records_on_its_tape() -> None:
    """A task inherits the context it was started in, as every context variable does."""
    x = ad.Variable(3.0)

    async def cube() -> Any:
        return x * x * x

    async def main() -> Any:
        with ad.GradientTape() as tape:
            y = await asyncio.create_task(cube())
        return tape.gradient(y, x)

    assert asyncio.run(main()).numpy() == 27.0


def test_a_gradient_may_be_taken_in_another_thread() -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = x * x
    run(lambda: [tape.gradient(y, x).numpy() == 6.0 or 1 / 0])


def test_a_fresh_context_has_no_tape() -> None:
    with ad.GradientTape() as tape:
        assert contextvars.Context().run(RECORDING.get) == ()
        assert RECORDING.get() == (tape,)


def test_a_generator_may_leave_its_block_late() -> None:
    x = ad.Variable(3.0)

    def steps() -> Any:
        with ad.GradientTape() as tape:
            y = x * x
            yield tape
            yield tape.gradient(y, x)

    generator = steps()
    tape = next(generator)
    z = x * 5.0
    assert next(generator).numpy() == 6.0
    generator.close()
    assert RECORDING.get() == () and z.numpy() == 15.0 and tape is not None


def test_who_takes_over_the_context_does_not_take_over_what_is_a_threads_own() -> None:
    """As threads do on Python 3.14 without the global lock; a task of the thread still has it."""
    var = OwnVar("var", "nothing")
    outer = var.set("mine")
    copy = contextvars.copy_context()
    seen: list[Any] = []
    run(lambda: seen.extend([var.get(), copy.run(var.get)]))
    assert (seen, copy.run(var.get)) == (["nothing", "nothing"], "mine")
    inner = var.set("other")
    var.reset(inner)
    assert var.get() == "mine"
    var.reset(outer)
    assert var.get() == "nothing"


@pytest.mark.skipif(sys.version_info < (3, 14), reason="older Pythons' threads take nothing over")
def test_threads_that_take_over_the_context_record_on_no_tape_of_another() -> None:
    here = "tests/test_threads.py::test_a_tape_of_the_main_thread_does_not_record_in_a_worker"
    command = [sys.executable, "-X", "thread_inherit_context=1", "-m", "pytest", "-q", here]
    subprocess.run(command, check=True, capture_output=True, timeout=120, cwd=ROOT)
