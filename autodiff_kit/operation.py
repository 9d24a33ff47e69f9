"""Layer 1: operations. A kernel computes; its rules say how a gradient travels back through it.

One idea: running an operation is `kernel(values)`, and for every tape that tracks one of its inputs
one record of what was done. A record is a plain tuple, because a tape holds very many of them:

    (op, i, j, a, b, y, attrs, code, instruction)

`i` and `j` are the inputs' places on the tape, `a`, `b` and `y` the inputs and the output as far as
the rules of `op` need them, `code` and `instruction` the learner's own line. A negative place is that
of an input that is not tracked: -1, or a number below it if the tape knows where that input comes
from (`GradientTape.origin_of`). An operation with one rule has `j = -1`; one with three or more, or
with a `pull`, has tuples in `i` and `a`.

A rule (vjp) is called as `vjp(dy, x, y)`, or `vjp(dy, a, b, y)` for two inputs, with the attributes
as keywords, and returns the gradient for one input. A parameter whose name begins with an
underscore is not kept by the tape; one named `shapes` gets the shapes of the inputs. Rules compute
through `xp`, so they work on bare NumPy values and, when another tape is to differentiate the
gradient, on tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from autodiff_kit.errors import InvalidArgumentError, OpError
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.tensor import SHARED, Tensor, recording, tensor_of

Kernel = Callable[..., Any]
Rule = Callable[..., Any]

NOTHING = tensor_of(None)  # stands in a record where no rule needs the value
OPERATIONS: dict[str, OpDef] = {}  # those that are loaded; `all_operations` loads the others
FAMILIES: dict[str, str] = {}  # by the kit's name, which module defines it; `ops` fills it in
OVERRIDES: ContextVar[Callable[[OpDef], OpDef] | None] = ContextVar("overrides", default=None)
overriding = OVERRIDES.get
MAPS: list[Any] = []  # the override maps in force anywhere; while there is none, nobody need ask


class Namespace:
    """`xp.f(x)`: the operation `f` on a tensor, its bare kernel on a NumPy value.

    What is set is kept in `_either`, and becomes an attribute when it is asked for the first time,
    after its whole family is loaded: no thread sees half a family that another one is loading.
    """

    def __init__(self) -> None:
        self.__dict__["_either"] = {}

    def __setattr__(self, name: str, either: Callable[..., Any]) -> None:
        self._either[name] = either
        self.__dict__.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        if name in FAMILIES:
            import_module(FAMILIES[name])
        if name not in self._either:
            raise AttributeError(f"no operation is registered under the name {name!r}")
        return self.__dict__.setdefault(name, self._either[name])


xp: Any = Namespace()


class OpDef:
    """A kind of operation: its type as TensorFlow spells it, its kernel, a rule for each input."""

    __slots__ = (
        "add_in",
        "arity",
        "asks_shapes",
        "at_ones",
        "broadcasts",
        "elementwise",
        "keeps",
        "kernel",
        "multiplies",
        "rule_name",
        "needs",
        "passes_on",
        "pull",
        "spreads",
        "stacked",
        "type",
        "vjp_a",
        "vjp_b",
        "vjps",
    )

    def __init__(
        self,
        type: str,
        kernel: Kernel,
        vjps: tuple[Rule, ...] = (),
        pull: Rule | None = None,
        broadcasts: bool = False,
        keeps: bool = True,
        *,
        elementwise: bool = False,
        stacked: tuple[Rule, ...] = (),
        at_ones: tuple[Rule, ...] = (),
        spreads: bool = False,
        add_in: Callable[[Any, Any, Any, Any], None] | None = None,
    ) -> None:
        self.type = type
        self.kernel = kernel
        self.vjps = vjps
        self.pull = pull
        self.broadcasts = broadcasts
        self.keeps = keeps  # whether `pull` asks for values
        # For `rows`: whether each element goes its own way, and otherwise the rules, if there are
        # any, that take a whole stack of gradients.
        self.elementwise = elementwise
        self.stacked = stacked
        self.rule_name: str | None = None  # of a gradient that the learner wrote
        # For `go_back`: the same operation with shorter rules for a `dy` that is 1 everywhere, and
        # whether the rule makes a gradient that is 1 everywhere of such a `dy`.
        self.at_ones = self
        self.spreads = spreads and not at_ones
        if at_ones:
            self.at_ones = OpDef(type, kernel, at_ones, None, broadcasts, spreads=spreads)
        # For `go_back`, of indexing: the first rule makes an array of zeros with `dy` at some
        # positions. `add_in(total, dy, positions, attrs)` adds `dy` at these positions of an array that
        # is there already. Only for operations with attributes whose other input has no gradient.
        self.add_in = add_in
        # Sums and products, half of all operations: `go_back` has their rules written out.
        self.passes_on = vjps == (pass_on, pass_on)
        self.multiplies = vjps == (times_b, times_a)
        self.asks_shapes = any("shapes" in vjp.__code__.co_varnames for vjp in vjps)
        self.arity = len(vjps) if pull is None else 0  # how many rules; 0 stands for a `pull`
        self.vjp_a, self.vjp_b = (*vjps, no_gradient, no_gradient)[:2]
        self.needs = tuple(_needed(vjp, self.arity) for vjp in vjps)


def no_gradient(dy: Any, *_args: Any, **_attrs: Any) -> None:
    """The rule of an input that no gradient flows to."""


def pass_on(dy: Any, _a: Any, _b: Any, _y: Any) -> Any:
    """The rule of both inputs of a sum."""
    return dy


def times_b(dy: Any, _a: Any, b: Any, _y: Any) -> Any:
    """The rule of the first factor of a product."""
    return dy * b


def times_a(dy: Any, a: Any, _b: Any, _y: Any) -> Any:
    """The rule of the second factor of a product."""
    return dy * a


def _needed(vjp: Rule, arity: int) -> tuple[bool, ...]:
    """Which of the inputs and the output a rule asks for: its parameters without an underscore."""
    names = vjp.__code__.co_varnames[1 : vjp.__code__.co_argcount][: arity + 1]
    return tuple([not n.startswith("_") for n in names] + [False] * (arity + 1 - len(names)))


@lru_cache(1000)
def needed(op: OpDef, tracked: tuple[bool, ...]) -> tuple[bool, ...]:
    """Which of the inputs, and whether the output, the rules of the tracked inputs ask for."""
    asked = [need for need, is_tracked in zip(op.needs, tracked, strict=True) if is_tracked]
    return tuple([any(flags) for flags in zip(*asked, strict=True)])


def register(op: OpDef, name: str, either: Callable[..., Any]) -> None:
    """Enter a kind of operation under its type; under its kit name `xp` has what takes both kinds."""
    if op.type in OPERATIONS:
        raise KeyError(f"Registering two operations with type {op.type!r}")
    OPERATIONS[op.type] = op
    setattr(xp, name, either)


@cache
def all_operations() -> dict[str, OpDef]:
    """All kinds of operations by type, those too that nobody has used yet."""
    for module in sorted(set(FAMILIES.values())):
        import_module(module)
    return OPERATIONS


def run(op: OpDef, inputs: tuple[Tensor, ...], attrs: dict[str, Any] | None = None) -> Any:
    """Compute, and leave a record on every tape that tracks one of the inputs.

    This is all that happens when an operation runs; `define.unary` and `binary` and the functions
    of `noted` are the same, written out for the usual cases, since they take half the time.
    """
    values = [x._value for x in inputs]
    try:
        result = op.kernel(*values, **attrs) if attrs else op.kernel(*values)
    except Exception as error:
        raise refusal(op.type, inputs, error) from None
    if op.asks_shapes:
        attrs = {**(attrs or {}), "shapes": tuple([value.shape for value in values])}
    return recorded(op, inputs, result, attrs)


def recorded(
    op: OpDef, inputs: tuple[Tensor, ...], result: Any, attrs: dict[str, Any] | None
) -> Any:
    """The outputs of an operation that has just run, with its record on those tapes."""
    override = overriding() if MAPS else None
    if override is not None:
        ran, op = op, override(op)
        if attrs and ran.asks_shapes and not op.asks_shapes:
            attrs = {name: value for name, value in attrs.items() if name != "shapes"}
    many = type(result) is tuple
    outputs: Any = tuple(map(tensor_of, result)) if many else tensor_of(result)
    frame = user_frame()
    for tape in recording():
        places = places_on(tape, inputs)
        if places:
            record(tape, op, places, inputs, outputs, attrs, frame)
    for output in outputs if many else (outputs,):
        if output._home is None:
            output._home = origin(op.type, frame)
    return outputs


def places_on(tape: Any, inputs: tuple[Tensor, ...]) -> tuple[int, ...]:
    """Where on a tape the inputs of an operation are; nothing if it tracks none of them."""
    home, aliases = tape.home, tape.aliases
    places, tracked = [], False
    for x in inputs:
        place = x._index if x._home is home else aliases.get(x, -1)
        places.append(place)
        tracked = tracked or place >= 0
    if not tracked:
        return ()
    if -1 in places:
        places = [tape.outside(x) if p < 0 else p for p, x in zip(places, inputs, strict=True)]
    return tuple(places)


def record(
    tape: Any, op: OpDef, places: Any, inputs: Any, outputs: Any, attrs: Any, frame: Any
) -> None:
    """Append one record, with what the rules of `op` need, and say where the outputs are now."""
    if op.broadcasts:
        places = spread_all(tape.records, places, inputs, outputs._value.shape, frame)
    code, instruction = frame.f_code, frame.f_lasti
    many = type(outputs) is tuple
    if op.arity == 1:
        keep_x, keep_y = op.needs[0]
        x, y = inputs[0] if keep_x else NOTHING, outputs if keep_y else NOTHING
        row = (op, places[0], -1, x, NOTHING, y, attrs, code, instruction)
    elif op.arity == 0:
        if not op.keeps:
            inputs = (NOTHING,) * len(inputs)
        y = outputs if op.keeps else (NOTHING,) * len(outputs) if many else NOTHING
        row = (op, places, -1, inputs, NOTHING, y, attrs, code, instruction)
    else:
        keeps = needed(op, tuple([place >= 0 for place in places]))
        *values, y = [
            value if keep else NOTHING
            for value, keep in zip((*inputs, outputs), keeps, strict=True)
        ]
        if op.arity > 2:
            row = (op, places, -1, tuple(values), NOTHING, y, attrs, code, instruction)
        else:
            i, j = (*places, -1)[:2]
            a, b = (*values, NOTHING)[:2]
            row = (op, i, j, a, b, y, attrs, code, instruction)
    place = len(tape.records)
    tape.records.append(row)
    if not many:
        settle(tape, outputs, place)
        return
    for number, output in enumerate(outputs):
        settle(tape, output, len(tape.records))
        tape.records.append(
            (OUTPUT, place, -1, NOTHING, NOTHING, NOTHING, {"number": number}, code, instruction)
        )


def spread_all(records: list[Any], places: Any, inputs: Any, to: Any, frame: Any) -> Any:
    """The places of inputs that all have the output's shape; where one has not, it is spread out."""
    return tuple(
        [
            spread(records, place, {"shape": x._value.shape, "to": to}, frame)
            if place >= 0 and x._value.shape != to
            else place
            for place, x in zip(places, inputs, strict=True)
        ]
    )


