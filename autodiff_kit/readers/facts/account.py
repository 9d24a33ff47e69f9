"""Layer 5: the way back, written down step by step.

One idea: the very loop that `gradient` runs to its end is run here once more, and each step is kept.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.backward import Seen, go_back
from autodiff_kit.errors import OpError
from autodiff_kit.executed import Operation
from autodiff_kit.request import RAW_RULES, Request, added_up, places_of, with_own
from autodiff_kit.tensor import RECORDING, tensor_of


class Step(NamedTuple):
    """One record on the way back.

    sums: for each of the pairs what has arrived at the input's place after this step.
    """

    operation: Operation
    dy: Any
    pairs: tuple[tuple[int, Any], ...]
    sums: tuple[Any, ...] = ()


class Moment(NamedTuple):
    """A sum as it was at one moment: of all that arrived at a place in time, the first few."""

    parts: list[Any]
    size: int

    @property
    def _value(self) -> Any:
        total = value_of(self.parts[0])
        for part in self.parts[1 : self.size]:
            total = total + value_of(part)
        return total


def value_of(gradient: Any) -> Any:
    """A gradient as a bare NumPy value."""
    if type(gradient) is partial:
        return gradient()
    return getattr(gradient, "_value", gradient)


def kept(value: Any) -> Any:
    """A value that a learner is shown: an array as a view that cannot be written to.

    The arrays of the way back share their memory, with one another and with the learner's tensors.
    """
    if type(value) is not np.ndarray:
        return value
    seen = value.view()
    seen.flags.writeable = False
    return seen


class Account:
    """All steps from a target back to the beginning of the tape, and what arrived where.

    Args:
      tape, target, sources, output_gradients: as in `GradientTape.gradient`.

    The tape is only read: a plain tape can still be asked for its gradient afterwards.
    """

    def __init__(self, tape: Any, target: Any, sources: Any, output_gradients: Any = None) -> None:
        self.tape = tape
        self.request = Request(target, sources, output_gradients)
        self.records = tape.records
        self.steps: list[Step] = []
        self.error: Exception | None = None
        self.stuck: int | None = None  # the place whose rule raised the error
        self.total: dict[int, Any] = {}  # what arrived, by place
        self._loose: list[Any] = []  # the targets that the tape does not track, with their seeds
        self._growing: set[int] = set()  # places where numbers are added up in one array
        self.values: dict[int, Any] | None = None  # by place, computed when they are asked for
        self.results: list[Any] = [None] * len(self.request.sources)
        token = RECORDING.set(())
        try:
            if not tape.released:
                self._run()
        finally:
            RECORDING.reset(token)

    def _run(self) -> None:
        grads, arrived, self._loose = self.request.begun(self.tape, RAW_RULES)
        parts = {p: [g] for p, g in enumerate(grads) if g is not None}

        def see(place: int, dy: Any, pairs: Any) -> None:
            grads[place] = dy  # it is kept: the last step's sums may be asked for it
            self._add_sums(grads, parts)
            for p, dx in pairs:
                if dx is not None:
                    parts.setdefault(p, []).append(dx)
                    if type(dx) is partial:
                        self._growing.add(p)
            self.steps.append(Step(Operation(self.records, place), dy, pairs))

        try:
            go_back(self.records, grads, arrived, len(grads) - 1, -1, RAW_RULES, seen=see)
        except Exception as error:
            done = {step.operation.place for step in self.steps}
            self.error, self.stuck = error, max(p for p in parts if p not in done)
            kinds = (LookupError, NotImplementedError)
            own = type(error) in kinds or isinstance(error, OpError)  # a rule of the kit's
            if not own and not self._is_learners(self.stuck):
                raise
        self._add_sums(grads, parts)
        self.total = {p: g for p, g in enumerate(grads) if g is not None}
        self.results = [self._result(source) for source in self.request.sources]

    def _is_learners(self, place: int) -> bool:
        """Whether the rule at a place is the learner's, in which anything may go wrong."""
        operation = Operation(self.records, place)
        return operation.definition.rule_name is not None

    def _result(self, source: Any) -> Any:
        """What `gradient` returns for a source."""
        total = added_up([self.total.get(place) for place in self.places(source)])
        return with_own(source, total, self._loose, RAW_RULES)

    def _add_sums(self, grads: list[Any], parts: dict[int, list[Any]]) -> None:
        """Complete the last step, whose gradients have been added up by now."""
        if self.steps:
            operation, dy, pairs, _ = self.steps[-1]
            sums = [grads[p] if p >= 0 else None for p, _ in pairs]
            for number, (p, _) in enumerate(pairs if self._growing else ()):
                if p in self._growing:
                    sums[number] = Moment(parts[p], len(parts[p]))
            self.steps[-1] = Step(operation, dy, pairs, tuple(sums))

    def places(self, source: Any) -> list[int]:
        """Where on the tape a source is."""
        return places_of(self.tape, source)


def again(records: list[Any], place: int, dy: Any) -> list[Any]:
    """What the rules of one record return for another gradient than the one that arrived."""
    found: list[Any] = []
    sent_back(records, {place: dy}, place - 1, lambda _place, _dy, pairs: found.extend(pairs))
    return found


def sent_back(records: list[Any], dys: dict[int, Any], first: int, seen: Seen) -> list[Any]:
    """The way back for gradients of one's own, by place; what has arrived where at its end."""
    last = max(dys)
    grads: list[Any] = [None] * (last + 1)
    arrived = bytearray(last + 1)
    for place, dy in dys.items():
        grads[place], arrived[place] = dy if RAW_RULES else tensor_of(dy), 1
    token = RECORDING.set(())
    try:
        go_back(records, grads, arrived, last, first, RAW_RULES, seen=seen)
    finally:
        RECORDING.reset(token)
    return grads


def inputs_of(record: Any) -> tuple[int, ...]:
    """The tracked inputs of a record, whether or not a gradient can flow to them."""
    i, j = record[1], record[2]
    if type(i) is tuple:
        return tuple([p for p in i if p >= 0])
    if i >= 0:
        return (i, j) if j >= 0 else (i,)
    return (j,) if j >= 0 else ()


def depending_on(records: list[Any], places: list[int]) -> set[int]:
    """Every place whose value was computed from one of the given places."""
    found = set(places)
    for place in range(min(places, default=len(records)), len(records)):
        if place not in found and not found.isdisjoint(inputs_of(records[place])):
            found.add(place)
    return found


def leading_to(records: list[Any], places: list[int]) -> set[int]:
    """Every place that one of the given places was computed from."""
    found = set(places)
    for place in range(max(places, default=-1), -1, -1):
        if place in found:
            found.update(inputs_of(records[place]))
    return found
