"""The libraries that are compared; those that are not installed are left out."""

from __future__ import annotations

import importlib
import importlib.util

from benchmarks.libraries.base import Library

__all__ = ["Library", "installed"]

# The kit first; then the others: name, module, class.
KNOWN = {
    "kit": ("autodiff_kit", "kit", "Kit"),
    "autograd": ("autograd", "hips", "Hips"),
    "mygrad": ("mygrad", "mygrad", "MyGrad"),
    "torch": ("torch", "torch", "Torch"),
    "jax": ("jax", "jax", "Jax"),
    "tensorflow": ("tensorflow", "tensorflow", "TensorFlow"),
}


def installed(names: list[str] | None = None) -> list[Library]:
    """The libraries of these names (without names: all) that can be imported here."""
    found = []
    for name in names or list(KNOWN):
        package, module, class_ = KNOWN[name]
        if importlib.util.find_spec(package) is not None:
            made = getattr(importlib.import_module(f"benchmarks.libraries.{module}"), class_)()
            found.append(made)
    return found
