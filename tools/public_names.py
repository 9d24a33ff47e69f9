"""The kit's public names, namespace by namespace: what the reference and its tests go through.

One idea: a namespace is public where TensorFlow has one of that name, or the kit's own says so; a
name in it is public if its ``__all__`` lists it.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import autodiff_kit as ad
from autodiff_kit.operators import Operators

NAMESPACES = {
    "": "Tensors, variables, tapes, and the operations of everyday",
    "math": "Operations on numbers",
    "nn": "Operations of networks",
    "linalg": "Linear algebra",
    "random": "TensorFlow's random streams",
    "keras": "Models",
    "keras.layers": "Layers",
    "keras.activations": "Activations",
    "keras.initializers": "Initial values",
    "keras.losses": "Losses",
    "keras.optimizers": "Optimizers",
    "autodiff": "Forward mode",
    "test": "Gradients held against finite differences",
    "relax": "Smooth things in place of floor",
    "nest": "Nested structures",
    "errors": "Errors",
    "compat.v1": "TensorFlow 1's names",
    "compat.v1.train": "TensorFlow 1's optimizers",
    "compat.v1.test": "TensorFlow 1's gradient checker",
    "switch_merge": "A teaching model of TensorFlow's graphs",
}


def module(namespace: str) -> ModuleType:
    """The module behind a namespace of the kit."""
    if namespace == "switch_merge":
        return import_module("autodiff_kit.switch_merge")
    found = ad
    for part in filter(None, namespace.split(".")):
        found = getattr(found, part)
    return found


def public(namespace: str) -> dict[str, Any]:
    """The functions, classes and dtypes of a namespace by name, sorted.

    >>> "reduce_mean" in public(""), "np" in public("random")
    (True, False)
    """
    here = vars(module(namespace))
    names = here.get("__all__") or [name for name in here if not name.startswith("_")]
    found = {name: getattr(module(namespace), name) for name in names}
    return {name: found[name] for name in sorted(found) if _is_ours(found[name])}


def _is_ours(value: Any) -> bool:
    if isinstance(value, ModuleType):
        return False
    home = getattr(value, "__module__", None) or type(value).__module__
    return (callable(value) or isinstance(value, ad.DType)) and home.startswith("autodiff_kit")


def every() -> Iterator[tuple[str, Any]]:
    """All public names with their namespaces: ``math.log``, and what they stand for."""
    for namespace in NAMESPACES:
        for name, value in public(namespace).items():
            yield f"{namespace}.{name}".lstrip("."), value


def parameters(value: Any) -> list[str] | None:
    """The names of the arguments, or None where Python cannot tell; an Enum's are Python's own."""
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return None
    try:
        names = [p.name for p in inspect.signature(value).parameters.values()]
    except (TypeError, ValueError):
        return None
    return [name for name in names if name != "self"]


@cache
def _described() -> frozenset[int]:
    return frozenset(id(one) for namespace in NAMESPACES for one in public(namespace).values())


def members(owner: type) -> dict[str, Any]:
    """What a class has of its own, or from a base that is described nowhere else.

    >>> "watch" in members(ad.GradientTape), "watch" in vars(ad.GradientTape)
    (True, False)
    """
    found = dict(vars(owner))
    for base in owner.__mro__[1:]:
        if id(base) in _described() or base is Operators:
            break
        if base.__module__.startswith("autodiff_kit"):
            found = {**vars(base), **found}
    return found
