"""Layer 5: tensors and variables that are kept in something: a list, a dict, an object.

One idea: go from the learner's names inwards, the near ones first, and not too far.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from types import FunctionType, MethodType, ModuleType
from typing import Any

from autodiff_kit.convert import is_tensor

DEEPEST = 3  # model.layers[0].kernel
MOST = 5000  # of things that are looked at
WIDEST = 500  # parts of one thing
# `exit` of a notebook leads to IPython itself, and so to each of the learner's names once more.
NOT_LOOKED_INTO = ("builtins", "numpy", "IPython", "ipykernel")


# IPython's own names (_, __, _3, _i, _ih), Python's (__name__), and those of `self.__w` from outside.
_NOT_THEIRS = re.compile(r"_+\d*|_i+\d*|_[iods]h|_exit_code|_.*__.*")


def theirs(known: dict[str, Any]) -> dict[str, Any]:
    """The names that a learner has given; those that begin with an underscore come first.

    >>> theirs({"x": 1, "_h": 2, "__name__": 3, "_": 4, "_12": 5, "_Net__w": 6})
    {'_h': 2, 'x': 1}
    """
    names = [name for name in known if name[:1] != "_" or not _NOT_THEIRS.fullmatch(name)]
    return {name: known[name] for name in sorted(names, key=lambda name: name[:1] != "_")}


def inside(known: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """All tensors and variables in what the names lead to, each with the way there."""
    level, seen, left = list(known.items()), set(), MOST
    for _ in range(DEEPEST):
        deeper = []
        for name, value in level:
            if id(value) in seen or is_tensor(value):
                continue
            seen.add(id(value))
            for way, part in islice(parts(name, value), WIDEST):
                left -= 1
                if is_tensor(part):
                    yield way, part
                elif left > 0:
                    deeper.append((way, part))
        level = deeper


def parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What a list, a dict or an object of the learner's holds."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from ((f"{name}.{field}", part) for field, part in zip(value._fields, value))  # noqa: B905
    elif isinstance(value, (list, tuple)):
        yield from ((f"{name}[{number}]", part) for number, part in enumerate(value))
    elif isinstance(value, dict):
        yield from ((f"{name}[{key!r}]", part) for key, part in list(value.items()))
    elif not isinstance(value, (ModuleType, FunctionType, MethodType, str, bytes)):
        yield from ((f"{name}.{key}", part) for key, part in attributes(value).items())


def attributes(value: Any) -> dict[str, Any]:
    """The attributes that an object holds itself. Nothing is computed: a property might do anything."""
    kind = type(value)
    own = kind.__module__.startswith("autodiff_kit.") and ".keras." not in kind.__module__
    if own or kind.__module__.split(".")[0] in NOT_LOOKED_INTO:
        return {}
    slots = [s for base in kind.__mro__ for s in _slots(base)]
    held = {s: getattr(value, s, None) for s in slots} | dict(getattr(value, "__dict__", {}))
    of_the_kit = any(base.__module__.startswith("autodiff_kit.") for base in kind.__mro__)
    public = {key: part for key, part in held.items() if key[:1] != "_"}
    return public if of_the_kit else public | theirs(held)


def _slots(kind: type) -> list[str]:
    slots = kind.__dict__.get("__slots__", ())
    return [slots] if isinstance(slots, str) else list(slots)
