"""Layer 2: gradient_override_map, another gradient for the operations in a block.

One idea: which rule an operation has is settled when it runs. An override map puts another rule into
the record; the value that is computed stays the same, and what was recorded before keeps its own rule.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from autodiff_kit.broadcasting import sum_to
from autodiff_kit.executed import Operation
from autodiff_kit.loud import warn
from autodiff_kit.opdef import OpDef, all_operations
from autodiff_kit.operation import MAPS, OVERRIDES
from autodiff_kit.registry import GRADIENTS, by_name, fitted
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["Graph", "get_default_graph", "gradient_override_map"]


class gradient_override_map:
    """Operations that run inside the block get another gradient; their values stay the same.

    What counts is where an operation runs, not where `gradient` is called, and its type, not its name.
    Nested maps are merged, and the inner one wins. TensorFlow heeds the map in graphs only and ignores
    it on a tape; the kit heeds it on its tapes.

    Args:
      op_type_map: for each type of operation the name of a gradient: one registered with
        `RegisterGradient`, or the type of the operation whose gradient to take. A type's own name, or
        None, removes what an outer map says; TensorFlow takes no None.

    Raises:
      TypeError: if it is not a dict of strings.
      LookupError: for a type or a name that does not exist.

    A map that no operation in its block heeded is warned about.

    Source: https://www.tensorflow.org/api_docs/python/tf/Graph#gradient_override_map

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(2.7)
    >>> with ad.GradientTape() as tape:
    ...     with ad.gradient_override_map({"Floor": "Identity"}):
    ...         y = ad.floor(x)
    >>> tape.gradient(y, x)
    <Tensor: shape=(), dtype=float32, numpy=1.0>
    """

    def __init__(self, op_type_map: dict[str, str | None]) -> None:
        self._names = _checked_map(op_type_map)
        self._replaced: dict[OpDef, OpDef] = {}  # loops run the same operations again and again

    def __enter__(self) -> None:
        OVERRIDES.set(_Entry(self, OVERRIDES.get()))
        MAPS.append(self)

    def __exit__(self, kind: type[BaseException] | None, *_exception: Any) -> None:
        MAPS.remove(self)
        entry: Any = OVERRIDES.get()
        if entry is None:  # a generator that another thread or task ends: there it was not in force
            return
        OVERRIDES.set(entry.outer)
        if kind is None and self._names and not entry.met:
            warn(f"gradient_override_map({self._names}) had no effect: {self._why(entry)}")

    def _why(self, entry: _Entry) -> str:
        types = " or ".join(self._names)
        if entry.covered:
            return (
                f"of each {types} in its block another map, further in, says what its gradient is"
            )
        return (
            f"no operation of type {types} ran inside its block. Only operations that run inside it "
            "are given another gradient"
        )

    def _rule_for(self, op: OpDef) -> OpDef:
        name = self._names[op.type]
        if name is None:
            return op
        found = self._replaced.get(op)
        if found is None:
            found = self._replaced[op] = replaced(op, name)
        return found


class _Entry:
    """One entering of a map: which map was in force before, and whether anything heeded it.

    They are links of a chain, the innermost in OVERRIDES. So a map may be entered again inside its own
    block, and in several threads at a time.
    """

    def __init__(self, of: gradient_override_map, outer: Any) -> None:
        self.map = of
        self.outer = outer
        self.met = False
        self.covered = False  # whether a map further in had an operation that this one names

    def __call__(self, op: OpDef) -> OpDef:
        if not self.names(op):
            return op if self.outer is None else self.outer(op)
        self.met = True
        entry = self.outer
        while entry is not None:
            entry.covered = entry.covered or entry.names(op)
            entry = entry.outer
        return self.map._rule_for(op)

    def names(self, op: OpDef) -> bool:
        """Whether the map says something about operations of this type."""
        return op.type in self.map._names


def _checked_map(op_type_map: Any) -> dict[str, str | None]:
    names: dict[Any, Any] = dict(op_type_map) if isinstance(op_type_map, dict) else {None: None}
    if not all(isinstance(k, str) and isinstance(v, (str, type(None))) for k, v in names.items()):
        raise TypeError(
            "op_type_map must be a dictionary mapping strings to strings, an operation's type to the "
            f"name under which @ad.RegisterGradient holds a gradient function, but received "
            f"{op_type_map!r}"
        )
    known = all_operations()
    for op_type, name in names.items():
        if op_type not in known:
            raise LookupError(
                f"gradient_override_map names the operation type {op_type!r}, which does not exist"
                + suggestion(op_type, known)
            )
        if name is not None and name not in GRADIENTS and name not in known:
            near = suggestion(name, {**GRADIENTS, **known})
            raise LookupError(
                f"No gradient defined for operation type {op_type!r}: nothing is registered under "
                f"the name {name!r}{near}{', or' if near else ';'} register it with "
                f"@ad.RegisterGradient({name!r})"
            )
    return names


def suggestion(wrong: str, known: Iterable[str]) -> str:
    """The nearest name that exists, as the end of a sentence."""
    lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(wrong.lower(), lower, n=1, cutoff=0.6)
    return f"; did you mean {lower[near[0]]!r}?" if near else ""


def replaced(op: OpDef, name: str) -> OpDef:
    """The same operation with the gradient that is known under another name."""
    pull = by_name(name) if name in GRADIENTS else _borrowed(all_operations()[name])
    other = OpDef(op.type, op.kernel, pull=pull)
    other.rule_name = name
    return other


def _borrowed(other: OpDef) -> Callable[..., list[Any]]:
    """The rules of another operation as a `pull`."""

    def pull(step: Operation, *dys: Any) -> list[Any]:
        if other.pull is not None:
            return list(other.pull(step, *dys))
        inputs = step.inputs
        if len(other.vjps) != len(inputs) or step.many:
            raise ValueError(
                f"The gradient of {other.type!r} has {len(other.vjps)} inputs and one output, but "
                f"{step.name!r} has {len(inputs)} and {len(step.outputs)}"
            )
        shapes = tuple([np.shape(_bare(x)) for x in inputs])
        known = {**step.attrs, "shapes": shapes}
        found = []
        for vjp, shape in zip(other.vjps, shapes, strict=True):
            names = inspect.signature(vjp).parameters
            attrs = {name: value for name, value in known.items() if name in names}
            dx = vjp(dys[0], *inputs, step.output, **attrs)
            if dx is not None and other.broadcasts:
                dx = sum_to(dx, None, None, shape, np.shape(_bare(dx)))
            found.append(dx)
        wrapped = [tensor_of(x) if step.raw else x for x in inputs]
        tensors = [dx if dx is None or not step.raw else tensor_of(dx) for dx in found]
        return fitted(step.type, wrapped, tensors, step.raw)

    return pull


def _bare(value: Any) -> Any:
    return value._value if type(value) is Tensor else value


class Graph:
    """A stand-in for TensorFlow's graph, for programs that ask one for its `gradient_override_map`.

    Source: https://www.tensorflow.org/api_docs/python/tf/Graph

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(2.7)
    >>> with ad.GradientTape() as tape, ad.Graph().as_default() as graph:
    ...     with graph.gradient_override_map({"Floor": "Identity"}):
    ...         y = ad.floor(x)
    >>> tape.gradient(y, x)
    <Tensor: shape=(), dtype=float32, numpy=1.0>
    """

    def gradient_override_map(self, op_type_map: dict[str, str | None]) -> gradient_override_map:
        """The same as `ad.gradient_override_map`."""
        return gradient_override_map(op_type_map)

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """A block in which this is the default graph; it changes nothing."""
        yield self


_default_graph = Graph()


def get_default_graph() -> Graph:
    """The one stand-in graph that there always is.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/get_default_graph

    >>> import autodiff_kit as ad
    >>> ad.get_default_graph() is ad.get_default_graph()
    True
    """
    return _default_graph
