"""Layer 3. One call of a random operation: its shape is checked, its stream opened and read.

One idea: what is wrong is refused before a stream is touched, so later numbers stay the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autodiff_kit import philox
from autodiff_kit.convert import convert_to_tensor, origin, user_frame
from autodiff_kit.dtypes import DType, int32, int64
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.seeds import open_stream
from autodiff_kit.tensor import Tensor

# TensorFlow sets this many blocks aside for each number, whatever the distribution needs.
_RESERVE = 256
Kernel = Callable[[philox.Stream, int, Any], philox.Array]


def draw(type_: str, kernel: Kernel, shape: Any, kind: DType, seed: Any) -> Tensor:
    """Return `shape` numbers that `kernel` makes of the operation's stream."""
    sizes, index = dims(type_, shape)
    size = math.prod(sizes)
    stream = open_stream(f"{type_}/{kind.name}/{index}", size * _RESERVE, seed)
    numbers = kernel(stream, size, kind.as_numpy_dtype).reshape(sizes)
    return Tensor(numbers[()], origin(type_, user_frame()))


def dims(type_: str, shape: Any) -> tuple[tuple[int, ...], str]:
    """Return the shape as a tuple of integers, and the dtype it came in.

    TensorFlow has a kernel, and so a stream, for each of the two dtypes a shape may have.
    """
    empty = isinstance(shape, (list, tuple)) and not shape
    sizes = convert_to_tensor(shape, int32 if empty else None)
    if sizes.dtype not in (int32, int64):
        raise refusal(
            type_,
            f"Value for attr 'T' of {sizes.dtype.error_name} is not in the list of allowed values: "
            "int32, int64; a shape is made of integers",
        )
    if len(sizes.shape) != 1:
        raise refusal(
            type_,
            f"shape must be a vector of {{int32,int64}}, got shape {plain(sizes.shape)}; "
            "write [3] for three numbers, [] for one",
        )
    for size in sizes._value.tolist():
        if size < 0:
            raise refusal(type_, f"Dimension {size} must be >= 0")
    return tuple(sizes._value.tolist()), sizes.dtype.name


def refusal(type_: str, message: str) -> InvalidArgumentError:
    """Return the error in the form of TensorFlow's kernels."""
    return InvalidArgumentError(f"{message} [Op:{type_}]")


def plain(shape: tuple[int, ...]) -> str:
    """Return a shape as TensorFlow's kernels write it: without spaces."""
    return str(list(shape)).replace(" ", "")
