"""What a tape keeps for the way back: for each operation the values that its rules will ask for.

One idea: a tape does not store what was computed, only what is needed to go back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.lines import user_frame
from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.names import Names
from autodiff_kit.readers.shown.labels import Labels
from autodiff_kit.teaching.tables import ShownTable, table
from autodiff_kit.tensor import NOTHING

__all__ = ["kept"]


def kept(tape: Any) -> ShownTable:
    """A table of the operations on a tape, each with the values it keeps for its rules.

    Args:
      tape: the `GradientTape` that recorded. It is only read.

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(2.0, name="x")
    >>> with ad.GradientTape() as tape:
    ...     y = ad.reduce_sum(ad.sin(x))
    >>> kept(tape)
    What the tape keeps
    <BLANKLINE>
      operation     keeps
      v1 = Sin(x)   x
      y = Sum(v1)   nothing
    """
    labels = Labels(tape, Names(user_frame(), tape))
    rows = []
    for place, record in enumerate(tape.records):
        if record[0] is not LEAF:
            operation = Operation(tape.records, place)
            call = f"{labels.of(place)} = {operation.type}({', '.join(labels.inputs(place))})"
            rows.append([call, ", ".join(_values(operation, labels)) or "nothing"])
    return table("What the tape keeps", ["operation", "keeps"], rows)


def _values(operation: Operation, labels: Labels) -> list[str]:
    """Each value that is kept, as its name and its shape; a single number as itself."""
    inputs = zip(labels.inputs(operation.place), operation.inputs, strict=False)
    outputs = [] if operation.many else [(labels.of(operation.place), operation.output)]
    pairs = [(name, value) for name, value in [*inputs, *outputs] if value is not NOTHING]
    return [_named(name, getattr(value, "_value", value)) for name, value in pairs]


def _named(name: str, value: Any) -> str:
    return f"{name} {np.shape(value)}" if np.shape(value) else name
