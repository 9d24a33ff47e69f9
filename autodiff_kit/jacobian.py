"""Layer 2: Jacobians, one row of the target after the other.

One idea: a gradient that begins with a one at a single element is that element's row of the
Jacobian.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.namespace import xp
from autodiff_kit.request import RAW_RULES, Request, places_of
from autodiff_kit.rows import MOST, all_rows
from autodiff_kit.tensor import Tensor, recording, tensor_of


def one_target(target: Any) -> Any:
    """The target itself; a Jacobian has only one."""
    if not is_tensor(target):
        raise TypeError(
            f"The target of a Jacobian must be one Tensor or Variable, but received {target!r}; "
            "take one Jacobian for each target, or stack them with ad.stack"
        )
    return target


def refuse_apart(tape: Any, what: str, parallel_iterations: Any, use_pfor: Any) -> None:
    """An error where TensorFlow would go back once for each row, and a plain tape goes only once."""
    if tape.persistent or (use_pfor and parallel_iterations is None):
        return
    how = "parallel_iterations" if use_pfor else "experimental_use_pfor set to False"
    raise RuntimeError(
        f"GradientTape must be created with persistent=True to compute the {what} with {how}. Leave "
        "that argument out, or write ad.GradientTape(persistent=True)"
    )


def one_by_one(tape: Any, request: Request, seeds: Iterator[Any]) -> list[list[Any]]:
    """The answers to the same question with one seed after the other.

    They are bare NumPy values, unless another tape is to differentiate them.
    """
    raw = RAW_RULES and not recording()
    wanted = [places_of(tape, source) for source in request.sources]
    answers = []
    for seed in seeds:
        request.seeds = [tensor_of(seed)]
        answers.append(request.totals(tape, wanted, raw))
    return answers


def jacobian(tape: Any, request: Request) -> list[Any]:
    """For each source a tensor of shape ``target.shape + source.shape``, or None."""
    value = request.targets[0]._value
    found = together(tape, request)
    if found is not None:
        return found
    columns = list(zip(*one_by_one(tape, request, units(value)), strict=True))
    return [
        stacked(parts, 0, (*value.shape, *source._value.shape))
        for parts, source in zip(
            columns or [()] * len(request.sources), request.sources, strict=True
        )
    ]


def together(tape: Any, request: Request) -> list[Any] | None:
    """The Jacobians by one way back with all rows at once, or None where that cannot be done."""
    target: Any = request.targets[0]
    value = target._value
    if recording() or not RAW_RULES or value.dtype.kind != "f" or not 2 <= value.size <= MOST**0.5:
        return None
    place = tape.find(target if type(target) is Tensor else target._tensor)
    wanted = [places_of(tape, source) for source in request.sources]
    if place < 0 or not wanted or any(len(places) != 1 for places in wanted):
        return None
    seeds = np.eye(value.size, dtype=value.dtype).reshape(value.size, *value.shape)
    stacks = all_rows(tape.records, place, seeds, {places[0] for places in wanted})
    if stacks is None:
        return None
    made_by, found = origin("Gradient", user_frame()), []
    for source, (where,) in zip(request.sources, wanted, strict=True):
        stack = stacks.get(where)
        shape = (*value.shape, *source._value.shape)
        found.append(None if stack is None else tensor_of(np.array(stack.reshape(shape)), made_by))
    return found


def units(value: Any) -> Iterator[Any]:
    """Arrays like ``value`` with a one at a single element, element by element."""
    if value.ndim == 0:
        yield value.dtype.type(1)
        return
    if value.size == 0:
        yield value  # there is no row, but this one shows whether a gradient flows
    yield from np.eye(value.size, dtype=value.dtype).reshape(value.size, *value.shape)


def stacked(parts: tuple[Any, ...], axis: int, shape: tuple[int, ...]) -> Any:
    """The rows as one tensor; made of operations, so that outer tapes can differentiate it."""
    if not parts or parts[0] is None:  # whether a gradient flows does not depend on the seed
        return None
    if type(parts[0]) is not Tensor:
        whole = np.stack(parts, axis) if 0 not in shape else np.zeros(shape, parts[0].dtype)
        return tensor_of(whole.reshape(shape)[()], origin("Gradient", user_frame()))
    if 0 in shape:
        return tensor_of(np.zeros(shape, parts[0].dtype.as_numpy_dtype))
    return xp.reshape(xp.stack(*parts, axis=axis), shape=shape)


def batch_shape(target: Any, source: Any) -> tuple[int, ...]:
    """The shape of a batch Jacobian, if the shapes of target and source allow one."""
    if not is_tensor(source):
        raise TypeError(
            f"The source of a batch Jacobian must be one Tensor or Variable, but received {source!r}"
        )
    for what, dims in (("target", target._value.shape), ("source", source._value.shape)):
        if len(dims) < 2:
            raise ValueError(
                f"Shape {dims} of the {what} must have rank at least 2: a row of numbers for each "
                "example. For one without a batch there is tape.jacobian"
            )
    if target._value.shape[0] != source._value.shape[0]:
        raise ValueError(
            f"Need first dimension of target shape ({target._value.shape}) and source shape "
            f"({source._value.shape}) to match."
        )
    return (*target._value.shape, *source._value.shape[1:])


def batch_jacobian(tape: Any, request: Request, shape: tuple[int, ...]) -> Any:
    """A tensor of the given shape, or None."""
    found = one_by_one(tape, request, batch_units(request.targets[0]._value))
    return stacked(tuple(row[0] for row in found), 1, shape)


def batch_units(value: Any) -> Iterator[Any]:
    """As `units`, but the same element of every example of the batch at once."""
    for index in np.ndindex(value.shape[1:]):
        unit = np.zeros_like(value)
        unit[(slice(None), *index)] = 1
        yield unit
