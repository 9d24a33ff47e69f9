"""Layer 1: how the families define their operations.

One idea: `operation` is the general way. `unary` and `binary` do the same as `operation.run`,
unrolled for one and for two inputs without attributes, because nearly every recorded operation is
one of these and Python's general calls take twice the time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from numpy import float16, float32, float64

from autodiff_kit.convert import as_tensor, operands, refuse_dtypes, refuse_kind, tick
from autodiff_kit.operation import (
    NOTHING,
    OVERRIDES,
    Kernel,
    OpDef,
    Rule,
    no_gradient,
    refusal,
    register,
    run,
    spread,
)
from autodiff_kit.tensor import RECORDING, Tensor

_getframe = sys._getframe
_FLOAT_SCALARS = frozenset([float16, float32, float64])  # the usual case needs no other check


def unary(
    type_: str,
    name: str,
    kernel: Kernel,
    vjp: Rule = no_gradient,
    *,
    kinds: str = "f",
    doc: str = "",
) -> Callable[..., Tensor]:
    """Make an operation of one tensor from its kernel and its rule `vjp(dy, x, y)`.

    Args:
      type_: the type as TensorFlow spells it.
      name: the kit's name.
      kernel: computes the output from the bare value.
      vjp: the rule; without one no gradient flows, as through `floor`.
      kinds: the accepted kinds of dtype: "f" floating, "i" and "u" integer, "b" bool.
      doc: the documentation of the function.
    """
    op = OpDef(type_, kernel, (vjp,))
    keep_x, keep_y = op.needs[0]

    def apply(x: Any, name: str | None = None) -> Tensor:
        if type(x) is not Tensor:
            x = as_tensor(x)
        value = x._value
        kind = type(value)
        if kind not in _FLOAT_SCALARS and value.dtype.kind not in kinds:
            refuse_kind(type_, value, kinds)
        if OVERRIDES.get() is not None:
            return run(op, (x,))
        try:
            result = kernel(value)
        except Exception as error:
            raise refusal(type_, (x,), error) from None
        frame: Any = _getframe(1)
        while "__autodiff_kit__" in frame.f_globals:
            frame = frame.f_back
        out = None
        for tape in RECORDING.get():
            i = x._index if x._home is tape.home else tape.find_input(x)
            if i >= 0:
                records = tape.records
                if out is None:
                    out = Tensor(result, tape.home, len(records))
                else:
                    tape.aliases[out] = len(records)
                records.append(
                    (op, i, -1, x if keep_x else NOTHING, NOTHING, out if keep_y else NOTHING,
                     None, frame.f_code, frame.f_lasti)
                )  # fmt: skip
        if out is None:
            return Tensor(result, (type_, frame.f_code, frame.f_lasti, tick()))
        return out

    return finish(op, apply, name, doc)


def binary(
    type_: str,
    name: str,
    kernel: Kernel,
    vjp_a: Rule = no_gradient,
    vjp_b: Rule = no_gradient,
    *,
    kinds: str = "iuf",
    doc: str = "",
) -> Callable[..., Tensor]:
    """Make an operation of two tensors of one dtype that broadcasts; arguments as in `unary`.

    The rules `vjp_a(dy, a, b, y)` and `vjp_b(dy, a, b, y)` may take it that all shapes are equal.
    """
    op = OpDef(type_, kernel, (vjp_a, vjp_b), broadcasts=True)
    first, second = op.needs
    both = tuple(p or q for p, q in zip(first, second, strict=True))

    def apply(x: Any, y: Any, name: str | None = None) -> Tensor:
        if type(y) is not Tensor:
            x, y = operands(x, y)
        elif type(x) is not Tensor:
            x, y = operands(x, y)
        a, b = x._value, y._value
        kind = type(a)
        same = True
        if kind not in _FLOAT_SCALARS or kind is not type(b):
            if a.dtype is not b.dtype:
                refuse_dtypes(type_, [a, b])
            if a.dtype.kind not in kinds:
                refuse_kind(type_, a, kinds)
            same = a.shape == b.shape
        if OVERRIDES.get() is not None:
            return run(op, (x, y))
        try:
            result = kernel(a, b)
        except Exception as error:
            raise refusal(type_, (x, y), error) from None
        frame: Any = _getframe(1)
        while "__autodiff_kit__" in frame.f_globals:
            frame = frame.f_back
        out = None
        for tape in RECORDING.get():
            home = tape.home
            i = x._index if x._home is home else tape.find_input(x) if x._home else -1
            j = y._index if y._home is home else tape.find_input(y) if y._home else -1
            if i >= 0 or j >= 0:
                if not same:
                    i, j = spread(tape, (i, j), (a.shape, b.shape), result.shape, frame)
                records = tape.records
                if out is None:
                    out = Tensor(result, home, len(records))
                else:
                    tape.aliases[out] = len(records)
                keep_a, keep_b, keep_y = first if j < 0 else second if i < 0 else both
                records.append(
                    (op, i, j,
                     x if keep_a else NOTHING, y if keep_b else NOTHING,
                     out if keep_y else NOTHING, None, frame.f_code, frame.f_lasti)
                )  # fmt: skip
        if out is None:
            return Tensor(result, (type_, frame.f_code, frame.f_lasti, tick()))
        return out

    return finish(op, apply, name, doc)


def operation(
    type_: str,
    name: str,
    kernel: Kernel,
    *vjps: Rule,
    pull: Rule | None = None,
    broadcasts: bool = False,
) -> Callable[..., Any]:
    """Make an operation that has attributes, several outputs, or any number of inputs.

    The result takes tensors by position and attributes by keyword, all of them already checked: it
    is the inner half of a public function that converts and checks. It is also what `xp.name`
    calls.

    Args:
      type_: the type as TensorFlow spells it.
      name: the name in `xp`.
      kernel: computes `kernel(*values, **attrs)`; a tuple if there are several outputs.
      vjps: a rule for each input, `vjp(dy, *inputs, output, **attrs)`.
      pull: instead of rules, `pull(step, *dys)` returns a list with the gradient for each input;
        `step` is the `Operation`, `dys` has one entry for each output, None where nothing arrived.
      broadcasts: whether the inputs are broadcast to the shape of the output; then the rules may
      take
        it that all shapes are equal.
    """
    op = OpDef(type_, kernel, vjps, pull, broadcasts)

    def apply(*inputs: Tensor, **attrs: Any) -> Any:
        return run(op, inputs, attrs or None)

    return finish(op, apply, name, "")


def finish(op: OpDef, apply: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    """Give the function its name and its documentation, and register it."""
    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = doc
    apply.__dict__["op"] = op
    register(op, name, apply)
    return apply
