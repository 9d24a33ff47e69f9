"""Layer 0: names that are loaded when they are first used.

One idea: a program uses a few of the kit's names. A namespace shows all of them, but the file that
defines one is read only when somebody asks for it, by way of `__getattr__` of a module (PEP 562).
`index.py` knows which file that is; it is written from what each namespace imports `if TYPE_CHECKING`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from autodiff_kit.index import NAMES


def places(namespace: str) -> dict[str, tuple[str, str]]:
    """For each name of a namespace the module that defines it, and its name there.

    >>> places("autodiff_kit.math")["mod"]
    ('autodiff_kit.ops.arithmetic', 'floormod')

    Where the name stands for the module as a whole, it has none there:

    >>> places("autodiff_kit")["test"]
    ('autodiff_kit.testing', '')
    """
    found = {}
    for module, entries in NAMES[namespace].items():
        for entry in entries.split():
            name, renamed, there = entry.partition("=")
            found[name] = (module, there if renamed else name)
    return found


def nested(own: str, name: str) -> str:
    """Where a name is that was asked for at the top, but lies one namespace deeper; "" if nowhere.

    >>> nested("autodiff_kit", "log"), nested("autodiff_kit", "relu"), nested("autodiff_kit", "sinn")
    ('ad.math.log', 'ad.nn.relu', '')
    """
    deeper = ("nn", "math", "linalg") if own == "autodiff_kit" else ()
    spaces = [space for space in deeper if name in places(f"{own}.{space}")]
    return f"ad.{spaces[0]}.{name}" if spaces else ""


def unknown(own: str, name: str) -> AttributeError:
    """What to raise for a name that a namespace has not: TensorFlow may have it."""
    says = f"module {own!r} has no attribute {name!r}"
    there = nested(own, name)
    if there:
        return AttributeError(f"{says}. It is {there}.", name=name)
    if not name.startswith("_"):  # Python itself asks for `__path__` and the like
        from autodiff_kit.absent import hint  # tables that nearly no program needs
        from autodiff_kit.foreign import told

        instead = hint(own, name)
        if instead:
            instead = f"TensorFlow has it, and this kit has not. {instead}"
        instead = instead or told(own, name)
        if instead:  # without the module, for Python would go on: "Did you mean ...?"
            return AttributeError(f"{says}. {instead}", name=name)
    return AttributeError(says, name=name, obj=sys.modules.get(own))


def refusing(own: str) -> Callable[[str], Any]:
    """A ``__getattr__`` for a namespace that has all its names: others get a hint."""

    def refuse(name: str) -> Any:
        raise unknown(own, name)

    return refuse


def shown(namespace: dict[str, Any]) -> Callable[[], list[str]]:
    """A ``__dir__`` for a namespace that has all its names: Tab shows what it offers, no helpers.

    >>> shown({"__all__": ["floor"], "__name__": "a", "np": None})()
    ['__all__', '__name__', 'floor']
    """

    def listed() -> list[str]:
        offered = [*namespace["__all__"], *(name for name in namespace if name.startswith("__"))]
        return sorted(offered)

    return listed


def names_of(
    namespace: dict[str, Any],
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """``__all__``, ``__getattr__`` and ``__dir__`` for the module with these globals."""
    own, known = namespace["__name__"], places(namespace["__name__"])

    def load(name: str) -> Any:
        if name not in known:
            raise unknown(own, name)
        module, there = known[name]
        try:
            found = import_module(module)
            value = getattr(found, there) if there else found
        except AttributeError as error:  # `hasattr` and `from … import` would say nothing of it
            raise ImportError(
                f"{own}.{name} could not be loaded from {module}: {error}", name=module
            ) from error
        namespace[name] = value
        return value

    def listed() -> list[str]:
        return sorted({*known, *(name for name in namespace if name.startswith("__"))})

    return sorted(known), load, listed
