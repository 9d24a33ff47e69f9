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
    for place in range(len(tape.records)):
        _take_kept(Operation(tape.records, place), known)
    for place in sorted(known, reverse=True):
        _take_apart(Operation(tape.records, place), known)
    for place in range(len(tape.records)):
        if place not in known and tape.records[place][0] is not LEAF:
            _recompute(tape, Operation(tape.records, place), known, constants)
    return known


def _take_kept(operation: Operation, known: dict[int, Any]) -> None:
    for place, tensor in zip(operation.places, operation.inputs, strict=False):
        if place >= 0 and type(tensor) is Tensor and tensor is not NOTHING:
            known.setdefault(place, tensor._value)
    for number, tensor in enumerate(operation.outputs):
        if tensor is not NOTHING:
            place = operation.place + 1 + number if operation.many else operation.place
            known.setdefault(place, tensor._value)


def _take_apart(operation: Operation, known: dict[int, Any]) -> None:
    """What was put side by side is in what was made of it."""
    for number, place in enumerate(operation.places if operation.type == "Pack" else ()):
        if place >= 0:
            known.setdefault(
                place, np.take(known[operation.place], number, operation.attrs["axis"])
            )


def _recompute(tape: Any, operation: Operation, known: dict[int, Any], constants: Any) -> None:
    """Run the kernel again; a kernel that refuses leaves the value unknown."""
    count = len(operation.places)
    inputs = [_input(tape, operation, number, known, constants) for number in range(count)]
    if any(one is None for one in inputs):
        return
    if operation.type == "CustomGradient":  # the learner's function is not kept
        return
    result = run_again(operation, inputs)
    if type(result) is tuple:
        known.update({operation.place + 1 + k: part for k, part in enumerate(result)})
    elif result is not None:
        known[operation.place] = result


def run_again(operation: Operation, inputs: list[Any]) -> Any:
    """What an operation makes of some inputs, None if its kernel refuses them."""
    attrs = {name: value for name, value in operation.attrs.items() if name != "shapes"}
    try:
        return operation.definition.kernel(*inputs, **attrs)
    except Exception:
        return None


def _input(
    tape: Any, operation: Operation, number: int, known: dict[int, Any], constants: Any
) -> Any:
    """The value of an input as far as it is at hand, None if it is not."""
    place, kept = operation.places[number], operation.inputs[number]
    origin = tape.origin_of(place)
    if place in known:
        return known[place]
    if place < 0 and kept is not NOTHING:
        return kept._value
    if origin in constants:
        return constants[origin]
    other = beside(operation, number)
    if place >= 0 or other is None:
        return None
    like = known.get(operation.places[other])
    return literal_input(tape.records[operation.place], operation, number, like)
