"""Layer 0: keywords that PyTorch's, NumPy's and JAX's functions take, and TensorFlow's name for each.

One idea: who writes ``lr=0.1`` has not mistyped it, and learns from the error that it is
``learning_rate=0.1``. Only what is called now and then tells so: the operations would pay for it in
each step.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

# Keyed by theirs.
NAMES = {
    "lr": "learning_rate",
    "eps": "epsilon",
    "bias": "use_bias",
    "out_features": "units",
    "p": "rate",
    "std": "stddev",
    "size": "shape",
    "grad_outputs": "output_gradients",
    "persist": "persistent",
}
# What to do where another name is not enough.
SENTENCES = {
    "requires_grad": "ad.Variable(value) is watched by itself, and any other tensor by tape.watch(x)",
    "device": "the kit computes on the processor, leave it out",
    "create_graph": (
        "to differentiate the gradient once more, take it inside the with block of another tape, and "
        "ask that one"
    ),
    "retain_graph": (
        "a tape that is to be asked more than once is made so: ad.GradientTape(persistent=True)"
    ),
    "allow_unused": (
        'a source that was not used gets None, or zeros with unconnected_gradients="zero"'
    ),
    "betas": "they are two, as in beta_1=0.9, beta_2=0.999",
    "params": "the variables come with each step: opt.apply_gradients(zip(gradients, variables))",
    "in_features": "leave it out: a layer sees at its first call how many inputs there are",
}
P = ParamSpec("P")
R = TypeVar("R")


def refusal(function: Callable[..., Any], name: str, value: Any) -> TypeError:
    """The error for a keyword that a function has not."""
    says = f"{function.__qualname__}() got an unexpected keyword argument '{name}'"
    instead = advice(name, value, [*inspect.signature(function).parameters])
    return TypeError(f"{says}: {instead}" if instead else says)


def advice(name: str, value: Any, known: list[str]) -> str:
    """What to write in place of such a keyword, given the names that a function has; "" if unknown.

    >>> advice("lr", 0.1, ["learning_rate"]), advice("lr", 0.1, ["units"])
    ("TensorFlow's name for it is learning_rate, as in learning_rate=0.1", '')
    """
    there = NAMES.get(name, "")
    if there not in known:
        return SENTENCES.get(name, "")
    plain = isinstance(value, (bool, int, float, str)) or (
        isinstance(value, (tuple, list)) and all(type(one) is int for one in value)
    )
    example = f", as in {there}={value!r}" if plain else ""
    return f"TensorFlow's name for it is {there}{example}"


def quiet(function: Callable[P, R]) -> Callable[P, R]:
    """Keep from `help` that a function takes others' keywords to refuse them."""
    found = inspect.signature(function)
    shown = [one for one in found.parameters.values() if one.kind is not one.VAR_KEYWORD]
    vars(function)["__signature__"] = found.replace(parameters=shown)
    return function


def knowing(function: Callable[P, R]) -> Callable[P, R]:
    """A function that says what to do instead when it is given such a keyword."""
    known = [*inspect.signature(function).parameters]

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in kwargs.items() if kwargs else ():
            if name not in known and advice(name, value, known):
                raise refusal(function, name, value)
        return function(*args, **kwargs)

    return call
