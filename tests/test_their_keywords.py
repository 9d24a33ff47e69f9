"""A keyword of PyTorch's or NumPy's is refused with TensorFlow's name for it."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit.keywords import NAMES, SENTENCES, advice

X = ad.constant([[1.0, 2.0], [3.0, 4.0]])
OPTIMIZERS = ad.keras.optimizers
AXIS = [
    ad.reduce_sum, ad.reduce_mean, ad.reduce_max, ad.reduce_min, ad.reduce_prod, ad.argmax, ad.argmin,
    ad.nn.softmax, ad.nn.log_softmax, ad.cumsum, ad.math.cumprod, ad.norm, ad.squeeze, ad.expand_dims,
    ad.stack, ad.concat, ad.math.reduce_std, ad.math.reduce_variance, ad.reduce_logsumexp, ad.sort,
    ad.argsort,
]  # fmt: skip


@pytest.mark.parametrize("function", AXIS, ids=lambda f: f.__name__)
def test_dim_is_axis(function: Any) -> None:
    words = re.escape(
        f"{function.__name__}() got an unexpected keyword argument 'dim': TensorFlow's name for it is "
        "axis, as in axis=1"
    )
    with pytest.raises(TypeError, match=words):
        function(X, dim=1)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: ad.reduce_mean(X, axis=0, keepdim=True), "keepdims, as in keepdims=True"),
        (lambda: ad.gather(X, [0], dim=1), "is axis, as in axis=1"),
        (lambda: ad.split(X, 2, dim=1), "is axis, as in axis=1"),
        (lambda: ad.roll(X, shifts=1, dims=0), "is shift, as in shift=1"),
        (lambda: ad.sort(X, descending=True), 'direction="DESCENDING"'),
        (
            lambda: ad.clip_by_value(X, min=0.0, max=1.0),
            "is clip_value_min, as in clip_value_min=0.0",
        ),
        (lambda: ad.one_hot([1], num_classes=3), "is depth, as in depth=3"),
        (lambda: ad.nn.leaky_relu(X, negative_slope=0.1), "is alpha, as in alpha=0.1"),
        (lambda: ad.norm(X, p=1), "is ord, as in ord=1"),
        (lambda: OPTIMIZERS.SGD(lr=0.1), "is learning_rate, as in learning_rate=0.1"),
        (lambda: OPTIMIZERS.Adam(lr=0.1), "is learning_rate, as in learning_rate=0.1"),
        (lambda: OPTIMIZERS.Adam(eps=1e-3), "is epsilon, as in epsilon=0.001"),
        (lambda: OPTIMIZERS.Adam(betas=(0.9, 0.99)), "as in beta_1=0.9, beta_2=0.999"),
        (lambda: OPTIMIZERS.SGD(params=[X]), r"opt\.apply_gradients\(zip"),
        (lambda: ad.keras.layers.Dense(2, bias=False), "is use_bias, as in use_bias=False"),
        (
            lambda: ad.keras.layers.Dense(in_features=2, out_features=3),
            "leave it out: a layer sees",
        ),
        (lambda: ad.keras.layers.Dropout(p=0.5), "is rate, as in rate=0.5"),
        (lambda: ad.zeros([2], requires_grad=True), r"ad\.Variable\(value\)"),
        (lambda: ad.ones([2], device="cpu"), "the kit computes on the processor"),
        (lambda: ad.random.normal(size=(2,)), r"is shape, as in shape=\(2,\)"),
        (lambda: ad.random.normal([2], std=0.1), "is stddev, as in stddev=0.1"),
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


def test_a_keyword_of_nobodys_is_refused_as_python_does() -> None:
    for call in (ad.reduce_sum, ad.nn.softmax, ad.stack):
        with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'nonsense'$"):
            call(X, nonsense=1)
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'nonsense'$"):
        OPTIMIZERS.SGD(nonsense=1)


def test_what_is_missing_is_still_missing() -> None:
    for call in (ad.concat, ad.expand_dims):
        with pytest.raises(
            TypeError, match=rf"{call.__name__}\(\) missing 1 required positional argument: 'axis'$"
        ):
            call(X)


def test_of_two_that_are_missing_both_are_named() -> None:
    clip = re.escape("clip_by_value() missing 2 required positional arguments: ")
    with pytest.raises(TypeError, match=f"{clip}'clip_value_min' and 'clip_value_max'$"):
        ad.clip_by_value(X)
    with pytest.raises(
        TypeError, match=r"missing 1 required positional argument: 'clip_value_min'$"
    ):
        ad.clip_by_value(X, clip_value_max=1.0)
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'depth'$"):
        ad.one_hot([1])


def test_help_shows_what_tensorflow_has() -> None:
    assert str(inspect.signature(ad.concat)) == (
        "(values: 'Any', axis: 'Any', name: 'str | None' = None) -> 'Tensor'"
    )
    for function in (*AXIS, ad.zeros, ad.GradientTape.gradient):
        parameters = inspect.signature(function).parameters.values()
        assert all(one.kind is not one.VAR_KEYWORD for one in parameters)


def test_a_name_that_a_function_has_not_is_not_proposed() -> None:
    assert advice("dim", 0, ["x"]) == ""
    assert not NAMES.keys() & SENTENCES.keys()
