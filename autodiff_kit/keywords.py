"""Layer 0: keywords that PyTorch's, NumPy's and JAX's functions take, and TensorFlow's name for each.

One idea: who writes ``dim=0`` has not mistyped it, and learns from the error that it is ``axis=0``. The
functions that are called in each step take such keywords only to refuse them: that costs no time, and
`quiet` keeps it out of what `help` shows.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

# Keyed by theirs; of several names of TensorFlow's the one that the function has is meant.
NAMES = {
    "dim": "axis",
    "dims": "axis multiples perm",
    "keepdim": "keepdims",
    "lr": "learning_rate",
    "eps": "epsilon",
    "bias": "use_bias",
    "min": "clip_value_min",
    "max": "clip_value_max",
    "out_features": "units",
    "p": "rate ord",
    "descending": "direction",
    "negative_slope": "alpha",
    "num_classes": "depth",
    "std": "stddev",
    "size": "shape",
    "shifts": "shift",
    "grad_outputs": "output_gradients",
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
    "inplace": "leave it out: a tensor never changes",
}
REQUIRED: Any = object()  # the default of an argument that has none, for those that `quiet` shows
P = ParamSpec("P")
R = TypeVar("R")


def refusal(function: Callable[..., Any], given: dict[str, Any], **required: Any) -> TypeError:
    """The error for keywords that a function has not; without one, for what was not given of what is
    required, in Python's words.
    """
    if not given:
        missing = [f"'{name}'" for name, value in required.items() if value is REQUIRED]
        return TypeError(
            f"{function.__qualname__}() missing {len(missing)} required positional "
            f"argument{'s' * (len(missing) > 1)}: {' and '.join(missing)}"
        )
    name, value = next(iter(given.items()))
    says = f"{function.__qualname__}() got an unexpected keyword argument '{name}'"
    instead = advice(name, value, [*inspect.signature(function).parameters])
    return TypeError(f"{says}: {instead}" if instead else says)


def advice(name: str, value: Any, known: list[str]) -> str:
    """What to write in place of such a keyword, given the names that a function has; "" if unknown.

    >>> advice("dim", 0, ["x", "axis"]), advice("dim", 0, ["x"])
    ("TensorFlow's name for it is axis, as in axis=0", '')
    """
    there = [ours for ours in NAMES.get(name, "").split() if ours in known]
    if not there:
        return SENTENCES.get(name, "")
    if name == "descending":
        return f'TensorFlow has direction="{"DESCENDING" if value else "ASCENDING"}"'
    plain = isinstance(value, (bool, int, float, str)) or (
        isinstance(value, (tuple, list)) and all(type(one) is int for one in value)
    )
    example = f", as in {there[0]}={value!r}" if plain else ""
    return f"TensorFlow's name for it is {there[0]}{example}"


def quiet(function: Callable[P, R]) -> Callable[P, R]:
    """Keep from `help` that a function takes others' keywords to refuse them."""
    found = inspect.signature(function)
    shown = [
        one.replace(default=one.empty) if one.default is REQUIRED else one
        for one in found.parameters.values()
        if one.kind is not one.VAR_KEYWORD
    ]
    vars(function)["__signature__"] = found.replace(parameters=shown)
    return function


def knowing(function: Callable[P, R]) -> Callable[P, R]:
    """A function that says what to do instead when it is given such a keyword; for what is called
    now and then.
    """
    known = [*inspect.signature(function).parameters]

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in kwargs.items() if kwargs else ():
            if name not in known and advice(name, value, known):
                raise refusal(function, {name: value})
        return function(*args, **kwargs)

    return call
