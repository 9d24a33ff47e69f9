"""The usual question gets the same answer in few steps as in the long way, on every tape around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit import tape as tapes
from autodiff_kit.usual import usual


def third(x: Any) -> Any:
    with ad.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with ad.GradientTape() as middle:
            middle.watch(x)
            with ad.GradientTape() as inner:
                inner.watch(x)
                y = ad.reduce_sum(ad.sin(x) * x * x)
            dx = inner.gradient(y, x)
        ddx = middle.gradient(dx, [x])[0]
    return [y, dx, ddx, outer.gradient(ddx, x), outer.gradient(dx, [x])[0], shown(outer)]


def of_variables(x: Any) -> Any:
    v, other = ad.Variable(x), ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y = v * v + 0.0 * v
    return [*tape.gradient(y, [v, v]), shown(tape), other]


def straight(x: Any) -> Any:
    with ad.GradientTape() as outer:
        outer.watch(x)
        with ad.GradientTape() as inner:
            inner.watch(x)
            y = 4.0 * x + 1.0
        dx = inner.gradient(y, x)
    return [dx, outer.gradient(dx, x), shown(outer)]


def not_reached(x: Any) -> Any:
    with ad.GradientTape() as tape:
        tape.watch([x, c := ad.constant(1.0)])
        y = x * x
    return [*tape.gradient(y, [c, x]), tape.released]


def shown(tape: Any) -> list[Any]:
    """What is on a tape, without the times."""
    records = [(r[0].type, r[1], r[2], r[7], r[8]) for r in tape.records]
    return [records, [(e[0], e[1], e[3], e[4]) for e in tape.events], tape.released]


def plain(found: Any) -> Any:
    """What was found, as it can be compared."""
    if isinstance(found, list):
        return [plain(one) for one in found]
    return found.numpy().tolist() if ad.is_tensor(found) else found


@pytest.mark.parametrize("program", [third, of_variables, straight, not_reached])
@pytest.mark.parametrize("value", [0.7, [0.0, -1.5], []])
def test_it_says_what_a_request_says(
    program: Callable[[Any], Any], value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = ad.constant(value, ad.float32)
    short = plain(program(x))
    monkeypatch.setattr(tapes, "usual", lambda *_question: None)
    assert plain(program(x)) == short


def test_another_question_is_handed_over_untouched() -> None:
    x, v = ad.constant(1.0), ad.Variable(2.0)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x * v
        z = y * y
        v.assign(3.0)
        z = z * v
    events = len(tape.events)
    others: list[tuple[Any, Any]] = [
        (z, [y]), (z, [v]), (z, []), (z, [[x]]), (z, [2.0]), (v, [x]), ([z, y], [x]), (2.0, [x]),
        (ad.constant(1.0), [x]), (z, [x, ad.constant(1.0)]),
    ]  # fmt: skip
    for target, sources in others:
        assert usual(tape, target, sources, None) is None
    assert len(tape.events) == events
    assert tape.gradient(z, x).numpy() == 24.0
