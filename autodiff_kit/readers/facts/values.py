"""Layer 5: the values that went through a tape, as far as they can still be known.

One idea: a tape keeps what its rules need, the learner's names keep more, and the rest is computed once
more from what is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.operation import LEAF
from autodiff_kit.readers.program.literal import beside, literal_input
from autodiff_kit.tensor import NOTHING, Tensor


def values_of(tape: Any, tensors: Iterable[Any]) -> dict[int, Any]:
    """The value at each place of a tape that is known or can be recomputed.

    Args:
      tape: the tape.
      tensors: tensors that are still at hand, on this tape or not.
    """
    known: dict[int, Any] = {}
    constants: dict[Any, Any] = {}
    at_hand = [*tensors, *tape.aliases, *(v._tensor for v in tape.variables)]
    for tensor in at_hand:
        place = tape.find(tensor)
        if place >= 0:
            known[place] = tensor._value
        elif type(tensor._home) is tuple:
            constants[tensor._home] = tensor._value
    for place, record in enumerate(tape.records):
        _take_kept(place, record, known)
    for place in sorted(known, reverse=True):
        if tape.records[place][0].type == "Pack":
            _take_apart(Operation(tape.records, place), known)
    again = _Again(tape, known, constants)
    for place, record in enumerate(tape.records):
        if place not in known and record[0] is not LEAF:
            again.run(Operation(tape.records, place))
    return known


def _take_kept(place: int, record: Any, known: dict[int, Any]) -> None:
    """What a record keeps of its inputs and outputs; read from its entries, for a tape may be long."""
    i, j, a, b, y = record[1:6]
    sides = zip(i, a, strict=False) if type(i) is tuple else ((i, a), (j, b))
    for at, tensor in sides:
        if at >= 0 and type(tensor) is Tensor and tensor is not NOTHING:
            known.setdefault(at, tensor._value)
    if type(y) is not tuple:
        if y is not NOTHING:
            known.setdefault(place, y._value)
        return
    for number, tensor in enumerate(y):
        if tensor is not NOTHING:
            known.setdefault(place + 1 + number, tensor._value)


def _take_apart(operation: Operation, known: dict[int, Any]) -> None:
    """What was put side by side is in what was made of it."""
    for number, place in enumerate(operation.places):
        if place >= 0:
            known.setdefault(
                place, np.take(known[operation.place], number, operation.attrs["axis"])
            )


class _Again:
    """Runs operations once more, on what is known by then, and enters what comes out.

    Args:
      tape: the tape.
      known: the values by place.
      constants: those that are not on the tape, by where they came from.
    """

    def __init__(self, tape: Any, known: dict[int, Any], constants: dict[Any, Any]) -> None:
        self.tape, self.known, self.constants = tape, known, constants
        self.written: dict[Any, Any] = {}  # the numbers in the text, which a loop asks for again

    def run(self, operation: Operation) -> None:
        """Run a kernel again; a kernel that refuses leaves the value unknown."""
        known, inputs = self.known, []
        for number, place in enumerate(operation.places):
            one = known.get(place)
            if one is None:
                one = self._input(operation, number, place)
            if one is None:
                return
            inputs.append(one)
        if operation.type == "CustomGradient":  # the learner's function is not kept
            return
        result = run_again(operation, inputs)
        if type(result) is tuple:
            known.update({operation.place + 1 + k: part for k, part in enumerate(result)})
        elif result is not None:
            known[operation.place] = result

    def _input(self, operation: Operation, number: int, place: int) -> Any:
        """The value of an input that is not known by its place, None if it is not at hand."""
        kept = operation.inputs[number]
        if place < 0 and kept is not NOTHING:
            return kept._value
        origin = self.tape.origin_of(place)
        if origin in self.constants:
            return self.constants[origin]
        other = beside(operation, number)
        if place >= 0 or other is None:
            return None
        like = self.known.get(operation.places[other])
        return self._written(operation, number, like)

    def _written(self, operation: Operation, number: int, like: Any) -> Any:
        """A number that stands in the text, which is the same each time that code runs."""
        record = self.tape.records[operation.place]
        kind = type(like), getattr(like, "dtype", None)
        key = operation.type, id(record[-2]), record[-1], number, kind
        if key not in self.written:
            self.written[key] = literal_input(record, operation, number, like)
        return self.written[key]


def run_again(operation: Operation, inputs: list[Any]) -> Any:
    """What an operation makes of some inputs, None if its kernel refuses them."""
    attrs = operation.attrs and {k: one for k, one in operation.attrs.items() if k != "shapes"}
    try:
        return operation.definition.kernel(*inputs, **attrs)
    except Exception:
        return None
