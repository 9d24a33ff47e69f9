"""Layer 5: what the learner calls a constant that went into an operation.

One idea: a tensor is known by where it was made, an array by its values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.facts.written import argument_of
from autodiff_kit.readers.program.lines import Line


def data_name(case: Case, place: int, number: int) -> tuple[str | None, Line | None]:
    """The name of an input that is not tracked, and the line where it was made, as far as known."""
    kept, origin = case.operation(place).inputs[number], case.origin_of(place, number)
    birth = Birth(origin)
    if birth.known:
        for name, one in case.held.items():
            if tensor_behind(one)._home == origin:
                return name, birth.line
    return _array_name(case, place, number, getattr(kept, "_value", None)), birth.line


def input_name(case: Case, place: int, number: int) -> str | None:
    """What the learner calls an input of an operation, tracked or not, None if nothing is certain."""
    at = case.before(case.operation(place).places[number], "Broadcast", "Output")
    name = case.name(at) if at >= 0 else data_name(case, place, number)[0]
    if name is None:
        name = argument_of(case, place, number)
    return name if name and "\n" not in name else None


def _array_name(case: Case, place: int, number: int, value: Any) -> str | None:
    """The name of an array that holds the same, or what stands there in the program."""
    for name, one in case.names.known.items():
        if isinstance(one, np.ndarray) and value is not None and one.shape == np.shape(value):
            if _is_of(one, np.asarray(value)):
                return str(name)
    written = argument_of(case, place, number)
    held = case.names.known.get(written) if written.isidentifier() else None
    return written if isinstance(held, np.ndarray) or is_tensor(held) else None


def _is_of(array: Any, value: Any) -> bool:
    """Whether an array became a value; one that is finite became no infinities by itself."""
    if array.dtype.kind in "fc" and not np.array_equal(np.isfinite(array), np.isfinite(value)):
        return False
    with np.errstate(over="ignore"):
        return bool(np.array_equal(array.astype(value.dtype), value, equal_nan=True))
