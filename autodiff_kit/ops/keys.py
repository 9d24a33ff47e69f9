"""Layer 3: the keys of the ``[]`` operator: what may stand there, and what is wrong with it.

One idea: a key becomes one that NumPy takes as it is, or an error in TensorFlow's words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.errors import InvalidArgumentError, OpError

__all__: list[str] = []

Key = tuple[Any, ...]  # ints, slices, `...` and None, as NumPy's basic indexing takes them

_WHAT = (
    "Only integers, slices (`:`), ellipsis (`...`), ad.newaxis (`None`) and scalar ad.int32/ad.int64 "
    "tensors are valid indices, got {!r}; to choose by a list of positions use ad.gather"
)

LISTED = "a list is one position for each axis, not a choice: for that use ad.gather(x, {})"


def is_plain(item: Any) -> bool:
    """Whether NumPy can take an item of a key as it is: a whole number or a slice of Python's own."""
    if type(item) is slice:
        start, stop, step = item.start, item.stop, item.step
        return (
            (start is None or type(start) is int)
            and (stop is None or type(stop) is int)
            and (step is None or type(step) is int)
        )
    return type(item) is int or item is None or item is Ellipsis


def is_mask(key: Any) -> bool:
    if isinstance(key, (bool, np.bool_)):
        raise ValueError("mask cannot be scalar.")
    return (is_tensor(key) or isinstance(key, np.ndarray)) and bool(key.dtype == np.dtype(bool))


def position(item: Any) -> Any:
    """One item of a key as NumPy takes it."""
    if is_plain(item):
        return item
    if isinstance(item, slice):
        parts = (item.start, item.stop, item.step)
        return slice(*[None if part is None else _integer(part) for part in parts])
    return _integer(item)


def _integer(item: Any) -> int:
    if isinstance(item, (bool, np.bool_)):
        raise InvalidArgumentError(
            "Value for attr 'Index' of bool is not in the list of allowed values: int16, int32, "
            "int64 [Op:StridedSlice]; to choose by bools use an array or a tensor of them"
        )
    if isinstance(item, (int, np.integer)):
        return int(item)
    scalar = (is_tensor(item) or isinstance(item, np.ndarray)) and tuple(item.shape) == ()
    if scalar and item.dtype in ("int16", "int32", "int64"):
        return int(item)
    raise TypeError(_WHAT.format(item))


def complaint(key: Key, shape: tuple[int, ...]) -> OpError:
    """What is wrong with a key that NumPy refused, in TensorFlow's words."""
    rank = len(shape)
    used = sum(item is not None and item is not Ellipsis for item in key)
    text = f"Index out of range using input dim {rank}; input has only {rank} dims"
    if sum(item is Ellipsis for item in key) > 1:
        text = "Multiple ellipses in slice spec not allowed"
    elif rank == 0:
        text = "Attempting to slice scalar input."
    elif used <= rank:
        text = _misplaced(key, shape, used)
    return InvalidArgumentError(f"{text} [Op:StridedSlice]")


def _misplaced(key: Key, shape: tuple[int, ...], used: int) -> str:
    """Which of the positions is beyond the end of its dimension."""
    dim = 0
    for number, item in enumerate(key):
        if item is Ellipsis:
            dim += len(shape) - used
        elif isinstance(item, int) and not -shape[dim] <= item < shape[dim]:
            index = item + shape[dim] if item < 0 else item
            return f"slice index {index} of dimension {dim} out of bounds."
        elif isinstance(item, slice) and item.step == 0:
            return f"strides[{number}] must be non-zero"
        dim += item is not None and item is not Ellipsis
    return f"{key} is not an index of a tensor of shape {shape}"
