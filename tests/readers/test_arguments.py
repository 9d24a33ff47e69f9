"""explain, replay and draw say what they were not given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autodiff_kit as ad

ORDER = "takes the tape first, then the target, then the sources: "
X = ad.Variable(3.0)
with ad.GradientTape(persistent=True) as TAPE:
    Y = X * X

LACKING: list[tuple[Callable[[Any], Any], str]] = [
    (lambda ask: ask(Y, X), "The tape is missing here: the first argument is a Tensor."),
    (lambda ask: ask(Y, [X]), "The tape is missing here: the first argument is a Tensor."),
    (lambda ask: ask(Y), "The tape is missing here: the first argument is a Tensor."),
    (lambda ask: ask(target=Y, sources=X), "The tape is missing here."),
    (lambda ask: ask(), "The tape and the target and the sources are missing here."),
    (lambda ask: ask(TAPE), "The target and the sources are missing here."),
    (lambda ask: ask(TAPE, Y), "The sources are missing here."),
    (lambda ask: ask(TAPE, sources=X), "The target is missing here."),
    (lambda ask: ask(Y, X, TAPE), "The first argument here is a Tensor."),
]


@pytest.mark.parametrize("number", range(len(LACKING)))
@pytest.mark.parametrize("ask", [ad.explain, ad.replay])
def test_what_is_missing_is_named(ask: Callable[..., Any], number: int) -> None:
    call, words = LACKING[number]
    with pytest.raises(TypeError) as caught:
        call(ask)
    name = f"ad.{ask.__name__}"
    assert str(caught.value) == f"{name} {ORDER}{name}(tape, target, sources). {words}"


@pytest.mark.parametrize("ask", [ad.explain, ad.replay, ad.draw])
def test_the_class_is_no_tape(ask: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="is the class GradientTape, not a tape"):
        ask(ad.GradientTape, Y, X)


def test_draw_needs_a_tape_and_no_more() -> None:
    assert ad.draw(TAPE).mermaid
    with pytest.raises(TypeError, match=r"ad\.draw takes the tape first.* is a Tensor\."):
        ad.draw(Y, X)


def test_other_wrong_calls_are_pythons() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'source'"):
        ad.explain(TAPE, Y, X, source=X)
