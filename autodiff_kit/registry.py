"""Layer 2: gradients that the learner registers by name.

One idea: a function in TensorFlow's form, ``f(op, *grads)``, is as good a rule as the kit's own; what
it returns is checked, because nobody else will.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from autodiff_kit.convert import is_tensor, operand
from autodiff_kit.executed import Operation
from autodiff_kit.opdef import all_operations
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["NoGradient", "NotDifferentiable", "RegisterGradient"]

Function = TypeVar("Function", bound=Callable[..., Any])
GRADIENTS: dict[str, Callable[..., Any] | None] = {}  # what was registered by name


class RegisterGradient:
    """Registers a gradient under a name, for `gradient_override_map`. A decorator.

    The function is called as ``f(op, *grads)``: ``op`` is the `Operation` with ``type``, ``name``,
    ``inputs``, ``outputs`` and ``get_attr``, ``grads`` has one tensor for each output. It returns the
    gradient of the input, or a list with one for each input; None where none flows.

    Args:
      op_type: the name; also the type of an operation that has no gradient so far.

    Raises:
      TypeError: if ``op_type`` is not a string.
      KeyError: if the name is taken; every operation that has a gradient has taken its own.

    Source: https://www.tensorflow.org/api_docs/python/tf/RegisterGradient

    >>> import autodiff_kit as ad
    >>> @ad.RegisterGradient("DocTimesFive")
    ... def times_five(op, grad):
    ...     return 5.0 * grad
    >>> x = ad.Variable(3.0)
    >>> with ad.GradientTape() as tape:
    ...     with ad.gradient_override_map({"Identity": "DocTimesFive"}):
    ...         y = ad.identity(x)
    >>> tape.gradient(y, x)
    <Tensor: shape=(), dtype=float32, numpy=5.0>
    """

    def __init__(self, op_type: str) -> None:
        self._name = _named(op_type)

    def __call__(self, f: Function) -> Function:
        """Register ``f`` and return it."""
        _enter(self._name, f)
        return f


def NotDifferentiable(op_type: str) -> None:
    """Registers a name that stands for: no gradient flows.

    Args:
      op_type: the name, to be used in `gradient_override_map`.

    Raises:
      TypeError: if ``op_type`` is not a string.
      KeyError: if the name is taken.

    Source: https://www.tensorflow.org/api_docs/python/tf/no_gradient

    >>> import autodiff_kit as ad
    >>> ad.NotDifferentiable("DocNothing")
    >>> x = ad.Variable(3.0)
    >>> with ad.GradientTape() as tape:
    ...     with ad.gradient_override_map({"Square": "DocNothing"}):
    ...         y = ad.square(x)
    >>> tape.gradient(y, x) is None
    True
    """
    _enter(_named(op_type), None)


NoGradient = NotDifferentiable


def _named(op_type: Any) -> str:
    if not isinstance(op_type, str):
        raise TypeError(
            f"op_type must be a string, the name to register under, but received {op_type!r}; for "
            'example @ad.RegisterGradient("MyGradient")'
        )
    return op_type


def _enter(name: str, f: Callable[..., Any] | None) -> None:
    if name in GRADIENTS and _run_again(GRADIENTS[name], f):
        del GRADIENTS[name]
    own = all_operations().get(name)
    if name in GRADIENTS or (own is not None and own.pull is not missing):
        where = "one of the kit's own operations"
        if name in GRADIENTS:
            where = f"the function {getattr(GRADIENTS[name], '__name__', None)!r}"
        raise KeyError(
            f"Registering two gradient with name {name!r}! (Previous registration was {where}); "
            "take another name"
        )
    GRADIENTS[name] = f


def _run_again(old: Any, new: Any) -> bool:
    """Whether the cell of a notebook that defines this function was run once more."""
    cells = getattr(new, "__globals__", {})
    if "_ih" not in cells or getattr(old, "__globals__", None) is not cells:  # IPython's history
        return False
    return bool(old.__qualname__ == new.__qualname__)


def missing(step: Operation, *dys: Any) -> list[Any]:
    """The `pull` of an operation that has no gradient unless the learner registers one."""
    if step.type not in GRADIENTS:
        raise LookupError(
            f"gradient registry has no entry for: {step.type}; register one with "
            f"@ad.RegisterGradient({step.type!r}), or build the function from other operations"
        )
    return by_name(step.type)(step, *dys)


def by_name(name: str) -> Callable[..., list[Any]]:
    """A learner's function in TensorFlow's form as a `pull`; it sees tensors only."""
    f = GRADIENTS[name]

    def pull(step: Operation, *dys: Any) -> list[Any]:
        if f is None:
            return [None] * len(step.inputs)
        seen = copy.copy(step)
        seen.raw = False
        found = f(seen, *arrived(seen.outputs, dys))
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        if len(found) != len(seen.inputs):
            raise ValueError(
                f"Num gradients {len(found)} generated for op name: {step.name!r} op: {step.type!r} "
                f"by the gradient {name!r} do not match num inputs {len(seen.inputs)}: return one "
                "for each input, None where no gradient flows"
            )
        return fitted(step.type, seen.inputs, found, step.raw)

    return pull


def arrived(outputs: Iterable[Tensor], dys: Iterable[Any]) -> list[Tensor]:
    """The gradients that arrived at the outputs, as tensors; zeros where none did."""
    return [
        tensor_of(np.zeros_like(y._value)[()])
        if dy is None
        else dy
        if type(dy) is Tensor
        else tensor_of(dy)
        for y, dy in zip(outputs, dys, strict=True)
    ]


def fitted(op_name: str, inputs: Iterable[Tensor], found: Iterable[Any], raw: bool) -> list[Any]:
    """The learner's gradients for the inputs as the way back wants them, or an error."""
    return [
        None if dx is None else _one(op_name, index, x, dx, raw)
        for index, (x, dx) in enumerate(zip(inputs, found, strict=True))
    ]


def _one(op_name: str, index: int, x: Tensor, dx: Any, raw: bool) -> Any:
    if not x.dtype.is_floating:
        return None
    gradient = (
        operand(dx, x.dtype) if not is_tensor(dx) else dx if type(dx) is Tensor else dx._read()
    )
    for what, wanted, got in (
        ("shape", x._value.shape, gradient._value.shape),
        ("dtype", x._value.dtype, gradient._value.dtype),
    ):
        if wanted != got:
            raise ValueError(
                f"Incompatible {what}s between op input and calculated input gradient. Forward "
                f"operation: {op_name}. Input index: {index}. Original input {what}: {wanted}. "
                f"Calculated input gradient {what}: {got}"
            )
    return gradient._value if raw else gradient
