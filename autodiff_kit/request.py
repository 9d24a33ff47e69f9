"""Layer 2: one question to a tape: which target, which sources, what to begin with.

One idea: everything that can be wrong with a question is found before the tape is touched.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit import nest
from autodiff_kit.backward import go_back
from autodiff_kit.convert import as_tensor, is_tensor, operand
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.forms import Form, form_of
from autodiff_kit.lines import ASKING, origin, tick, user_frame
from autodiff_kit.namespace import xp
from autodiff_kit.operation import LEAF
from autodiff_kit.operators import CLASSES
from autodiff_kit.tensor import Tensor, recording, tensor_of

# NumPy 1 makes float64 of float32 * 2.0, so there the rules run on tensors, which do not.
RAW_RULES = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
LARGE = 1 << 18  # elements of a source from which on memory counts for more than a look back


class Request:
    """The checked arguments of `gradient`, flat."""

    __slots__ = ("frame", "seeds", "sources", "structure", "targets")

    def __init__(self, target: Any, sources: Any, output_gradients: Any = None) -> None:
        self.targets = [target] if type(target) in CLASSES else _tensors(target, "target")
        self.structure: Any = sources
        if type(sources) in CLASSES:
            self.sources = [sources]
        elif type(sources) is list and CLASSES.issuperset(map(type, sources)):
            self.sources = sources.copy()
            self.structure = None  # a plain list, as the answer is by itself
        else:
            self.sources = _tensors(sources, "sources")
        self.frame: Any = None  # of the learner's who asks; the tape fills it in
        self.seeds: list[Any] = [None] * len(self.targets)  # None stands for ones
        if output_gradients is None:
            return
        given = nest.flatten(output_gradients)
        if len(given) != len(self.targets):
            raise ValueError(
                f"output_gradients has {len(given)} entries, but target has {len(self.targets)}: "
                "give one for each target, or None for ones"
            )
        self.seeds = [_seed(*pair) for pair in zip(self.targets, given, strict=True)]

    def answer(self, tape: Any) -> list[Tensor | None]:
        """The gradient for each source, or None."""
        watching = recording()
        raw = RAW_RULES and not watching
        if watching:
            outer, began = watching[0], tick()
            end = len(outer.records)
        if tape.largest >= LARGE and raw and not tape.persistent:
            # A learner's rule may fail, and then the records are still needed.
            tape.spent = not any(op.pull and op.keeps for op, *_ in tape.records)
        wanted = [places_of(tape, source) for source in self.sources]
        totals = self.totals(tape, wanted, raw, tape.spent)
        if watching:
            return [
                total
                if total is None or total._index >= end and total._home is outer.home
                else of_its_own(total, began, self.frame or user_frame())
                for total in totals
            ]
        made_by = origin("Gradient", self.frame or user_frame())
        for number, total in enumerate(totals):
            if total is not None:
                totals[number] = tensor_of(total if raw else total._value, made_by)
        return totals

    def packed(self, found: list[Any]) -> Any:
        """What was found for each source, in the structure of the sources."""
        return found if self.structure is None else nest.pack_sequence_as(self.structure, found)

    def totals(
        self, tape: Any, wanted: list[list[int]], raw: bool, spend: bool = False
    ) -> list[Any]:
        """The way back; for each source the sum of what has then arrived at its places."""
        grads, arrived, loose = self.begun(tape, raw)
        records, last = tape.records, len(grads) - 1
        stops = sorted({place for places in wanted for place in places})
        alone = len(self.seeds) == 1 and self.seeds[0] is None and not loose
        ones = grads[arrived.rfind(1)] if alone else None
        complete: dict[int, Any] = {}
        asked = None if raw else ASKING.set(self.frame or user_frame())
        try:
            for place in stops[:0:-1]:
                # At a source that was computed itself the gradient is complete, and goes on.
                if records[place][0] is not LEAF:
                    go_back(records, grads, arrived, last, place, raw, ones, spend=spend)
                    complete[place], last = grads[place], place
                    arrived[place] = grads[place] is not None
            if stops:
                go_back(records, grads, arrived, last, stops[0], raw, ones, spend=spend)
        finally:
            if asked is not None:
                ASKING.reset(asked)
        for place, grad in complete.items():
            grads[place] = grad
        totals = [added_up([grads[place] for place in places]) for places in wanted]
        if not loose:
            return totals
        return [with_own(*pair, loose, raw) for pair in zip(self.sources, totals, strict=True)]

    def begun(self, tape: Any, raw: bool) -> tuple[list[Any], bytearray, list[Any]]:
        """The gradients by place, only the targets' own filled in; a one where there is one; and the
        targets that the tape does not track, with their seeds.
        """
        grads: list[Any] = [None] * len(tape.records)
        arrived, loose = bytearray(len(grads)), []
        for target, given in zip(self.targets, self.seeds, strict=True):
            tensor = target if type(target) is Tensor else target._tensor
            place = tape.find(tensor)
            if place < 0 or form_of(tensor).kind != "f":
                loose.append((target, given))
                continue
            seed = begin_with(tensor, given, raw)
            grads[place] = seed if grads[place] is None else grads[place] + seed
            arrived[place] = 1
        return grads, arrived, loose


def of_its_own(total: Tensor, began: int, frame: Any) -> Tensor:
    """A gradient as a tensor that nobody else has. It may be a factor of the learner's own, if what
    arrived there was 1; who asks for a derivative by this gradient does not mean that factor.

    Args:
      total: the gradient, which the outermost tape has not recorded since the way back began.
      began: the time when it began.
      frame: the learner's who asked; a gradient that no operation made was made by the question.
    """
    home = total._home
    if home is None:
        total._home = origin("Gradient", frame)
        return total
    new = type(home) is tuple and home[-1] > began
    return total if new else xp.identity(total)


def with_own(source: Any, total: Any, loose: list[Any], raw: bool) -> Any:
    """A source's gradient, and what it has as a target that the tape does not track."""
    return added_up([total, *[begin_with(t, seed, raw) for t, seed in loose if t is source]])


