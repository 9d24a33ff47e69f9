"""Layer 5: one step of a replay.

One idea: a step is an operation seen from behind: a gradient comes in, and each input gets its share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autodiff_kit.readers.program.lines import Line
from autodiff_kit.readers.shown.show import brief


@dataclass(frozen=True)
class Flow:
    """What one step hands to one of its inputs.

    name: the learner's name of the input.
    place: where on the tape the input is; negative if it is not tracked.
    rule: the rule in symbols, ``""`` if no gradient flows.
    gradient: the outgoing gradient, or None.
    sum: what has arrived at the input after this step, or None.
    """

    name: str
    place: int
    rule: str
    gradient: Any
    sum: Any

    def cells(self) -> list[str]:
        """The rule, what goes out and the sum so far."""
        shown = [brief(v) if v is not None else "" for v in (self.gradient, self.sum)]
        return [str(self), *shown]

    def __str__(self) -> str:
        if self.gradient is None:
            return f"d{self.name}: no gradient"
        return f"d{self.name} = {self.rule}"


@dataclass(frozen=True)
class ReplayStep:
    """One step of the way back.

    number: 1 for the first step back.
    type: the operation's type as TensorFlow spells it.
    place: its place on the tape.
    name: the learner's name of its output.
    line: the learner's line that ran it.
    inputs: the names of all its inputs.
    dy: the gradient that came in, as a NumPy value that, like those in the flows, cannot be written to.
    flows: what it hands to each input that is tracked.
    function: the name of the learner's function, if this is one with a gradient of its own.
    """

    number: int
    type: str
    place: int
    name: str
    line: Line
    inputs: tuple[str, ...]
    dy: Any
    flows: tuple[Flow, ...]
    note: str = ""
    function: str = ""

    def __str__(self) -> str:
        head = f"{self.number}. {self.operation}   {self.line}"
        flows = [f"   {flow} = {brief(flow.gradient)}" for flow in self.flows]
        return "\n".join([head, f"   d{self.name} = {brief(self.dy)}", *flows])

    def wide_rows(self) -> list[list[str]]:
        """A row for each input, the operation in the first of them."""
        rows = [["", "", "", *flow.cells()] for flow in self.flows]
        rows[0][:3] = [str(self.number), self.operation, f"d{self.name} = {brief(self.dy)}"]
        return rows

    def narrow_rows(self) -> list[list[str]]:
        """A row for the operation, then one for each input."""
        first = [str(self.number), self.operation, brief(self.dy), ""]
        rows = [flow.cells() for flow in self.flows]
        return [first, *(["", f"  {rule}", out, total] for rule, out, total in rows)]

    @property
    def operation(self) -> str:
        """The operation with the names of its output and its inputs."""
        return f"{self.name} = {self.function or self.type}({', '.join(self.inputs)})"
