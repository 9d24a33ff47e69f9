"""Layer 5: the rules of the way back in symbols, with the learner's own names.

One idea: a rule is read from its own source, so that what is shown is what is run. What the tape knows
(axes, shapes) is filled in, branches not taken are dropped, helpers are written out. Where the source
says it in the engine's words, `WRITTEN` says it in a textbook's; a test computes with each of these.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autodiff_kit.operation import BROADCAST, OPERATIONS, OUTPUT, OpDef, no_gradient
from autodiff_kit.readers.sources import Reading, Unreadable, renamed

LONGEST = 120  # a longer formula teaches nothing


def _matmul(first: bool) -> Callable[..., str]:
    def rule(transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> str:
        if first:
            other = "b" if transpose_b else "transpose(b)"
            return f"transpose(dy @ {other})" if transpose_a else f"dy @ {other}"
        other = "a" if transpose_a else "transpose(a)"
        return f"transpose({other} @ dy)" if transpose_b else f"{other} @ dy"

    return rule


def _spread(divided: bool) -> Callable[..., str]:
    def rule(axis: Any, keepdims: bool, shapes: Any) -> str:
        n = math.prod([shapes[0][a] for a in axis])
        share = f"dy / {float(n or 1)}" if divided else "dy"
        return f"spread({share}, {shapes[0]})" if axis else "dy"

    return rule


# What teaches better than the source: for each input a formula in dy, a, b (or x) and y.
WRITTEN: dict[str, tuple[Any, ...]] = {
    "Broadcast": (lambda shape, to: f"sum_to(dy, {shape})",),
    "BroadcastTo": (lambda shape, shapes: f"sum_to(dy, {shapes[0]})",),
    "Cast": (lambda dtype, source: f"cast(dy, {source})",),
    "Mean": (_spread(True),),
    "MatMul": (_matmul(True), _matmul(False)),
    "ReciprocalGrad": ("-2.0 * dy * b * a", "-dy * a * a"),
    "Reciprocal": ("-dy * y * y",),
    "RealDiv": ("dy / b", "-dy * a / (b * b)"),
    "Relu": ("where(x > 0, dy, 0.0)",),
    "Rsqrt": ("-0.5 * dy * y * y * y",),
    "SelectV2": (None, "where(a, dy, 0.0)", "where(a, 0.0, dy)"),
    "Sqrt": ("dy / (2.0 * y)",),
    "Square": ("2.0 * x * dy",),
    "StridedSlice": (lambda key, shapes: f"zeros({shapes[0]}) with dy at [{_key(key)}]",),
    "Sum": (_spread(False),),
    "Output": ("dy",),
}


def _key(key: Any) -> str:
    """An index as it is written between brackets."""
    items = key if type(key) is tuple else (key,)
    return ", ".join(_item(item) for item in items)


def _item(item: Any) -> str:
    if item is Ellipsis:
        return "..."
    if not isinstance(item, slice):
        return str(getattr(item, "_value", item))
    ends = [("" if end is None else str(end)) for end in (item.start, item.stop, item.step)]
    return ":".join(ends if ends[2] else ends[:2])


def rule_text(
    op: OpDef, index: int, attrs: dict[str, Any], inputs: list[str], y: str, dy: str
) -> str:
    """The rule for one input, with names put in; ``""`` if no gradient flows.

    Args:
      op: the kind of operation.
      index: which input.
      attrs: the record's attributes.
      inputs: the names of the inputs.
      y, dy: the names of the output and of the gradient that comes in.

    >>> from autodiff_kit.operation import OPERATIONS
    >>> rule_text(OPERATIONS["Mul"], 0, {}, ["w", "x"], "z", "dz")
    'dz * x'
    >>> rule_text(OPERATIONS["Sin"], 0, {}, ["angle"], "height", "dheight")
    'dheight * cos(angle)'
    """
    formula = symbols(op, index, attrs)
    letters = letters_of(len(inputs))
    names = {"dy": dy, "y": y, **dict(zip(letters, inputs, strict=True))}
    try:
        return renamed(formula, names) if formula else ""
    except SyntaxError:  # words instead of a formula
        return formula.replace("dy", dy)


def letters_of(count: int) -> list[str]:
    """What inputs are called in a rule: x; a and b; x0, x1, x2."""
    return {1: ["x"], 2: ["a", "b"], 3: ["a", "b", "c"]}.get(count, [f"x{i}" for i in range(count)])


def symbols(op: OpDef, index: int, attrs: dict[str, Any]) -> str:
    """The rule for one input in the letters dy, y and `letters_of` the inputs."""
    written = WRITTEN.get(op.type, ())
    if index < len(written) and not _overridden(op):
        rule = written[index]
        return str(rule(**attrs) if callable(rule) else rule or "")
    if op.pull is not None:
        return described(op.pull, op.type)
    if op.vjps[index] is no_gradient:
        return ""
    try:
        roles = ["dy", *letters_of(op.arity), "y"]
        formula = Reading(attrs).of(op.vjps[index], roles)
    except Unreadable:
        return described(op.vjps[index], op.type)
    if formula == "None":
        return ""
    return formula if len(formula) <= LONGEST else described(op.vjps[index], op.type)


def _overridden(op: OpDef) -> bool:
    """Whether the learner gave the operation another rule."""
    known = {"Broadcast": BROADCAST, "Output": OUTPUT}.get(op.type) or OPERATIONS.get(op.type)
    return known is not op


def described(rule: Callable[..., Any], op_type: str) -> str:
    """A rule in words: the first sentence of its docstring, or whose rule it is."""
    words = (rule.__doc__ or "").strip().split("\n")[0].rstrip(".").replace("``", "")
    name = getattr(rule, "__name__", "").strip("_<>")
    if not words and (not name.isidentifier() or name == "lambda"):
        name = f"rule of {op_type}"
    return words or f"{name}(dy)"