def settle(tape: Any, tensor: Tensor, place: int) -> None:
    """Note where on the tape a tensor is: on the tensor itself, or on the tape if that is taken."""
    if tensor._home is None:
        tensor._home, tensor._index = tape.home, place
    else:
        tape.aliases[tensor] = place


def spread(records: list[Any], place: int, attrs: Any, frame: Any) -> int:
    """Record broadcasting as a step of its own, so that no other rule has to undo it; its place."""
    records.append(
        (BROADCAST, place, -1, NOTHING, NOTHING, NOTHING, attrs, frame.f_code, frame.f_lasti)
    )
    return len(records) - 1


@lru_cache(1000)
def axes_between(shape: tuple[int, ...], to: tuple[int, ...]) -> tuple[int, ...]:
    """The axes along which broadcasting repeats."""
    missing = len(to) - len(shape)
    return tuple(
        [axis for axis in range(len(to)) if axis < missing or shape[axis - missing] != to[axis]]
    )


def sum_to(dy: Any, _x: Any, _y: Any, shape: Any, to: Any) -> Any:
    """The rule of broadcasting: what went to many places comes back as a sum."""
    axes = axes_between(shape, to)
    if type(dy) is not Tensor:
        return np.add.reduce(dy, axis=axes).reshape(shape)[()]
    dx = xp.reduce_sum(dy, axis=axes, keepdims=False)
    return dx if len(axes) == len(to) - len(shape) else xp.reshape(dx, shape=shape)


