"""Layer 1: one executed operation, read from its record.

One idea: a record is a plain tuple; this gives its entries the names that TensorFlow has for them.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.opdef import OpDef
from autodiff_kit.tensor import SHARED, Tensor, tensor_of


class Operation:
    """One executed operation, read from a record: what a rule, a reader or a learner sees of it.

    Source: https://www.tensorflow.org/api_docs/python/tf/Operation
    """

    __slots__ = ("_inputs", "_record", "place", "raw")

    def __init__(self, records: list[Any], place: int, raw: bool = False) -> None:
        self._record = records[place]
        self._inputs: tuple[Any, ...] | None = None
        self.place = place
        self.raw = raw

    @property
    def definition(self) -> OpDef:
        """The kind of operation."""
        return self._record[0]

    @property
    def type(self) -> str:
        """The kind of operation as TensorFlow spells it, for example ``"MatMul"``."""
        kind: OpDef = self._record[0]
        return kind.type

    @property
    def name(self) -> str:
        """The type and the place on the tape."""
        return f"{self.type}_{self.place}"

    @property
    def places(self) -> tuple[int, ...]:
        """Where on the tape the inputs are; negative for an input that is not tracked."""
        record = self._record
        i = record[1]
        return i if type(i) is tuple else (i, record[2])[: record[0].arity]

    @property
    def inputs(self) -> tuple[Any, ...]:
        """The inputs, as far as the tape keeps them."""
        if self._inputs is None:
            a, b = self._record[3:5]
            kept = a if type(a) is tuple else (a, b)[: self.definition.arity]
            # A rule of the learner's may watch its inputs: it gets a number of its own.
            own = tuple([tensor_of(x._value) if x._home is SHARED else x for x in kept])
            self._inputs = self._seen(own)
        return self._inputs

    @property
    def many(self) -> bool:
        """Whether the operation has several outputs."""
        return type(self._record[5]) is tuple

    @property
    def output(self) -> Any:
        """The output, or the tuple of outputs, as far as the tape keeps it."""
        return self.outputs if self.many else self.outputs[0]

    @property
    def outputs(self) -> tuple[Any, ...]:
        """The outputs, as far as the tape keeps them."""
        y = self._record[5]
        return self._seen(y if type(y) is tuple else (y,))

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes, for example the axis of a sum."""
        return self._record[6] or {}

    def get_attr(self, name: str) -> Any:
        """One attribute by name.

        Raises:
          ValueError: if the operation has no such attribute.
        """
        if name not in self.attrs:
            raise ValueError(
                f"Operation {self.name!r} has no attr named {name!r}; it has {sorted(self.attrs)}"
            )
        return self.attrs[name]

    def _seen(self, values: tuple[Tensor, ...]) -> tuple[Any, ...]:
        return tuple([v._value for v in values]) if self.raw else values
