"""Errors of wrong calls say what was given, what was expected, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autodiff_kit as ad

X = ad.Variable([1.0, 2.0])


def gradient_of(f: Callable[..., Any]) -> Any:
    with ad.GradientTape() as tape:
        y = ad.custom_gradient(f)(X)
    return tape.gradient(y, X)


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "too few gradients taken": (
        lambda: gradient_of(lambda x: ((x * 2.0, x * x), lambda dy: dy)),
        "one gradient for each result of <lambda>, here 2, and does not take that",
    ),
    "none taken": (lambda: gradient_of(lambda x: (x * 2.0, lambda: 2.0)), "here 1, and does not"),
    "a tensor for a branch": (
        lambda: ad.cond(X[0] > 0.0, X * X, lambda: X),
        "'true_fn' must be callable, but received <Tensor",
    ),
    "a floating choice": (
        lambda: ad.switch_case(X[0], [lambda: X]),
        "ad.cast(branch_index, ad.int32)",
    ),
    "a tensor for a body": (
        lambda: ad.while_loop(X[0] < 1.0, lambda i: [i], [X[0]]),
        "'cond' must be callable, but received <Tensor",
    ),
    "a tensor to recompute": (lambda: ad.recompute_grad(ad.floor(X)), "a function is wanted here"),
    "a tensor to pass": (lambda: ad.grad_pass_through(ad.floor(X)), "a function is wanted here"),
    "a rule without a name": (lambda: ad.RegisterGradient(print), '@ad.RegisterGradient("MyGrad'),
    "a function in a map": (
        lambda: ad.gradient_override_map({"Floor": print}),
        "under which @ad.RegisterGradient holds a gradient function, but received {'Floor'",
    ),
    "a gradient alone": (
        lambda: ad.keras.optimizers.SGD(0.1).apply_gradients(X[0]),
        "must hold pairs (gradient, variable), got <Tensor",
    ),
    "one tensor to clip": (lambda: ad.clip_by_global_norm(X, 1.0), "is given in a list"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_told_what_to_do(name: str) -> None:
    call, words = WRONG[name]
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert words in str(caught.value)


def test_no_far_name_is_suggested() -> None:
    with pytest.raises(LookupError) as caught:
        with ad.gradient_override_map({"Floor": "StraightThru"}):
            pass
    assert "did you mean" not in str(caught.value) and "RegisterGradient" in str(caught.value)


def test_a_type_error_in_the_gradient_function_stays_what_it_is() -> None:
    with pytest.raises(TypeError, match="len()"):
        gradient_of(lambda x: (x, lambda dy: len(3)))