class Parts(dict[int, Any]):
    """The gradients of an operation with several outputs, gathered output by output."""

    def __add__(self, other: Parts) -> Parts:
        return Parts({**self, **other})


def _stack_sum_to(dy: Any, _x: Any, _y: Any, shape: Any, to: Any) -> Any:
    ones = (1,) * (len(to) - len(shape)) + tuple(shape)
    axes = tuple([axis + 1 for axis in range(len(to)) if ones[axis] != to[axis]])
    return np.add.reduce(dy, axis=axes).reshape(len(dy), *shape)


LEAF = OpDef("Watch", lambda x: x, (no_gradient,))
BROADCAST = OpDef(
    "Broadcast", lambda x, shape, to: np.broadcast_to(x, to), (sum_to,), stacked=(_stack_sum_to,)
)
OUTPUT = OpDef(
    "Output", lambda x, number: x[number], (lambda dy, _x, _y, number: Parts({number: dy}),)
)


def refusal(op_type: str, inputs: tuple[Tensor, ...], error: Exception) -> Exception:
    """NumPy's complaint in TensorFlow's words."""
    if isinstance(error, OpError):
        return error
    shapes = " vs. ".join(str(list(x._value.shape)).replace(" ", "") for x in inputs)
    if isinstance(error, ValueError) and "broadcast" in str(error):
        return InvalidArgumentError(
            f"Incompatible shapes: {shapes} [Op:{op_type}]; shapes broadcast when, from the last "
            "dimension on, they are equal or one of them is 1"
        )
    dtypes = ", ".join(str(x._value.dtype) for x in inputs)
    return InvalidArgumentError(
        f"{op_type} cannot take inputs of shape {shapes} and dtype {dtypes}: {error} [Op:{op_type}]"
    )


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
        return self.definition.type

    @property
    def name(self) -> str:
        """The type and the place on the tape."""
        return f"{self.type}_{self.place}"

    @property
    def places(self) -> tuple[int, ...]:
        """Where on the tape the inputs are; negative for an input that is not tracked."""
        i, j = self._record[1:3]
        return i if type(i) is tuple else (i, j)[: self.definition.arity]

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
        return tuple(v._value for v in values) if self.raw else values
