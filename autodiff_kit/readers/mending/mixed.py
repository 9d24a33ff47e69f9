"""Layer 5: `where` as a mixture, so that its condition gets a gradient.

One idea: the condition becomes a weight between 0 and 1. It is read where it was written, and its
names are used here only if they still mean the same here.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.mending.here import Here, written_as
from autodiff_kit.readers.mending.reused import stored
from autodiff_kit.readers.mending.steepness import steepness
from autodiff_kit.readers.program.asked import is_reference
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.softened import Matters, mixture, softened
from autodiff_kit.readers.program.spelled import read
from autodiff_kit.readers.program.spots import span_at, span_of


def mixed(case: Case, operation: Operation, spot: Here | None) -> tuple[str, str]:
    """What to write instead of a `where` whose condition depends on the source."""
    place = case.before(operation.places[0], "Broadcast")
    if spot is None or place < 0:
        return "", ""
    parts = [spot.argument(number, key) for number, key in enumerate(("condition", "x", "y"))]
    node, code = written_as(case, place), case.spot(place).code
    weight = _weight(case, place, node) if node is not None else None
    if node is None or weight is None or not all(parts):
        return "", ""
    whole = segment(code.co_filename, node)
    as_written = parts[0] == whole or is_reference(parts[0])  # not the outcome of `a if b else c`
    if code is spot.code and as_written and not _rebound_between(spot, node):
        before, name = spot.named(weight, "weight", "soft_weight")
        return _WORDS, before + spot.instead(mixture(name, *parts[1:]))
    return (
        f"{_WORDS} The weight is {weight}, in place of {whole} at {case.line(place).where}; with it "
        f"the value here is {mixture('weight', *parts[1:])}.",
        "",
    )


def _weight(case: Case, place: int, node: ast.expr) -> str | None:
    """The soft form of the condition, with as steep a sigmoid as its values bear."""
    code, file = case.spot(place).code, case.spot(place).code.co_filename
    text = read(file, node)
    factor = steepness(
        case, case.operation(place), text.arguments if text is not None else [], file
    )
    return softened(file, node, _matters(case, code), factor)


_WORDS = (
    "Mix the two softly instead of choosing: a weight between 0 and 1, steeper for a larger factor, "
    "and one minus that."
)


def _matters(case: Case, code: Any) -> Matters | None:
    """Whether a piece of the program computed something that depends on the source."""
    spots = {span_at(case.spot(p)) for p in case.below if case.spot(p).code is code}
    return None if None in spots else lambda node: span_of(node) in spots


def _rebound_between(spot: Here, node: ast.expr) -> bool:
    """Whether a name of the condition gets another meaning between it and the `where`."""
    first, last = sorted((node.end_lineno or node.lineno, spot.node.lineno))
    return not names_in(node).isdisjoint(stored(spot.file, first + 1, last))
