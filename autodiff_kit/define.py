"""Layer 1: how the families define their operations.

One idea: `operation` is the general way. `unary` and `binary` do the same as `operation.run`,
unrolled for one and for two inputs without attributes, because nearly every recorded operation is
one of these and Python's general calls take twice the time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.broadcasting import spread_two
from autodiff_kit.convert import as_tensor, operands, refuse_dtypes, refuse_kind
from autodiff_kit.errors import refusal
from autodiff_kit.forms import form_of, form_with
from autodiff_kit.lines import LEARNER, asking, learners
from autodiff_kit.noted import noted, noted_two, untracked
from autodiff_kit.opdef import Kernel, OpDef, Rule, no_gradient, register
from autodiff_kit.operation import MAPS, overriding, run
from autodiff_kit.tensor import NOTHING, Tensor, blank, recording

_getframe = sys._getframe


def unary(
    type_: str,
    name: str,
    kernel: Kernel,
    vjp: Rule = no_gradient,
    *,
    kinds: str = "f",
    same_form: bool = True,
    doc: str = "",
) -> Callable[..., Tensor]:
    """Make an operation of one tensor from its kernel and its rule `vjp(dy, x, y)`.

    Args:
      type_: the type as TensorFlow spells it.
      name: the kit's name.
      kernel: computes the output from the bare value.
      vjp: the rule; without one no gradient flows, as through `floor`.
      kinds: the accepted kinds of dtype: "f" floating, "i" and "u" integer, "b" bool.
      same_form: whether the output has the dtype and the shape of the input.
      doc: the documentation of the function.
    """
    op = OpDef(type_, kernel, (vjp,), elementwise=same_form)
    keep_x, keep_y = op.needs[0]
    usual = kinds[-1]  # asked for by itself, which is faster than to look for it in a string

    def apply(x: Any, name: str | None = None) -> Tensor:
        if type(x) is not Tensor:
            x = as_tensor(x)
        value = x._value
        form = x._form or form_of(x)
        if form.kind != usual and form.kind not in kinds:
            refuse_kind(type_, value, kinds)
        if MAPS and overriding() is not None:
            return run(op, (x,))
        try:
            result = kernel(value)
        except Exception as error:
            raise refusal(type_, (x,), error) from None
        frame: Any = _getframe(1)
        code = frame.f_code
        if code is not LEARNER.code:
            frame = asking() or learners(frame)
            code = frame.f_code
        out = None
        for tape in recording():
            i = x._index if x._home is tape.home else tape.aliases.get(x, -1)
            if i >= 0:
                records = tape.records
                if out is None:
                    out = blank()
                    out._value, out._home, out._index = result, tape.home, len(records)
                    out._form = form if same_form else None
                else:
                    tape.aliases[out] = len(records)
                records.append(
                    (op, i, -1, x if keep_x else NOTHING, NOTHING, out if keep_y else NOTHING,
                     None, code, frame.f_lasti)
                )  # fmt: skip
        if out is None:
            return untracked(type_, result, form if same_form else None, code, frame.f_lasti)
        return out

    def either(x: Any) -> Any:
        return apply(x) if type(x) is Tensor else kernel(x)

    return finish(op, apply, either, name, doc)


def binary(
    type_: str,
    name: str,
    kernel: Kernel,
    vjp_a: Rule = no_gradient,
    vjp_b: Rule = no_gradient,
    *,
    kinds: str = "iuf",
    same_form: bool = True,
    at_ones: tuple[Rule, ...] = (),
    convert: Callable[[Any, Any], tuple[Tensor, Tensor]] = operands,
    doc: str = "",
) -> Callable[..., Tensor]:
    """Make an operation of two tensors of one dtype that broadcasts; arguments as in `unary`.

    The rules `vjp_a(dy, a, b, y)` and `vjp_b(dy, a, b, y)` may take it that all shapes are equal.
    ``at_ones`` are the same rules for a `dy` that is 1 everywhere, where they are much shorter.
    ``convert`` makes tensors of what is given.
    """
    op = OpDef(
        type_, kernel, (vjp_a, vjp_b), broadcasts=True, elementwise=same_form, at_ones=at_ones
    )
    first, second = op.needs
    both = tuple(p or q for p, q in zip(first, second, strict=True))
    usual = kinds[-1]

    def apply(x: Any, y: Any, name: str | None = None) -> Tensor:
        if type(y) is not Tensor or type(x) is not Tensor:
            x, y = convert(x, y)
        form: Any = x._form
        spreads = None
        if form is not y._form or form is None:
            form, spreads = meet(type_, x, y)
        if form.kind != usual and form.kind not in kinds:
            refuse_kind(type_, x._value, kinds)
        if MAPS and overriding() is not None:
            return run(op, (x, y))
        try:
            result = kernel(x._value, y._value)
        except Exception as error:
            raise refusal(type_, (x, y), error) from None
        frame: Any = _getframe(1)
        code = frame.f_code
        if code is not LEARNER.code:
            frame = asking() or learners(frame)
            code = frame.f_code
        out = None
        for tape in recording():
            home = tape.home
            i = x._index if x._home is home else tape.aliases.get(x, -1) if tape.aliases else -1
            j = y._index if y._home is home else tape.aliases.get(y, -1) if tape.aliases else -1
            if j < 0:
                if i < 0:
                    continue
                if type(y._home) is tuple:  # `tape.outside`, written out: it is half of all inputs
                    tape.outsiders.append(y._home)
                    j = -1 - len(tape.outsiders)
                keep_a, keep_b, keep_y = first
            elif i < 0:
                if type(x._home) is tuple:
                    tape.outsiders.append(x._home)
                    i = -1 - len(tape.outsiders)
                keep_a, keep_b, keep_y = second
            else:
                keep_a, keep_b, keep_y = both
            records = tape.records
            if spreads is not None:
                i, j = spread_two(records, i, j, spreads, frame)
            if out is None:
                out = blank()
                out._value, out._home, out._index = result, home, len(records)
                out._form = form if same_form else None
            else:
                tape.aliases[out] = len(records)
            records.append(
                (op, i, j,
                 x if keep_a else NOTHING, y if keep_b else NOTHING,
                 out if keep_y else NOTHING, None, code, frame.f_lasti)
            )  # fmt: skip
        if out is None:
            return untracked(type_, result, form if same_form else None, code, frame.f_lasti)
        return out

    def either(x: Any, y: Any) -> Any:
        return apply(x, y) if type(x) is Tensor or type(y) is Tensor else kernel(x, y)

    return finish(op, apply, either, name, doc)


def meet(type_: str, x: Tensor, y: Tensor) -> Any:
    """The form that two tensors broadcast to, and how each of them is spread out; None if neither is.

    It is worked out once for each pair of forms: loops meet the same ones again and again.
    """
    a, b = x._form or form_of(x), y._form or form_of(y)
    meeting = a.meetings.get(b)
    if meeting is None:
        if a.dtype is not b.dtype:
            refuse_dtypes(type_, [x._value, y._value])
        try:
            to = np.broadcast_shapes(a.shape, b.shape)
        except ValueError:
            return a, None  # the kernel will say so
        spreads = tuple(
            [None if form.shape == to else {"shape": form.shape, "to": to} for form in (a, b)]
        )
        meeting = form_with(a.dtype, to), spreads if any(spreads) else None
        if len(a.meetings) > 1000:  # a scalar meets ever new shapes
            a.meetings.clear()
        a.meetings[b] = meeting
    return meeting


def operation(
    type_: str,
    name: str,
    kernel: Kernel,
    *vjps: Rule,
    pull: Rule | None = None,
    broadcasts: bool = False,
    keeps: bool = True,
    **more: Any,
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
        take it that all shapes are equal.
      keeps: whether `pull` needs the inputs and outputs; if not, the tape does not hold them.
      more: shorter ways for `go_back` and `rows`: see `OpDef`.
    """
    op = OpDef(type_, kernel, vjps, pull, broadcasts, keeps, **more)

    def apply_to_one(x: Tensor, **attrs: Any) -> Any:
        value = x._value
        try:
            result = kernel(value, **attrs)
        except Exception as error:
            raise refusal(type_, (x,), error) from None
        if op.asks_shapes:
            attrs["shapes"] = (value.shape,)
        return noted(op, x, result, attrs or None)

    def apply_to_two(x: Tensor, y: Tensor, **attrs: Any) -> Any:
        a, b = x._value, y._value
        try:
            result = kernel(a, b, **attrs)
        except Exception as error:
            raise refusal(type_, (x, y), error) from None
        if op.asks_shapes:
            attrs["shapes"] = a.shape, b.shape
        return noted_two(op, x, y, result, attrs or None)

    def apply_to_all(*inputs: Tensor, **attrs: Any) -> Any:
        return run(op, inputs, attrs or None)

    apply: Callable[..., Any] = apply_to_all
    if op.arity == 1:
        apply = apply_to_one
    elif op.arity == 2 and not broadcasts:
        apply = apply_to_two

    def of_one(x: Any, **attrs: Any) -> Any:
        return apply(x, **attrs) if type(x) is Tensor else kernel(x, **attrs)

    def of_two(x: Any, y: Any, **attrs: Any) -> Any:
        return (apply if type(x) is Tensor or type(y) is Tensor else kernel)(x, y, **attrs)

    def of_any(*inputs: Any, **attrs: Any) -> Any:
        return (apply if Tensor in map(type, inputs) else kernel)(*inputs, **attrs)

    either = of_one if op.arity == 1 else of_two if op.arity == 2 else of_any
    return finish(op, apply, either, name, "")


def finish(
    op: OpDef, apply: Callable[..., Any], either: Callable[..., Any], name: str, doc: str
) -> Callable[..., Any]:
    """Give the function its name and its documentation, and register it."""
    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = doc
    apply.__dict__["op"] = op
    register(op, name, either)
    return apply


def op_of(function: Callable[..., Any]) -> OpDef:
    """The kind of operation of a function that was made here."""
    return function.__dict__["op"]
