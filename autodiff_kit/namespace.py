"""Layer 1: `xp`, all operations by name.

One idea: rules compute through `xp`, so they work on bare NumPy values and, when another tape is to
differentiate the gradient, on tensors. A family of operations is loaded when one of them is first
asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

FAMILIES: dict[str, str] = {}  # by the kit's name, which module defines it; `ops` fills it in


class Namespace:
    """`xp.f(x)`: the operation `f` on a tensor, its bare kernel on a NumPy value.

    What is set is kept in `_either`, and becomes an attribute when it is asked for the first time,
    after its whole family is loaded: no thread sees half a family that another one is loading.
    """

    def __init__(self) -> None:
        self.__dict__["_either"] = {}

    def __setattr__(self, name: str, either: Callable[..., Any]) -> None:
        self._either[name] = either
        self.__dict__.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        if name in FAMILIES:
            import_module(FAMILIES[name])
        if name not in self._either:
            raise AttributeError(f"no operation is registered under the name {name!r}")
        return self.__dict__.setdefault(name, self._either[name])


xp: Any = Namespace()


def load_all() -> None:
    """Load all families."""
    for module in sorted(set(FAMILIES.values())):
        import_module(module)
