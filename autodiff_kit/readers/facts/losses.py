"""Layer 5: the kit's losses of probabilities, found again on a tape.

One idea: such a loss keeps its probabilities away from 0 and 1 and takes their logarithm, all in one
call of the learner's. So three operations with one instruction are that loss, and nothing else is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from autodiff_kit.keras.loss_functions import EPSILON
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import BOUNDS
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.spots import called, expression_at, key_of

BY_HAND = "Reshape", "Cast", "Broadcast"  # what the loss itself does to its predictions
OF_LOGITS = {  # operations that the losses of logits record, and which loss each is
    "SigmoidCrossEntropyWithLogits": "binary",
    "SoftmaxCrossEntropyWithLogits": "categorical",
}
LONGEST = 40  # a longer expression is not repeated in a sentence


class LossCall:
    """One call of a loss that takes probabilities.

    Args:
      case: the source, the target and the tape.
      bound: the place of the upper bound that the call put on its probabilities.
    """

    def __init__(self, case: Case, bound: int) -> None:
        self.case, self.bound = case, bound
        self.spot = case.spot(bound)

    def is_in_it(self, place: int) -> bool:
        """Whether an operation is a part of the call, or of the same call in another round."""
        return place >= 0 and key_of(self.case.spot(place)) == key_of(self.spot)

    @cached_property
    def kind(self) -> str:
        """Which of the three: "binary", "categorical" or "sparse"."""
        before = self.case.operation(self.bound).places[0]
        if self.case.kind(before) == "RealDiv" and self.is_in_it(before):
            return "categorical"
        log = self.bound + 2  # after both bounds
        takers = {self.case.kind(place) for place in self.case.takers.get(log, ())}
        return "sparse" if "SparseSoftmaxCrossEntropyWithLogits" in takers else "binary"

    @cached_property
    def prediction(self) -> Any:
        """The numbers that the call was given as probabilities, None if they are not known."""
        place, number = self.bound, 0
        while True:
            inner = self.case.operation(place).places[number]
            own = ("RealDiv", *BY_HAND) if place == self.bound else BY_HAND
            if not self.is_in_it(inner) or self.case.kind(inner) not in own:
                return input_value(self.case, place, number)
            place = inner

    @cached_property
    def node(self) -> ast.Call | None:
        """The call in the learner's program, None if it cannot be told."""
        return call_at(self.spot)

    @property
    def where(self) -> str:
        return self.case.line(self.bound).where

    @property
    def name(self) -> str:
        """What is called, in the learner's words."""
        return name_of(self.spot, "The loss")

    @property
    def given(self) -> str:
        """What the learner calls the prediction."""
        return argument_at(self.spot, 1, "y_pred") or "its predictions"

    @property
    def truth(self) -> Any:
        """What the logarithm is multiplied by, None if a tape knows it or it is not known."""
        log = self.bound + 2
        for place in self.case.takers.get(log, ()):
            operation = self.case.operation(place)
            others = [n for n, at in enumerate(operation.places) if at != log]
            if operation.type == "Mul" and self.is_in_it(place) and others:
                known = operation.places[others[0]] < 0
                return input_value(self.case, place, others[0]) if known else None
        return None


def call_at(spot: Any) -> ast.Call | None:
    """The call that an instruction of the learner's is."""
    node = expression_at(spot)
    return node if isinstance(node, ast.Call) else None


def name_of(spot: Any, otherwise: str) -> str:
    """What a line of the learner's calls: ``bce`` or ``BinaryCrossentropy``."""
    node = call_at(spot)
    if node is None:
        return otherwise
    inner = node.func
    text = called(inner) if isinstance(inner, ast.Call) else ast.unparse(inner)
    return f"`{text}`" if text and len(text) <= LONGEST else otherwise


def argument_at(spot: Any, number: int, *words: str) -> str:
    """An argument of the call at a spot, as it is quoted in a sentence; "" if it is not certain."""
    node = call_at(spot)
    if node is None or any(isinstance(one, ast.Starred) for one in node.args):
        return ""
    named = [k.value for k in node.keywords if k.arg in words]
    return quoted(spot, [*node.args[number : number + 1], *named])


def quoted(spot: Any, nodes: list[ast.expr]) -> str:
    """A piece of the learner's program as it is quoted in a sentence, "" if it is too long."""
    text = segment(spot.code.co_filename, nodes[0]) if nodes else ""
    return f"`{text}`" if text and len(text) <= LONGEST else ""


def losses_of_probabilities(case: Case) -> Iterator[LossCall]:
    """The calls that take probabilities which were made of the source, the last first."""
    for step in reversed(case.steps):
        found = loss_with(case, step.operation.place)
        if found is not None and found.bound == step.operation.place:
            yield found


def loss_with(case: Case, place: int) -> LossCall | None:
    """The call that one of the two bounds belongs to; None for any other operation."""
    if place >= len(case.records) or case.kind(place) not in BOUNDS:
        return None
    if case.kind(place) == "Maximum":
        place = case.operation(place).places[0]
    if place < 0 or place + 2 >= len(case.records):
        return None
    kinds = tuple(case.kind(place + n) for n in range(3))
    if kinds != ("Minimum", "Maximum", "Log"):
        return None
    here = {key_of(case.spot(place + n)) for n in range(3)}
    bounds = [input_value(case, place + n, 1) for n in range(2)]
    if len(here) > 1 or any(bound is None or np.ndim(bound) for bound in bounds):
        return None
    usual = np.allclose([1.0 - bounds[0], bounds[1]], EPSILON, rtol=0.5)
    return LossCall(case, place) if usual else None
