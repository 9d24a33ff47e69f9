"""A keyword of PyTorch's or NumPy's is refused with TensorFlow's name for it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit.keywords import NAMES, SENTENCES, advice

OPTIMIZERS = ad.keras.optimizers


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: OPTIMIZERS.SGD(lr=0.1), "is learning_rate, as in learning_rate=0.1"),
        (lambda: OPTIMIZERS.Adam(lr=0.1), "is learning_rate, as in learning_rate=0.1"),
        (lambda: OPTIMIZERS.Adam(eps=1e-3), "is epsilon, as in epsilon=0.001"),
        (lambda: OPTIMIZERS.Adam(betas=(0.9, 0.99)), "as in beta_1=0.9, beta_2=0.999"),
        (lambda: OPTIMIZERS.SGD(params=[]), r"opt\.apply_gradients\(zip"),
        (lambda: ad.keras.layers.Dense(2, bias=False), "is use_bias, as in use_bias=False"),
        (
            lambda: ad.keras.layers.Dense(in_features=2, out_features=3),
            "leave it out: a layer sees",
        ),
        (lambda: ad.keras.layers.Dropout(p=0.5), "is rate, as in rate=0.5"),
        (lambda: ad.constant([2.0], requires_grad=True), r"ad\.Variable\(value\)"),
        (lambda: ad.Variable([2.0], device="cpu"), "the kit computes on the processor"),
        (lambda: ad.random.normal(size=(2,)), r"is shape, as in shape=\(2,\)"),
        (lambda: ad.random.normal([2], std=0.1), "is stddev, as in stddev=0.1"),
        (lambda: ad.GradientTape(persist=True), "is persistent, as in persistent=True"),
        (lambda: ad.GradientTape(retain_graph=True), r"ad\.GradientTape\(persistent=True\)"),
    ],
)
def test_another_keyword_has_its_word(call: Any, words: str) -> None:
    with pytest.raises(TypeError, match=f"got an unexpected keyword argument '.*{words}"):
        call()


@pytest.mark.parametrize(
    "name, words",
    [
        ("create_graph", "inside the with block of another tape"),
        ("retain_graph", r"ad\.GradientTape\(persistent=True\)"),
        ("allow_unused", 'unconnected_gradients="zero"'),
        ("grad_outputs", "is output_gradients"),
    ],
)
def test_a_tape_says_what_stands_for_autograds_keywords(name: str, words: str) -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = x * x
    with pytest.raises(TypeError, match=words):
        tape.gradient(y, x, **{name: True})
    assert float(tape.gradient(y, x)) == 6.0  # nothing has changed before


def test_an_error_names_the_tape_and_not_what_it_is_made_of() -> None:
    for wrong in ({"persist": True}, {"nobodys": True}):
        with pytest.raises(TypeError, match=r"^GradientTape\.__init__\(\) got an unexpected"):
            ad.GradientTape(**wrong)


@pytest.mark.parametrize("call", [OPTIMIZERS.SGD, ad.keras.layers.Dense])
def test_a_keyword_of_nobodys_is_refused_without_advice(call: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"nonsense") as raised:
        call(2, nonsense=1)
    assert "TensorFlow's name" not in str(raised.value)


def test_help_shows_what_tensorflow_has() -> None:
    parameters = inspect.signature(ad.GradientTape.gradient).parameters.values()
    assert all(one.kind is not one.VAR_KEYWORD for one in parameters)


def test_a_name_that_a_function_has_not_is_not_proposed() -> None:
    assert advice("lr", 0.1, ["x"]) == ""
    assert not NAMES.keys() & SENTENCES.keys()
