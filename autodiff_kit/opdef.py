"""Layer 1: a kind of operation: its kernel computes, its rules say how a gradient travels back.

One idea: a rule (vjp) is called as `vjp(dy, x, y)`, or `vjp(dy, a, b, y)` for two inputs, with the
attributes as keywords, and returns the gradient for one input. A parameter whose name begins with an
underscore is not kept by the tape; one named `shapes` gets the shapes of the inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from autodiff_kit.forms import form_of
from autodiff_kit.namespace import load_all, xp
from autodiff_kit.tensor import Tensor

Kernel = Callable[..., Any]
Rule = Callable[..., Any]

OPERATIONS: dict[str, OpDef] = {}  # those that are loaded; `all_operations` loads the others


class OpDef:
    """A kind of operation: its type as TensorFlow spells it, its kernel, a rule for each input."""

    __slots__ = (
        "add_in",
        "arity",
        "asks_shapes",
        "at_ones",
        "broadcasts",
        "elementwise",
        "hands_over",
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
        # For `go_back`: the same operation with shorter rules for a `dy` that is 1 everywhere (they
        # may hand over an input as it is), and whether the rule makes a gradient that is 1
        # everywhere of such a `dy`.
        self.at_ones = self
        self.spreads = spreads and not at_ones
        if at_ones:
            self.at_ones = OpDef(type, kernel, at_ones, None, broadcasts, spreads=spreads)
        # For `go_back`, of indexing: the first rule makes an array of zeros with `dy` at some
        # positions. `add_in(total, dy, positions, attrs)` adds `dy` at these positions of an array that
        # is there already. Only for operations with attributes whose other input has no gradient.
        # (`operation.OUTPUT` gathers the gradients of several outputs in the same way.)
        self.add_in = add_in
        # Sums and products, half of all operations: `go_back` has their rules written out, those of a
        # product too where 1 arrives everywhere.
        self.passes_on = vjps == (pass_on, pass_on)
        self.multiplies = vjps == (times_b, times_a)
        self.hands_over = vjps == (all_of_b, all_of_a)
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


def all_of(factor: Any, one: Any) -> Any:
    """``one * factor``, where ``one`` is 1 everywhere: the factor itself, if it has the form."""
    if type(one) is Tensor:
        same = (one._form or form_of(one)) is (factor._form or form_of(factor))
    else:
        same = one.shape == factor.shape
    return factor if same else one * factor


def all_of_b(one: Any, _a: Any, b: Any, _y: Any) -> Any:
    """The rule of the first factor of a product where 1 arrives everywhere."""
    return all_of(b, one)


def all_of_a(one: Any, a: Any, _b: Any, _y: Any) -> Any:
    """The rule of the second factor of a product where 1 arrives everywhere."""
    return all_of(a, one)


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
    load_all()
    return OPERATIONS
