"""Layer 3: two uses of custom_gradient: compute again on the way back, or pass a gradient through.

One idea: a rule may do anything, even run the function again under a tape of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autodiff_kit import nest
from autodiff_kit.convert import is_tensor
from autodiff_kit.custom import CustomGradient, Watcher
from autodiff_kit.ops.identity import identity
from autodiff_kit.tape import GradientTape
from autodiff_kit.tensor import RECORDING, recording

__all__ = ["grad_pass_through", "recompute_grad"]


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that keeps nothing of its inside for the way back, and runs once more instead.

    Args:
      f: a function of tensors that returns a tensor, or several in a nested structure.

    Returns:
      A function with the same values and gradients: less memory, more time. ``__wrapped__`` is ``f``.

    Source: https://www.tensorflow.org/api_docs/python/tf/recompute_grad

    >>> import autodiff_kit as ad
    >>> def cube(x):
    ...     print("running")
    ...     return x * x * x
    >>> x = ad.Variable(2.0)
    >>> with ad.GradientTape() as tape:
    ...     y = ad.recompute_grad(cube)(x)
    running
    >>> tape.gradient(y, x)
    running
    <Tensor: shape=(), dtype=float32, numpy=12.0>
    """

    def inner(*args: Any, **kwargs: Any) -> Any:
        def grad_fn(*dys: Any, variables: Any = None) -> Any:
            captured = list(variables or [])
            with GradientTape() as tape:
                inputs = nest.map_structure(_another, args)
                leaves = nest.flatten(inputs)
                sources = [x for x in leaves if is_tensor(x) and x.dtype.is_floating]
                tape.watch([sources, captured])
                again = f(*inputs, **kwargs)
            grads = tape.gradient(nest.flatten(again), [*sources, *captured], list(dys), "zero")
            found = dict(zip(map(id, sources), grads, strict=False))
            in_order = [found.get(id(leaf)) for leaf in leaves]
            return (in_order, grads[len(sources) :]) if captured else in_order

        return _unrecorded(f, args, kwargs), grad_fn

    return _wrapping(f, inner)


def _another(leaf: Any) -> Any:
    """A tensor of its own to be watched; what is no tensor is the same as in the first run."""
    return identity(leaf) if is_tensor(leaf) else leaf


def _unrecorded(f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Run a function while no tape records; which variables it reads is noted all the same."""
    tapes = recording()
    RECORDING.set(tuple(one for one in tapes if type(one) is Watcher))
    try:
        return f(*args, **kwargs)
    finally:
        RECORDING.set(tapes)


def _wrapping(f: Callable[..., Any], inner: Callable[..., Any]) -> CustomGradient:
    if not callable(f):
        raise TypeError(
            f"a function is wanted here, but received {f!r}; the function that comes back is then "
            "called with the tensors: ad.grad_pass_through(f)(x)"
        )
    wrapped = CustomGradient(inner)
    functools.update_wrapper(wrapped, f)
    return wrapped


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function with the values of ``f`` and the gradient of the identity: straight through.

    Args:
      f: a function that returns as many tensors as it takes, of the same shapes.

    Returns:
      The function. Variables that ``f`` uses get no gradient.

    Source: https://www.tensorflow.org/api_docs/python/tf/grad_pass_through

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(2.7)
    >>> with ad.GradientTape() as tape:
    ...     y = ad.grad_pass_through(ad.floor)(x)
    >>> y, tape.gradient(y, x)
    (<Tensor: shape=(), dtype=float32, numpy=2.0>, <Tensor: shape=(), dtype=float32, numpy=1.0>)
    """

    def inner(*args: Any, **kwargs: Any) -> Any:
        def grad_fn(*dys: Any, variables: Any = None) -> Any:
            return (dys, [None] * len(variables)) if variables else dys

        return f(*args, **kwargs), grad_fn

    return _wrapping(f, inner)
