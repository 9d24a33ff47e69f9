"""Layer 5: how a graph takes a branch, a small model of TensorFlow 1's Switch and Merge.

One idea: a graph holds both branches before anybody knows which one will be taken. Switch sends a value
into one branch and a dead token into the other; what meets a dead token is dead; Merge takes the one
that is alive. On the way back the two change places, and where only a dead gradient arrives, a zero is
put in its place. So the source of the branch not taken gets 0.0 from a graph, and None from a tape,
which never saw that branch.

Source: https://www.tensorflow.org/api_docs/python/tf/raw_ops/Switch and .../Merge
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff_kit import lazy
from autodiff_kit.control import cond
from autodiff_kit.convert import as_tensor
from autodiff_kit.tape import GradientTape
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["DEAD", "Outcome", "graph_cond", "merge", "switch", "tape_cond"]
__dir__ = lazy.shown(globals())

__autodiff_kit__ = True  # imported when it is asked for, so nobody else marks it

Branch = Callable[[Any], Any]


class Dead:
    """What flows through the branch that is not taken: nothing, but it does flow."""

    def __repr__(self) -> str:
        return "dead"


DEAD = Dead()


def switch(value: Any, pred: bool) -> tuple[Any, Any]:
    """Sends a value into one branch, (for false, for true), and a dead token into the other.

    >>> from autodiff_kit.switch_merge import switch
    >>> switch(3.0, True)
    (dead, 3.0)
    """
    return (DEAD, value) if pred else (value, DEAD)


def merge(*values: Any) -> Any:
    """The value that is alive; dead if none is.

    >>> from autodiff_kit.switch_merge import DEAD, merge
    >>> merge(DEAD, 3.0), merge(DEAD, DEAD)
    (3.0, dead)
    """
    return next((value for value in values if value is not DEAD), DEAD)


@dataclass
class Outcome:
    """The value, the gradients for x and for y, and what every node passed on, as a table."""

    value: Any
    gradients: list[Any]
    rows: list[tuple[str, Any, Any]]

    def __str__(self) -> str:
        cells = [("node", "forward", "backward"), *(tuple(map(_shown, row)) for row in self.rows)]
        widths = [max(len(row[k]) for row in cells) for k in range(3)]
        lines = ("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in cells)
        return "\n".join(line.rstrip() for line in lines)


def _shown(value: Any) -> str:
    return str(value._value) if isinstance(value, Tensor) else str(value)


def graph_cond(pred: Any, true_fn: Branch, false_fn: Branch, x: Any, y: Any) -> Outcome:
    """``cond(pred, true_fn(x), false_fn(y))`` and its gradients as a graph computes them.

    Args:
      pred: a truth value.
      true_fn, false_fn: functions of one tensor.
      x, y: what they are applied to.

    Returns:
      An `Outcome`; the source of the branch not taken has a gradient of zeros.

    >>> from autodiff_kit.switch_merge import graph_cond
    >>> outcome = graph_cond(True, lambda x: x * x, lambda y: y * 10.0, 3.0, 4.0)
    >>> [float(g) for g in outcome.gradients]
    [6.0, 0.0]
    >>> print(outcome)
    node      forward  backward
    Switch x  3.0      6.0
    Switch y  dead     0.0
    true_fn   9.0      6.0
    false_fn  dead     dead
    Merge     9.0      1.0
    """
    chosen, x, y = bool(pred), as_tensor(x), as_tensor(y)
    x_in, y_in = switch(x, chosen)[1], switch(y, chosen)[0]
    a, back_a = _branch(true_fn, x_in)
    b, back_b = _branch(false_fn, y_in)
    z = merge(a, b)
    dz = tensor_of(np.ones_like(z._value)[()])
    db, da = switch(dz, chosen)  # on the way back Merge is a Switch ...
    da, db = back_a(da), back_b(db)
    dx = merge(da, switch(_zeros(x), chosen)[0])  # ... and Switch is a Merge with a zero
    dy = merge(db, switch(_zeros(y), chosen)[1])
    rows = [
        ("Switch x", x_in, dx), ("Switch y", y_in, dy), ("true_fn", a, da), ("false_fn", b, db),
        ("Merge", z, dz),
    ]  # fmt: skip
    return Outcome(z, [dx, dy], rows)


def tape_cond(pred: Any, true_fn: Branch, false_fn: Branch, x: Any, y: Any) -> Outcome:
    """The same on a tape: only the branch that is taken runs.

    >>> from autodiff_kit.switch_merge import tape_cond
    >>> tape_cond(True, lambda x: x * x, lambda y: y * 10.0, 3.0, 4.0).gradients[1] is None
    True
    """
    x, y = as_tensor(x), as_tensor(y)
    with GradientTape() as tape:
        tape.watch([x, y])
        z = cond(pred, lambda: true_fn(x), lambda: false_fn(y))
    gradients = tape.gradient(z, [x, y])
    taken, other = ("true_fn", "false_fn") if pred else ("false_fn", "true_fn")
    rows = [(taken, z, gradients[0 if pred else 1]), (other, "never ran", None)]
    return Outcome(z, gradients, rows)


def _branch(f: Branch, value: Any) -> tuple[Any, Callable[[Any], Any]]:
    """A branch and its way back; with a dead token in, there is only dead out, both ways."""
    if value is DEAD:
        return DEAD, lambda dy: DEAD
    with GradientTape() as tape:
        tape.watch(value)
        result = f(value)
    return result, lambda dy: tape.gradient(result, value, dy, "zero")


def _zeros(value: Tensor) -> Tensor:
    return tensor_of(np.zeros_like(value._value)[()])
