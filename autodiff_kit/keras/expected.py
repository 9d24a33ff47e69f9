"""Layer 4: what a layer says of inputs that do not fit, before it makes a variable.

One idea: a layer knows how many axes its inputs have, and after its first call how long some of them
are. All layers say in the same words what they expected and what they got.
"""

from __future__ import annotations

from typing import Any

# How to get from one picture to many, by the number of axes that a layer expects.
AXES = {
    3: "the axes are those of examples, steps and features: x[..., ad.newaxis] adds features to plain "
    "numbers, x[ad.newaxis] makes one sequence one of many",
    4: "the axes are those of examples, height, width, channels: x[..., ad.newaxis] adds channels to "
    "grey pictures, x[ad.newaxis] makes one picture one of many",
}

_LENGTHS = {int, type(None)}  # None stands for any number, as of examples


def one_tensor(layer: str, shape: Any) -> None:
    """Raise ValueError unless this is the shape of one tensor."""
    if type(shape) is not tuple or not _LENGTHS.issuperset(map(type, shape)):
        raise ValueError(
            f'Layer "{layer}" expects 1 input(s), but it received a {type(shape).__name__} of '
            "tensors; ad.stack or ad.concat makes one of them"
        )


def start(layer: str) -> str:
    """How each of these errors begins."""
    return f'Input 0 of layer "{layer}" is incompatible with the layer: expected '


def axes_number(layer: str, shape: tuple[Any, ...], ndim: int, least: bool = False) -> None:
    """Raise ValueError unless there are so many axes, or at least so many."""
    if len(shape) == ndim or (least and len(shape) > ndim):
        return
    what = "min_ndim" if least else "ndim"
    hint = f"; {AXES[ndim]}" if ndim in AXES and len(shape) < ndim else ""
    raise ValueError(
        f"{start(layer)}{what}={ndim}, found ndim={len(shape)}. Full shape received: {shape}{hint}"
    )


def axis_length(layer: str, shape: tuple[Any, ...], axis: int, length: int) -> None:
    """Raise ValueError unless an axis is as long as at the first call."""
    if shape[axis] not in (length, None):
        raise ValueError(
            f"{start(layer)}axis {axis} of input shape to have value {length}, but received input "
            f"with shape {shape}"
        )


def axis_within(shape: tuple[Any, ...], axis: int, given: Any) -> None:
    """Raise ValueError unless inputs have such an axis; ``given`` is the layer's argument."""
    if not -len(shape) <= axis < len(shape):
        raise ValueError(
            f"Axis {axis} is out of bounds for input shape {shape}. Received: axis={given}"
        )
