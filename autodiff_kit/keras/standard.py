"""Layer 4: arguments of layers in their standard form, refused in Keras' words.

One idea: one number stands for all axes of a window, and what a layer does with it later is the same
for `3` and for `(3, 3)`.
"""

from __future__ import annotations

from typing import Any

FORMATS = ("channels_first", "channels_last")


def per_axis(name: str, value: Any, axes: int) -> tuple[int, ...]:
    """One positive whole number for each axis; a single one stands for all of them.

    >>> per_axis("kernel_size", 3, 2), per_axis("strides", [2, 1], 2)
    ((3, 3), (2, 1))
    """
    error = f"The `{name}` argument must be a tuple of {axes} integers. Received {name}={value}"
    whole = (value,) * axes if isinstance(value, int) else value
    if not isinstance(whole, (tuple, list)) or len(whole) != axes:
        raise ValueError(error)
    for one in whole:
        if isinstance(one, bool) or not isinstance(one, int):
            raise ValueError(f"{error}, including element {one} of type {type(one)}")
    wrong = {one for one in whole if one <= 0}
    if wrong:
        raise ValueError(f"{error}, including values {wrong} that do not satisfy `value > 0`")
    return tuple(whole)


def padding(value: Any, allowed: tuple[str, ...] = ("valid", "same")) -> str:
    """The word for what happens at the edges, in small letters.

    >>> padding("SAME")
    'same'
    """
    word = value.lower() if isinstance(value, str) else value
    if word not in allowed:
        raise ValueError(
            f"The `padding` argument must be one of {', '.join(map(repr, allowed))}. Received: "
            f"{value}; for another margin call ad.pad before the layer"
        )
    return str(word)


def channels_last(data_format: Any) -> str:
    """The order of the axes, which is always that of images with their channels at the end."""
    if data_format is not None and str(data_format).lower() not in FORMATS:
        raise ValueError(
            f"The `data_format` argument must be one of {FORMATS}. Received: "
            f"data_format={data_format}"
        )
    if str(data_format).lower() == "channels_first":
        raise ValueError(
            "data_format='channels_first' is not in this kit: its channels are the last axis. Turn "
            "the inputs round before the layer, ad.transpose(x, [0, 2, 3, 1]) for images and "
            "ad.transpose(x, [0, 2, 1]) for sequences"
        )
    return "channels_last"


def positive(name: str, value: Any, says: str, more: str = "") -> int:
    """A positive whole number, or the error that begins and ends so."""
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError(f"{says} Received: {name}={value}{more}")
    return value
