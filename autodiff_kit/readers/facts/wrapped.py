"""Layer 5: functions whose gradient function is the kit's own: recomputed, or passed through.

One idea: such a step looks like a custom gradient, and the learner wrote none. Who is told to look at
it would look into the kit.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.executed import Operation

LEAVE_OUT = (
    "To see where, leave ad.recompute_grad out and ask again: then the tape records the inside."
)


def wrapper_of(operation: Operation) -> str:
    """The name of the kit's wrapper: recompute_grad, grad_pass_through; "" for anything else."""
    grad_fn: Any = operation.attrs.get("grad_fn") if operation.type == "CustomGradient" else None
    if getattr(grad_fn, "__module__", "") != "autodiff_kit.recompute":
        return ""
    return str(grad_fn.__qualname__).partition(".")[0]


def ran_again(operation: Operation) -> str:
    """How the rule of a recomputed function came to its gradient; "" for another operation."""
    if wrapper_of(operation) != "recompute_grad":
        return ""
    return f"ad.recompute_grad ran `{operation.attrs['name']}` once more on the way back"


def by_keyword(operation: Operation, number: int) -> bool:
    """Whether an input of a function with its own gradient was given by its keyword."""
    leaves, keywords = operation.attrs["counts"]
    positional = leaves - len(operation.attrs["strings"])
    return bool(positional <= number < positional + keywords)
