"""Layer 0: every module of the kit is marked, from before its first line runs.

One idea: warnings, errors and `explain` name the learner's line, which is the innermost frame without
the mark. A key in a module's globals is the quickest thing to look for. Modules are loaded at any
time, by the kit or by a learner's own `import`, so Python's search for modules is where to set it.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

__autodiff_kit__ = True


class Marking:
    """Finds the kit's modules where Python finds them, and has them marked."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """As Python's own finders; None for a module that is not the kit's."""
        if not name.startswith("autodiff_kit."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            vars(spec.loader).setdefault("exec_module", partial(_marked_first, spec.loader))
        return spec


def _marked_first(loader: Any, module: ModuleType) -> None:
    vars(module)["__autodiff_kit__"] = True
    type(loader).exec_module(loader, module)


sys.meta_path.insert(0, Marking)
