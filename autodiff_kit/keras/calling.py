"""Layer 4: how the arguments of a layer get to its `build` and its `call`.

One idea: a layer hands on what it was given. Each tensor in the arguments, also deep inside a list or a
dict, is cast by itself, so that gradients find their way back to it; and `training` goes to the
layers inside as well, unless they are told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any

import numpy as np

from autodiff_kit import nest
from autodiff_kit.contexts import own_var
from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.dtypes import DType
from autodiff_kit.ops.casting import cast
from autodiff_kit.tensor import Tensor

# What `training` is in the layer that is being called, for the layers that it calls.
TRAINING: ContextVar[Any] = own_var("training", None)


@contextmanager
def training_inside(training: Any) -> Iterator[None]:
    """A block in which layers that are called are told this of training."""
    outer = TRAINING.set(training)
    try:
        yield
    finally:
        TRAINING.reset(outer)


_NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.POSITIONAL_ONLY, Parameter.KEYWORD_ONLY)


@lru_cache(maxsize=1024)
def parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The named parameters of a method without `self`, each with its default or None."""
    found = [p for p in list(signature(function).parameters.values())[1:] if p.kind in _NAMED]
    return {one.name: None if one.default is one.empty else one.default for one in found}


def arguments(
    layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    """What `call` gets, and what `training` is for the layers that it calls."""
    names = parameters(type(layer).call)
    if len(args) == 1 and not kwargs:  # the usual case, for speed
        training = TRAINING.get()
        if "training" in names:
            training = names["training"] if training is None else training
            kwargs = {} if training is None else {"training": training}
        return (first_input(args[0], layer.dtype, layer.name),), kwargs, training
    training = training_for(names, args, kwargs)
    if "training" not in names:
        kwargs.pop("training", None)
    elif training is not None and "training" not in list(names)[: len(args)]:
        kwargs["training"] = training
    first = next(iter(names), "")
    if not args and first in kwargs:
        args = (kwargs.pop(first),)
    if args:
        rest = tuple(each_tensor(one, layer.dtype) for one in args[1:])
        args = (first_input(args[0], layer.dtype, layer.name), *rest)
    kwargs = {name: each_tensor(one, layer.dtype) for name, one in kwargs.items()}
    return args, kwargs, training


def training_for(names: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `training` is in this call: as given, or as in the layer around it, or the default."""
    if "training" in kwargs:
        return kwargs["training"]
    by_place = dict(zip(names, args, strict=False))
    if "training" in by_place:
        return by_place["training"]
    around = TRAINING.get()
    return names.get("training") if around is None else around


def first_input(value: Any, dtype: DType | None, name: str) -> Any:
    """The first argument of a layer; lists of numbers become one tensor."""
    if is_tensor(value) or isinstance(value, np.ndarray):
        return _one_tensor(value, dtype)
    if holds_tensors(value):
        return each_tensor(value, dtype)
    if dtype is None:
        return as_tensor(value)
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ValueError(
            f"Layer '{name}' expects numbers, got {array!r}; nested lists must be rectangular"
        )
    return cast(array, dtype)


def holds_tensors(value: Any) -> bool:
    """Whether a value is a tensor or an array, or has one somewhere inside."""
    return any(is_tensor(one) or isinstance(one, np.ndarray) for one in nest.flatten(value))


def each_tensor(value: Any, dtype: DType | None) -> Any:
    """The value with each array made a tensor, and each floating one of the layer's dtype."""
    return nest.map_structure(lambda one: _one_tensor(one, dtype), value)


def _one_tensor(value: Any, dtype: DType | None) -> Any:
    if not is_tensor(value) and not isinstance(value, np.ndarray):
        return value
    tensor = as_tensor(value)
    kind = tensor._value.dtype
    if dtype is None or kind.kind != "f" or kind == dtype.as_numpy_dtype:
        return tensor
    return cast(tensor, dtype)


def shapes_of(value: Any) -> Any:
    """The shapes of tensors in their structure; None for what is no tensor."""
    if type(value) is Tensor:
        return tuple(value._value.shape)
    return nest.map_structure(
        lambda one: tuple(one._value.shape) if is_tensor(one) else None, value
    )


def build_arguments(layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The shapes that `build` asks for: of the first argument, or of several by their names."""
    wanted = list(parameters(type(layer).build))
    given = dict(zip(parameters(type(layer).call), args, strict=False)) | kwargs
    shapes = {
        f"{name}_shape": shapes_of(value)
        for name, value in given.items()
        if name not in ("mask", "training") and holds_tensors(value)
    }
    if len(wanted) == 1:
        return {wanted[0]: next(iter(shapes.values()), None)}
    for name in wanted:
        if name not in shapes:
            raise ValueError(
                "For a `build()` method with more than one argument, all arguments should have a "
                "`_shape` suffix and match an argument from `call()`. E.g. "
                f"`build(self, foo_shape, bar_shape)`. Layer '{layer.name}' was called with tensors "
                f"for {', '.join(shapes) or 'nothing'}, but its `build()` asks for `{name}`"
            )
    return {name: shapes[name] for name in wanted}
