"""Layer 3: tensors put together, and taken apart.

One idea: putting together and taking apart are each other's way back.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from autodiff_kit import convert
from autodiff_kit.convert import as_tensor, is_tensor, operand, refuse_dtypes
from autodiff_kit.define import op_of, operation
from autodiff_kit.dtypes import DType
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted_many
from autodiff_kit.operators import CLASSES
from autodiff_kit.ops.integers import integer, listed
from autodiff_kit.owned import leaves_of
from autodiff_kit.tensor import Tensor

__all__ = ["concat", "stack"]


def together(values: Any) -> list[Tensor]:
    """Several inputs as tensors of one dtype: numbers follow the first tensor among them."""
    like = next((v.dtype for v in values if is_tensor(v)), None)
    if like is not None:
        return [operand(v, like) for v in values]
    made = [as_tensor(v) for v in values]
    floats = [t.dtype for t in made if t.dtype.is_floating]
    return [operand(v, floats[0]) for v in values] if floats else made


def alike(values: Any) -> tuple[tuple[Tensor, ...], list[Any]] | None:
    """Two or more tensors or variables of one dtype as tensors, and their bare values; None if there
    is more to be done.
    """
    if len(values) < 2:
        return None
    tensors = tuple(values)
    if {*map(type, values)} != {Tensor}:
        if not CLASSES.issuperset(map(type, values)):
            return None
        tensors = tuple([value._read() for value in values])
    bare = [tensor._value for tensor in tensors]
    dtype = bare[0].dtype
    for value in bare:
        if value.dtype is not dtype:
            return None
    return tensors, bare


@lru_cache(1000)
def cuts(axis: int, sizes: tuple[int, ...]) -> tuple[Any, ...]:
    """The keys of parts that lie one behind the other along an axis."""
    ends = list(accumulate(sizes, initial=0))
    before = (slice(None),) * axis
    return tuple([(*before, slice(start, end)) for start, end in pairwise(ends)])


def _joined_back(step: Any, dy: Any) -> list[Any]:
    attrs = step.attrs
    keys = cuts(attrs["axis"], attrs["sizes"])
    # Equally long; `strict` takes longer.
    return [dy[key] if i >= 0 else None for key, i in zip(keys, step.places)]  # noqa: B905


_concat = operation(
    "ConcatV2",
    "concat_sized",
    lambda *xs, axis, sizes: np.concatenate(xs, axis),
    pull=_joined_back,
    keeps=False,
)


_CONCAT = op_of(_concat)


def _concat_checked(*tensors: Any, axis: int) -> Any:
    sizes = tuple(t.shape[axis] for t in tensors)
    return xp.concat_sized(*tensors, axis=axis, sizes=sizes)


xp.concat = _concat_checked


def concat(values: Any, axis: Any, name: str | None = None) -> Tensor:
    """Tensors put one behind the other along an axis that they have.

    Args:
      values: tensors of one dtype, whose shapes are equal except along ``axis``.
      axis: the axis.
      name: ignored.

    Returns:
      A tensor whose length along the axis is the sum of theirs.

    Raises:
      InvalidArgumentError: for scalars, ranks, shapes or dtypes that differ, an axis out of range.

    Source: https://www.tensorflow.org/api_docs/python/tf/concat

    >>> import autodiff_kit as ad
    >>> ad.concat([[1.0, 2.0], [3.0]], axis=0)
    <Tensor: shape=(3,), dtype=float32, numpy=array([1., 2., 3.], dtype=float32)>
    """
    if not isinstance(values, (list, tuple)):
        integer(axis)  # an error for what is none
        return as_tensor(values)
    found = alike(values)
    if found is not None and type(axis) is int:
        inputs, bare = found
        try:
            result = np.concatenate(bare, axis)
        except ValueError:
            pass  # what is wrong with it is found out below
        else:
            along = axis if axis >= 0 else axis + result.ndim
            sizes = tuple([value.shape[along] for value in bare])
            attrs = {"axis": along, "sizes": sizes}
            return noted_many(_CONCAT, inputs, result, attrs)
    tensors, along = together(values), integer(axis)
    if len(tensors) == 1:
        return xp.identity(tensors[0])
    if not tensors:
        raise InvalidArgumentError("ConcatOp : Expected at least one tensor to join [Op:ConcatV2]")
    refuse_dtypes("ConcatV2", [t._value for t in tensors])
    shapes = [t._value.shape for t in tensors]
    rank = len(shapes[0])
    _check_ranks(shapes)
    if not -rank <= along < rank:
        raise InvalidArgumentError(
            "ConcatOp : Expected concatenating dimensions in the range "
            f"[{-rank}, {rank}), but got {along} [Op:ConcatV2]"
        )
    along %= rank
    _check_sides(shapes, along)
    return _concat(*tensors, axis=along, sizes=tuple(s[along] for s in shapes))


def _check_ranks(shapes: list[Any]) -> None:
    first = shapes[0]
    if not first:
        raise InvalidArgumentError(
            "ConcatOp : Can't concatenate scalars (use ad.stack instead) [Op:ConcatV2]"
        )
    for number, shape in enumerate(shapes):
        if len(shape) != len(first):
            raise InvalidArgumentError(
                "ConcatOp : Ranks of all input tensors should match: shape[0] = "
                f"{listed(first)} vs. shape[{number}] = {listed(shape)} [Op:ConcatV2]"
            )


def _check_sides(shapes: list[Any], axis: int) -> None:
    first = shapes[0]
    for number, shape in enumerate(shapes):
        for d, (m, n) in enumerate(zip(first, shape, strict=True)):
            if d != axis and m != n:
                raise InvalidArgumentError(
                    f"ConcatOp : Dimension {d} in both shapes must be equal: shape[0] = "
                    f"{listed(first)} vs. shape[{number}] = {listed(shape)} [Op:ConcatV2]"
                )


def _unstacked(step: Any, dy: Any) -> list[Any]:
    axis, places = step.attrs["axis"], step.places
    if axis == 0 and type(dy) is not Tensor:
        return list(dy)
    before = (slice(None),) * axis
    return [dy[(*before, number)] if place >= 0 else None for number, place in enumerate(places)]


def _stack_kernel(*xs: Any, axis: int) -> Any:
    """`np.stack`, which takes twice the time."""
    if axis == 0:
        return np.array(xs)
    before = (slice(None),) * axis
    return np.concatenate([x[(*before, None)] for x in xs], axis)


_stack = operation("Pack", "stack", _stack_kernel, pull=_unstacked, keeps=False)
_PACK = op_of(_stack)


def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """Tensors of one shape put side by side along a new axis.

    Args:
      values: tensors of one shape and dtype; of a tensor its rows are taken.
      axis: where the new axis goes.
      name: ignored.

    Returns:
      A tensor of one more axis, as long as there are tensors.

    Raises:
      ValueError: for an axis out of range.
      InvalidArgumentError: if shapes or dtypes differ.

    Source: https://www.tensorflow.org/api_docs/python/tf/stack

    >>> import autodiff_kit as ad
    >>> ad.stack([[1.0, 2.0], [3.0, 4.0]], axis=1)
    <Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[1., 3.],
           [2., 4.]], dtype=float32)>
    """
    if not isinstance(values, (list, tuple)) or not values:
        whole = as_tensor(values)
        if type(axis) is int and axis == 0:
            return whole
        values = _rows(whole)
    found = alike(values)
    if found is None and type(axis) is int and axis == 0 and any(map(_holds_tensors, values)):
        # The first tensor of all rows says what their numbers become.
        return as_tensor(list(values))
    tensors = found[0] if found is not None else together(values)
    rank = tensors[0]._value.ndim + 1
    axis = axis if type(axis) is int else integer(axis)
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    if found is not None:
        inputs, bare = found
        shape = bare[0].shape
        if all(value.shape == shape for value in bare):  # nearly every call
            along = axis % rank
            return noted_many(_PACK, inputs, _stack_kernel(*bare, axis=along), {"axis": along})
    return _stacked(list(tensors), axis % rank)


def _holds_tensors(row: Any) -> bool:
    return isinstance(row, (list, tuple)) and any(map(is_tensor, leaves_of(row)))


def _rows(tensor: Tensor) -> list[Tensor]:
    """What a tensor stands for where a list of tensors is expected."""
    shape = tensor._value.shape
    if not shape:
        raise InvalidArgumentError(
            "Attempting to slice scalar input. [Op:StridedSlice]; ad.stack takes a list of tensors"
        )
    if not shape[0]:
        raise InvalidArgumentError(
            "slice index 0 of dimension 0 out of bounds. [Op:StridedSlice]; there is no row to stack"
        )
    return list(tensor)


def _stacked(parts: list[Tensor], axis: int) -> Tensor:
    refuse_dtypes("Pack", [t._value for t in parts])
    first = parts[0]._value.shape
    for number, part in enumerate(parts):
        if part._value.shape != first:
            raise InvalidArgumentError(
                f"Shapes of all inputs must match: values[0].shape = {listed(first)} != "
                f"values[{number}].shape = {listed(part._value.shape)} [Op:Pack]"
            )
    return _stack(*parts, axis=axis)


def _stack_rows(rows: list[Tensor], dtype: DType | None) -> Tensor:
    """How a list that holds tensors becomes a tensor."""
    if dtype is not None:
        rows = [row if row.dtype is dtype else xp.cast(row, dtype=dtype.name) for row in rows]
    return _stacked(rows, 0)


convert.stack_rows = _stack_rows
