"""Layer 5: methods that run when their object is made, and not when it is used.

One idea: what such a method computes is older than each block, and stays what it was after a step.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.lines import Spot
from autodiff_kit.readers.program.spots import statement_of

_ONCE = {
    "__init__": " `__init__` runs only once for an object: compute it in the method that uses it and "
    "that runs in the block, or make the object anew in each block.",
    "build": " `build` runs only once: compute it in `call`, which runs in the block.",
}


def runs_once(case: Case, spot: Spot) -> str:
    """A sentence about the method that a value was computed in, if it runs once for each object."""
    statement, text = statement_of(spot), case.flow.text
    around = text.inside.get(statement, []) if statement is not None else []
    of_class = around and any(around[-1] in kind.body for kind in text.classes)
    return _ONCE.get(around[-1].name, "") if of_class else ""