def added_up(parts: list[Any]) -> Any:
    """The sum of those parts that are not None, or None."""
    total = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total


def _tensors(structure: Any, what: str) -> list[Any]:
    """The tensors and variables of a nested structure, one after the other."""
    found = nest.flatten(structure)
    if not CLASSES.issuperset(map(type, found)):
        raise _no_tensor(next(one for one in found if type(one) not in CLASSES), what)
    return found


def places_of(tape: Any, source: Any) -> list[int]:
    """Where on the tape a source is: a variable has a place for each value that was read."""
    if type(source) is not Tensor:
        return tape.variables.get(source, [])
    place = source._index if source._home is tape.home else tape.find(source)
    return [place] if place >= 0 else []


def _no_tensor(one: Any, what: str) -> TypeError:
    if what == "target":
        return TypeError(
            "Argument `target` should be a list or nested structure of Tensors or Variables to be "
            f"differentiated, but received {one!r}. {_instead(one)}"
        )
    received = (
        "Argument `sources` should be a list or nested structure of Tensors or Variables, but "
        f"received {one!r}"
    )
    if hasattr(type(one), "trainable_variables"):
        return TypeError(
            f"{received}: that holds variables, and is none. Ask for its trainable_variables."
        )
    return TypeError(
        f"{received}: a Python value was not recorded. Make it an ad.Variable, or an ad.constant that "
        "the tape watches, before it is used."
    )


def _instead(one: Any) -> str:
    """What to do about a target that is no tensor."""
    where = "The target is the tensor whose gradient is asked for."
    if one is None:
        return (
            f"{where} None is what `gradient` returns where no gradient flows: if it came from there, "
            "ad.explain on that tape tells why. If a function made it: is there a return in the "
            "function?"
        )
    if isinstance(one, (bool, int, float, complex, np.generic, np.ndarray)):
        return (
            f"{where} A Python or NumPy value was not recorded: compute it from tensors, with "
            "ad's functions in place of NumPy's, and without float() or .numpy() on the way."
        )
    return f"{where} Hand over one that was computed while the tape was recording."


def begin_with(target: Any, given: Any, raw: bool) -> Any:
    """The gradient to begin with at a target: what the caller gave, otherwise ones."""
    if given is not None:
        return given._value if raw else given
    target = target if type(target) is Tensor else target._tensor
    form = form_of(target)
    ones = form.one or ones_of(form)
    if raw:
        return ones
    seed = tensor_of(ones)
    seed._form = form
    return seed


def ones_of(form: Form) -> Any:
    """An array of ones: what np.ones does, in a third of the time."""
    ones = np.empty(form.shape, form.dtype)
    ones.fill(1)
    return ones


def _seed(target: Any, given: Any) -> Tensor | None:
    """What the caller gave to begin with at a target, checked; None stands for ones."""
    if given is None:
        return None
    value = target._value
    tensor = as_tensor(given) if is_tensor(given) else operand(given, target.dtype)
    if tensor.dtype != target.dtype:
        raise InvalidArgumentError(
            f"an output gradient was expected to be a {target.dtype.error_name} tensor but is a "
            f"{tensor.dtype.error_name} tensor; use ad.cast"
        )
    if tensor._value.shape != value.shape:
        raise InvalidArgumentError(
            f"an output gradient has shape {tensor._value.shape}, but its target has shape "
            f"{value.shape}; they must be the same"
        )
    return tensor
