"""Layer 3. One call of a random operation: its shape is checked, its stream opened and read.

One idea: what is wrong is refused before a stream is touched, so later numbers stay the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autodiff_kit import philox
from autodiff_kit.convert import convert_to_tensor
from autodiff_kit.dtypes import DType, as_dtype, float16, float32, float64, int32, int64
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.tensor import Tensor, tensor_of

# TensorFlow sets this many blocks aside for each number, whatever the distribution needs.
_RESERVE = 256
FLOATS = (float16, float32, float64)
UNIFORM = (*FLOATS, int32, int64)
Kernel = Callable[[philox.Stream, int, Any], philox.Array]
Source = Callable[[str, int], philox.Stream]  # kernel, blocks to set aside


def uniform(type_: str, source: Source, shape: Any, minval: Any, maxval: Any, dtype: Any) -> Tensor:
    """Return numbers between two bounds, of a float or an integer dtype.

    `type_` has a gap `{}`, in which TensorFlow writes `Int` for integers.
    """
    kind = as_dtype(dtype)
    if kind not in UNIFORM:
        raise ValueError(
            f"Argument `dtype` got invalid value {kind}. Accepted dtypes are {UNIFORM}."
        )
    if not kind.is_integer:
        upper = 1 if maxval is None else maxval
        return _floats(type_.format(""), source, shape, minval, upper, kind)
    if maxval is None:
        raise ValueError(f"Must specify maxval for integer dtype {kind!r}")
    return _integers(type_.format("Int"), source, shape, minval, maxval, kind)


def _floats(
    type_: str, source: Source, shape: Any, minval: Any, maxval: Any, dtype: DType
) -> Tensor:
    # A bound that changes nothing is not applied, as in TensorFlow.
    low = None if _is_int(minval, 0) else convert_to_tensor(minval, dtype)
    needless = low is None and _is_int(maxval, 1)
    high = None if needless else convert_to_tensor(maxval, dtype)
    drawn = _draw(type_, philox.uniform, source, shape, dtype)
    if high is None:
        return drawn
    return drawn * high if low is None else drawn * (high - low) + low


def _integers(
    type_: str, source: Source, shape: Any, minval: Any, maxval: Any, dtype: DType
) -> Tensor:
    low, high = convert_to_tensor(minval, dtype), convert_to_tensor(maxval, dtype)
    for bound, word in ((low, "minval"), (high, "maxval")):
        if bound.shape != ():
            raise refusal(type_, f"{word} must be 0-D, got shape {plain(bound.shape)}")
    start, stop = int(low._value), int(high._value)
    if start >= stop and 0 not in _sizes(type_, shape)[0]:
        raise refusal(type_, f"Need minval < maxval, got {start} >= {stop}")

    above = max(stop, start + 1)  # where nothing is drawn, the bounds may be in any order

    def kernel(stream: philox.Stream, size: int, dtype: Any) -> philox.Array:
        return philox.integers(stream, size, start, above, dtype)

    return _draw(type_, kernel, source, shape, dtype)


def any_integers(type_: str, source: Source, shape: Any, dtype: DType) -> Tensor:
    """Return integers from all that the dtype holds."""
    if dtype.size < 4:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype}. Accepted dtypes without bounds are int32, "
            "int64, uint32 and uint64."
        )
    return _draw(type_, philox.any_integers, source, shape, dtype)


def normal(
    type_: str, kernel: Kernel, source: Source, shape: Any, mean: Any, stddev: Any, dtype: Any
) -> Tensor:
    """Return floats of a normal kernel with a mean and a deviation that may be tensors."""
    kind = as_dtype(dtype)
    centre, width = convert_to_tensor(mean, kind), convert_to_tensor(stddev, kind)
    if kind not in FLOATS:
        allowed = ", ".join(each.error_name for each in FLOATS)
        words = f"Value for attr 'dtype' of {kind.error_name} is not in the list of allowed values"
        raise refusal(type_, f"{words}: {allowed}")
    return _draw(type_, kernel, source, shape, kind) * width + centre


def _draw(type_: str, kernel: Kernel, source: Source, shape: Any, dtype: DType) -> Tensor:
    sizes, index = _sizes(type_, shape)
    size = math.prod(sizes)
    stream = source(f"{type_}/{dtype.name}/{index}", size * _RESERVE)
    numbers = kernel(stream, size, dtype.as_numpy_dtype).reshape(sizes)
    return tensor_of(numbers[()], origin(type_, user_frame()))


def _sizes(type_: str, shape: Any) -> tuple[tuple[int, ...], str]:
    # The dtype comes back too: TensorFlow has a kernel, and so a stream, for either of the two.
    if type(shape) in (list, tuple) and all(type(n) is int and 0 <= n < 2**31 for n in shape):
        return tuple(shape), "int32"  # nearly every call: nothing has to be converted
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


def _is_int(value: Any, number: int) -> bool:
    return isinstance(value, int) and value == number
