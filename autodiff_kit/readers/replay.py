"""Layer 5: `replay`, the backward pass of the learner's own code, step by step.

One idea: nothing is computed here that `gradient` does not compute. Each step of the way back is shown
with its rule, and the sums are the very numbers that `gradient` returns.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nest
from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.operation import LEAF, OUTPUT
from autodiff_kit.readers.facts.account import Account, Step, depending_on, kept, value_of
from autodiff_kit.readers.facts.arguments import refuse_no_tape, refuse_released, with_its_arguments
from autodiff_kit.readers.shown.labels import Labels, labels_for, own_name
from autodiff_kit.readers.shown.rules import rule_text
from autodiff_kit.readers.shown.show import Table, brief
from autodiff_kit.readers.shown.steps import Flow, ReplayStep
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["Flow", "Replay", "ReplayStep", "replay"]

SHOWN = 30  # a longer replay is folded when it is printed
ENDS = 12  # this many steps of it are shown at either end


class Replay:
    """The backward pass, step by step; it prints itself as a table.

    steps: all steps between the target and the sources, for programs.
    elsewhere: how many further steps there are, which lead to other values only. TensorFlow's tape
      takes them too, whatever it is asked for.
    gradients: what ``tape.gradient`` returns, in the structure of the sources.
    """

    def __init__(self, account: Account, labels: Labels, sources: Any, made_by: Any) -> None:
        self._labels = labels
        self._sums: dict[int, Any] = {}
        self.target = _names(account.request.targets, labels, account.tape)
        self.sources = _names(account.request.sources, labels, account.tape)
        results = [
            None if result is None else tensor_of(value_of(result), made_by)
            for result in account.results
        ]
        self.gradients = nest.pack_sequence_as(sources, results)
        self._results = list(zip(self.sources, results, strict=True))
        told = [step for step in account.steps if _tells(step)]
        places = [p for source in account.request.sources for p in account.places(source)]
        between = depending_on(account.records, places)
        self.steps: list[ReplayStep] = []
        for step in told:  # the sums need them all
            shown = self._step(len(self.steps) + 1, step)
            if step.operation.place in between:
                self.steps.append(shown)
        self.elsewhere = len(told) - len(self.steps)

    def _step(self, number: int, step: Step) -> ReplayStep:
        operation, labels = step.operation, self._labels
        place = operation.place
        inputs, name = labels.inputs(place), labels.of(place)
        many = operation.many
        dy = {f"{k}": _bare(v) for k, v in step.dy.items()} if many else _bare(step.dy)
        flows = []
        for index, ((source, dx), total) in enumerate(zip(step.pairs, step.sums, strict=True)):
            if source >= 0:
                op, attrs = operation.definition, operation.attrs
                rule = rule_text(op, index, attrs, inputs, name, f"d{name}")
                total = self._arrived(step, index, total)
                flows.append(Flow(inputs[index], source, rule, _bare(dx), total))
        note = _stretched(operation, inputs[0]) if operation.definition is BROADCAST else ""
        return ReplayStep(
            number, operation.type, place, name, labels.line(place),
            tuple(inputs), dy, tuple(flows), note, own_name(operation.type, operation.attrs),
        )  # fmt: skip

    def _arrived(self, step: Step, index: int, total: Any) -> Any:
        """The sum at an input's place after this input's share, when a later one has the same place."""
        place, dx = step.pairs[index]
        before, total = self._sums.get(place), _bare(total)
        if dx is not None and any(p == place for p, _ in step.pairs[index + 1 :]):
            total = _bare(dx) if before is None else before + _bare(dx)
        self._sums[place] = total
        return total

    def table(self, wide: bool = True) -> Table:
        """The steps as a table, a long one without its middle; a narrow table is for terminals."""
        heads = ["step", "operation", "comes in", "rule", "goes out", "sum so far"]
        if not wide:
            heads = ["step", "operation and rules", "gradient", "sum so far"]
        rows: list[list[str] | str] = []
        line = None
        for step in self._shown():
            if isinstance(step, int):
                rows.append(["…", f"{step} steps left out", *[""] * (len(heads) - 2)])
                continue
            if step.line != line:
                rows.append(str(step.line))
            line = step.line
            rows += step.wide_rows() if wide else step.narrow_rows()
        caption = f"The way back from {_joined(self.target)} to {_joined(self.sources)}"
        return Table(caption, heads, rows, self._notes(), frozenset(range(1, len(heads))), 3)

    def _shown(self) -> list[ReplayStep | int]:
        if len(self.steps) <= SHOWN:
            return list(self.steps)
        left_out = len(self.steps) - 2 * ENDS
        return [*self.steps[:ENDS], left_out, *self.steps[-ENDS:]]

    def _notes(self) -> list[str]:
        notes = [step.note for step in self._shown() if isinstance(step, ReplayStep) and step.note]
        if len(self.steps) > SHOWN:
            notes.append(
                f"{len(self.steps) - 2 * ENDS} of {len(self.steps)} steps are left out here; "
                "all of them are in .steps."
            )
        if self.elsewhere:
            many = "steps lead" if self.elsewhere > 1 else "step leads"
            notes.append(
                f"{self.elsewhere} {many} elsewhere and not to {_joined(self.sources)}: not shown."
            )
        found = [f"d{_joined(self.target)}/d{n} = {_shown(g)}" for n, g in self._results]
        return [*notes, "Result: " + "; ".join(found)]

    def __str__(self) -> str:
        return self.table(wide=False).text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table().html()

    def markdown(self) -> str:
        """The table in Markdown."""
        return self.table().markdown()


def _shown(gradient: Tensor | None) -> str:
    if gradient is None:
        return "None (ad.explain tells why)"
    return brief(gradient._value)


def _bare(gradient: Any) -> Any:
    if isinstance(gradient, dict):
        return {key: kept(value_of(part)) for key, part in gradient.items()}
    return None if gradient is None else kept(value_of(gradient))


def _tells(step: Step) -> bool:
    """Whether a step is one to be shown: not the beginning of the tape, not a part of another one."""
    return step.operation.definition not in (LEAF, OUTPUT)


def _stretched(operation: Any, name: str) -> str:
    attrs = operation.attrs
    return (
        f"{name} was stretched from {attrs['shape']} to {attrs['to']}: every copy's gradient is "
        "added up, back to its own shape."
    )


def _joined(names: list[str]) -> str:
    return ", ".join(names) or "nothing"


def _names(things: list[Any], labels: Labels, tape: Any) -> list[str]:
    return [labels.name_of(thing, tape) for thing in things]


@with_its_arguments
def replay(tape: Any, target: Any, sources: Any, output_gradients: Any = None) -> Replay:
    """Show how ``tape.gradient(target, sources)`` comes about, step by step.

    Args:
      tape: the `GradientTape` that recorded. It is only read: it can still be asked for its gradient.
      target, sources, output_gradients: as in `GradientTape.gradient`.

    Returns:
      A `Replay`. It prints as a table with one row for each input of each operation: the operation and
      the learner's line, the gradient that comes in, the rule in symbols, what goes out, and what has
      arrived at that input so far. ``steps`` holds all of it for programs, ``gradients`` is what
      `gradient` returns, bit for bit (if no other tape records: then it may add up in another order).

    Raises:
      RuntimeError: if the tape has let go of its records.
      TypeError, ValueError, InvalidArgumentError: as `GradientTape.gradient`.

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(3.0, name="x")
    >>> with ad.GradientTape() as tape:
    ...     y = x * x
    >>> story = ad.replay(tape, y, x)
    >>> [flow.gradient for flow in story.steps[0].flows] == [3.0, 3.0]
    True
    >>> [flow.sum for flow in story.steps[0].flows] == [3.0, 6.0]
    True
    >>> story.gradients
    <Tensor: shape=(), dtype=float32, numpy=6.0>
    """
    frame = user_frame()
    refuse_no_tape(tape, "replay")
    refuse_released(tape, "replay")
    account = Account(tape, target, sources, output_gradients)
    if account.error is not None:
        raise account.error
    labels = labels_for("replay", frame, tape, target, sources)
    return Replay(account, labels, sources, origin("Gradient", frame))
